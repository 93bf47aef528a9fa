package ledger_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/handlers/webtest"
)

type bulkAnswer struct {
	Batch    string `json:"batch_id"`
	Claims   []int
	Skipped  struct{ Unjudged, Decided []int }
	Revision int
}

type sessionReview struct {
	State    string
	Progress struct {
		Total     int `json:"total_claims"`
		Settled   int
		Differing int
	}
	Second string       `json:"second_review"`
	First  *reviewerOf  `json:"first_reviewer"`
	Other  *reviewerOf  `json:"second_reviewer"`
	Agreed *agreementOf `json:"agreement"`
	Closed *struct{ By, Reason string }

	Revision int
}

type reviewerOf struct{ ID, Name string }

type agreementOf struct {
	Both, Same int
	Kappa      *float64
}

func TestBulkReviewsInTheAPI(t *testing.T) {
	s := webtest.NewServer(t)
	dbtest.BulkConfirmsAll(t, s.Store, s.Tenant.ID)
	at := "/api/v1/sessions/" + s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	bulk := func(body string, headers ...string) (int, bulkAnswer, string) {
		res := s.As("reviewer").Do("POST", at+"/reviews:bulk", body, headers...)
		var a bulkAnswer
		if res.Code == 200 {
			a = webtest.Get[bulkAnswer](t, res, 200)
		}
		return res.Code, a, res.Body.String()
	}
	const all = `{"action":"confirm","filter":{"unsettled":true}}`
	code, _, _ := bulk(all)
	require.Equal(t, 428, code)
	code, _, _ = bulk(all, "If-Match", `"stale.0"`)
	require.Equal(t, 412, code)
	for body, path := range map[string]string{
		`{"action":"burn"}`: "action", `{"action":"confirm","filter":{"verdict":"maybe"}}`: "filter.verdict",
		`{"action":"confirm","filter":{"q":"nothing at all"}}`: "filter",
		`{"action":"undo","batch_id":"x"}`:                     "batch_id",
	} {
		code, _, text := bulk(body, "If-Match", "*")
		require.Equal(t, 422, code, body)
		require.Contains(t, text, `"path":"`+path+`"`)
	}
	code, done, _ := bulk(all, "If-Match", "*", "Idempotency-Key", "k")
	require.Equal(t, 200, code)
	require.Equal(t, []int{1, 2}, done.Claims)
	_, again, _ := bulk(all, "If-Match", "*", "Idempotency-Key", "k")
	require.Equal(t, done, again, "a repeat is answered as the first time")
	require.Equal(t, "reviewed", webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200).State)
	code, _, text := bulk(`{"action":"confirm"}`, "If-Match", "*")
	require.Equal(t, 422, code, text)
	require.Equal(t, 422, s.As("approver").Do("POST", at+"/reviews:bulk",
		`{"action":"undo","batch_id":"`+done.Batch+`"}`, "If-Match", "*").Code, "another's")
	_, undone, _ := bulk(`{"action":"undo","batch_id":"`+done.Batch+`"}`, "If-Match", "*")
	require.Equal(t, []int{1, 2}, undone.Claims)
	require.Equal(t, "in_review", webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200).State)
}

// A bulk step that is undone says how many claims it skipped, and why.
func TestUndoneStepSaysWhatItSkipped(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	dbtest.BulkConfirmsAll(t, s.Store, s.Tenant.ID)
	page := "/sessions/" + s.Create(webtest.ManyClaims(5)).SessionID
	confirm := s.Do("GET", page+"/confirm", "").Body.String()
	done := s.Post(page+"/confirm", webtest.Form("revision", webtest.Between(confirm, `name="revision" value="`, `"`)))
	require.Equal(t, 303, done.Code, done.Body.String())
	to, err := url.Parse(done.Header().Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "5", to.Query().Get("confirmed"))
	review := func(claim, seen string, pairs ...string) {
		w := s.Post(page+"/claims/"+claim+"/reviews", webtest.Form(append([]string{"seen", seen}, pairs...)...))
		require.Equal(t, 303, w.Code, w.Body.String())
	}
	review("1", "1", "action", "override", "verdict", "weak", "reason", "x")
	review("2", "1", "action", "undo")
	review("3", "1", "action", "override", "verdict", "weak", "reason", "x")
	undone := s.Post(page+"/undo", webtest.Form("batch", to.Query().Get("batch")))
	require.Equal(t, 303, undone.Code)
	said := s.Do("GET", undone.Header().Get("Location"), "").Body.String()
	require.Contains(t, said, "Reviews of 2 claims withdrawn. 2 claims were skipped: you have reviewed them again since. "+
		"1 claim was skipped: its review had already been withdrawn.")
	require.NotContains(t, said, "could not be used")
}

func TestUndoInTheAPI(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/api/v1/sessions/" + s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	review := func(who, body string) string {
		return s.As(who).Do("POST", at+"/claims/1/reviews", body, "If-Match", "*").Body.String()
	}
	review("reviewer", `{"action":"override","verdict":"weak","reason":"x"}`)
	require.Contains(t, review("approver", `{"action":"undo"}`), "You have no review here")
	back := review("reviewer", `{"action":"undo"}`)
	require.Contains(t, back, `"undoes":1`)
	require.Contains(t, back, `"verdict":"supported"`)

	// export and import keep it
	link := webtest.Get[map[string]string](t, s.As("reviewer").Do("POST", at+"/ledger/export", `{"format":"json"}`),
		200)["download_url"]
	p := s.Person("reviewer")
	file := s.As("").Do("GET", link, "", "Authorization", "Bearer "+p.Token).Body.String()
	require.Contains(t, file, `"undoes": 1`)
	copied := webtest.Get[webtest.Created](t, s.As("foreign").Do("POST", "/api/v1/sessions", file), 201)
	got := s.As("foreign").Do("GET", copied.LedgerURL, "").Body.String()
	require.Contains(t, got, `"undoes":1`)
	require.Contains(t, got, `"state":"unreviewed"`)
	for _, bad := range []string{`"undoes": 3`, `"undoes": -1`} {
		require.Equal(t, 422, s.As("foreign").Do("POST", "/api/v1/sessions",
			strings.Replace(file, `"undoes": 1`, bad, 1)).Code, bad)
	}
}

func TestReviewersAndStates(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/api/v1/sessions/" + s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	own, other, viewer, admin := s.Person("reviewer").ID, s.Person("approver").ID, s.Person("viewer").ID, s.Person("admin").ID
	set := func(who, body string, want int) sessionReview {
		t.Helper()
		res := s.As(who).Do("POST", at+"/reviewers", body)
		require.Equal(t, want, res.Code, "%s %s", body, res.Body.String())
		if want != 200 {
			return sessionReview{}
		}
		return webtest.Get[sessionReview](t, res, 200)
	}
	seat := func(which, id string) string { return fmt.Sprintf(`{"%s_reviewer":%q}`, which, id) }
	require.Equal(t, own, set("reviewer", seat("first", own), 200).First.ID)
	set("approver", seat("first", other), 403)  // it is taken
	set("approver", seat("first", ""), 403)     // and not theirs to give back
	set("reviewer", seat("second", other), 403) // others are the administrator's to choose
	set("reviewer", `{"second_review":"open"}`, 403)
	set("admin", seat("second", other), 422) // nobody asked for a second review
	set("admin", `{"second_review":"blind"}`, 200)
	set("admin", seat("second", own), 422)    // one person, one seat
	set("admin", seat("second", viewer), 422) // may not review
	set("admin", seat("second", admin), 422)  // reads the log
	set("admin", seat("second", s.Tenant.ID), 422)
	set("approver", seat("second", other), 200)
	require.Nil(t, set("reviewer", seat("first", ""), 200).First)
	set("reviewer", seat("first", own), 200)
	listed := s.As("approver").Do("GET", "/api/v1/sessions?assigned=me", "").Body.String()
	require.Contains(t, listed, own)
	require.NotContains(t, s.As("viewer").Do("GET", "/api/v1/sessions?assigned=me", "").Body.String(), own)

	require.Equal(t, 422, s.As("reviewer").Do("POST", at+"/close", "").Code)
	closed := webtest.Get[sessionReview](t, s.As("reviewer").Do("POST", at+"/close", `{"reason":"Enough."}`), 200)
	require.Equal(t, []string{"closed", "Enough."}, []string{closed.State, closed.Closed.Reason})
	require.Contains(t, s.Do("GET", "/api/v1/sessions?state=closed", "").Body.String(), own)
	require.Equal(t, 400, s.Do("GET", "/api/v1/sessions?state=shut", "").Code)
	require.Equal(t, 201, s.As("reviewer").Do("POST", at+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match",
		"*").Code)
	require.Equal(t, "closed", webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200).State,
		"a sealed review tells nothing")
	require.Equal(t, 201, s.As("approver").Do("POST", at+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match",
		"*").Code)
	require.Equal(t, "in_review", webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200).State, "an open one reopens it")
}

// Until the second reviewer has decided a claim, no page, answer or file shows the first one's review to anybody but
// its author.
func TestBlindReviewIsHiddenEverywhere(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	at, page := "/api/v1/sessions/"+id, "/sessions/"+id
	seats := fmt.Sprintf(`{"first_reviewer":%q,"second_reviewer":%q,"second_review":"blind"}`, s.Person("reviewer").ID,
		s.Person("approver").ID)
	require.Equal(t, 200, s.As("admin").Do("POST", at+"/reviewers", seats).Code)
	said := s.As("reviewer").Do("POST", at+"/claims/1/reviews",
		`{"action":"override","verdict":"contradicted","reason":"Sealed words."}`, "If-Match", "*")
	require.Equal(t, 201, said.Code)
	require.Contains(t, said.Body.String(), "Sealed words.", "its author sees it")

	everything := func(who string) string {
		p := s.Person(who)
		var all strings.Builder
		for _, path := range []string{page, page + "/claims/1", page + "?verdict=contradicted", page + "?differs=1",
			"/sessions", "/", at + "/ledger", at, "/api/v1/sessions",
			page + "/export/json", page + "/export/markdown", page + "/export/csv"} {
			header := []string{"Cookie", "sanad=" + p.Cookie}
			if strings.HasPrefix(path, "/api/") {
				header = []string{"Authorization", "Bearer " + p.Token}
			}
			all.WriteString(s.As("").Do("GET", path, "", header...).Body.String())
		}
		if who != "viewer" {
			link := webtest.Get[map[string]string](t,
				s.As(who).Do("POST", at+"/ledger/export", `{"format":"markdown"}`), 200)["download_url"]
			all.WriteString(s.As("").Do("GET", link, "", "Authorization", "Bearer "+p.Token).Body.String())
			all.WriteString(s.As(who).Do("GET", page+"/confirm", "").Body.String())
		}
		return all.String()
	}
	for _, who := range []string{"viewer", "approver", "admin"} {
		require.NotContains(t, everything(who), "Sealed words.", who)
		require.NotContains(t, everything(who), `"overridden":true`, who)
	}
	require.Contains(t, everything("reviewer"), "Sealed words.")
	require.Contains(t, s.As("reviewer").Do("GET", page, "").Body.String(), "You: Contradicted, sealed")

	// the second reviewer's form is accepted although there is a hidden review; then both are visible
	res := s.As("approver").Post(page+"/claims/1/reviews", url.Values{"action": {"confirm"}, "seen": {"0"}}.Encode())
	require.Equal(t, 303, res.Code, res.Body.String())
	require.Contains(t, everything("approver"), "Sealed words.")
	require.Equal(t, 1, webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200).Progress.Differing)
	require.Contains(t, s.As("admin").Do("GET", page+"?differs=1", "").Body.String(), "1 where reviewers differ")
	settled := s.As("admin").Do("POST", at+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Body.String()
	require.Contains(t, settled, `"adjudicates":true`)
	got := webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200)
	require.Equal(t, []int{1, 0, 1, 0},
		[]int{got.Progress.Settled, got.Progress.Differing, got.Agreed.Both, got.Agreed.Same})
}

func TestSecondReviewOfNewSessions(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 422, s.As("admin").Post("/admin/tenant", "name=Main&months=24&second_review=both").Code)
	require.Equal(t, 303, s.As("admin").Post("/admin/tenant", "name=Main&months=24&second_review=blind").Code)
	require.Equal(t, 303, s.As("admin").Post("/admin/tenant", "name=Main&months=12").Code,
		"a form without the field leaves it")
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	require.Equal(t, "blind", webtest.Get[sessionReview](t, s.Do("GET", "/api/v1/sessions/"+id, ""), 200).Second)
}

// If a session is judged again after both had decided, later reviews of changed claims are hidden again: on pages, in
// answers, in files, and in the figures of runs and withdrawals.
func TestBlindReviewIsHiddenAfterJudgingAgain(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.As("reviewer").Create(webtest.WrongMatches).SessionID
	at, page := "/api/v1/sessions/"+id, "/sessions/"+id
	seats := fmt.Sprintf(`{"first_reviewer":%q,"second_reviewer":%q,"second_review":"blind"}`, s.Person("reviewer").ID,
		s.Person("approver").ID)
	require.Equal(t, 200, s.As("admin").Do("POST", at+"/reviewers", seats).Code)
	review := func(who, body string) {
		t.Helper()
		require.Equal(t, 201, s.As(who).Do("POST", at+"/claims/1/reviews", body, "If-Match", "*").Code)
	}
	judge := func() string {
		t.Helper()
		res := s.As("reviewer").Do("POST", at+"/judge", `{"judge":"lexical"}`, "If-Match", "*")
		require.Equal(t, 200, res.Code, res.Body.String())
		return res.Body.String()
	}
	review("reviewer", `{"action":"confirm"}`)
	review("approver", `{"action":"confirm"}`)
	require.Contains(t, judge(), `"stale_reviews":2`)
	review("reviewer", `{"action":"override","verdict":"weak","reason":"Sealed words."}`)

	seen := func(who string) string {
		all := ""
		for _, path := range []string{at + "/ledger", page, page + "/claims/1", page + "?verdict=weak",
			page + "/export/json", at + "/runs", at + "/runs/2/changes"} {
			all += s.As(who).Do("GET", path, "").Body.String()
		}
		return all
	}
	require.Contains(t, seen("reviewer"), "Sealed words.")
	for _, who := range []string{"approver", "viewer", "admin"} {
		require.NotContains(t, seen(who), "Sealed words.", who)
	}
	before := webtest.Get[ledgerOf](t, s.As("approver").Do("GET", at+"/ledger", ""), 200).Ledger
	require.Equal(t, []any{"contradicted", true, 2},
		[]any{*before.Entries[0].Verdict, before.Entries[0].Stale, len(before.Entries[0].Reviews)},
		"what both had said stands until both have looked again")

	documents, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	withdrawn := s.As("approver").Do("POST", "/api/v1/documents/"+documents.Documents[0].ID+"/withdraw",
		`{"reason":"A draft."}`, "If-Match", "*")
	require.Equal(t, 200, withdrawn.Code, withdrawn.Body.String())
	require.Contains(t, withdrawn.Body.String(), `"affected_claims":1`)
	require.Contains(t, withdrawn.Body.String(), `"stale_reviews":0`, "it tells nobody that the other one has spoken")
	require.NotContains(t, seen("approver"), "Sealed words.")
	require.Contains(t, judge(), `"stale_reviews":0`)
	require.NotContains(t, seen("approver"), "Sealed words.")

	file := s.As("reviewer").Do("GET", page+"/export/json", "").Body.String()
	require.Contains(t, file, `"withheld_reviews": 1`)

	review("approver", `{"action":"confirm"}`)
	require.NotContains(t, seen("approver"), "Sealed words.", "the other one has not decided this judgement")
	review("reviewer", `{"action":"override","verdict":"supported","reason":"Newer words."}`)
	for _, words := range []string{"Sealed words.", "Newer words."} {
		require.Contains(t, seen("approver"), words)
	}
}

// Administrators can read every review in the audit log, so they cannot be a second reviewer of a blind session, even
// without a seat.
func TestAdministratorsCannotDecideSealedClaims(t *testing.T) {
	for _, role := range access.Roles {
		reads := role.AtLeast(access.Least(access.ReadAudit))
		s := webtest.NewServer(t)
		dbtest.BulkConfirmsAll(t, s.Store, s.Tenant.ID)
		if !role.AtLeast(access.Least(access.ReviewClaim)) {
			continue
		}
		who := string(role)
		id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
		at, page := "/api/v1/sessions/"+id, "/sessions/"+id
		require.Equal(t, 200, s.As("admin").Do("POST", at+"/reviewers", `{"second_review":"blind"}`).Code)
		api := s.As(who).Do("POST", at+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*")
		if !reads {
			require.Equal(t, 201, api.Code, who)
			continue
		}
		require.Equal(t, 422, api.Code, who)
		require.Contains(t, api.Body.String(), "before two others have")
		for lang, want := range map[string]string{"en": "before both reviewers have",
			"ar": "قبل أن يحكم عليها المراجعان"} {
			for _, action := range []string{"confirm", "override"} {
				res := s.As(who).Post(page+"/claims/1/reviews?lang="+lang,
					url.Values{"action": {action}, "verdict": {"weak"}, "reason": {"My words."},
						"seen": {"0"}}.Encode())
				require.Equal(t, 422, res.Code)
				require.Contains(t, res.Body.String(), want, lang)
				require.Contains(t, res.Body.String(), "My words.", "what was typed is kept")
			}
			revision := webtest.Get[sessionReview](t, s.As(who).Do("GET", at, ""), 200).Revision
			res := s.As(who).Post(page+"/confirm?lang="+lang, fmt.Sprintf("revision=%d&unsettled=1", revision))
			require.Equal(t, 422, res.Code)
			require.Contains(t, res.Body.String(), want, lang)
		}
		require.Equal(t, 422, s.As(who).Do("POST", at+"/reviews:bulk", `{"action":"confirm","filter":{}}`, "If-Match",
			"*").Code)
		form := s.As(who).Do("GET", page+"/confirm", "").Body.String()
		require.Contains(t, form, "in a blind review they cannot give a verdict")
		require.NotContains(t, form, `<button class="btn btn-primary"`)
		require.Contains(t, s.As("reviewer").Do("GET", page+"/confirm", "").Body.String(), `<button class="btn btn-primary"`)
		require.Equal(t, 201, s.As(who).Do("POST", at+"/claims/1/reviews",
			`{"action":"comment","reason":"Look at page 3."}`, "If-Match", "*").Code)
		require.Equal(t, 201, s.As("reviewer").Do("POST", at+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match",
			"*").Code)
		require.Equal(t, 201, s.As("approver").Do("POST", at+"/claims/1/reviews",
			`{"action":"override","verdict":"weak","reason":"r"}`, "If-Match", "*").Code)
		settled := s.As(who).Do("POST", at+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*")
		require.Equal(t, 201, settled.Code)
		require.Contains(t, settled.Body.String(), `"adjudicates":true`)
	}
}

// If a seat was free on the page but is taken when the form arrives, the answer is a conflict for every user, and the
// page says who has the seat.
func TestSeatTakenMeanwhile(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	page := "/sessions/" + id
	require.Equal(t, 303, s.As("reviewer").Post(page+"/reviewers", "take=first").Code)
	require.Equal(t, 303, s.As("reviewer").Post(page+"/reviewers", "take=first").Code, "twice is once")
	for _, who := range []string{"approver", "admin"} {
		res := s.As(who).Post(page+"/reviewers", "take=first")
		require.Equal(t, 409, res.Code, who)
		require.Contains(t, res.Body.String(), "The session has changed in the meantime")
	}
	require.Equal(t, s.Person("reviewer").ID,
		webtest.Get[sessionReview](t, s.Do("GET", "/api/v1"+page, ""), 200).First.ID)
}

// TestNextReview: one address leads through the reader's queue, and another one gives them what nobody reviews; of
// people who ask at the same moment each gets another session, until none is left.
func TestNextReview(t *testing.T) {
	s := webtest.NewServer(t)
	ids := map[string]bool{}
	for i := range 5 {
		ids[s.As("reviewer").Create(strings.NewReplacer(`hr-42`, fmt.Sprint("hr-", i), `"Leave"`, fmt.Sprintf(`"Leave %d"`, i)).Replace(webtest.LeavePolicy)).SessionID] = true
	}
	require.Len(t, ids, 5)
	next := func(who, from string) string {
		res := s.As(who).Do("GET", "/next?after="+from, "")
		require.Equal(t, 303, res.Code)
		return strings.TrimPrefix(res.Header().Get("Location"), "/sessions/")
	}
	require.True(t, ids[next("reviewer", "")], "nothing is theirs: what nobody reviews")
	home := s.As("reviewer").Do("GET", "/", "").Body.String()
	require.Contains(t, home, "5 sessions are not assigned")
	require.NotContains(t, s.As("viewer").Do("GET", "/", "").Body.String(), "are not assigned")
	var both sync.WaitGroup
	taken := make(chan [2]string, 10)
	for _, who := range []string{"reviewer", "approver"} {
		as := s.As(who)
		both.Go(func() {
			for range 5 {
				taken <- [2]string{who, as.Post("/next", "").Header().Get("Location")}
			}
		})
	}
	both.Wait()
	close(taken)
	got := map[string]string{}
	for x := range taken {
		if x[1] == "/" {
			continue
		}
		id := strings.TrimPrefix(x[1], "/sessions/")
		require.True(t, ids[id], x)
		require.Empty(t, got[id], "two have taken it")
		got[id] = x[0]
	}
	require.Len(t, got, 5, "all are taken, and each once")
	for id, who := range got {
		require.Equal(t, s.Person(who).ID, webtest.Get[sessionReview](t, s.Do("GET", "/api/v1/sessions/"+id, ""), 200).First.ID)
		require.NotEqual(t, id, next(who, id), "not the one they come from")
	}
}

// TestNextGoesAround: from one session of the queue to the next one, and from the last to the first. An administrator, who
// reads the log, is not given a blind one; who does not review is led home.
func TestNextGoesAround(t *testing.T) {
	s := webtest.NewServer(t)
	for i := range 4 {
		id := s.As("admin").Create(strings.NewReplacer(`hr-42`, fmt.Sprint("hr-", i), `"Leave"`, fmt.Sprintf(`"Leave %d"`, i)).
			Replace(webtest.LeavePolicy)).SessionID
		body := fmt.Sprintf(`{"first_reviewer":%q}`, s.Person("reviewer").ID)
		if i == 3 {
			body = `{"second_review":"blind"}`
		}
		require.Equal(t, 200, s.As("admin").Do("POST", "/api/v1/sessions/"+id+"/reviewers", body).Code)
	}
	next := func(who, from string) string {
		return s.As(who).Do("GET", "/next?after="+strings.TrimPrefix(from, "/sessions/"), "").Header().Get("Location")
	}
	seen, at := map[string]bool{}, ""
	for range 3 {
		at = next("reviewer", at)
		require.False(t, seen[at], "none twice before all were shown")
		seen[at] = true
		require.Contains(t, s.As("reviewer").Do("GET", at, "").Body.String(), "/next?after="+strings.TrimPrefix(at, "/sessions/"))
	}
	require.True(t, seen[next("reviewer", at)], "and around")
	require.Equal(t, "/", s.As("admin").Post("/next", "").Header().Get("Location"))
	require.NotEqual(t, "/", s.As("reviewer").Post("/next", "").Header().Get("Location"))
	require.Equal(t, "/", next("viewer", ""))
}

// A session whose claims a reviewer has all decided is no longer on that reviewer's start page, neither among their own
// sessions nor among the others.
func TestHomeAfterDecidingAllClaims(t *testing.T) {
	s := webtest.NewServer(t)
	dbtest.BulkConfirmsAll(t, s.Store, s.Tenant.ID)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	at := "/api/v1/sessions/" + id
	seats := fmt.Sprintf(`{"first_reviewer":%q,"second_reviewer":%q,"second_review":"blind"}`, s.Person("reviewer").ID,
		s.Person("approver").ID)
	require.Equal(t, 200, s.As("admin").Do("POST", at+"/reviewers", seats).Code)
	mine := func(who string) bool {
		return strings.Contains(s.As(who).Do("GET", "/", "").Body.String(), "Assigned to you")
	}
	require.True(t, mine("reviewer"))
	require.Equal(t, 200, s.As("reviewer").Do("POST", at+"/reviews:bulk", `{"action":"confirm","filter":{}}`,
		"If-Match", "*").Code)
	home := s.As("reviewer").Do("GET", "/", "").Body.String()
	require.NotContains(t, home, id)
	require.NotContains(t, s.As("reviewer").Do("GET", "/api/v1/sessions?assigned=me&state=open", "").Body.String(), id)
	require.Contains(t, s.As("reviewer").Do("GET", "/api/v1/sessions?assigned=me", "").Body.String(), id)
	require.True(t, mine("approver"))
}

// Sessions that nobody has are shared out on a page: a preview says who gets how many, one press does it, each person
// is told once, and what somebody else took meanwhile is left out and counted.
func TestAssignManyOnThePage(t *testing.T) {
	s := webtest.NewServer(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, s.As("reviewer").Create(strings.ReplaceAll(webtest.LeavePolicy, "Leave", fmt.Sprintf("Leave%d", i))).SessionID)
	}
	reviewer, approver, viewer := s.Person("reviewer").ID, s.Person("approver").ID, s.Person("viewer").ID
	admin := s.As("admin")
	require.Contains(t, admin.Do("GET", "/sessions?lang=en", "").Body.String(), `href="/sessions/assign`)
	page := admin.Do("GET", "/sessions/assign?lang=en&state=open", "").Body.String()
	require.Contains(t, page, "5 sessions can be assigned.")
	require.NotContains(t, page, `name="confirm"`)
	for form, fault := range map[string]string{
		"how=turns":               "Choose at least one person.",
		"how=fast&to=" + reviewer: "Choose turns, load, shares or nobody.",
		"how=turns&to=" + viewer:  "Choose a member who may review.",
		"how=shares&to=" + reviewer + "&share_" + reviewer + "=0": "A share is a whole number from 1 to 1,000.",
	} {
		res := admin.Post("/sessions/assign?lang=en", form)
		require.Equal(t, 422, res.Code, form)
		require.Contains(t, res.Body.String(), fault)
	}

	chosen := webtest.Form("how", "shares", "to", reviewer, "share_"+reviewer, "4", "share_"+approver, "1") + "&to=" + approver
	preview := admin.Post("/sessions/assign?lang=en", chosen)
	require.Equal(t, 200, preview.Code)
	body := preview.Body.String()
	gets := `<td class="num">0</td><td class="num">%s</td><td class="num">%d</td>`
	require.Contains(t, body, fmt.Sprintf(gets, "\u2068+4\u2069", 4))
	require.Contains(t, body, fmt.Sprintf(gets, "\u2068+1\u2069", 1))
	require.Contains(t, body, "Assign 5 sessions")
	require.Equal(t, 303, s.As("approver").Post("/sessions/"+ids[0]+"/reviewers", "take=first").Code)
	confirm := chosen + "&confirm=1&seen=5&until=" + url.QueryEscape(webtest.Between(body, `name="until" value="`, `"`))
	done := admin.Post("/sessions/assign", confirm)
	require.Equal(t, 303, done.Code, done.Body.String())
	said := admin.Do("GET", done.Header().Get("Location")+"&lang=en", "").Body.String()
	require.Contains(t, said, "The first reviewer of 4 sessions was changed.")
	require.Contains(t, said, "1 session is left out: it was assigned or finished after the preview.")
	unread := func() []notify.Notice {
		t.Helper()
		told, err := s.Store.Notices(context.Background(), access.Actor{Tenant: s.Tenant.ID, ID: reviewer}, true, 0, 9)
		require.NoError(t, err)
		return told
	}
	told := unread()
	require.Len(t, told, 1)
	require.Equal(t, 3, told[0].Many())
	require.Equal(t, "/sessions?state=open&assigned=me", told[0].Href())

	again := admin.Post("/sessions/assign", confirm)
	require.Contains(t, again.Header().Get("Location"), "done=0")
	back := webtest.Get[struct {
		Assigned int
		LeftOut  struct{ Others int } `json:"left_out"`
	}](t, admin.Do("POST", "/api/v1/sessions:assign", fmt.Sprintf(`{"whose":%q,"how":"nobody"}`, reviewer)), 200)
	require.Equal(t, 3, back.Assigned)
	require.Equal(t, 2, back.LeftOut.Others)
	taken := unread()
	require.Len(t, taken, 1, "what was taken back asks for nothing")
	require.Equal(t, notify.Unassigned, taken[0].Kind)
	require.Equal(t, 3, taken[0].Many())
	require.Equal(t, 403, s.As("reviewer").Do("POST", "/api/v1/sessions:assign", `{"how":"nobody"}`).Code)
	require.Equal(t, 422, admin.Do("POST", "/api/v1/sessions:assign",
		fmt.Sprintf(`{"how":"nobody","to":[{"id":%q}]}`, reviewer)).Code)
	shares := fmt.Sprintf(`{"how":"shares","dry_run":true,"to":[{"id":%q,"share":2},{"id":%q}]}`, reviewer, approver)
	require.Contains(t, admin.Do("POST", "/api/v1/sessions:assign?state=open", shares).Body.String(), `"assigned":3`)
	require.Contains(t, admin.Do("POST", "/api/v1/sessions:assign", shares).Body.String(), `"assigned":3`, "nothing was changed")
}

// TestSomeOfTheSessionsAreTakenBack: a number of somebody's sessions, or those that are chosen one by one; the preview
// says what each has before and after, and the list can be narrowed to a person.
func TestSomeOfTheSessionsAreTakenBack(t *testing.T) {
	s := webtest.NewServer(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, s.As("reviewer").Create(strings.ReplaceAll(webtest.LeavePolicy, "Leave", fmt.Sprintf("Leave%d", i))).SessionID)
	}
	reviewer, approver := s.Person("reviewer").ID, s.Person("approver").ID
	admin := s.As("admin")
	call := func(query, body, key string) (assigned, rest int) {
		t.Helper()
		got := webtest.Get[struct {
			Assigned int
			LeftOut  struct{ Rest int } `json:"left_out"`
		}](t, admin.Do("POST", "/api/v1/sessions:assign"+query, body, "Idempotency-Key", key), 200)
		return got.Assigned, got.LeftOut.Rest
	}
	n, rest := call("", fmt.Sprintf(`{"how":"turns","to":[{"id":%q}]}`, reviewer), "all")
	require.Equal(t, [2]int{5, 0}, [2]int{n, rest})

	body := admin.Post("/sessions/assign?lang=en", webtest.Form("how", "nobody", "whose", reviewer, "most", "٢")).Body.String()
	require.Contains(t, body, `<td class="num">5</td><td class="num">`+"\u2068−2\u2069"+`</td><td class="num">3</td>`)
	require.Contains(t, body, "3 sessions are left out: you asked for fewer.")
	require.Contains(t, body, "Take 2 sessions back")
	res := admin.Post("/sessions/assign?lang=en", webtest.Form("how", "nobody", "whose", reviewer, "most", "some"))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "Choose a whole number from 1 to 10,000")
	require.Contains(t, res.Body.String(), `value="some"`)

	page := admin.Do("GET", "/sessions/assign?lang=en&whose="+reviewer, "").Body.String()
	require.Contains(t, page, `name="session" value="`+ids[3]+`"`)
	page = admin.Do("GET", "/sessions/assign?lang=en&reviewer="+reviewer, "").Body.String()
	require.Contains(t, page, `<option value="`+reviewer+`" selected>`, "a list of one person's sessions is about those")
	require.Contains(t, page, `name="session" value="`+ids[3]+`"`)
	page = admin.Do("GET", "/sessions/assign?lang=en&whose=&reviewer="+reviewer, "").Body.String()
	require.NotContains(t, page, `<option value="`+reviewer+`" selected>`, "unless nobody's were asked for")
	page = admin.Do("GET", "/sessions/assign?lang=en&whose="+reviewer+"&session="+ids[3], "").Body.String()
	require.Equal(t, ids[3], webtest.Between(page, `type="checkbox" name="session" value="`, `"`), "what is chosen comes first")
	require.Contains(t, page, `value="`+ids[3]+`" checked`)
	require.Equal(t, 5, strings.Count(page, `type="checkbox" name="session"`))
	many := admin.Do("POST", "/api/v1/sessions:assign", `{"how":"nobody","sessions":["x"`+strings.Repeat(`,"x"`, 10_000)+`]}`)
	require.Contains(t, many.Body.String(), "10,000", many.Code)
	require.NotContains(t, many.Body.String(), "whole number")
	chosen := webtest.Form("how", "nobody", "whose", reviewer, "was", reviewer, "session", ids[3])
	body = admin.Post("/sessions/assign?lang=en", chosen).Body.String()
	require.Contains(t, body, "Take 1 session back")
	done := admin.Post("/sessions/assign", chosen+"&confirm=1&seen=1&until="+
		url.QueryEscape(webtest.Between(body, `name="until" value="`, `"`)))
	require.Contains(t, done.Header().Get("Location"), "done=1")
	shown, err := s.Store.ShowSession(t.Context(), access.Actor{Tenant: s.Tenant.ID, ID: reviewer, Role: access.Reviewer}, ids[3])
	require.NoError(t, err)
	require.Empty(t, shown.Seats[0].ID)
	other := strings.Replace(chosen, "was="+reviewer, "was="+approver, 1)
	require.Contains(t, admin.Post("/sessions/assign?lang=en", other).Body.String(), "Take 4 sessions back",
		"what was chosen among another person's sessions is not meant")

	page = admin.Do("GET", "/sessions?lang=en&reviewer="+reviewer, "").Body.String()
	require.Contains(t, page, ids[2])
	require.NotContains(t, page, ids[3])
	require.Contains(t, page, `<option value="`+reviewer+`" selected>`)
	require.NotContains(t, s.As("reviewer").Do("GET", "/sessions?lang=en", "").Body.String(), `name="reviewer"`)
	page = admin.Do("GET", "/sessions/assign?lang=ar&q=Leave2&reviewer="+reviewer, "").Body.String()
	require.Contains(t, page, `<dd><bdi dir="ltr" lang="en">Leave2</bdi></dd>`, "beside its label")

	// the query is part of the request that a key stands for
	some := fmt.Sprintf(`{"how":"nobody","whose":%q,"most":1}`, reviewer)
	n, _ = call("?q=Leave2", some, "some")
	require.Equal(t, 1, n)
	n, _ = call("?q=Leave2", some, "some")
	require.Equal(t, 1, n, "its first answer")
	require.Equal(t, 422, admin.Do("POST", "/api/v1/sessions:assign?q=Leave4", some, "Idempotency-Key", "some").Code)
	n, rest = call("", fmt.Sprintf(`{"how":"nobody","whose":%q,"sessions":[%q,%q],"dry_run":true}`, reviewer, ids[0], ids[3]), "dry")
	require.Equal(t, [2]int{1, 0}, [2]int{n, rest})
}

// TestConfirmingAgainWithAReason: who confirmed a verdict without a reason can give one later, once.
func TestConfirmingAgainWithAReason(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	at := "/api/v1/sessions/" + s.Create(webtest.LeavePolicy).SessionID
	for i, x := range []struct {
		body string
		want int
	}{
		{`{"action":"confirm"}`, 201}, {`{"action":"confirm"}`, 422}, {`{"action":"confirm","reason":" "}`, 422},
		{`{"action":"comment","reason":"A word."}`, 201}, {`{"action":"confirm","reason":"I read both."}`, 201},
		{`{"action":"confirm","reason":"Again."}`, 422}, {`{"action":"confirm"}`, 422},
	} {
		res := s.Do("POST", at+"/claims/1/reviews", x.body, "If-Match", "*")
		require.Equal(t, x.want, res.Code, "%d: %s", i, res.Body)
	}
}
