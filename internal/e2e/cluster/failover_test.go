package cluster

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// promote makes a standby a primary.
func (s *server) promote() {
	s.t.Helper()
	s.m.does("", filepath.Join(s.m.postgres, "pg_ctl"), "promote", "-D", s.data, "-w", "-t", "120")
}

// unavailable is how a request fails while there is no primary: the node says so, or HAProxy while no node is ready.
var unavailable = regexp.MustCompile(`^503 `)

// failOver kills the primary under load, promotes its standby and has PgBouncer go there.
func (s *stage) failOver(t *testing.T) {
	s.begin(t)
	s.awaitMore(t, 100)
	before := s.acknowledged()
	killed := time.Now()
	s.primary.kill()
	s.standby.promote()
	s.pointAt(s.standby)
	s.primary, s.standby = s.standby, s.primary
	pointed := time.Since(killed)
	s.awaitMore(t, 100)
	s.end()
	failures := s.failed()
	for _, f := range failures {
		require.Regexp(t, unavailable, f.says, "%s", s.saidOf(f.says))
	}
	for _, n := range s.nodes {
		await(t, n.name+" is ready", n.ready, n.program)
	}
	await(t, "HAProxy uses all", func() bool {
		return s.inUse(s.named("web1")) && s.inUse(s.named("web2")) && s.inUse(s.named("web3"))
	}, s.balancer)
	s.requireKept(t, s.primary)
	s.requireLogins(t)
	t.Logf("primary killed: its standby was promoted and PgBouncer sent there after %v; no write was acknowledged for %v; "+
		"%d requests failed with 503; %d writes acknowledged before and %d after, 0 lost", pointed.Round(10*time.Millisecond),
		s.silence(killed).Round(10*time.Millisecond), len(failures), before, s.acknowledged()-before)
}

// saidOf returns what nodes have logged of the request whose answer this is.
func (s *stage) saidOf(answer string) (lines []string) {
	id := regexp.MustCompile(`"request_id":"[^"]+"`).FindString(answer)
	for _, n := range s.nodes {
		for line := range strings.Lines(n.text()) {
			if id != "" && strings.Contains(line, id) {
				lines = append(lines, n.name+" says: "+line)
			}
		}
	}
	return lines
}

// verify checks every log against its checkpoint outside, and that no node has seen another log.
func (s *stage) verify(t *testing.T) {
	out := s.command("", "audit", "verify")
	require.Contains(t, out, "agrees")
	for _, n := range s.nodes {
		require.Equal(t, "ready\n", n.says(t))
	}
	t.Logf("audit verify: %.300s", out)
}

// requireNoFork checks that no node has found a log or a checkpoint that is not the one it knew.
func (s *stage) requireNoFork(t *testing.T) {
	s.verify(t)
	for _, n := range s.nodes {
		require.NotContains(t, n.text(), "a tenant only reads")
	}
}
