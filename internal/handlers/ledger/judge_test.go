package ledger_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
)

type runRow struct {
	Number  int    `json:"run"`
	ID      string `json:"run_id"`
	Newest  bool
	Judge   string
	Digest  string `json:"input_digest"`
	Changed int    `json:"changed_claims"`
	Flips   int    `json:"verdict_flips"`
	Stale   int    `json:"stale_reviews"`
}

type judgedAnswer struct {
	Run       runRow
	Revision  int
	LedgerURL string `json:"ledger_url"`
}

// ledgerOf has the fields of GET …/ledger that the tests read.
type ledgerOf struct {
	Ledger struct {
		Revision int
		Summary  struct{ Stale int }
		Entries  []struct {
			Verdict *string
			Machine *string `json:"machine_verdict"`
			Judge   string
			Stale   bool
			Matches []struct{ Filename string }
			Reviews []struct{ Stale bool }
		}
	}
}

func TestJudgeAgain(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	hook, _, err := s.Store.AddWebhook(context.Background(), access.AtCommandLine(s.Tenant.ID),
		"https://hooks.example/x", []string{"session.judged"})
	require.NoError(t, err)
	c := s.Create(webtest.WrongMatches)
	path := "/api/v1/sessions/" + c.SessionID
	for n, verdict := range map[int]string{1: "contradicted", 2: "not_found"} {
		require.Equal(t, 201, s.Do("POST", fmt.Sprintf("%s/claims/%d/reviews", path, n), `{"action":"confirm"}`,
			"If-Match", "*").Code, verdict)
	}
	before := s.Do("GET", c.LedgerURL, "")
	tag := before.Header().Get("ETag")

	require.Equal(t, 428, s.Do("POST", path+"/judge", "").Code)
	require.Equal(t, 412, s.Do("POST", path+"/judge", "", "If-Match", `"old"`).Code)
	require.Equal(t, 422, s.Do("POST", path+"/judge", `{"judge":"given"}`, "If-Match", "*").Code)
	require.Equal(t, 422, s.Do("POST", path+"/judge", `{"bundle_id":"none"}`, "If-Match", "*").Code)
	require.Equal(t, 403, s.As("viewer").Do("POST", path+"/judge", "", "If-Match", "*").Code)
	require.Equal(t, 404, s.As("foreign").Do("POST", path+"/judge", "", "If-Match", "*").Code)
	require.Equal(t, before.Body.String(), s.Do("GET", c.LedgerURL, "").Body.String(), "nothing of these changed it")

	res := s.Do("POST", path+"/judge", `{"judge":"lexical"}`, "If-Match", tag, "Idempotency-Key", "again")
	out := webtest.Get[judgedAnswer](t, res, 200)
	require.Equal(t, []any{2, true, "lexical", 1, 1},
		[]any{out.Run.Number, out.Run.Newest, out.Run.Judge, out.Run.Changed, out.Run.Flips})
	require.Equal(t, 1, out.Run.Stale)
	again := s.Do("POST", path+"/judge", `{"judge":"lexical"}`, "If-Match", tag, "Idempotency-Key", "again")
	require.Equal(t, res.Body.String(), again.Body.String(), "answered as the first time")
	require.Equal(t, 412, s.Do("POST", path+"/judge", "", "If-Match", tag).Code)

	now := webtest.Get[ledgerOf](t, s.Do("GET", c.LedgerURL, ""), 200).Ledger
	require.Equal(t, out.Revision, now.Revision)
	require.Equal(t, 1, now.Summary.Stale)
	first := now.Entries[0]
	require.NotNil(t, first.Machine)
	require.NotEqual(t, "contradicted", *first.Machine)
	require.Equal(t, "contradicted", *first.Verdict, "the review stands, and is stale")
	require.True(t, first.Stale && first.Reviews[0].Stale)
	require.False(t, now.Entries[1].Stale || now.Entries[1].Reviews[0].Stale, "nothing of this claim changed")

	runs := webtest.Get[struct{ Runs []runRow }](t, s.Do("GET", path+"/runs", ""), 200)
	require.Len(t, runs.Runs, 2)
	require.Equal(t, []any{2, "lexical", 1, "given", false},
		[]any{runs.Runs[0].Number, runs.Runs[0].Judge, runs.Runs[1].Number, runs.Runs[1].Judge, runs.Runs[1].Newest})
	old := s.Do("GET", path+"/runs/1/claims", "").Body.String()
	require.Contains(t, old, `"machine_verdict":"contradicted","confidence_score":0.6,"judge":"given"`,
		"the earlier run stays readable")
	require.Contains(t, old, `"snippet":"15 days of paid annual leave"`)
	require.Contains(t, s.Do("GET", path+"/runs/2/claims", "").Body.String(), `"machine_verdict":"`+*first.Machine+`"`)
	changes := s.Do("GET", path+"/runs/2/changes", "").Body.String()
	require.Contains(t, changes, `"number":1,"claim_id":"clm_001","from_verdict":"contradicted","to_verdict":"`+
		*first.Machine+`"`)
	require.Contains(t, changes, `"filename":"HR.pdf"`)
	require.Contains(t, s.Do("GET", path+"/runs/1/changes", "").Body.String(), `"changes":[]`)
	for _, missing := range []string{"/runs/3/changes", "/runs/0/changes", "/runs/x/claims", "/runs/3/claims"} {
		require.Equal(t, 404, s.Do("GET", path+missing, "").Code, missing)
	}
	require.Equal(t, 404, s.As("foreign").Do("GET", path+"/runs", "").Code)

	sent, _, err := s.Store.Deliveries(context.Background(), s.Tenant.ID, hook.ID, "", 9)
	require.NoError(t, err)
	require.Len(t, sent, 2, "as it came in, and judged again")
	list := s.Do("GET", "/api/v1/sessions?state=open", "").Body.String()
	require.Contains(t, list, c.SessionID, "a reviewed session reopens")
	require.Equal(t, 201, s.Do("POST", path+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	require.Zero(t, webtest.Get[ledgerOf](t, s.Do("GET", c.LedgerURL, ""), 200).Ledger.Summary.Stale, "looked at again")
}

// timesAndRevisions matches what may differ between two judgements of one input.
var timesAndRevisions = regexp.MustCompile(`"(updated_at|revision)":("[^"]*"|\d+)`)

func TestJudgingTwiceMakesTheSameLedger(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	c := s.Create(webtest.ToJudge("twice", 40))
	path := "/api/v1/sessions/" + c.SessionID
	plain := func() string {
		return timesAndRevisions.ReplaceAllString(s.Do("GET", c.LedgerURL, "").Body.String(), "")
	}
	before := plain()
	digests := map[string]bool{}
	for range 2 {
		out := webtest.Get[judgedAnswer](t, s.Do("POST", path+"/judge", "", "If-Match", "*"), 200)
		require.Zero(t, out.Run.Changed+out.Run.Flips+out.Run.Stale)
		digests[out.Run.Digest] = true
		require.Equal(t, before, plain())
	}
	require.Len(t, digests, 1)
	require.Contains(t, s.Do("GET", "/sessions/"+c.SessionID+"/runs/3", "").Body.String(), "Nothing changed")
}

// Judging more than 1,000 claims is a job. Reviews that are made meanwhile are kept. If the worker stops halfway,
// another one takes over, and the run is stored once.
func TestBigSessionsAreJudgedByAJob(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	claims := thorough.Times(1001, 3000)
	id := s.ImportByJob(webtest.ToJudge("big", claims))
	path := "/api/v1/sessions/" + id
	require.Equal(t, 201, s.Do("POST", path+"/claims/7/reviews", `{"action":"override","verdict":"weak","reason":"x"}`,
		"If-Match", "*").Code)
	require.Equal(t, 412, s.Do("POST", path+"/judge", "", "If-Match", `"old"`).Code)
	res := s.Do("POST", path+"/judge", "", "If-Match", "*", "Idempotency-Key", "big")
	asked := webtest.Get[struct {
		ID   string `json:"job_id"`
		Kind string
	}](t, res, 202)
	require.Equal(t, "judge", asked.Kind)
	require.Equal(t, res.Body.String(),
		s.Do("POST", path+"/judge", "", "If-Match", "*", "Idempotency-Key", "big").Body.String())
	require.Equal(t, asked.ID, webtest.Get[webtest.Job](t, s.Do("POST", path+"/judge", "", "If-Match", "*"), 202).ID,
		"the same of the same revision is one job")
	require.Equal(t, 201, s.Do("POST", path+"/claims/8/reviews", `{"action":"comment","reason":"meanwhile"}`,
		"If-Match", "*").Code)

	stop := s.Work()
	require.Eventually(t, func() bool {
		j := webtest.Get[webtest.Job](t, s.Do("GET", "/api/v1/jobs/"+asked.ID, ""), 200)
		return j.Done > 0 || j.Status == "done"
	}, time.Minute, 2*time.Millisecond)
	stop()
	defer s.Work()()
	end := s.WaitForJob(asked.ID)
	require.Equal(t, []any{"done", id, claims}, []any{end.Status, *end.SessionID, end.Total})
	runs := webtest.Get[struct{ Runs []runRow }](t, s.Do("GET", path+"/runs", ""), 200).Runs
	require.Len(t, runs, 2, "it is stored once")
	require.Zero(t, runs[0].Changed)
	entries := webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200).Ledger.Entries
	require.Equal(t, []int{1, 1}, []int{len(entries[6].Reviews), len(entries[7].Reviews)})
	require.Contains(t, s.Do("GET", "/jobs/"+asked.ID, "").Body.String(), "Judge again")

	again := webtest.Get[webtest.Job](t, s.Do("POST", path+"/judge", "", "If-Match", "*"), 202)
	require.NotEqual(t, asked.ID, again.ID, "of a later revision it is another")
	s.WaitForJob(again.ID)
	events, err := s.Store.Events(context.Background(), s.Tenant.ID, 0, 10000)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, e := range events {
		counts[e.Action]++
	}
	require.Equal(t, []int{1, 1, 2, 2}, []int{counts["job.asked"], counts["job.done"], counts["job.judging_asked"],
		counts["job.judging_done"]}, "in the log a judging is no import")
	require.Len(t, webtest.Get[struct{ Runs []runRow }](t, s.Do("GET", path+"/runs", ""), 200).Runs, 3)
}

// A cancelled job stores nothing. A job whose session was judged meanwhile fails and says so.
func TestJudgeJobOfAnOldRevision(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.ImportByJob(webtest.ToJudge("overtaken", 1001))
	path := "/api/v1/sessions/" + id
	asked := webtest.Get[webtest.Job](t, s.Do("POST", path+"/judge", "", "If-Match", "*"), 202)
	require.Equal(t, 200, s.Do("POST", "/api/v1/jobs/"+asked.ID+"/cancel", "").Code)
	stop := s.Work()
	require.Equal(t, "cancelled", s.WaitForJob(asked.ID).Status)
	stop()
	require.Len(t, webtest.Get[struct{ Runs []runRow }](t, s.Do("GET", path+"/runs", ""), 200).Runs, 1)
	require.Regexp(t, `Judge again · \s*<span class="state`, s.Do("GET", "/jobs", "").Body.String(),
		"the list says what it is")
	uploads, err := s.Store.StoredInputs(context.Background())
	require.NoError(t, err)
	require.Empty(t, uploads)
}

// A signed pack stays byte for byte as it is when its ledger is judged again.
func TestPacksStayWhenTheirSessionIsJudgedAgain(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.WrongMatches)
	dbtest.Ask(t, s.Store, s.Tenant.ID, pack.Off, pack.PolicyRules...)
	body := strings.Replace(webtest.DecisionOf("dec_frozen", "A2"), `"entity_id"`,
		`"ledger_session_id":"`+c.SessionID+`","entity_id"`, 1)
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", body).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_frozen"}`)(201)
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews",
		`{"action":"confirm"}`, "If-Match", "*").Code)
	p = s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	p = s.API("approver", "POST", "/packs/"+p.PackID+"/approve", webtest.ApprovalOf(p))(200)
	before := s.Files(p.PackID)
	dsse := s.Do("GET", "/api/v1/packs/"+p.PackID+"/dsse", "").Body.String()
	require.Equal(t, 200, s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/judge", "", "If-Match", "*").Code)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, c.SessionID)
	require.NoError(t, err)
	require.Equal(t, 200, s.Do("POST", "/api/v1/documents/"+session.Documents[0].ID+"/withdraw",
		`{"reason":"A draft."}`, "If-Match", "*").Code)
	require.Equal(t, before, s.Files(p.PackID))
	require.Equal(t, dsse, s.Do("GET", "/api/v1/packs/"+p.PackID+"/dsse", "").Body.String())
}

func TestJudgeAgainFromThePage(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	c := s.Create(webtest.WrongMatches)
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews", `{"action":"confirm"}`,
		"If-Match", "*").Code)
	path := "/sessions/" + c.SessionID
	page := s.Do("GET", path+"/judge", "").Body.String()
	revision := webtest.Between(page, `name="revision" value="`, `"`)
	require.NotContains(t, s.As("viewer").Do("GET", path, "").Body.String(), path+"/judge")
	s.As("reviewer")
	require.Equal(t, 409, s.Post(path+"/judge", "revision=1").Code, "another revision was shown")
	require.Equal(t, 400, s.Post(path+"/judge", "").Code)
	res := s.Post(path+"/judge", "revision="+revision)
	require.Equal(t, []any{303, path + "/runs/2"}, []any{res.Code, res.Header().Get("Location")})
	for _, lang := range []string{"en", "ar"} {
		page := s.As("viewer").Do("GET", path+"/runs/2?lang="+lang, "").Body.String()
		words := map[string][]string{"en": {"What changed", "1 claim changed", "1 verdict changed",
			"1 review became stale", "Contradicted", "HR.pdf"},
			"ar": {"ما الذي تغيّر", "تغيّرت إفادة واحدة", "تبدّل حكم واحد", "صارت مراجعة واحدة تستدعي إعادة النظر",
				"HR.pdf"}}
		for _, want := range words[lang] {
			require.Contains(t, page, want)
		}
	}
	require.Contains(t, s.Do("GET", path+"/runs/1", "").Body.String(), "nothing before it to compare with")
	page = s.Do("GET", path+"?stale=1", "").Body.String()
	require.Contains(t, page, "1 review to check again")
	require.Contains(t, page, `id="claim-1"`)
	require.NotContains(t, page, `id="claim-2"`)
	require.Contains(t, s.Do("GET", path+"?tab=sources", "").Body.String(), path+"/runs/2")
	claim := s.Do("GET", path+"/claims/1", "").Body.String()
	require.Contains(t, claim, "The judgement has changed since this claim was reviewed.")
	require.Contains(t, claim, "Based on an earlier judgement")
	require.Equal(t, 404, s.Do("GET", path+"/runs/3", "").Code)
}

// The changes of a run are paged by claim; each claim is listed once.
func TestChangesHavePages(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	c := s.Create(flipping(120))
	require.Equal(t, 200, s.Do("POST", "/api/v1/sessions/"+c.SessionID+"/judge", "", "If-Match", "*").Code)
	seen := 0
	for path := "/sessions/" + c.SessionID + "/runs/2"; path != ""; {
		page := s.Do("GET", path, "").Body.String()
		seen += strings.Count(page, `<tr class="row">`)
		path = strings.ReplaceAll(webtest.Between(page, `rel="next" href="/sessions/`, `"`), "&amp;", "&")
		if path != "" {
			path = "/sessions/" + path
		}
	}
	require.Equal(t, 120, seen)
	numbers := map[int]bool{}
	for after := ""; ; {
		page := webtest.Get[struct {
			Changes []struct{ Number int }
			Next    *string
		}](t, s.Do("GET", "/api/v1/sessions/"+c.SessionID+"/runs/2/changes?limit=50"+after, ""), 200)
		for _, x := range page.Changes {
			require.False(t, numbers[x.Number])
			numbers[x.Number] = true
		}
		if page.Next == nil {
			break
		}
		after = "&after=" + *page.Next
	}
	require.Len(t, numbers, 120)
	require.Equal(t, 400, s.Do("GET", "/api/v1/sessions/"+c.SessionID+"/runs/2/changes?after=x", "").Code)
}

// flipping returns a session with n claims for which the lexical judge finds another verdict than the given one.
func flipping(n int) string {
	var claims []string
	for i := range n {
		claims = append(claims, fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees receive 15 days of paid annual leave","matches":[{"chunk":"c1","similarity":0.6,"support_level":"partial","contradicts":true,"snippet":"15 days"}]}`, i))
	}
	return `{"format":"sanad.session/v1","session":{"external_id":"flip","title":"Flip","answer":"Employees receive 15 days of paid annual leave."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave."}]}],"claims":[` + strings.Join(claims, ",") + "]}"
}
