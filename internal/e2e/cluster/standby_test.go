package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// notes are comments on one claim: by their words, whether they were acknowledged.
type notes struct {
	session string
	mu      sync.Mutex
	sent    map[string]bool
}

// answer is what came of a request.
type answer struct {
	status int
	says   string
	took   time.Duration
}

// add sends a comment.
func (x *notes) add(t *testing.T, c *client, reason string) answer {
	t.Helper()
	began := time.Now()
	status, data, err := c.send("POST", "/api/v1/sessions/"+x.session+"/claims/1/reviews",
		fmt.Sprintf(`{"action":"comment","reason":%q}`, reason))
	took := time.Since(began)
	if err != nil {
		t.Errorf("%s after %v: %v", reason, took, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sent[reason] = status == http.StatusCreated
	return answer{status, string(data), took}
}

// shown counts the comments on the first claim of a session, by their words.
func (c *client) shown(t *testing.T, session string) map[string]int {
	t.Helper()
	status, data, err := c.send("GET", "/api/v1/sessions/"+session+"/ledger", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "%s", data)
	var is struct {
		Ledger struct {
			Entries []struct{ Reviews []struct{ Reason string } }
		}
	}
	require.NoError(t, json.Unmarshal(data, &is))
	require.NotEmpty(t, is.Ledger.Entries)
	times := map[string]int{}
	for _, r := range is.Ledger.Entries[0].Reviews {
		times[r.Reason]++
	}
	return times
}

// requireKept checks that every comment that was acknowledged is there, and none twice.
func (x *notes) requireKept(t *testing.T, c *client) (acknowledged int) {
	t.Helper()
	times := c.shown(t, x.session)
	for reason, yes := range x.sent {
		if yes {
			acknowledged++
			require.Equal(t, 1, times[reason], "%q was acknowledged and is lost", reason)
		}
		require.LessOrEqual(t, times[reason], 1, "%q is there twice", reason)
	}
	return acknowledged
}

// restart ends a server as its operator does, and starts it with other settings.
func (s *server) restart(settings ...string) {
	s.t.Helper()
	s.signal(syscall.SIGINT)
	<-s.ended
	s.up(settings...)
}

// TestStandbyGone takes the synchronous standby away while the primary's commits wait for it: they are answered 503
// after their bound, and writing goes on when the standby is back, or is no longer waited for.
func TestStandbyGone(t *testing.T) {
	m := newBare(t)
	t.Parallel()
	m.startPair()
	m.startPooler()
	m.publicA, m.files = at(m.ports.next(t)), m.path("files")
	require.NoError(t, os.Mkdir(m.files, 0o700))
	m.command("", "migrate")
	token := regexp.MustCompile(`sanad_\w+`).FindString(m.command("", "token", "add", "--name", "load", "--role", "reviewer"))
	var clients []*client
	for _, name := range []string{"first", "second"} {
		n := m.addNode(name, "web")
		n.up()
		c := &client{n.url, token, &http.Client{Timeout: patience}}
		t.Cleanup(c.http.CloseIdleConnections)
		clients = append(clients, c)
	}
	status, data, err := clients[0].send("POST", "/api/v1/sessions",
		`{"format":"sanad.session/v1","session":{"answer":"Leave is 15 days."},"documents":[{"id":"d","text":"Leave is 15 days."}]}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, status, "%s", data)
	var session struct {
		ID string `json:"session_id"`
	}
	require.NoError(t, json.Unmarshal(data, &session))
	x := &notes{session: session.ID, sent: map[string]bool{}}
	acknowledges := func(reason string) {
		t.Helper()
		for i, c := range clients {
			a := x.add(t, c, fmt.Sprint(reason, ", at ", i))
			require.Equal(t, http.StatusCreated, a.status, a.says)
		}
	}
	goesOn := func(reason string) {
		t.Helper()
		n := 0
		await(t, "writing goes on", func() bool {
			n++
			a := x.add(t, clients[n%2], fmt.Sprint(reason, ", try ", n))
			require.Contains(t, []int{http.StatusCreated, http.StatusServiceUnavailable}, a.status, a.says)
			return a.status == http.StatusCreated
		}, m.nodes[0].program, m.primary.program)
		acknowledges(reason)
	}
	waits := func() bool {
		return m.primary.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") != "0"
	}
	acknowledges("with the standby")

	m.standby.kill()
	answers := make([]answer, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() { answers[i] = x.add(t, c, fmt.Sprint("while the standby is gone, at ", i)) })
	}
	await(t, "a commit waits for the standby", waits, m.primary.program)
	for _, c := range clients { // reading does not wait
		require.Contains(t, c.shown(t, x.session), "with the standby, at 0")
	}
	all.Wait()
	open := ""
	for _, a := range answers {
		require.Equal(t, http.StatusServiceUnavailable, a.status, a.says)
		require.Regexp(t, "did not answer whether this was stored|too busy just now; nothing was stored", a.says)
		if strings.Contains(a.says, "did not answer") {
			open = a.took.Round(time.Second).String()
		}
	}
	require.NotEmpty(t, open, "no commit was left open: %v", answers)
	m.standby.up("cluster_name=standby")
	goesOn("the standby is back")

	m.standby.kill()
	var last answer
	all.Go(func() { last = x.add(t, clients[0], "while the standby is gone again") })
	await(t, "a commit waits for the standby", waits, m.primary.program)
	m.primary.restart() // nobody is waited for
	all.Wait()
	require.Equal(t, http.StatusServiceUnavailable, last.status, last.says)
	require.Contains(t, last.says, "did not answer whether this was stored")
	goesOn("without a standby")

	m.standby.up("cluster_name=standby")
	m.primary.restart(synchronous)
	await(t, "the standby is synchronous", func() bool {
		return m.primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync"
	}, m.primary.program, m.standby.program)
	goesOn("with both")
	kept := 0
	for _, c := range clients {
		kept = x.requireKept(t, c)
	}
	for _, n := range m.nodes {
		await(t, n.name+" is ready", n.ready, n.program)
	}
	require.Contains(t, m.command("", "audit", "verify"), "agrees")
	t.Logf("synchronous standby gone: commits answered 503 after %s as perhaps stored, others that wait for them after %v; reading "+
		"goes on; writing goes on when it is back, and when the primary no longer waits for it; %d writes acknowledged, 0 lost",
		open, min(answers[0].took, answers[1].took).Round(time.Second), kept)
}
