package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stage is one cluster that goes through all the tests.
type stage struct {
	*machines
	*load

	logins []login // that were acknowledged
	jobs   []string
}

// TestCluster kills what a cluster is made of, under load, and looks whether anything is lost.
func TestCluster(t *testing.T) {
	m := newBare(t)
	t.Parallel()
	began := time.Now()
	s := &stage{machines: m}
	m.startAll()
	s.command("", "migrate")
	var token string
	for _, login := range people {
		s.command(password(login)+"\n", "user", "add", login, "--role", "reviewer", "--password-stdin")
	}
	token = regexp.MustCompile(`sanad_\w+`).FindString(s.command("", "token", "add", "--name", "load", "--role", "reviewer"))
	require.NotEmpty(t, token)
	for _, name := range []string{"web1", "web2", "web3"} {
		s.addNode(name, "web")
	}
	for _, name := range []string{"worker1", "worker2"} {
		s.addNode(name, "worker")
	}
	s.named("web3").skew("10m")
	s.named("worker2").skew("-10m")
	parallel(s.nodes, func(n *node) { n.up() })
	for _, name := range []string{"web3", "worker2"} {
		require.Contains(t, s.named(name).text(), "the clock of this machine is not that of the database's server")
	}
	s.startBalancer()
	s.load = newLoad(s.machines, token)
	t.Logf("3 web nodes (the clock of one 10 minutes ahead), 2 workers (of one 10 minutes behind), primary and "+
		"synchronous standby, PgBouncer, HAProxy and versitygw stand after %v",
		time.Since(began).Round(time.Second))
	for _, step := range []struct {
		name string
		do   func(*stage, *testing.T)
	}{
		{"kills of nodes", (*stage).killNodes},
		{"the primary is killed", (*stage).failOver},
		{"statements are cancelled", (*stage).cancels},
		{"no connection is left", (*stage).noConnections},
		{"no log was forked", (*stage).requireNoFork},
		{"two primaries", (*stage).twoPrimaries},
		{"a standby without the newest changes", (*stage).loseTail},
		{"logs verify", (*stage).verify},
	} {
		if !t.Run(step.name, func(t *testing.T) { step.do(s, t) }) {
			for _, n := range append(s.nodes, &node{program: s.pooler}, &node{program: s.balancer}) {
				t.Log(n.tail())
			}
			return // the rest would fail after it
		}
	}
}

var people = []string{"amal", "badr", "dana", "fahad"}

func password(login string) string { return "a long password of " + login }

// span is how long nodes are killed.
func span(t *testing.T) time.Duration {
	t.Helper()
	seconds := 120
	if v := os.Getenv("SANAD_CLUSTER_SECONDS"); v != "" {
		var err error
		seconds, err = strconv.Atoi(v)
		require.NoError(t, err)
	}
	return time.Duration(seconds) * time.Second
}

// kill is the killing of a node: between these two moments.
type kill struct {
	node     string
	from, to time.Time
}

// killNodes kills one node after another.
func (s *stage) killNodes(t *testing.T) {
	for i := range 12 {
		in, ok := s.signIn(s.url, people[i%len(people)], password(people[i%len(people)]))
		require.True(t, ok, s.failures)
		s.logins = append(s.logins, in)
	}
	began := time.Now()
	s.begin(t)
	var kills []kill // of web nodes
	all := 0
	order := []string{"web1", "worker1", "web2", "web3", "worker2"}
	busy := s.killBusy(t)
	for i := 0; time.Since(began) < span(t) || i < len(order); i++ {
		s.addJob(t, i)
		n := s.named(order[i%len(order)])
		if n.role == "worker" {
			s.calm(t)
		}
		if in, ok := s.signIn(s.url, people[i%len(people)], password(people[i%len(people)])); ok {
			s.logins = append(s.logins, in)
		}
		s.awaitMore(t, 10)
		k := kill{node: n.name, from: time.Now()}
		n.kill()
		all++
		k.to = time.Now()
		if n.role == "web" {
			kills = append(kills, k)
		}
		if n.role == "web" && i%2 == 1 {
			await(t, "HAProxy misses "+n.name, func() bool { return !s.inUse(n) }, s.balancer)
		} else { // it is back before that
			s.awaitMore(t, i%4)
		}
		n.up()
		if n.role == "web" {
			await(t, "HAProxy uses "+n.name, func() bool { return s.inUse(n) }, s.balancer)
		}
	}
	took := time.Since(began)
	s.end()
	s.awaitJobs(t)

	failures := s.failed()
	bad, requests := badlyRelayed(t, s.balancer.text())
	for _, r := range bad {
		require.True(t, inFlight(r, kills), "failed without a kill: %s\n%v", r.line, kills)
	}
	for _, f := range failures { // HAProxy does not log those of connections that it had used before
		require.True(t, inFlight(relayed{began: f.began, ended: f.ended}, kills), "failed without a kill: %s", f.says)
	}
	for status := range s.statuses {
		require.Contains(t, []int{http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusSeeOther}, status)
	}
	s.requireKept(t, s.primary)
	s.requireLogins(t)
	s.requireOnce(t, busy)
	t.Logf("%d kills in %v; %d requests, %d failed, all in flight at a node that was killed; %d of %d writes acknowledged, "+
		"0 lost; %d logins, 0 lost; %d jobs, each done once", all, took.Round(time.Second), requests, len(failures),
		s.acknowledged(), s.tried+writers, len(s.logins), len(s.jobs))
}

// killBusy kills a worker that is doing a job, and returns the job.
func (s *stage) killBusy(t *testing.T) (busy job) {
	t.Helper()
	first, second := s.named("worker1"), s.named("worker2")
	for i := 0; ; i++ {
		require.Less(t, i, 10, "each job has ended before its worker could be killed")
		second.kill() // so that the first takes it
		list := len(s.jobs)
		s.addSizedJob(t, fmt.Sprint("busy-", i), 6_000)
		require.Len(t, s.jobs, list+1, s.failures)
		id := s.jobs[list]
		state := func() string {
			return s.primary.sql("SELECT state || ' ' || attempt FROM jobs WHERE id = '" + id + "'")
		}
		await(t, "the job runs", func() bool { return state() != "queued 0" }, first.program)
		first.signal(syscall.SIGSTOP) // what it has sent may still be done, but no more
		runs := state() == "running 1"
		beat := s.primary.sql("SELECT beat_at FROM jobs WHERE id = '" + id + "'")
		first.kill()
		second.up()
		first.up()
		if !runs {
			continue
		}
		await(t, "the job of the worker that was killed is done", func() bool { return strings.HasPrefix(state(), "done ") },
			first.program, second.program)
		if state() == "done 1" { // its end was on the way to the server
			continue
		}
		require.Equal(t, "done 2", state())
		again := s.primary.sql("SELECT started_at FROM jobs WHERE id = '" + id + "'")
		t.Logf("a worker killed while it did a job, seen alive at %s: another took the job at %s", beat, again)
		from, err := time.Parse(time.RFC3339, beat)
		require.NoError(t, err)
		to, err := time.Parse(time.RFC3339, again)
		require.NoError(t, err)
		// times are of the server's clock, give or take a second (docs/scaling.md, Clocks), and cut to seconds
		require.Greater(t, to.Sub(from), 12*time.Second, "it was taken before its worker was silent for 15 seconds")
		return s.look(t)[list]
	}
}

// requireOnce checks that the result of a job was stored once, and that the log has it once.
func (s *stage) requireOnce(t *testing.T, busy job) {
	t.Helper()
	require.NotEmpty(t, busy.SessionID)
	require.Equal(t, "1", s.primary.sql("SELECT count(*) FROM sessions WHERE external_id LIKE 'job-busy-%' AND id = '"+busy.SessionID+"'"))
	require.Equal(t, s.primary.sql("SELECT count(*) FROM sessions"),
		s.primary.sql("SELECT count(*) FROM events WHERE action = 'session.imported'"), "one event for each session")
	require.Equal(t, strconv.Itoa(len(s.jobs)), s.primary.sql("SELECT count(*) FROM events WHERE action = 'job.done'"),
		"one event for each job")
	require.Equal(t, "0", s.primary.sql("SELECT count(*) FROM (SELECT object_id FROM events WHERE action IN ('job.done', "+
		"'session.imported') GROUP BY action, object_id HAVING count(*) > 1) AS twice"))
}

// inFlight reports whether a request was under way, and failed, when its node was killed, or any node if it is not
// known which. HAProxy's clock is not quite ours, and the system may take a moment to close the connections of a
// process that is gone.
func inFlight(r relayed, kills []kill) bool {
	const moment = 2 * time.Second
	for _, k := range kills {
		if (r.server == "" || r.server == k.node) && r.began.Before(k.to.Add(moment)) && r.ended.After(k.from.Add(-moment)) &&
			r.ended.Before(k.to.Add(moment)) {
			return true
		}
	}
	return false
}

// inUse reports whether HAProxy has not said last that a node is down.
func (s *stage) inUse(n *node) bool {
	text := s.balancer.text()
	return strings.LastIndex(text, "Server web/"+n.name+" is UP") >= strings.LastIndex(text, "Server web/"+n.name+" is DOWN")
}

// requireLogins checks that every login works at every node.
func (s *stage) requireLogins(t *testing.T) {
	t.Helper()
	for _, n := range s.nodes {
		if n.role != "web" {
			continue
		}
		for _, in := range s.logins {
			says, works := s.works(n.url, in)
			require.True(t, works, "a login of %s is lost at %s: %s", in.who, n.name, says)
		}
	}
}

// addJob imports a session that is too large to be judged while the caller waits.
func (s *stage) addJob(t *testing.T, i int) {
	t.Helper()
	s.addSizedJob(t, strconv.Itoa(i), 1100)
}

func (s *stage) addSizedJob(t *testing.T, name string, size int) {
	t.Helper()
	claims := make([]string, size)
	for n := range claims {
		claims[n] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employee %d is entitled to %d days of annual leave"}`, n, n, n%30)
	}
	body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":"job-%s","title":"Job","answer":"Leave is 15 days."},
		"documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1",
		"text":"All permanent employees shall receive 15 days of paid annual leave."}]}],
		"claims":[%s]}`, name, strings.Join(claims, ","))
	began := time.Now()
	status, answer, err := s.send("POST", "/api/v1/sessions", body)
	if !s.note(began, status, answer, err, http.StatusAccepted) {
		return
	}
	s.jobs = append(s.jobs, s.job(t, answer).ID)
}

type job struct {
	ID        string `json:"job_id"`
	Status    string
	Attempt   int
	SessionID string `json:"session_id"`
}

func (s *stage) job(t *testing.T, answer []byte) (j job) {
	t.Helper()
	require.NoError(t, json.Unmarshal(answer, &j), "%s", answer)
	return j
}

// look reads the jobs; one that cannot be read just now is left out.
func (s *stage) look(t *testing.T) (list []job) {
	t.Helper()
	for _, id := range s.jobs {
		began := time.Now()
		status, answer, err := s.send("GET", "/api/v1/jobs/"+id, "")
		if s.note(began, status, answer, err, http.StatusOK) {
			list = append(list, s.job(t, answer))
		}
	}
	return list
}

// calm waits until no job has lost a worker: after three it is given up.
func (s *stage) calm(t *testing.T) {
	t.Helper()
	await(t, "jobs that have lost a worker are done", func() bool {
		for _, j := range s.look(t) {
			if j.Status == "running" && j.Attempt > 1 {
				return false
			}
		}
		return true
	})
}

// awaitJobs waits until all jobs have ended, and requires that each has one session.
func (s *stage) awaitJobs(t *testing.T) {
	t.Helper()
	again := 0
	await(t, "all jobs are done", func() bool {
		list := s.look(t)
		again = 0
		for _, j := range list {
			if j.Attempt > 1 {
				again++
			}
			if j.Status == "queued" || j.Status == "running" {
				return false
			}
			require.Equal(t, "done", j.Status)
			require.NotEmpty(t, j.SessionID)
		}
		return len(list) == len(s.jobs)
	})
	require.NotEmpty(t, s.jobs)
	ids := strings.Fields(s.primary.sql("SELECT id FROM sessions WHERE external_id LIKE 'job-%'"))
	var of []string
	for _, j := range s.look(t) {
		of = append(of, j.SessionID)
	}
	require.Subset(t, ids, of)
	t.Logf("%d jobs, of which %d were taken again from a worker that was killed", len(s.jobs), again)
}
