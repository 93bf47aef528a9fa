package ledger_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/webtest"
)

type batch struct {
	Created, Existing, Refused int
	Results                    []struct {
		Index, Status int
		Session       *webtest.Created
		Error         *struct{ Path, Detail string }
	}
}

// batchOf is a batch of sessions.
func batchOf(sessions ...string) string { return `{"sessions":[` + strings.Join(sessions, ",") + `]}` }

// small is a session that differs from others by its number.
func small(n int) string {
	return strings.ReplaceAll(webtest.LeavePolicy, "hr-42", fmt.Sprintf("hr-%d", n))
}

// stored returns how many sessions the store has.
func stored(t *testing.T, s *webtest.Server) int {
	t.Helper()
	rows, _, err := s.Store.Sessions(context.Background(), s.Tenant.ID, ledger.SessionQuery{Limit: 200})
	require.NoError(t, err)
	return len(rows)
}

// Each session has its own result: new, known, broken, of an unknown format, too large; no one stops those after it.
func TestBatchImportsEachSessionOnItsOwn(t *testing.T) {
	s := webtest.NewServer(t)
	known := s.Create(small(1))
	broken := strings.Replace(small(2), `"answer":"`, `"answer":7,"x":"`, 1)
	require.NotEqual(t, small(2), broken)
	ragas := `{"user_input":"q","retrieved_contexts":["Leave is 15 days."],"response":"Leave is 15 days."}`
	body := batchOf(small(1), small(2), broken, ragas, small(2), `{"format":"?"}`, `7`, webtest.ToJudge("large", 1001))
	got := webtest.Get[batch](t, s.Do("POST", "/api/v1/sessions:batch", body), http.StatusOK)
	require.Equal(t, []int{2, 2, 4}, []int{got.Created, got.Existing, got.Refused})
	for i, want := range []struct {
		status int
		path   string
	}{
		{status: 200}, {status: 201}, {422, "sessions[2].session.answer"}, {status: 201}, {status: 200},
		{415, "sessions[5].format"}, {422, "sessions[6]"}, {413, "sessions[7]"},
	} {
		r := got.Results[i]
		require.Equal(t, i, r.Index)
		require.Equal(t, want.status, r.Status, "%d: %+v", i, r.Error)
		require.Equal(t, want.path == "", r.Error == nil)
		require.Equal(t, want.path != "", r.Session == nil)
		if r.Error != nil {
			require.Equal(t, want.path, r.Error.Path)
			require.NotEmpty(t, r.Error.Detail)
		}
	}
	require.Equal(t, known.SessionID, got.Results[0].Session.SessionID)
	require.Equal(t, got.Results[1].Session.SessionID, got.Results[4].Session.SessionID)
	require.Equal(t, 200, s.Do("GET", got.Results[3].Session.LedgerURL, "").Code)
	require.Equal(t, 3, stored(t, s))
}

func TestBatchRepeatsItsAnswer(t *testing.T) {
	s := webtest.NewServer(t)
	first := s.Do("POST", "/api/v1/sessions:batch", batchOf(small(1), `{}`), "Idempotency-Key", "k")
	require.Equal(t, 1, webtest.Get[batch](t, first, http.StatusOK).Created)
	again := s.Do("POST", "/api/v1/sessions:batch", batchOf(small(1), `{}`), "Idempotency-Key", "k")
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, 422, s.Do("POST", "/api/v1/sessions:batch", batchOf(small(2)), "Idempotency-Key", "k").Code)
	require.Equal(t, 1, stored(t, s))
}

// What is too much, or no batch, is refused as a whole: nothing of it is stored.
func TestBatchesThatAreRefused(t *testing.T) {
	s := webtest.NewServer(t)
	many := make([]string, 1001)
	for i := range many {
		many[i] = `{}`
	}
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"too many":      {batchOf(append(many[1:], small(1))...), 413, "sessions"},
		"too large":     {batchOf(small(1), `"`+strings.Repeat("x", 16<<20)+`"`), 413, "16 MiB"},
		"none":          {batchOf(), 422, "sessions"},
		"no list":       {`{"sessions":{}}`, 422, "sessions"},
		"broken":        {`{"sessions":[` + small(1) + `,{]}`, 400, "sessions[1]"},
		"another field": {`{"sessions":[` + small(1) + `],"tenant":"x"}`, 422, "tenant"},
	} {
		t.Run(name, func(t *testing.T) {
			res := s.Do("POST", "/api/v1/sessions:batch", c.body)
			require.Equal(t, c.status, res.Code, res.Body.String())
			require.Contains(t, res.Body.String(), c.says)
		})
	}
	require.Zero(t, stored(t, s))
	require.Equal(t, 403, s.As("viewer").Do("POST", "/api/v1/sessions:batch", batchOf(small(1))).Code)
	thousand := webtest.Get[batch](t, s.Do("POST", "/api/v1/sessions:batch", batchOf(many[1:]...)), http.StatusOK)
	require.Equal(t, 1000, thousand.Refused, "1,000 are taken")
}

// Claims are counted over the whole batch, in its order.
func TestBatchOfTooManyClaims(t *testing.T) {
	s := webtest.NewServer(t)
	var sessions []string
	for i := range 11 {
		sessions = append(sessions, manyGiven(i, 1000))
	}
	got := webtest.Get[batch](t, s.Do("POST", "/api/v1/sessions:batch", batchOf(sessions...)), http.StatusOK)
	require.Equal(t, 10, got.Created)
	require.Equal(t, 413, got.Results[10].Status)
	require.Contains(t, got.Results[10].Error.Detail, "10000 claims")
}

// manyGiven is a session of claims that are judged already.
func manyGiven(n, claims int) string {
	list := make([]string, claims)
	for i := range list {
		list[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Rule %d of %d holds.","matches":[]}`, i, i, n)
	}
	return fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":"many-%d","query":"q","answer":"a"},`+
		`"documents":[],"claims":[%s]}`, n, strings.Join(list, ","))
}
