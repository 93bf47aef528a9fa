package handlers_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
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

// ledgerOf is what tests read of GET …/ledger.
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

// givenWrong is leave with matches that were given against what the source says: the lexical judge finds otherwise.
var givenWrong = strings.NewReplacer(`"similarity":0.92,"support_level":"full","contradicts":false`, `"similarity":0.6,"support_level":"partial","contradicts":true`,
	"hr-42", "hr-wrong").Replace(leave)

func TestJudgeAgain(t *testing.T) {
	s := newServer(t).as("reviewer")
	hook, _, err := s.store.AddWebhook(context.Background(), domain.AtCommandLine(s.tenant.ID), "https://hooks.example/x", []string{"session.judged"})
	require.NoError(t, err)
	c := s.create(givenWrong)
	path := "/api/v1/sessions/" + c.SessionID
	for n, verdict := range map[int]string{1: "contradicted", 2: "not_found"} {
		require.Equal(t, 201, s.do("POST", fmt.Sprintf("%s/claims/%d/reviews", path, n), `{"action":"confirm"}`, "If-Match", "*").Code, verdict)
	}
	before := s.do("GET", c.LedgerURL, "")
	tag := before.Header().Get("ETag")

	require.Equal(t, 428, s.do("POST", path+"/judge", "").Code)
	require.Equal(t, 412, s.do("POST", path+"/judge", "", "If-Match", `"old"`).Code)
	require.Equal(t, 422, s.do("POST", path+"/judge", `{"judge":"given"}`, "If-Match", "*").Code)
	require.Equal(t, 422, s.do("POST", path+"/judge", `{"bundle_id":"none"}`, "If-Match", "*").Code)
	require.Equal(t, 403, s.as("viewer").do("POST", path+"/judge", "", "If-Match", "*").Code)
	require.Equal(t, 404, s.as("foreign").do("POST", path+"/judge", "", "If-Match", "*").Code)
	require.Equal(t, before.Body.String(), s.do("GET", c.LedgerURL, "").Body.String(), "nothing of these changed it")

	res := s.do("POST", path+"/judge", `{"judge":"lexical"}`, "If-Match", tag, "Idempotency-Key", "again")
	out := get[judgedAnswer](t, res, 200)
	require.Equal(t, []any{2, true, "lexical", 1, 1}, []any{out.Run.Number, out.Run.Newest, out.Run.Judge, out.Run.Changed, out.Run.Flips})
	require.Equal(t, 1, out.Run.Stale)
	again := s.do("POST", path+"/judge", `{"judge":"lexical"}`, "If-Match", tag, "Idempotency-Key", "again")
	require.Equal(t, res.Body.String(), again.Body.String(), "answered as the first time")
	require.Equal(t, 412, s.do("POST", path+"/judge", "", "If-Match", tag).Code)

	now := get[ledgerOf](t, s.do("GET", c.LedgerURL, ""), 200).Ledger
	require.Equal(t, out.Revision, now.Revision)
	require.Equal(t, 1, now.Summary.Stale)
	first := now.Entries[0]
	require.NotNil(t, first.Machine)
	require.NotEqual(t, "contradicted", *first.Machine)
	require.Equal(t, "contradicted", *first.Verdict, "the review stands, and is stale")
	require.True(t, first.Stale && first.Reviews[0].Stale)
	require.False(t, now.Entries[1].Stale || now.Entries[1].Reviews[0].Stale, "nothing of this claim changed")

	runs := get[struct{ Runs []runRow }](t, s.do("GET", path+"/runs", ""), 200)
	require.Len(t, runs.Runs, 2)
	require.Equal(t, []any{2, "lexical", 1, "given", false}, []any{runs.Runs[0].Number, runs.Runs[0].Judge, runs.Runs[1].Number, runs.Runs[1].Judge, runs.Runs[1].Newest})
	old := s.do("GET", path+"/runs/1/claims", "").Body.String()
	require.Contains(t, old, `"machine_verdict":"contradicted","confidence_score":0.6,"judge":"given"`, "the earlier run stays readable")
	require.Contains(t, old, `"snippet":"15 days of paid annual leave"`)
	require.Contains(t, s.do("GET", path+"/runs/2/claims", "").Body.String(), `"machine_verdict":"`+*first.Machine+`"`)
	changes := s.do("GET", path+"/runs/2/changes", "").Body.String()
	require.Contains(t, changes, `"number":1,"claim_id":"clm_001","from_verdict":"contradicted","to_verdict":"`+*first.Machine+`"`)
	require.Contains(t, changes, `"filename":"HR.pdf"`)
	require.Contains(t, s.do("GET", path+"/runs/1/changes", "").Body.String(), `"changes":[]`)
	for _, missing := range []string{"/runs/3/changes", "/runs/0/changes", "/runs/x/claims", "/runs/3/claims"} {
		require.Equal(t, 404, s.do("GET", path+missing, "").Code, missing)
	}
	require.Equal(t, 404, s.as("foreign").do("GET", path+"/runs", "").Code)

	sent, _, err := s.store.Deliveries(context.Background(), s.tenant.ID, hook.ID, "", 9)
	require.NoError(t, err)
	require.Len(t, sent, 2, "as it came in, and judged again")
	list := s.do("GET", "/api/v1/sessions?state=open", "").Body.String()
	require.Contains(t, list, c.SessionID, "a reviewed session reopens")
	require.Equal(t, 201, s.do("POST", path+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	require.Zero(t, get[ledgerOf](t, s.do("GET", c.LedgerURL, ""), 200).Ledger.Summary.Stale, "looked at again")
}

// imported brings in a session that is too big to wait for, and gives its id.
func (s *server) imported(body string) string {
	s.t.Helper()
	defer s.work()()
	return *s.ended(get[job](s.t, s.do("POST", "/api/v1/sessions", body), 202).ID).SessionID
}

// largeAnswer brings in a session of few claims and over 5 MiB of sources, and gives its id.
func (s *server) largeAnswer() string {
	s.t.Helper()
	words := strings.Repeat("Leave is 15 days. ", 6<<20/18)
	return s.takeIn(`{"format":"sanad.session/v1","session":{"external_id":"large","title":"Large","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.txt","text":"` + words + `"}],"claims":[{"claim_id":"c1","claim_text":"Leave is 15 days","matches":[]}]}`)
}

// timesAndRevisions is what two judgements of one input may differ in.
var timesAndRevisions = regexp.MustCompile(`"(updated_at|revision)":("[^"]*"|\d+)`)

func TestJudgedTwiceIsTheSame(t *testing.T) {
	s := newServer(t).as("reviewer")
	c := s.create(toJudge("twice", 40))
	path := "/api/v1/sessions/" + c.SessionID
	plain := func() string {
		return timesAndRevisions.ReplaceAllString(s.do("GET", c.LedgerURL, "").Body.String(), "")
	}
	before := plain()
	digests := map[string]bool{}
	for range 2 {
		out := get[judgedAnswer](t, s.do("POST", path+"/judge", "", "If-Match", "*"), 200)
		require.Zero(t, out.Run.Changed+out.Run.Flips+out.Run.Stale)
		digests[out.Run.Digest] = true
		require.Equal(t, before, plain())
	}
	require.Len(t, digests, 1)
	require.Contains(t, s.do("GET", "/sessions/"+c.SessionID+"/runs/3", "").Body.String(), "Nothing changed")
}

// Above 1,000 claims to judge is a job. Reviews that come meanwhile are kept; a worker that ends in the middle is followed by
// another, and the run is stored once.
func TestBigSessionsAreJudgedByAJob(t *testing.T) {
	s := newServer(t).as("reviewer")
	claims := sized(3000, 1001)
	id := s.imported(toJudge("big", claims))
	path := "/api/v1/sessions/" + id
	require.Equal(t, 201, s.do("POST", path+"/claims/7/reviews", `{"action":"override","verdict":"weak","reason":"x"}`, "If-Match", "*").Code)
	require.Equal(t, 412, s.do("POST", path+"/judge", "", "If-Match", `"old"`).Code)
	res := s.do("POST", path+"/judge", "", "If-Match", "*", "Idempotency-Key", "big")
	asked := get[struct {
		ID   string `json:"job_id"`
		Kind string
	}](t, res, 202)
	require.Equal(t, "judge", asked.Kind)
	require.Equal(t, res.Body.String(), s.do("POST", path+"/judge", "", "If-Match", "*", "Idempotency-Key", "big").Body.String())
	require.Equal(t, asked.ID, get[job](t, s.do("POST", path+"/judge", "", "If-Match", "*"), 202).ID, "the same of the same revision is one job")
	require.Equal(t, 201, s.do("POST", path+"/claims/8/reviews", `{"action":"comment","reason":"meanwhile"}`, "If-Match", "*").Code)

	stop := s.work()
	require.Eventually(t, func() bool {
		j := get[job](t, s.do("GET", "/api/v1/jobs/"+asked.ID, ""), 200)
		return j.Done > 0 || j.Status == "done"
	}, time.Minute, 2*time.Millisecond)
	stop()
	defer s.work()()
	end := s.ended(asked.ID)
	require.Equal(t, []any{"done", id, claims}, []any{end.Status, *end.SessionID, end.Total})
	runs := get[struct{ Runs []runRow }](t, s.do("GET", path+"/runs", ""), 200).Runs
	require.Len(t, runs, 2, "it is stored once")
	require.Zero(t, runs[0].Changed)
	entries := get[ledgerOf](t, s.do("GET", path+"/ledger", ""), 200).Ledger.Entries
	require.Equal(t, []int{1, 1}, []int{len(entries[6].Reviews), len(entries[7].Reviews)})
	require.Contains(t, s.do("GET", "/jobs/"+asked.ID, "").Body.String(), "Judge again")

	again := get[job](t, s.do("POST", path+"/judge", "", "If-Match", "*"), 202)
	require.NotEqual(t, asked.ID, again.ID, "of a later revision it is another")
	s.ended(again.ID)
	require.Len(t, get[struct{ Runs []runRow }](t, s.do("GET", path+"/runs", ""), 200).Runs, 3)
}

// Nothing of a cancelled job is stored, and one whose session was judged meanwhile says so.
func TestJudgingThatIsOvertaken(t *testing.T) {
	s := newServer(t).as("reviewer")
	id := s.imported(toJudge("overtaken", 1001))
	path := "/api/v1/sessions/" + id
	asked := get[job](t, s.do("POST", path+"/judge", "", "If-Match", "*"), 202)
	require.Equal(t, 200, s.do("POST", "/api/v1/jobs/"+asked.ID+"/cancel", "").Code)
	stop := s.work()
	require.Equal(t, "cancelled", s.ended(asked.ID).Status)
	stop()
	require.Len(t, get[struct{ Runs []runRow }](t, s.do("GET", path+"/runs", ""), 200).Runs, 1)
	uploads, err := s.store.StoredInputs(context.Background())
	require.NoError(t, err)
	require.Empty(t, uploads)
}

// A pack that froze a ledger stays as it was signed, to the byte.
func TestPacksStayWhenTheirSessionIsJudgedAgain(t *testing.T) {
	s := newServer(t)
	c := s.create(givenWrong)
	body := strings.Replace(decisionOf("dec_frozen", "A2"), `"entity_id"`, `"ledger_session_id":"`+c.SessionID+`","entity_id"`, 1)
	require.Equal(t, 201, s.as("reviewer").do("POST", "/api/v1/decisions", body).Code)
	p := s.api("reviewer", "POST", "/packs", `{"decision_id":"dec_frozen"}`)(201)
	require.Equal(t, 201, s.as("reviewer").do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	s.api("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	p = s.api("approver", "POST", "/packs/"+p.PackID+"/approve", approval)(200)
	before := s.files(p.PackID)
	dsse := s.do("GET", "/api/v1/packs/"+p.PackID+"/dsse", "").Body.String()
	require.Equal(t, 200, s.do("POST", "/api/v1/sessions/"+c.SessionID+"/judge", "", "If-Match", "*").Code)
	session, err := s.store.Session(context.Background(), s.tenant.ID, c.SessionID)
	require.NoError(t, err)
	require.Equal(t, 200, s.do("POST", "/api/v1/documents/"+session.Documents[0].ID+"/withdraw", `{"reason":"A draft."}`, "If-Match", "*").Code)
	require.Equal(t, before, s.files(p.PackID))
	require.Equal(t, dsse, s.do("GET", "/api/v1/packs/"+p.PackID+"/dsse", "").Body.String())
}

func TestJudgeAgainFromThePage(t *testing.T) {
	s := newServer(t).as("reviewer")
	c := s.create(givenWrong)
	require.Equal(t, 201, s.do("POST", "/api/v1/sessions/"+c.SessionID+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	path := "/sessions/" + c.SessionID
	page := s.do("GET", path, "").Body.String()
	revision := between(page, `name="revision" value="`, `"`)
	require.NotContains(t, s.as("viewer").do("GET", path, "").Body.String(), `name="revision"`)
	require.Equal(t, 409, s.post(path+"/judge", "revision=1").Code, "another revision was shown")
	require.Equal(t, 400, s.post(path+"/judge", "").Code)
	res := s.post(path+"/judge", "revision="+revision)
	require.Equal(t, []any{303, path + "/runs/2"}, []any{res.Code, res.Header().Get("Location")})
	for _, lang := range []string{"en", "ar"} {
		page := s.as("viewer").do("GET", path+"/runs/2?lang="+lang, "").Body.String()
		words := map[string][]string{"en": {"What changed", "1 claim changed", "1 verdict changed", "1 review made stale", "Contradicted", "HR.pdf"},
			"ar": {"ما الذي تغيّر", "تغيّرت إفادة واحدة", "تبدّل حكم واحد", "صارت مراجعة واحدة تستدعي إعادة النظر", "HR.pdf"}}
		for _, want := range words[lang] {
			require.Contains(t, page, want)
		}
	}
	require.Contains(t, s.do("GET", path+"/runs/1", "").Body.String(), "nothing before it to compare with")
	page = s.do("GET", path+"?stale=1", "").Body.String()
	require.Contains(t, page, "1 review to look at again")
	require.Contains(t, page, `id="claim-1"`)
	require.NotContains(t, page, `id="claim-2"`)
	require.Contains(t, page, path+"/runs/2")
	claim := s.do("GET", path+"/claims/1", "").Body.String()
	require.Contains(t, claim, "The judgement has changed since this claim was reviewed.")
	require.Contains(t, claim, "Saw another judgement")
	require.Equal(t, 404, s.do("GET", path+"/runs/3", "").Code)
}

// A run's changes are paged by claim, each once.
func TestChangesHavePages(t *testing.T) {
	s := newServer(t).as("reviewer")
	c := s.create(flipping(120))
	require.Equal(t, 200, s.do("POST", "/api/v1/sessions/"+c.SessionID+"/judge", "", "If-Match", "*").Code)
	seen := 0
	for path := "/sessions/" + c.SessionID + "/runs/2"; path != ""; {
		page := s.do("GET", path, "").Body.String()
		seen += strings.Count(page, `<tr class="row">`)
		path = strings.ReplaceAll(between(page, `rel="next" href="/sessions/`, `"`), "&amp;", "&")
		if path != "" {
			path = "/sessions/" + path
		}
	}
	require.Equal(t, 120, seen)
	numbers := map[int]bool{}
	for after := ""; ; {
		page := get[struct {
			Changes []struct{ Number int }
			Next    *string
		}](t, s.do("GET", "/api/v1/sessions/"+c.SessionID+"/runs/2/changes?limit=50"+after, ""), 200)
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
	require.Equal(t, 400, s.do("GET", "/api/v1/sessions/"+c.SessionID+"/runs/2/changes?after=x", "").Code)
}

// flipping is a session with n claims whose given verdict the lexical judge does not share.
func flipping(n int) string {
	var claims []string
	for i := range n {
		claims = append(claims, fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees receive 15 days of paid annual leave","matches":[{"chunk":"c1","similarity":0.6,"support_level":"partial","contradicts":true,"snippet":"15 days"}]}`, i))
	}
	return `{"format":"sanad.session/v1","session":{"external_id":"flip","title":"Flip","answer":"Employees receive 15 days of paid annual leave."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave."}]}],"claims":[` + strings.Join(claims, ",") + "]}"
}
