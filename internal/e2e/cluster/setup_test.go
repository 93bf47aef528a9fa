package cluster

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// startAll starts everything but the nodes in a folder: a primary with a synchronous standby, PgBouncer, HAProxy and
// versitygw, with the files of deploy/cluster.
func (m *machines) startAll() {
	m.t.Helper()
	m.startPair()
	m.startPooler()
	m.startObjects()
	m.publicA = at(m.ports.next(m.t))
}

// newBare makes a cluster in which nothing runs yet.
func newBare(t *testing.T) *machines {
	t.Helper()
	programs := os.Getenv("SANAD_CLUSTER")
	if programs == "" {
		t.Skip("needs servers: run make cluster")
	}
	m := &machines{t: t, dir: t.TempDir(), programs: programs, password: rand.Text(), ports: allPorts}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	require.NoError(t, err)
	require.NotEmpty(t, found, "PostgreSQL is not installed")
	m.postgres = filepath.Dir(found[len(found)-1])
	m.key = m.path("master.key")
	m.does("", m.sanad(), "key", "init", m.key)
	return m
}

// newDatabase makes the files of a server.
func (m *machines) newDatabase(name string, settings ...string) *server {
	m.t.Helper()
	s := m.newServer(name)
	require.NoError(m.t, os.WriteFile(m.path("password"), []byte(m.password+"\n"), 0o600))
	m.does("", filepath.Join(m.postgres, "initdb"), "-D", s.data, "-U", "postgres", "--pwfile", m.path("password"),
		"--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync")
	f, err := os.OpenFile(filepath.Join(s.data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(m.t, err)
	_, err = fmt.Fprintln(f, strings.Join(append([]string{"listen_addresses = '127.0.0.1'", "unix_socket_directories = ''",
		"max_connections = 60", "shared_buffers = 64MB", "wal_keep_size = 512MB", "jit = off",
		"dynamic_shared_memory_type = mmap"}, settings...), "\n"))
	require.NoError(m.t, err)
	require.NoError(m.t, f.Close())
	return s
}

// follow makes a standby of a server.
func (m *machines) follow(of *server, name string) *server {
	m.t.Helper()
	s := m.newServer(name)
	m.does("", filepath.Join(m.postgres, "pg_basebackup"), "-h", "127.0.0.1", "-p", strconv.Itoa(of.port), "-U", "postgres",
		"-D", s.data, "-R", "-c", "fast", "--no-sync", "-X", "stream")
	return s
}

// synchronous has the primary's commits wait until the standby has them on disk. It stands on the command line, so that
// the standby does not inherit it.
const synchronous = "synchronous_standby_names=standby"

// startPair starts a primary and its synchronous standby.
func (m *machines) startPair() {
	m.t.Helper()
	m.primary = m.newDatabase("primary")
	m.primary.up()
	m.makeDatabase(m.primary)
	m.standby = m.follow(m.primary, "standby")
	m.standby.up("cluster_name=standby")
	m.primary.signal(syscall.SIGINT) // and again with what makes it wait
	<-m.primary.ended
	m.primary.up(synchronous)
	await(m.t, "the standby is synchronous", func() bool {
		return m.primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync"
	}, m.primary.program, m.standby.program)
}

// makeDatabase makes the database, and gives its user what PgBouncer does not pass on.
func (m *machines) makeDatabase(s *server) {
	m.t.Helper()
	for _, statement := range []string{"CREATE ROLE sanad LOGIN PASSWORD '" + m.password + "'",
		"CREATE DATABASE sanad OWNER sanad TEMPLATE template0 ENCODING 'UTF8'",
		"ALTER ROLE sanad SET statement_timeout = '120s'", "ALTER ROLE sanad SET lock_timeout = '30s'",
		"ALTER ROLE sanad SET idle_in_transaction_session_timeout = '120s'", "ALTER ROLE sanad SET jit = off",
		"ALTER ROLE sanad SET max_parallel_workers_per_gather = 0"} {
		out, err := s.asks("postgres", statement)
		require.NoError(m.t, err, out)
	}
}

// shipped reads a file of deploy/cluster and replaces what names other machines. Each pattern must be there.
func (m *machines) shipped(name string, changes ...string) string {
	t := m.t
	t.Helper()
	data, err := os.ReadFile(filepath.Join(m.programs, name))
	require.NoError(t, err)
	text := string(data)
	for i := 0; i < len(changes); i += 2 {
		pattern := regexp.MustCompile("(?m)" + changes[i])
		require.Regexp(t, pattern, text, name)
		text = pattern.ReplaceAllString(text, changes[i+1])
	}
	return text
}

// startPooler starts PgBouncer before the primary.
func (m *machines) startPooler() {
	m.t.Helper()
	port := m.ports.next(m.t)
	m.poolerAt = at(port)
	m.pooler = m.program("pgbouncer", lookPath(m.t, "pgbouncer"), nil, m.path("pgbouncer.ini"))
	require.NoError(m.t, os.WriteFile(m.path("userlist.txt"), fmt.Appendf(nil, "\"sanad\" \"%s\"\n", m.password), 0o600))
	m.pointAt(m.primary)
	m.pooler.start()
	await(m.t, "PgBouncer answers", func() bool {
		_, err := m.tries("", filepath.Join(m.postgres, "psql"), "-X", "-h", "127.0.0.1", "-p", strconv.Itoa(port), "-U", "sanad",
			"-d", "sanad", "-c", "SELECT 1")
		return err == nil
	}, m.pooler)
}

// pointAt has PgBouncer go to a server.
func (m *machines) pointAt(s *server) {
	m.t.Helper()
	_, port, _ := strings.Cut(m.poolerAt, ":")
	text := m.shipped("pgbouncer.ini", `host=database port=5432`, fmt.Sprint("host=127.0.0.1 port=", s.port),
		`^listen_addr = .*$`, "listen_addr = 127.0.0.1", `^listen_port = .*$`, "listen_port = "+port,
		`^auth_file = .*$`, "auth_file = "+m.path("userlist.txt"))
	require.NoError(m.t, os.WriteFile(m.path("pgbouncer.ini"), []byte(text), 0o600))
	if m.pooler.running() {
		m.pooler.signal(syscall.SIGHUP)
	}
}

// startObjects starts versitygw with a bucket.
func (m *machines) startObjects() {
	m.t.Helper()
	address := at(m.ports.next(m.t))
	require.NoError(m.t, os.MkdirAll(m.path("objects", "sanad"), 0o700))
	require.NoError(m.t, os.MkdirAll(m.path("sidecar"), 0o700))
	m.objects = m.program("versitygw", filepath.Join(m.programs, "versitygw"), nil, "--access", "key", "--secret",
		"secret-of-this-test", "--port", address, "--region", "us-east-1", "--quiet", "posix", "--sidecar", m.path("sidecar"),
		m.path("objects"))
	m.objects.start()
	await(m.t, "versitygw answers", func() bool {
		res, err := http.Get("http://" + address + "/")
		if err == nil {
			_ = res.Body.Close() // nothing is written
		}
		return err == nil
	}, m.objects)
	m.files = "s3://sanad?endpoint=http://" + address + "&region=us-east-1&use_path_style=true"
}

// startBalancer starts HAProxy before the web nodes, with more changes to its file.
func (m *machines) startBalancer(changes ...string) {
	m.t.Helper()
	servers := ""
	for _, n := range m.nodes {
		if n.role == "web" {
			servers += fmt.Sprintf("  server %s %s\n", n.name, strings.TrimPrefix(n.url, "http://"))
		}
	}
	text := m.shipped("haproxy.cfg", append(changes, `bind :8080`, "bind "+m.publicA,
		`(?s)^  server web1 .*^  server web2 web2:8080\n`, servers, `(?s)^resolvers docker\n.*`, "",
		` resolvers docker init-addr last,libc,none`, "")...)
	require.NoError(m.t, os.WriteFile(m.path("haproxy.cfg"), []byte(text), 0o600))
	m.balancer = m.program("haproxy", lookPath(m.t, "haproxy"), nil, "-db", "-f", m.path("haproxy.cfg"))
	m.balancer.start()
	await(m.t, "HAProxy answers", func() bool {
		require.True(m.t, m.balancer.running(), m.balancer.tail())
		res, err := http.Get("http://" + m.publicA + "/healthz")
		if err != nil {
			return false
		}
		_ = res.Body.Close() // nothing is written
		return res.StatusCode == http.StatusOK
	}, m.balancer)
}

// lookPath finds a program that may lie where only an administrator looks.
func lookPath(t *testing.T, name string) string {
	t.Helper()
	for _, place := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	require.FailNow(t, name+" is not installed")
	return ""
}
