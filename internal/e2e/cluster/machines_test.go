package cluster

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for what must happen.
const patience = 2 * time.Minute

// program is a program that runs, or ran, with what it says in a file.
type program struct {
	t    *testing.T
	name string
	path string
	args []string
	env  []string
	said string // the file

	cmd   *exec.Cmd
	ended chan struct{}
}

func (p *program) start() {
	p.t.Helper()
	out, err := os.OpenFile(p.said, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(p.t, err)
	cmd := exec.Command(p.path, p.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(environment(), p.env...), out, out
	require.NoError(p.t, cmd.Start(), p.name)
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		_ = out.Close()
		close(ended)
	}()
	p.cmd, p.ended = cmd, ended
}

func (p *program) running() bool {
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// kill is kill -9 of the program and of the processes that it has started, and returns when it is gone.
func (p *program) kill() {
	if p.running() {
		children := childrenOf(p.cmd.Process.Pid)
		_ = p.cmd.Process.Kill()
		for _, pid := range children {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		<-p.ended
	}
}

func (p *program) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// text is what the program has said.
func (p *program) text() string {
	data, _ := os.ReadFile(p.said) // a program that has not started has said nothing
	return string(data)
}

// tail is the end of it, for a failure.
func (p *program) tail() string {
	lines := strings.Split(strings.TrimSpace(p.text()), "\n")
	return p.name + " says:\n" + strings.Join(lines[max(0, len(lines)-15):], "\n")
}

// childrenOf lists the processes that a process has started, and theirs.
func childrenOf(pid int) (out []int) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // none if it has ended
	for _, word := range strings.Fields(string(data)) {
		if child, err := strconv.Atoi(word); err == nil {
			out = append(append(out, child), childrenOf(child)...)
		}
	}
	return out
}

// environment returns the environment without settings of Sanad and of PostgreSQL's programs.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "SANAD_") || strings.HasPrefix(v, "PG")
	})
}

// await waits until is returns true.
func await(t *testing.T, what string, is func() bool, who ...*program) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			for _, p := range who {
				t.Log(p.tail())
			}
			require.FailNow(t, "waited in vain: "+what)
		}
	}
}

// ports gives ports below those that the system gives to outgoing connections, so that a program that starts again gets
// its own again.
type ports struct {
	mu    sync.Mutex
	given map[int]bool
}

// allPorts are those of all clusters, which run beside each other.
var allPorts = &ports{given: map[int]bool{}}

func (p *ports) next(t *testing.T) int {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for range 1000 {
		port := 20_000 + rand.IntN(12_000)
		if p.given[port] {
			continue
		}
		l, err := net.Listen("tcp", at(port))
		if err == nil && l.Close() == nil {
			p.given[port] = true
			return port
		}
	}
	require.FailNow(t, "no port is free")
	return 0
}

func at(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// machines is a cluster on one machine.
type machines struct {
	t        *testing.T
	dir      string
	programs string // folder of sanad and versitygw
	postgres string // folder of PostgreSQL's programs
	password string
	ports    *ports

	primary, standby  *server
	pooler, balancer  *program
	objects           *program
	poolerAt, publicA string
	files             string // for --files
	key               string // file of the master key
	nodes             []*node
}

// secrets are the variables of the nodes' environment that no command line may hold.
func (m *machines) secrets() []string {
	return []string{"PGPASSWORD=" + m.password, "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret-of-this-test"}
}

func (m *machines) path(parts ...string) string {
	return filepath.Join(append([]string{m.dir}, parts...)...)
}

func (m *machines) program(name, path string, env []string, args ...string) *program {
	p := &program{t: m.t, name: name, path: path, args: args, env: env, said: m.path(name + ".log")}
	m.t.Cleanup(p.kill)
	return p
}

// does runs a program until it ends, requires success, and returns what it said.
func (m *machines) does(stdin, path string, args ...string) string {
	m.t.Helper()
	out, err := m.tries(stdin, path, args...)
	require.NoError(m.t, err, "%s %s: %s", path, strings.Join(args, " "), out)
	return out
}

func (m *machines) tries(stdin, path string, args ...string) (out string, err error) {
	return m.triesWith(nil, stdin, path, args...)
}

// triesWith is tries with more of an environment.
func (m *machines) triesWith(env []string, stdin, path string, args ...string) (out string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = slices.Concat(environment(), m.secrets(), env), m.dir, strings.NewReader(stdin)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err = cmd.Run()
	return both.String(), err
}

// server is a PostgreSQL server.
type server struct {
	*program
	m        *machines
	data     string
	port     int
	within   []string // runs it where its files are; nil if that is here
	settings []string // it was started with the last time
}

func (m *machines) newServer(name string) *server {
	s := &server{m: m, data: m.path(name), port: m.ports.next(m.t)}
	s.program = m.program(name, filepath.Join(m.postgres, "postgres"), nil)
	return s
}

// up starts the server with settings of its command line, and waits until it answers.
func (s *server) up(settings ...string) {
	s.t.Helper()
	s.settings = settings
	command := append(slices.Clone(s.within), filepath.Join(s.m.postgres, "postgres"), "-D", s.data, "-p", strconv.Itoa(s.port))
	s.path, s.args = command[0], command[1:]
	for _, setting := range settings {
		s.args = append(s.args, "-c", setting)
	}
	s.start()
	await(s.t, s.name+" answers", func() bool {
		_, err := s.m.tries("", filepath.Join(s.m.postgres, "pg_isready"), "-h", "127.0.0.1", "-p", strconv.Itoa(s.port))
		return err == nil
	}, s.program)
}

// sql runs statements and returns the rows as lines.
func (s *server) sql(statements string) string {
	s.t.Helper()
	out, err := s.asks("sanad", statements)
	require.NoError(s.t, err, out)
	return out
}

// asks is sql without a check. Warnings are left out, such as of a process that has ended meanwhile.
func (s *server) asks(database, statements string) (string, error) {
	out, err := s.m.triesWith([]string{"PGOPTIONS=-c client_min_messages=error"}, "", filepath.Join(s.m.postgres, "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
		"-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "postgres", "-d", database, "-c", statements)
	return strings.TrimSpace(out), err
}

// node is a process of Sanad.
type node struct {
	*program
	role string
	url  string
}

func (n *node) ready() bool {
	status, _ := n.readiness()
	return status == http.StatusOK
}

// readiness is the node's answer at /readyz.
func (n *node) readiness() (status int, says string) {
	client := http.Client{Timeout: 20 * time.Second}
	res, err := client.Get(n.url + "/readyz")
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, string(data)
}

// says is what a node that is ready says at /readyz.
func (n *node) says(t *testing.T) string {
	t.Helper()
	status, says := n.readiness()
	require.Equal(t, http.StatusOK, status, says)
	return says
}

// up starts the node and waits until it is ready.
func (n *node) up() {
	n.t.Helper()
	n.start()
	await(n.t, n.name+" is ready", func() bool {
		require.True(n.t, n.running(), n.tail())
		return n.ready()
	}, n.program)
}

// sanad is the path of the program.
func (m *machines) sanad() string { return filepath.Join(m.programs, "sanad") }

// database is the address that the nodes use: PgBouncer's.
func (m *machines) database() string {
	return "postgres://sanad@" + m.poolerAt + "/sanad"
}

// flags of every command that opens the store.
func (m *machines) flags() []string {
	return []string{"--data", m.path("data"), "--database", m.database(), "--files", m.files, "--master-key-file", m.key}
}

// command runs a command of sanad on the store.
func (m *machines) command(stdin string, args ...string) string {
	m.t.Helper()
	return m.does(stdin, m.sanad(), append(args, m.flags()...)...)
}

// addNode makes a node; it is not started.
func (m *machines) addNode(name, role string, more ...string) *node {
	n := &node{role: role, url: "http://" + at(m.ports.next(m.t))}
	args := append([]string{"serve", "--addr", strings.TrimPrefix(n.url, "http://"), "--role", role, "--trust-proxy",
		"--public-url", "http://" + m.publicA, "--rate-limit", "0", "--check-per-minute", "0"}, m.flags()...)
	args[slices.Index(args, "--data")+1] = m.path("data-" + name)
	n.program = m.program(name, m.sanad(), m.secrets(), append(args, more...)...)
	m.nodes = append(m.nodes, n)
	return n
}

// skew gives a node that does not run yet a clock that is wrong.
func (n *node) skew(by string) {
	n.path += "-skewed"
	n.env = append(n.env, "SANAD_SKEW="+by)
}

// named returns a node.
func (m *machines) named(name string) *node {
	i := slices.IndexFunc(m.nodes, func(n *node) bool { return n.name == name })
	require.GreaterOrEqual(m.t, i, 0, name)
	return m.nodes[i]
}

// parallel runs do for each of some things at once.
func parallel[T any](things []T, do func(T)) {
	var wait sync.WaitGroup
	for _, x := range things {
		wait.Go(func() { do(x) })
	}
	wait.Wait()
}
