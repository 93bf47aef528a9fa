package ledger_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/webtest"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/static"
)

// fourClaims is a session of which the third claim is critical and the fourth is flagged.
const fourClaims = `{"format":"sanad.session/v1","session":{"title":"Leave","answer":"Leave is 15 days."},
	"documents":[{"id":"d","filename":"Leave.pdf","chunks":[{"id":"k","text":"Leave is 15 days a year."}]}],"claims":[
	{"claim_text":"Leave is 15 days.","importance":"material","matches":[{"chunk":"k","similarity":0.95,
		"support_level":"full","contradicts":false,"snippet":"Leave is 15 days"}]},
	{"claim_text":"Leave is 15 days a year.","importance":"minor","matches":[{"chunk":"k","similarity":0.95,
		"support_level":"full","contradicts":false,"snippet":"Leave is 15 days"}]},
	{"claim_text":"Leave is yearly.","importance":"critical","matches":[{"chunk":"k","similarity":0.95,
		"support_level":"full","contradicts":false,"snippet":"Leave is 15 days"}]},
	{"claim_text":"Leave is paid.","importance":"minor","matches":[]}]}`

// revisionOf returns the revision that the form of a bulk page was made from.
func revisionOf(t *testing.T, page string) string {
	t.Helper()
	return webtest.Between(page, `name="revision" value="`, `"`)
}

// Claims that are chosen in the list are confirmed and no others; critical and flagged ones cannot be chosen unless the
// tenant's policy says so, and the page says first which are left out and why (rule P-26).
func TestChosenClaimsAreConfirmed(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/sessions/" + s.As("reviewer").Create(fourClaims).SessionID
	get := func(query string) string { return s.As("reviewer").Do("GET", at+query, "").Body.String() }
	boxes := func() (out []string) {
		for _, m := range regexp.MustCompile(`name="pick" form="bulk" value="(\d+)"`).FindAllStringSubmatch(get(""), -1) {
			out = append(out, m[1])
		}
		return out
	}
	require.Equal(t, []string{"1", "2"}, boxes())
	require.Contains(t, get(""), "critical or flagged: decide it on its own")
	require.Contains(t, get(""), "Confirm 2 claims…")

	lang := webtest.Between(get("/confirm?pick=1&pick=2"), `data-keep="lang">`, `</form>`)
	require.Equal(t, 2, strings.Count(lang, `name="pick"`), "another language keeps what is chosen")
	page := get("/confirm?verdict=supported&pick=2&pick=3&pick=4&pick=99&pick=x")
	require.Contains(t, page, "1 claim would be confirmed")
	require.Contains(t, page, "2 claims are left out: they are critical or flagged, so decide each on its own.")
	require.Contains(t, page, "badge-supported", "each with its verdict")
	left := page[strings.Index(page, `class="left-out"`):]
	require.Contains(t, left, at+`/claims/3"`)
	require.Contains(t, left, at+`/claims/4"`)
	require.Contains(t, page, `name="pick" value="2" checked form="bulk-do"`, "what is listed whole can be left out")
	none := s.As("reviewer").Post(at+"/confirm", url.Values{"revision": {revisionOf(t, page)}, "choosing": {"1"}}.Encode())
	require.Equal(t, 422, none.Code, "nothing chosen is not all that match")
	require.Contains(t, none.Body.String(), "Select at least one claim")
	require.Equal(t, []string{"1", "2"}, boxes(), "and nothing was confirmed")
	form := url.Values{"revision": {revisionOf(t, page)}, "verdict": {"supported"}, "pick": {"2", "3", "4", "99"}}
	old := s.As("reviewer").Post(at+"/confirm", url.Values{"revision": {"0"}, "verdict": {"supported"}}.Encode())
	require.Equal(t, 409, old.Code)
	require.Contains(t, old.Body.String(), "so nothing was confirmed")
	require.Contains(t, old.Body.String(), `name="verdict" value="supported"`, "the filter stays")
	res := s.As("reviewer").Post(at+"/confirm", form.Encode())
	require.Equal(t, 303, res.Code, res.Body.String())
	require.Contains(t, res.Header().Get("Location"), "verdict=supported")
	require.Contains(t, get(""), "1 of 4 claims settled")
	require.Equal(t, []string{"1"}, boxes())

	stale := s.As("reviewer").Post(at+"/confirm", form.Encode())
	require.Equal(t, 409, stale.Code)
	require.Contains(t, stale.Body.String(), "1 claim is left out: it has been reviewed already.")
	require.Contains(t, get("/confirm?pick=1&pick=3"), `name="pick" value="3"`, "what was chosen is kept")

	// the way back from that page keeps what was chosen
	require.Contains(t, get("/confirm?pick=1"), at+`?pick=1#ledger"`)
	require.Contains(t, get("?pick=1"), `value="1" checked`)

	dbtest.BulkConfirmsAll(t, s.Store, s.Tenant.ID)
	require.Equal(t, []string{"1", "3", "4"}, boxes())
	require.Contains(t, get("/confirm?pick=3"), "1 claim would be confirmed")

	// another tenant and a viewer are told nothing
	require.Equal(t, 404, s.As("foreign").Do("GET", at+"/confirm?pick=1", "").Code)
	require.Empty(t, regexp.MustCompile(`name="pick"`).FindString(s.As("viewer").Do("GET", at, "").Body.String()))
}

// A review beside the list refreshes what stands around it: how many can be confirmed, how many match.
func TestReviewRefreshesTheBar(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/sessions/" + s.As("reviewer").Create(fourClaims).SessionID
	review := func(query, n string) string {
		return s.As("reviewer").Post(at+"/claims/"+n+"/reviews", "action=confirm&seen=0", "HX-Request", "true",
			"HX-Current-URL", "https://sanad.example"+at+query).Body.String()
	}
	first := review("", "1")
	require.Contains(t, first, "Confirm 1 claim…")
	require.Contains(t, first, "4 of 4 claims")
	second := review("?unsettled=1", "2")
	require.Contains(t, second, `id="bulk-bar"`)
	require.NotContains(t, second, `id="bulk"`, "nothing is left to confirm together")
	require.Contains(t, second, "2 of 4 claims")
	require.Contains(t, second, "2 of 4 claims settled")
	for _, part := range []string{"#bulk-bar", "#count", "#summary", "#flag-filter", "#list-end", "#progress"} {
		require.Contains(t, second, `hx-target="`+part+`"`)
	}
}

// The API takes chosen claims and a dry run, as the pages do.
func TestChosenClaimsInTheAPI(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/api/v1/sessions/" + s.As("reviewer").Create(fourClaims).SessionID
	bulk := func(body string, want int) bulkAnswer {
		t.Helper()
		res := s.As("reviewer").Do("POST", at+"/reviews:bulk", body, "If-Match", "*")
		require.Equal(t, want, res.Code, res.Body.String())
		if want != 200 {
			require.Contains(t, res.Body.String(), `"path":"`+map[bool]string{true: "claims", false: "dry_run"}[strings.
				Contains(body, "[")], body)
			return bulkAnswer{}
		}
		return webtest.Get[bulkAnswer](t, res, 200)
	}
	bulk(`{"action":"confirm","claims":[0]}`, 422)
	bulk(`{"action":"confirm","claims":[1,5]}`, 422)
	bulk(`{"action":"undo","batch_id":"x","dry_run":true}`, 422)
	require.Equal(t, 413, s.As("reviewer").Do("POST", at+"/reviews:bulk", fmt.Sprintf(
		`{"action":"confirm","claims":[%s1]}`, strings.Repeat("1,", ledger.MaxBulk)), "If-Match", "*").Code)

	plan := bulk(`{"action":"confirm","claims":[2,3,4],"dry_run":true}`, 200)
	require.Equal(t, []int{2}, plan.Claims)
	require.Empty(t, plan.Batch)
	require.Equal(t, "new", webtest.Get[sessionReview](t, s.Do("GET", at, ""), 200).State, "nothing has changed")
	done := bulk(`{"action":"confirm","claims":[2,3,4]}`, 200)
	require.Equal(t, plan.Claims, done.Claims)
	require.NotEmpty(t, done.Batch)
	none := s.As("reviewer").Do("POST", at+"/reviews:bulk", `{"action":"confirm","claims":[]}`, "If-Match", "*")
	require.Equal(t, 422, none.Code, "an empty list is no claim, not all of them")
}

// How a browser wants to see the workbench is kept in a cookie; the page comes laid out that way, without a script.
func TestLayoutOfTheWorkbench(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/sessions/" + s.As("reviewer").Create(webtest.LeavePolicy).SessionID
	res := s.As("reviewer").Do("GET", at+"?verdict=supported&claim=1&layout=set&density=compact&show=list&show=case&show=flags", "")
	require.Equal(t, 303, res.Code)
	require.Equal(t, at+"?claim=1&verdict=supported", res.Header().Get("Location"))
	cookie := strings.SplitN(res.Header().Get("Set-Cookie"), ";", 2)[0]
	seen := func(cookie string) string {
		login := "sanad=" + s.Person("reviewer").Cookie
		return webtest.Between(s.Do("GET", at, "", "Cookie", login+"; "+cookie).Body.String(), `id="bench" class="`, `"`)
	}
	require.Equal(t, "bench on-claims compact no-answer no-checks no-comments no-who no-source", seen(cookie))
	for value, want := range map[string]string{
		"a=28&l=40&m=50": "bench on-claims wa-28 wl-40 wm-50", "a=29&l=99&m=x": "bench on-claims",
		"hide=answer&hide=list&hide=case": "bench on-claims", "hide=%22onload": "bench on-claims", "%": "bench on-claims",
	} {
		require.Equal(t, want, seen("sanad_bench="+value), value)
	}
	widths, err := static.FS.ReadFile("widths.css")
	require.NoError(t, err)
	for _, split := range ledgerviews.Splits {
		for w := split.Least; w <= split.Most; w += ledgerviews.SplitStep {
			require.Contains(t, string(widths), fmt.Sprintf(".bench.w%[1]s-%[2]d { --w%[1]s: %[2]d%%; }", split.Name, w))
		}
	}
	cookie += "; sanad=" + s.Person("reviewer").Cookie
	wider := s.As("reviewer").Do("GET", at+"?layout=widths&a=30", "", "Cookie", cookie)
	require.Contains(t, wider.Header().Get("Set-Cookie"), "a=30")
	require.Contains(t, wider.Header().Get("Set-Cookie"), "compact", "the rest stays")
	reset := s.As("reviewer").Do("GET", at+"?layout=reset", "", "Cookie", cookie)
	require.Contains(t, reset.Header().Get("Set-Cookie"), "Max-Age=0")
}
