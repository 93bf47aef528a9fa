package cluster

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// rolling is a small cluster whose programs are replaced one after another by those of a later version, and back.
type rolling struct {
	*stage

	began   time.Time
	level   int    // of the schema that the older version knows
	steps   string // folder of the steps that the later version has besides
	next    string // the program of the later version
	stopped []kill // of web nodes that ended before HAProxy had noticed that they would
	drained int
}

// TestRollingUpgrade replaces nodes by those of a later version under load, one after another, whose migration permits
// it, and goes back; and then has a migration that does not permit it (rule DB-13).
func TestRollingUpgrade(t *testing.T) {
	m := newBare(t)
	t.Parallel()
	s := &rolling{stage: &stage{machines: m}, began: time.Now(), next: m.sanad() + "-next",
		steps: m.path("steps")}
	m.primary = m.newDatabase("primary", "fsync = off")
	m.primary.up()
	m.makeDatabase(m.primary)
	m.startPooler()
	m.publicA, m.files = at(m.ports.next(t)), m.path("files")
	require.NoError(t, os.Mkdir(m.files, 0o700))
	require.NoError(t, os.Mkdir(s.steps, 0o700))
	m.command("", "migrate")
	for _, login := range people {
		m.command(password(login)+"\n", "user", "add", login, "--role", "admin", "--password-stdin")
	}
	added := m.command("", "token", "add", "--name", "load", "--role", "reviewer")
	token := regexp.MustCompile(`sanad_\w+`).FindString(added)
	require.NotEmpty(t, token)
	s.level = s.schema()
	s.addStep(1, "from level "+strconv.Itoa(s.level), `ALTER TABLE webhooks ADD COLUMN later integer NOT NULL DEFAULT 7;
		CREATE TABLE later (tenant_id text COLLATE "C" NOT NULL, no integer NOT NULL, PRIMARY KEY (tenant_id, no));`)
	for _, name := range []string{"web1", "web2"} {
		m.addNode(name, "web", "--drain", "3s")
	}
	m.addNode("worker1", "worker")
	for _, n := range m.nodes {
		n.env = append(n.env, "ROLLING_STEPS="+s.steps)
	}
	parallel(m.nodes, (*node).up)
	m.startBalancer(`inter 2s fall 2 rise 2`, "inter 250ms fall 2 rise 2")
	s.load = newLoad(m, token)
	for _, step := range []struct {
		name string
		do   func(*testing.T)
	}{
		{"nodes are replaced, and back", s.replaceAll},
		{"a migration that older programs cannot serve", s.incompatible},
	} {
		if !t.Run(step.name, step.do) {
			for _, n := range append(m.nodes, &node{program: m.pooler}, &node{program: m.balancer}) {
				t.Log(n.tail())
			}
			return
		}
	}
	t.Logf("the rolling upgrade, with its servers, took %v", time.Since(s.began).Round(time.Second))
}

// schema is the newest step that was applied.
func (s *rolling) schema() int {
	level, err := strconv.Atoi(s.primary.sql("SELECT max(version) FROM schema_migrations"))
	require.NoError(s.t, err)
	return level
}

// addStep gives the later version another step.
func (s *rolling) addStep(n int, serves, sql string) {
	name := fmt.Sprintf("%04d_later.sql", s.level+n)
	text := fmt.Appendf(nil, "-- Older programs serve on: %s\n%s\n", serves, sql)
	require.NoError(s.t, os.WriteFile(filepath.Join(s.steps, name), text, 0o600))
}

// laterTries runs a command of the later version.
func (s *rolling) laterTries(args ...string) (string, error) {
	return s.triesWith([]string{"ROLLING_STEPS=" + s.steps}, "", s.next, append(args, s.flags()...)...)
}

// stop ends a node as its operator does.
func (s *rolling) stop(t *testing.T, n *node) {
	t.Helper()
	k, noticed := kill{node: n.name, from: time.Now()}, false
	n.signal(syscall.SIGTERM)
	await(t, n.name+" ends", func() bool {
		noticed = noticed || n.running() && !s.inUse(n)
		return !n.running()
	}, n.program)
	k.to = time.Now()
	switch {
	case n.role != "web":
	case noticed:
		s.drained++
	default: // the machine was too slow
		s.stopped = append(s.stopped, k)
	}
}

// replace has a node run another program.
func (s *rolling) replace(t *testing.T, program string, names ...string) {
	t.Helper()
	for _, name := range names {
		n := s.named(name)
		s.stop(t, n)
		n.path = program
		n.up()
		if n.role == "web" {
			await(t, "HAProxy uses "+n.name, func() bool { return s.inUse(n) }, s.balancer)
		}
	}
}

func (s *rolling) replaceAll(t *testing.T) {
	sign := func(n *node) {
		for _, who := range people[:2] {
			in, ok := s.signIn(n.url, who, password(who))
			require.True(t, ok, s.failures)
			s.logins = append(s.logins, in)
		}
	}
	sign(s.named("web1"))
	sign(s.named("web2"))
	s.load.begin(t)
	s.awaitMore(t, 30)
	before := s.acknowledged()
	s.addJob(t, 0)

	s.replace(t, s.next, "web1")
	require.Equal(t, s.level+1, s.schema())
	s.awaitMore(t, 50)
	sign(s.named("web1"))
	sign(s.named("web2"))
	s.addJob(t, 1)
	s.mixed(t, s.named("web1"), s.named("web2"))
	both := s.acknowledged()
	s.replace(t, s.next, "worker1", "web2")
	s.addJob(t, 2)
	s.awaitMore(t, 30)
	later := s.acknowledged()

	s.replace(t, s.sanad(), "web1")
	s.addJob(t, 3)
	s.mixed(t, s.named("web2"), s.named("web1"))
	s.replace(t, s.sanad(), "worker1", "web2")
	s.awaitMore(t, 30)
	s.end()
	s.awaitJobs(t)
	require.Equal(t, s.level+1, s.schema(), "the older version leaves the schema")

	failures := s.failed()
	for _, f := range failures {
		require.True(t, inFlight(relayed{began: f.began, ended: f.ended}, s.stopped), "failed: %s\n%v", f.says, s.stopped)
	}
	for status := range s.statuses {
		require.Contains(t, []int{http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusSeeOther}, status)
	}
	_, requests := badlyRelayed(t, s.balancer.text())
	s.requireKept(t, s.primary)
	s.requireLogins(t)
	s.requireNoFork(t)
	for _, n := range s.nodes {
		require.NotContains(t, n.text(), `"msg":"panic`)
	}
	t.Logf("6 processes stopped by SIGTERM and replaced, %d of 4 web nodes drained; %d requests, %d failed; writes "+
		"acknowledged: %d before, %d with one node of the later version, %d until all were, %d on the way back, 0 lost; "+
		"%d logins, 0 lost; %d jobs, each done once", s.drained, requests, len(failures), before, both-before, later-both,
		s.acknowledged()-later, len(s.logins), len(s.jobs))
}

// sheet finds the address of the style sheet that the versions differ in.
var sheet = regexp.MustCompile(`/static/base\.css\?v=[0-9a-f]{12}`)

// mixed asks a node of each version for what the other has made.
func (s *rolling) mixed(t *testing.T, later, older *node) {
	t.Helper()
	get := func(n *node, path string) (*http.Response, string) {
		return s.page(t, n, path, nil)
	}
	address := map[*node]string{}
	for _, n := range []*node{later, older} {
		_, page := get(n, "/login")
		address[n] = sheet.FindString(page)
		require.NotEmpty(t, address[n], page)
		res, _ := get(n, address[n])
		require.Contains(t, res.Header.Get("Cache-Control"), "immutable")
	}
	require.NotEqual(t, address[later], address[older])
	for n, path := range map[*node]string{later: address[older], older: address[later]} {
		res, text := get(n, path)
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Equal(t, "no-store", res.Header.Get("Cache-Control"), n.name)
		require.Equal(t, n == later, strings.Contains(text, "of-the-next-version"))
	}

	// one import, sent to both
	key := "rolling-" + strconv.Itoa(s.acknowledged())
	body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":%q,"answer":"Leave is 15 days."},`+
		`"documents":[{"id":"d","text":"Leave is 15 days."}]}`, key)
	first := s.keyed(t, later, key, body)
	again := s.keyed(t, older, key, body)
	require.Equal(t, http.StatusCreated, first.status, first.says)
	require.Equal(t, first, again, "the other version knows the answer")

	// an action that the older version does not know, and the log that has it
	out, err := s.laterTries("token", "add", "--name", key, "--role", "viewer")
	require.NoError(t, err, out)
	in, ok := s.signIn(older.url, people[0], password(people[0]))
	require.True(t, ok)
	for _, n := range []*node{older, later} {
		res, page := s.page(t, n, "/audit?action=token", &in) // under load a page of all events may be past it
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Contains(t, page, "token.minted", n.name)
		// what a page follows of a job, at either version
		res, events := s.page(t, n, "/jobs/"+s.jobs[0]+"/events", &in)
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Contains(t, events, "data:", n.name)
	}
	require.Contains(t, s.command("", "audit", "verify"), "agrees")
}

// page opens a page of a node, as a person or nobody, and reads all of it.
func (s *rolling) page(t *testing.T, n *node, path string, as *login) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, n.url+path, nil)
	require.NoError(t, err)
	req.Host = s.publicA
	c := http.Client{Transport: s.load.http.Transport, Timeout: patience, CheckRedirect: noRedirect}
	if as != nil {
		c.Jar = as.jar
	}
	res, err := c.Do(req)
	require.NoError(t, err)
	var text bytes.Buffer
	_, err = io.Copy(&text, res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res, text.String()
}

// keyed sends an import with an Idempotency-Key.
func (s *rolling) keyed(t *testing.T, n *node, key, body string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, n.url+"/api/v1/sessions",
		strings.NewReader(body))
	require.NoError(t, err)
	for name, value := range map[string]string{"Authorization": "Bearer " + s.token, "Content-Type": "application/json",
		"Idempotency-Key": key} {
		req.Header.Set(name, value)
	}
	res, err := s.load.http.Do(req)
	require.NoError(t, err)
	data, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return answer{status: res.StatusCode, says: string(data)}
}

// incompatible has the later version come with a migration that the older one cannot serve.
func (s *rolling) incompatible(t *testing.T) {
	s.addStep(2, "none", "ALTER TABLE webhooks DROP COLUMN later;")
	out, err := s.laterTries("migrate")
	require.Error(t, err)
	require.Contains(t, out, "stop every process of the version before")
	require.Equal(t, s.level+1, s.schema())
	for _, n := range s.nodes {
		require.True(t, n.ready(), "the older version serves on")
	}
	t.Logf("refused while the older version serves: %s", strings.TrimSpace(out))

	parallel(s.nodes, func(n *node) { n.signal(syscall.SIGTERM); <-n.ended })
	older := s.named("web2")
	later := s.named("web1")
	later.path = s.next
	later.up() // migrates
	require.Equal(t, s.level+2, s.schema())
	out, err = s.tries("", older.path, older.args...)
	require.Error(t, err)
	require.Contains(t, out, fmt.Sprintf("was written by a newer version: it has schema %d, this program knows %d",
		s.level+2, s.level))
	for _, in := range s.logins {
		says, works := s.works(later.url, in)
		require.True(t, works, says)
	}
	verified, err := s.laterTries("audit", "verify")
	require.NoError(t, err, verified)
	require.Contains(t, verified, "agrees")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	t.Logf("started when they had ended; the older version then says: %s", lines[len(lines)-1])
}
