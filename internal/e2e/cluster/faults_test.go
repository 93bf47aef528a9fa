package cluster

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cancels has the statements of nodes cancelled, and their connections ended, under load.
func (s *stage) cancels(t *testing.T) {
	s.begin(t)
	s.awaitMore(t, 30)
	cancelled, before := 0, s.acknowledged()
	for range 40 {
		for _, how := range []string{"pg_cancel_backend", "pg_terminate_backend"} {
			// not a commit: one that waits for a standby and is cancelled counts as stored
			n, err := strconv.Atoi(s.primary.sql("SELECT count(" + how + "(pid)) FROM pg_stat_activity WHERE usename = 'sanad' AND " +
				"datname = 'sanad' AND pid <> pg_backend_pid() AND state <> 'idle' AND query !~* 'commit'"))
			require.NoError(t, err)
			cancelled += n
			s.awaitMore(t, 1)
		}
	}
	s.awaitMore(t, 50)
	s.end()
	failures := s.failed()
	for _, f := range failures {
		require.Regexp(t, unavailable, f.says)
	}
	s.requireKept(t, s.primary)
	require.Positive(t, cancelled)
	t.Logf("%d statements cancelled or connections ended: %d requests failed with 503; %d writes acknowledged meanwhile "+
		"and since, 0 lost", cancelled, len(failures), s.acknowledged()-before)
}

// loseTail promotes a standby that lacks the newest changes, while the nodes run.
func (s *stage) loseTail(t *testing.T) {
	late := s.follow(s.primary, "late")
	late.up("cluster_name=late")
	await(t, "the standby follows", func() bool {
		return strings.Contains(s.primary.sql("SELECT state FROM pg_stat_replication WHERE application_name = 'late'"), "streaming")
	}, late.program)
	late.kill() // it misses what follows
	for i := range 3 {
		for _, n := range s.webs() {
			status, answer := s.at(n, "a change that is lost", i)
			require.Equal(t, http.StatusCreated, status, answer)
		}
	}
	right := s.primary
	right.kill()
	late.up("cluster_name=late")
	late.promote()
	s.pointAt(late)
	for _, n := range append(s.webs(), s.webs()...) { // twice, so that the one that wrote last is not the last to look
		await(t, n.name+" answers", func() bool {
			status, answer := s.at(n, "a change after the lost ones", 0)
			require.Equal(t, http.StatusServiceUnavailable, status, "a change of the shortened log was acknowledged: %s", answer)
			return strings.Contains(answer, "audit log")
		}, n.program)
		_, says := n.readiness()
		require.Regexp(t, "audit log of tenant", says)
	}
	out, err := s.tries("", s.sanad(), append([]string{"doctor"}, s.flags()...)...)
	require.Error(t, err, out)
	require.Regexp(t, "checkpoint", out)
	fresh := s.addNode("fresh", "web")
	fresh.start()
	await(t, "a new node says it too", func() bool {
		_, says := fresh.readiness()
		return strings.Contains(says, "audit log of tenant")
	}, fresh.program)
	fresh.kill()
	s.nodes = s.nodes[:len(s.nodes)-1]
	_, says := s.webs()[0].readiness()
	t.Logf("a standby promoted without the newest 9 changes: no change acknowledged by any node; /readyz: %s", strings.TrimSpace(says))

	late.kill()
	s.back(t, right)
}

// back goes back to a primary that was killed, and starts the nodes again, which had stopped writing.
func (s *stage) back(t *testing.T, right *server, settings ...string) {
	t.Helper()
	right.up(settings...)
	s.primary = right
	s.pointAt(right)
	for _, n := range s.nodes {
		n.kill()
	}
	parallel(s.nodes, func(n *node) { n.up() })
	for _, n := range s.webs() {
		await(t, "HAProxy uses "+n.name, func() bool { return s.inUse(n) }, s.balancer)
	}
	s.failed()
}

// twoPrimaries has a second primary beside the first, with all its changes, and a node that uses it.
func (s *stage) twoPrimaries(t *testing.T) {
	second := s.follow(s.primary, "second")
	second.up("cluster_name=second")
	await(t, "the standby has all", func() bool {
		return s.primary.sql("SELECT coalesce(bool_or(replay_lsn >= pg_current_wal_lsn()), false) FROM pg_stat_replication") == "t"
	}, second.program)
	second.promote()
	astray := s.addNode("astray", "web")
	for i, arg := range astray.args {
		if strings.HasPrefix(arg, "postgres://") {
			astray.args[i] = fmt.Sprintf("postgres://sanad@%s/sanad", at(second.port))
		}
	}
	astray.up()
	first := s.webs()[0]
	status, answer := s.at(first, "at the first", 0)
	require.Equal(t, http.StatusCreated, status, answer)
	status, answer = s.at(astray, "at the second", 0)
	require.Equal(t, http.StatusServiceUnavailable, status, answer)
	_, says := astray.readiness()
	require.Contains(t, says, "was forked")
	status, answer = s.at(first, "at the first", 1)
	require.Equal(t, http.StatusCreated, status, answer)
	require.Equal(t, "ready\n", first.says(t))
	astray.kill()
	second.kill()
	s.nodes = s.nodes[:len(s.nodes)-1]
	t.Logf("two primaries: the log of one goes on; the other's change was not acknowledged; /readyz: %s", strings.TrimSpace(says))
}

// noConnections takes all connections of the server.
func (s *stage) noConnections(t *testing.T) {
	direct := s.addNode("direct", "web")
	for i, arg := range direct.args {
		if strings.HasPrefix(arg, "postgres://") {
			direct.args[i] = fmt.Sprintf("postgres://sanad@%s/sanad", at(s.primary.port))
		}
	}
	direct.up()
	var held []*program
	defer func() { parallel(held, (*program).kill) }()
	hold := func() { // until the server refuses
		for len(held) < 100 {
			p := s.program(fmt.Sprint("held", len(held)), filepath.Join(s.postgres, "psql"), s.secrets(), "-X", "-q", "-v",
				"ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", strconv.Itoa(s.primary.port), "-U", "sanad", "-d", "sanad", "-c", "\\echo held",
				"-c", "SELECT pg_sleep(600)")
			p.start()
			held = append(held, p)
			await(t, "psql is connected or refused", func() bool { return !p.running() || strings.Contains(p.text(), "held") })
			if !p.running() {
				require.Regexp(t, "too many|remaining connection slots", p.text())
				return
			}
		}
	}
	hold()
	status, answer := 0, ""
	await(t, "the node has no connection", func() bool {
		s.primary.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'sanad' AND query !~ 'pg_sleep'")
		hold()
		status, answer = s.at(direct, "while there is no connection", 0)
		return status == http.StatusServiceUnavailable
	}, direct.program)
	require.Contains(t, answer, "cannot be reached just now; nothing was stored")
	parallel(held, (*program).kill)
	// a server does not miss a client while it works for it
	s.primary.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'sanad' AND query ~ 'pg_sleep'")
	await(t, "the node goes on", func() bool {
		status, answer := s.at(direct, "with connections again", 0)
		require.Contains(t, []int{http.StatusCreated, http.StatusServiceUnavailable}, status, answer)
		return status == http.StatusCreated
	}, direct.program)
	for _, n := range s.nodes {
		await(t, n.name+" is ready", n.ready, n.program)
	}
	direct.signal(syscall.SIGTERM)
	<-direct.ended
	s.nodes = s.nodes[:len(s.nodes)-1]
	t.Logf("no connection left at the server: 503, %.200s; and writing again when there are", answer)
}

// webs returns the web nodes.
func (s *stage) webs() (out []*node) {
	for _, n := range s.nodes {
		if n.role == "web" {
			out = append(out, n)
		}
	}
	return out
}

// at sends a review to a node, without HAProxy.
func (s *stage) at(n *node, reason string, i int) (status int, answer string) {
	c := &client{n.url, s.token, s.load.http}
	status, data, err := c.send("POST", "/api/v1/sessions/"+s.sessions[0]+"/claims/1/reviews",
		fmt.Sprintf(`{"action":"comment","reason":"%s, %d, at %s at %s"}`, reason, i, n.name, time.Now()))
	if err != nil {
		return 0, err.Error()
	}
	return status, string(data)
}
