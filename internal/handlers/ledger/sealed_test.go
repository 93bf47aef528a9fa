package ledger_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// blind is a session with a blind second review by the reviewer and the approver.
type blind struct {
	*webtest.Server
	at, page string // its addresses
	document string // the address of a document of it
	changes  int
}

// change sends a request that changes the session, later than all before it. Pages are read at the time of the
// beginning, since they show the time.
func (b *blind) change(who, path, body string, headers ...string) *httptest.ResponseRecorder {
	b.changes++
	later := time.Duration(b.changes) * time.Minute
	b.Clock.Move(later)
	defer b.Clock.Move(-later)
	return b.As(who).Do("POST", path, body, headers...)
}

func newBlind(t *testing.T) *blind {
	s := webtest.NewServer(t)
	dbtest.BulkConfirmsAll(t, s.Store, s.Tenant.ID)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	b := &blind{Server: s, at: "/api/v1/sessions/" + id, page: "/sessions/" + id,
		document: "/documents/" + session.Documents[0].ID}
	for _, who := range []string{"reviewer", "approver", "viewer", "admin"} {
		s.Person(who)
	}
	b.seats(t, "reviewer", "approver", "blind")
	return b
}

// seats sets who reviews the session, and how.
func (b *blind) seats(t *testing.T, first, second, mode string) {
	t.Helper()
	id := func(name string) string {
		if name == "" {
			return ""
		}
		return b.Person(name).ID
	}
	body := fmt.Sprintf(`{"first_reviewer":%q,"second_reviewer":%q,"second_review":%q}`, id(first), id(second), mode)
	require.Equal(t, 200, b.change("admin", b.at+"/reviewers", body).Code)
}

// review makes a review that must be taken.
func (b *blind) review(t *testing.T, who string, claim int, body string) {
	t.Helper()
	res := b.change(who, fmt.Sprintf("%s/claims/%d/reviews", b.at, claim), body, "If-Match", "*")
	require.Equal(t, 201, res.Code, res.Body.String())
}

// everything returns what a person is answered at every address that has anything of the session, with the headers that
// tell of its revision.
func (b *blind) everything(who string) map[string]string {
	paths := []string{"/", "/sessions", "/sessions?state=new", "/sessions?state=in_review", "/sessions?assigned=me",
		"/dashboard", "/search?q=leave", b.page, b.page + "/claims/1", b.page + "/claims/2", b.page + "?unreviewed=1",
		b.page + "?differs=1", b.page + "?unsettled=1", b.page + "?threads=1", "/sessions?threads=1",
		b.page + "/answers", b.page + "/runs/1", b.document,
		b.at, b.at + "/ledger", b.at + "/answers", b.at + "/runs", "/api/v1/sessions", "/api/v1/sessions?state=new",
		"/api/v1/sessions?state=in_review", "/api/v1/jobs"}
	if who != "viewer" {
		paths = append(paths, b.page+"/confirm", b.page+"/claims/1/passages", b.page+"/answers/new", b.page+"/documents",
			b.page+"/export/json", b.page+"/export/markdown", b.page+"/export/csv", b.page+"/export/xlsx")
	}
	out := map[string]string{}
	for _, path := range paths {
		res := b.As(who).Do("GET", path, "")
		var told strings.Builder
		for _, name := range []string{"ETag", "Content-Disposition", "Location", "Last-Modified"} {
			fmt.Fprintln(&told, name, res.Header().Get(name))
		}
		out[path] = fmt.Sprintln(res.Code, told.String(), requestID.ReplaceAllString(res.Body.String(), "</footer>"))
	}
	return out
}

// tag returns the ETag and the revision that a person is given.
func (b *blind) tag(t *testing.T, who string) (tag string, revision int) {
	t.Helper()
	return b.As(who).Do("GET", b.at+"/ledger", "").Header().Get("ETag"),
		webtest.Get[sessionReview](t, b.As(who).Do("GET", b.at, ""), 200).Revision
}

// Whether and how often somebody else has made sealed reviews changes no byte of any answer (rule L-35).
func TestNothingTellsHowManyReviewsAreSealed(t *testing.T) {
	t.Run("with seats", func(t *testing.T) { testNothingTells(t, newBlind(t)) })
	t.Run("without", func(t *testing.T) { // lists then name who reviewed last
		b := newBlind(t)
		b.seats(t, "", "", "blind")
		testNothingTells(t, b)
	})
}

func testNothingTells(t *testing.T, b *blind) {
	t.Helper()
	hidden := []string{"approver", "viewer", "admin"}
	before := map[string]map[string]string{}
	for _, who := range hidden {
		before[who] = b.everything(who)
		for path, answer := range before[who] {
			require.NotContains(t, []string{"4", "5"}, answer[:1], "%s %s", who, path)
		}
	}
	same := func(when string) {
		t.Helper()
		for _, who := range hidden {
			for path, answer := range b.everything(who) {
				if was := before[who][path]; was != answer {
					at := 0
					for at < min(len(was), len(answer)) && was[at] == answer[at] {
						at++
					}
					t.Fatalf("%s, %s, %s: %.200q was %.200q", when, who, path, answer[at:], was[at:])
				}
			}
		}
	}
	own, _ := b.tag(t, "reviewer")
	b.review(t, "reviewer", 1, `{"action":"override","verdict":"contradicted","reason":"Sealed words."}`)
	same("one review")
	b.review(t, "reviewer", 1, `{"action":"undo"}`)
	b.review(t, "reviewer", 2, `{"action":"edit","importance":"minor"}`)
	b.review(t, "reviewer", 2, `{"action":"needs_evidence"}`)
	same("four reviews")
	asked := b.change("reviewer", b.at+"/claims/2/reviews",
		`{"action":"comment","reason":"Is it so?","asks":true}`, "If-Match", "*")
	require.Equal(t, 201, asked.Code)
	thread := `"review_id":"` + webtest.Between(asked.Body.String(), `"review":{"id":"`, `"`) + `"}`
	same("an open thread")
	require.Contains(t, b.As("reviewer").Do("GET", b.page, "").Body.String(), "1 open thread",
		"its author sees it in the row")
	b.review(t, "reviewer", 2, `{"action":"comment","reason":"More.",`+thread)
	b.review(t, "reviewer", 2, `{"action":"resolve",`+thread)
	same("a resolved thread")
	done := webtest.Get[bulkAnswer](t, b.change("reviewer", b.at+"/reviews:bulk",
		`{"action":"confirm","filter":{}}`, "If-Match", "*"), 200)
	require.NotEmpty(t, done.Claims)
	same("a bulk step")
	tag, revision := b.tag(t, "reviewer")
	require.NotEqual(t, own, tag, "its author sees it")
	require.Equal(t, done.Revision, revision)

	res := b.As("approver").Do("GET", b.at+"/ledger", "", "If-None-Match", first(b.tag(t, "approver")))
	require.Equal(t, 304, res.Code)
	require.Equal(t, 200, b.change("approver", b.at+"/close", `{"reason":"Enough."}`).Code)
	for _, who := range hidden {
		before[who] = b.everything(who)
	}
	b.review(t, "reviewer", 1, `{"action":"comment","reason":"More sealed words."}`)
	same("a closed session stays closed")
}

// requestID is the id of a request in the footer of its page.
var requestID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}</bdi></span></div></footer>`)

func first(tag string, _ int) string { return tag }

// What a person read before somebody else's sealed review is still the newest for them; what everybody saw change is
// not.
func TestSealedReviewsAreNoConflict(t *testing.T) {
	b := newBlind(t)
	tag, revision := b.tag(t, "approver")
	b.review(t, "reviewer", 1, `{"action":"confirm"}`)
	b.review(t, "reviewer", 2, `{"action":"confirm"}`)
	comment := func(who, tag string) int {
		return b.As(who).Do("POST", b.at+"/claims/1/reviews", `{"action":"comment","reason":"x"}`, "If-Match", tag).Code
	}
	require.Equal(t, 201, comment("approver", tag))
	require.Equal(t, 412, comment("approver", tag), "their own review they have seen")
	reviewers, _ := b.tag(t, "reviewer")
	now, _ := b.tag(t, "approver")
	judged := b.As("approver").Do("POST", b.at+"/judge", `{}`, "If-Match", now)
	require.Equal(t, 200, judged.Code, judged.Body.String())
	after, shown := b.tag(t, "approver")
	require.Equal(t, after, judged.Header().Get("ETag"))
	require.Equal(t, 412, comment("reviewer", reviewers), "everybody sees the run")

	// the forms of pages have the same revision in a hidden field
	form := func(who string, revision int) int {
		return b.As(who).Post(b.page+"/confirm", url.Values{"revision": {fmt.Sprint(revision)}}.Encode()).Code
	}
	b.review(t, "reviewer", 1, `{"action":"comment","reason":"y"}`)
	require.Equal(t, 409, form("approver", revision))
	require.Equal(t, 303, form("approver", shown), "the other's review is no conflict")
}

// Whenever other reviews are hidden than before, everybody is shown a higher revision.
func TestRevisionGrowsWhenOtherReviewsAreHidden(t *testing.T) {
	b := newBlind(t)
	people := []string{"reviewer", "approver", "viewer", "admin"}
	last := map[string]int{}
	grown := func(when string) {
		t.Helper()
		for _, who := range people {
			_, revision := b.tag(t, who)
			require.Greater(t, revision, last[who], "%s: %s", when, who)
			last[who] = revision
		}
	}
	grown("at first")
	for range 3 {
		b.review(t, "reviewer", 1, `{"action":"comment","reason":"x"}`)
		b.review(t, "approver", 2, `{"action":"comment","reason":"x"}`)
	}
	b.seats(t, "reviewer", "approver", "open")
	grown("open")
	b.seats(t, "reviewer", "approver", "blind")
	grown("blind again")
	b.review(t, "reviewer", 2, `{"action":"confirm"}`)
	b.review(t, "approver", 2, `{"action":"confirm"}`)
	grown("both have decided a claim")
	b.review(t, "reviewer", 1, `{"action":"comment","reason":"x"}`)
	b.AddPerson("colleague", b.Tenant.ID, access.Reviewer)
	b.seats(t, "reviewer", "colleague", "blind")
	grown("another person has the seat")
}

// A reviewer of a blind session sees their own decisions, in the list, the progress, the form, filters and exports, and
// nobody else does.
func TestOwnDecisionsAreSeenInABlindSession(t *testing.T) {
	b := newBlind(t)
	b.review(t, "reviewer", 1, `{"action":"override","verdict":"contradicted","reason":"Sealed words."}`)
	get := func(who, path string) string { return b.As(who).Do("GET", path, "").Body.String() }
	row := func(page string, n int) string {
		return webtest.Between(page, fmt.Sprintf(`id="claim-%d"`, n), "</tr>")
	}
	page := get("reviewer", b.page)
	for _, words := range []string{"Overridden", "You: Contradicted, sealed", "badge-contradicted", "mark-who"} {
		require.Contains(t, row(page, 1), words)
	}
	require.NotContains(t, row(page, 1), "data-awaits")
	require.Contains(t, page, "1 left")
	require.Contains(t, page, "claim=2#ledger", "what is left begins at the claim in focus")
	require.Contains(t, get("reviewer", "/sessions?state=in_review"), b.page)
	require.NotContains(t, get("reviewer", "/sessions?state=new"), b.page+`"`)
	for _, filter := range []string{"?unsettled=1", "?unreviewed=1"} {
		page := get("reviewer", b.page+filter)
		require.NotContains(t, page, `id="claim-1"`)
		require.Contains(t, page, `id="claim-2"`)
		require.Contains(t, get("approver", b.page+filter), `id="claim-1"`)
	}
	claim := get("reviewer", b.page+"/claims/1")
	require.Contains(t, claim, `value="comment" checked`, "nobody decides twice by mistake")
	require.Contains(t, claim, `own-decision">You: Contradicted, sealed`)
	require.Contains(t, get("approver", b.page+"/claims/1"), `value="confirm" checked`)
	require.Contains(t, get("approver", b.page), "2 left")
	require.Contains(t, get("approver", "/sessions?state=new"), b.page)

	b.review(t, "reviewer", 2, `{"action":"confirm"}`)
	page = get("reviewer", b.page)
	require.Contains(t, row(page, 2), "You: Not found, sealed")
	require.Contains(t, page, "You have decided every claim.")

	require.Contains(t, get("reviewer", b.page+"/export/markdown"), "2 with 1 of 2 reviews.")
	require.Contains(t, get("reviewer", b.page+"/export/csv"), "1 of 2 reviews")
	for _, format := range []string{"markdown", "csv"} {
		require.NotContains(t, get("approver", b.page+"/export/"+format), "1 of 2")
	}
}

// Who may take either seat is offered the first one alone.
func TestOneSeatIsOfferedAtATime(t *testing.T) {
	b := newBlind(t)
	b.seats(t, "", "", "blind")
	page := b.As("reviewer").Do("GET", b.page, "").Body.String()
	require.Contains(t, page, "Take this review")
	require.NotContains(t, page, "Take the second review")
	b.seats(t, "approver", "", "blind")
	require.Contains(t, b.As("reviewer").Do("GET", b.page, "").Body.String(), "Take the second review")
}

// TestThreadsOfAClaim: a claim's comments are answered and resolved by the form of its page, and open threads are
// counted in its row, the head and the list.
func TestThreadsOfAClaim(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	page, claim := "/sessions/"+id, "/sessions/"+id+"/claims/1"
	get := func(who, path string) string {
		t.Helper()
		res := s.As(who).Do("GET", path, "")
		require.Equal(t, 200, res.Code)
		return res.Body.String()
	}
	require.Contains(t, get("reviewer", claim), `name="asks"`)
	require.Equal(t, 303, s.As("reviewer").Post(claim+"/reviews", "action=comment&reason=Is+it+so%3F&asks=1&seen=0").Code)
	shown := get("approver", claim)
	asked := webtest.Between(shown, `name="review" value="`, `"`)
	require.NotEmpty(t, asked)
	require.Contains(t, shown, "Open thread")
	for _, at := range []string{page, "/sessions", "/sessions?threads=1", page + "?threads=1"} {
		require.Contains(t, get("viewer", at), "1 open thread", at)
	}
	require.NotContains(t, get("viewer", claim), `name="review" value="`, "who may not comment gets no form")
	require.Equal(t, 303, s.As("approver").Post(claim+"/reviews", "action=comment&reason=No.&seen=1&review="+asked).Code)
	res := s.As("reviewer").Post(claim+"/reviews", "action=comment&reason=Yes.&seen=1&review="+asked)
	require.Equal(t, 409, res.Code)
	require.Contains(t, res.Body.String(), "Yes.</textarea>", "the words are kept")
	require.Equal(t, 422, s.As("reviewer").Post(claim+"/reviews", "action=comment&reason=&seen=2&review="+asked).Code)
	require.Equal(t, 403, s.As("viewer").Post(claim+"/reviews", "action=resolve&seen=2&review="+asked).Code)
	require.Equal(t, 303, s.As("reviewer").Post(claim+"/reviews", "action=resolve&seen=2&review="+asked).Code)
	require.Equal(t, 409, s.As("approver").Post(claim+"/reviews", "action=resolve&seen=2&review="+asked).Code, "stale")
	res = s.As("approver").Post(claim+"/reviews", "action=resolve&seen=3&review="+asked)
	require.Equal(t, 409, res.Code)
	require.Contains(t, res.Body.String(), "already resolved")
	for _, at := range []string{page, "/sessions", "/sessions?threads=1"} {
		require.NotContains(t, get("viewer", at), "1 open thread", at)
	}
}
