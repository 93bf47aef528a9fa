package ledger_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/handlers/webtest"
)

// twoInOne is a session whose first claim is a lead-in, and whose second holds two statements.
const twoInOne = `{"format":"sanad.session/v1","session":{"title":"Leave","answer":"Here is what the policy says. Leave is 30 days a year and carries over until March. Requests go to the manager."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"Leave is 30 days a year.\n\nUnused leave carries over until March.\n\nRequests go to the manager."}],
 "claims":[{"claim_text":"Here is what the policy says","start_offset":0,"end_offset":28},
  {"claim_text":"Leave is 30 days a year and carries over until March","importance":"critical","start_offset":30,"end_offset":82},
  {"claim_text":"Requests go to the manager","start_offset":84,"end_offset":110}]}`

// counted is what a ledger counts.
type counted struct {
	Ledger struct {
		Summary struct {
			Total     int `json:"total_claims"`
			NotClaims int `json:"not_claims"`
			Replaced  int `json:"replaced"`
		}
		Entries []entryOf
		Aside   []entryOf `json:"set_aside"`
	}
}

type entryOf struct {
	Number     int
	ClaimText  string `json:"claim_text"`
	State      string
	Importance string `json:"claim_importance"`
	Verdict    *string
	Replaces   []int
	Reviews    []struct {
		Action, Reason string
		ReplacedBy     []int `json:"replaced_by"`
	}
}

func (c *counted) numbers() (counting, aside []int) {
	for _, e := range c.Ledger.Entries {
		counting = append(counting, e.Number)
	}
	for _, e := range c.Ledger.Aside {
		aside = append(aside, e.Number)
	}
	return counting, aside
}

func ledgerNow(t *testing.T, s *webtest.Server, path string) counted {
	t.Helper()
	return webtest.Get[counted](t, s.Do("GET", path+"/ledger", ""), 200)
}

// A claim that is none leaves all figures, is counted on its own, keeps its reason in every export, and comes back.
func TestNotAClaim(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(twoInOne).SessionID
	path, page := "/api/v1/sessions/"+id, "/sessions/"+id
	mark := func(body string) int {
		return s.Do("POST", path+"/claims/1/reviews", body, "If-Match", "*").Code
	}
	require.Equal(t, 422, mark(`{"action":"not_a_claim"}`), "it needs a reason")
	require.Equal(t, 201, mark(`{"action":"not_a_claim","reason":"A lead-in."}`))
	require.Equal(t, 422, mark(`{"action":"not_a_claim","reason":"Again."}`))
	now := ledgerNow(t, s, path)
	counting, aside := now.numbers()
	require.Equal(t, [][]int{{2, 3}, {1}}, [][]int{counting, aside})
	require.Equal(t, []int{2, 1, 0}, []int{now.Ledger.Summary.Total, now.Ledger.Summary.NotClaims, now.Ledger.Summary.Replaced})
	require.Equal(t, "A lead-in.", now.Ledger.Aside[0].Reviews[0].Reason)

	list := s.Do("GET", page, "").Body.String()
	require.Contains(t, list, "1 not a claim")
	require.NotContains(t, list, `id="claim-1"`)
	only := s.Do("GET", page+"?aside=not_a_claim", "").Body.String()
	require.Contains(t, only, `id="claim-1"`)
	require.NotContains(t, only, `id="claim-2"`)
	for _, says := range []string{"badge-aside", "is-aside", "A lead-in."} {
		require.Contains(t, only, says, "the row says that it is no claim, and why")
	}
	require.NotContains(t, s.Do("GET", page+"?unreviewed=1", "").Body.String(), `id="claim-1"`)
	claim := s.Do("GET", page+"/claims/1", "").Body.String()
	require.Contains(t, claim, "A lead-in.")
	require.Contains(t, claim, "It is left out of all figures")
	require.Contains(t, claim, `<article class="claim-view v-aside"`, "it shows no verdict")
	require.Equal(t, 1, strings.Count(claim, `name="action" value="undo"`), "it is undone where it is said")
	for _, format := range []string{"json", "markdown", "csv"} {
		file := s.Do("GET", page+"/export/"+format, "").Body.String()
		require.Contains(t, file, "A lead-in.", format)
	}
	require.Contains(t, trailOf(t, s, id), "not_a_claim")

	require.Equal(t, 201, mark(`{"action":"undo"}`))
	now = ledgerNow(t, s, path)
	counting, aside = now.numbers()
	require.Equal(t, []int{1, 2, 3}, counting)
	require.Empty(t, aside)

	form := s.Post(page+"/claims/1/reviews", "action=not_a_claim&reason=&seen=2")
	require.Equal(t, 422, form.Code)
	require.Equal(t, 303, s.Post(page+"/claims/1/reviews", "action=not_a_claim&reason=None.&seen=2").Code)
	require.Equal(t, 201, mark(`{"action":"override","verdict":"weak","reason":"It is one."}`), "a verdict makes it count")
	now = ledgerNow(t, s, path)
	require.Equal(t, 3, now.Ledger.Summary.Total)
}

// A closed session and a blind one refuse it.
func TestClaimsAreNotSetAsideWhereItIsRefused(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(twoInOne).SessionID
	path := "/api/v1/sessions/" + id
	mark := `{"action":"not_a_claim","reason":"A lead-in."}`
	split := `{"claims":[2],"texts":["Leave is 30 days a year","It carries over until March"]}`
	require.Equal(t, 200, s.Do("POST", path+"/close", `{"reason":"Done."}`).Code)
	require.Equal(t, 409, s.Do("POST", path+"/claims/1/reviews", mark, "If-Match", "*").Code)
	require.Equal(t, 409, s.Do("POST", path+"/claims:reword", split, "If-Match", "*").Code)
	require.NotContains(t, s.Do("GET", "/sessions/"+id+"/claims/1", "").Body.String(), "not_a_claim")
	require.Equal(t, 200, s.Do("POST", path+"/reopen", "").Code)
	require.Equal(t, 200, s.As("admin").Do("POST", path+"/reviewers", `{"second_review":"blind"}`).Code)
	s = s.As("reviewer")
	require.Equal(t, 422, s.Do("POST", path+"/claims/1/reviews", mark, "If-Match", "*").Code)
	require.Equal(t, 422, s.Do("POST", path+"/claims:reword", split, "If-Match", "*").Code)
	require.Equal(t, 200, s.As("admin").Do("POST", path+"/reviewers", `{"second_review":"open"}`).Code)
	require.Equal(t, 201, s.As("reviewer").Do("POST", path+"/claims/1/reviews", mark, "If-Match", "*").Code)
	require.Equal(t, 422, s.As("admin").Do("POST", path+"/reviewers", `{"second_review":"blind"}`).Code,
		"a blind review would hide it")
}

type rewordedAnswer struct{ Claims, Aside []int }

// A claim is split, written anew and merged; the old ones stay with their reviews, and the last step can be taken back.
func TestRewordClaims(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(twoInOne).SessionID
	path, page := "/api/v1/sessions/"+id, "/sessions/"+id
	reword := func(body string, code int) rewordedAnswer {
		t.Helper()
		answer := s.Do("POST", path+"/claims:reword", body, "If-Match", "*")
		if code != 200 {
			require.Equal(t, code, answer.Code, answer.Body.String())
			return rewordedAnswer{}
		}
		return webtest.Get[rewordedAnswer](t, answer, 200)
	}
	split := `{"claims":[2],"texts":["Leave is 30 days a year","Unused leave carries over until March"],"reason":"Two in one."}`
	require.Equal(t, 428, s.Do("POST", path+"/claims:reword", split).Code)
	require.Equal(t, 201, s.Do("POST", path+"/claims/2/reviews", `{"action":"comment","reason":"Two."}`, "If-Match", "*").Code)
	for _, bad := range []string{`{"claims":[],"texts":["x"]}`, `{"claims":[2],"texts":[]}`, `{"claims":[2],"texts":[" "]}`,
		`{"claims":[9],"texts":["x"]}`, `{"claims":[2,2],"texts":["x"]}`,
		`{"claims":[2],"texts":["Leave is 30 days a year and carries over until March"]}`} {
		reword(bad, 422)
	}
	require.Equal(t, rewordedAnswer{[]int{4, 5}, []int{2}}, reword(split, 200))
	reword(split, 422) // claim 2 no longer counts
	now := ledgerNow(t, s, path)
	counting, aside := now.numbers()
	require.Equal(t, [][]int{{1, 3, 4, 5}, {2}}, [][]int{counting, aside})
	require.Equal(t, []int{4, 0, 1}, []int{now.Ledger.Summary.Total, now.Ledger.Summary.NotClaims, now.Ledger.Summary.Replaced})
	first := now.Ledger.Entries[2]
	require.Equal(t, []any{"critical", "unreviewed", []int{2}, 0},
		[]any{first.Importance, first.State, first.Replaces, len(first.Reviews)})
	require.Equal(t, "supported", *first.Verdict, "it was judged")
	require.Equal(t, []int{4, 5}, now.Ledger.Aside[0].Reviews[1].ReplacedBy)
	require.Len(t, now.Ledger.Aside[0].Reviews, 2, "it keeps its reviews")
	require.Contains(t, trailOf(t, s, id), "replace")
	require.Equal(t, 422, s.Do("POST", path+"/claims/2/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	require.Equal(t, 422, s.Do("POST", path+"/claims/2/reviews", `{"action":"undo"}`, "If-Match", "*").Code)

	for word, found := range map[string]bool{"Unused": true, "elephants": false} {
		rows := s.Do("GET", page+"?q="+word, "").Body.String()
		require.Equal(t, found, strings.Contains(rows, `id="claim-5"`), word)
	}
	require.Contains(t, s.Do("GET", page+"/claims/4", "").Body.String(), "Replaces:")
	require.Contains(t, s.Do("GET", page+"/claims/2", "").Body.String(), "/claims/5")

	back := webtest.Get[rewordedAnswer](t, s.Do("POST", path+"/claims/5/take-back", "", "If-Match", "*"), 200)
	require.Equal(t, rewordedAnswer{[]int{2}, []int{4, 5}}, back)
	require.Equal(t, 422, s.Do("POST", path+"/claims/5/take-back", "", "If-Match", "*").Code)
	require.Equal(t, rewordedAnswer{[]int{6}, []int{2, 3}},
		reword(`{"claims":[2,3],"texts":["Leave is 30 days and requests go to the manager"]}`, 200), "merged")
	require.Equal(t, 422, s.As("admin").Do("POST", path+"/claims/6/take-back", "", "If-Match", "*").Code, "not theirs")
	require.Equal(t, 201, s.As("reviewer").Do("POST", path+"/claims/6/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	require.Equal(t, 422, s.Do("POST", path+"/claims/6/take-back", "", "If-Match", "*").Code, "it was reviewed")
	faults, err := s.Store.VerifySession(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// The page writes a claim anew, one a line, without a script; what is refused keeps the words.
func TestRewordPage(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(twoInOne).SessionID
	page := "/sessions/" + id
	form := s.Do("GET", page+"/claims/2/words", "").Body.String()
	require.Contains(t, form, ">Leave is 30 days a year and carries over until March</textarea>")
	require.Contains(t, form, "Here is what the policy says")
	merged := s.Do("GET", page+"/claims/2/words?with=3", "").Body.String()
	require.Contains(t, merged, ">Leave is 30 days a year and carries over until March Requests go to the manager</textarea>")
	send := func(revision, texts, with string) (int, string) {
		v := url.Values{"revision": {revision}, "texts": {texts}}
		if with != "" {
			v.Set("with", with)
		}
		answer := s.Post(page+"/claims/2/words", v.Encode())
		return answer.Code, answer.Header().Get("Location") + answer.Body.String()
	}
	code, body := send("1", " \r\n ", "")
	require.Equal(t, 422, code)
	require.Contains(t, body, "Write at least one claim")
	code, body = send("7", "Leave is 30 days", "")
	require.Equal(t, 409, code)
	require.Contains(t, body, ">Leave is 30 days</textarea>", "the words are kept")
	code, body = send("1", "Leave is 30 days a year\r\nLeave carries over until March\r\n", "")
	require.Equal(t, []any{303, page + "/claims/4"}, []any{code, body})
	require.Contains(t, s.Do("GET", page, "").Body.String(), "1 replaced")
	require.Equal(t, 303, s.Post(page+"/claims/4/words/undo", "").Code)
	require.Equal(t, 422, s.Post(page+"/claims/4/words/undo", "").Code)
	require.Equal(t, 403, s.As("viewer").Do("GET", page+"/claims/2/words", "").Code)
}

// Claims of a session whose verdicts the caller gave have none until a person sets one.
func TestRewordGivenVerdicts(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	given := strings.Replace(twoInOne, `"claim_text":"Requests go to the manager"`,
		`"claim_text":"Requests go to the manager","matches":[]`, 1)
	given = strings.Replace(given, `"claim_text":"Here is what the policy says"`, `"claim_text":"Here is what the policy says","matches":[]`, 1)
	given = strings.Replace(given, `March","importance"`, `March","matches":[],"importance"`, 1)
	path := "/api/v1/sessions/" + s.Create(given).SessionID
	require.Equal(t, 200, s.Do("POST", path+"/claims:reword", `{"claims":[2],"texts":["Leave is 30 days"]}`, "If-Match", "*").Code)
	now := ledgerNow(t, s, path)
	require.Equal(t, "Leave is 30 days", now.Ledger.Entries[2].ClaimText)
	require.Nil(t, now.Ledger.Entries[2].Verdict)
}

// trailOf returns the details of the events about a session.
func trailOf(t *testing.T, s *webtest.Server, id string) string {
	t.Helper()
	log, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "claim.reviewed", Limit: 100})
	require.NoError(t, err)
	var b strings.Builder
	for i := range log {
		b.Write(log[i].Bytes)
	}
	return b.String()
}
