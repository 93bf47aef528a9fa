package search_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// foundPage is a page of search results of the API.
type foundPage struct {
	Results []struct {
		Kind, URL, Actor string
		SessionID        string `json:"session_id"`
		Filename         string
		Claim, Chunk     int
		Page             int
		Verdict          string
		Excerpt          struct {
			Text  string
			Marks []struct{ Start, End int }
		}
	}
	Next string
}

// Every search result leads to a page that contains its words.
func TestSearchResultsLeadToTheirText(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	require.Equal(t, 303, s.Post("/sessions/"+id+"/claims/2/reviews",
		"action=comment&reason=Ask+payroll+of+days&seen=0").Code)
	all := webtest.Get[foundPage](t, s.Do("GET", "/api/v1/search?q=day", ""), 200)
	var kinds []string
	for _, r := range all.Results {
		kinds = append(kinds, r.Kind)
		require.Equal(t, id, r.SessionID)
		require.Len(t, r.Excerpt.Marks, map[bool]int{true: 2, false: 1}[r.Kind == "answer"], r.Kind)
		m := r.Excerpt.Marks[0]
		require.Equal(t, "days", string([]rune(r.Excerpt.Text)[m.Start:m.End]))
		page := s.Do("GET", r.URL, "")
		require.Equal(t, 200, page.Code, r.URL)
		require.Contains(t, page.Body.String(), "days")
	}
	require.Equal(t, []string{"claim", "claim", "answer", "passage", "note"}, kinds)
	require.Equal(t, []string{"/sessions/" + id + "/claims/1", "/sessions/" + id + "/claims/2",
		"/sessions/" + id + "?claim=1#answer-h", "/sessions/" + id + "/claims/2"},
		[]string{all.Results[0].URL, all.Results[1].URL, all.Results[2].URL, all.Results[4].URL})
	require.Regexp(t, `^/documents/[0-9a-f-]+\?chunk=1`, all.Results[3].URL)
	require.Equal(t, 12, all.Results[3].Page)
	require.Equal(t, "HR.pdf", all.Results[3].Filename)

	// paging returns the same results
	var paged []string
	for next := ""; ; {
		p := webtest.Get[foundPage](t, s.Do("GET", "/api/v1/search?q=day&limit=2&after="+next, ""), 200)
		for _, r := range p.Results {
			paged = append(paged, r.Kind)
		}
		if next = p.Next; next == "" {
			break
		}
	}
	require.Equal(t, kinds, paged)
	require.Empty(t, webtest.Get[foundPage](t, s.As("foreign").Do("GET", "/api/v1/search?q=day", ""), 200).Results)
	for _, wrong := range []string{"", "q=", "q=x&kind=y", "q=x&verdict=y", "q=x&state=y", "q=x&from=yesterday",
		"q=x&to=2026", "q=x&limit=0", "q=x&after=y"} {
		require.Equal(t, 400, s.Do("GET", "/api/v1/search?"+wrong, "").Code, wrong)
	}
	require.Empty(t, webtest.Get[foundPage](t, s.Do("GET", "/api/v1/search?q=day&to=2000-01-01", ""), 200).Results)
	require.Len(t, webtest.Get[foundPage](t, s.Do("GET", "/api/v1/search?q=day&from=2000-01-01&verdict=not_found", ""),
		200).Results, 2)
}

func TestSearchPage(t *testing.T) {
	s := webtest.NewServer(t)
	s.Create(webtest.LeavePolicy)
	s.Create(strings.NewReplacer("hr-42", "x", "15 days of annual",
		`<i>\u0661\u0665 days of annual`).Replace(webtest.LeavePolicy))
	page := s.As("viewer").Do("GET", "/search?q=15+annual", "").Body.String()
	require.Contains(t, page, "<mark>15</mark> days of <mark>annual</mark>")
	require.Contains(t, page, "&lt;i&gt;<mark>١٥</mark> days of <mark>annual</mark>",
		"Arabic digits are found by Latin ones, and nothing is markup")
	require.Contains(t, page, `value="15 annual"`)
	require.Contains(t, s.Do("GET", "/sessions", "").Body.String(), `class="find" href="/search"`)
	require.Contains(t, s.Do("GET", "/search", "").Body.String(), "Type one or more words")
	require.Contains(t, s.Do("GET", "/search?q=nowhere", "").Body.String(), "Nothing contains all of these words")
	require.Contains(t, s.Do("GET", "/search?q=days&verdict=not_found", "").Body.String(), "so they are left out")
	require.NotContains(t, s.As("foreign").Do("GET", "/search?q=days", "").Body.String(), "<mark>")

	s.Create(webtest.ManyClaims(60))
	page = s.Do("GET", "/search?q=item", "").Body.String()
	require.Contains(t, page, `href="/search?kind=claim&amp;q=item"`)
	seen, next := 0, "/search?q=item&kind=claim"
	for next != "" {
		page = s.Do("GET", next, "").Body.String()
		seen += strings.Count(page, `<p class="excerpt"`)
		m := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(page)
		if next = ""; m != nil {
			next = strings.ReplaceAll(m[1], "&amp;", "&")
		}
	}
	require.Equal(t, 60, seen)
}

func TestSavedViews(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	form := func(pairs ...string) string {
		q := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
		return q.Encode()
	}
	reviewer, viewer := s.As("reviewer"), s.As("viewer")
	require.Contains(t, reviewer.Do("GET", "/sessions?state=open", "").Body.String(), `name="query" value="state=open"`)
	require.NotContains(t, reviewer.Do("GET", "/sessions", "").Body.String(), `action="/views"`,
		"there is nothing to save")

	for _, c := range []struct{ page, session, query, to string }{
		{page: "sessions", query: "state=open&evil=1&after=x&q=", to: "/sessions?state=open"},
		{page: "search", query: "q=a+%26b&kind=claim&next=//evil.example", to: "/search?kind=claim&q=a+%26b"},
		{
			page: "ledger", session: id, query: "flagged=1&verdict=weak&claim=3",
			to: "/sessions/" + id + "?flagged=1&verdict=weak",
		},
		{page: "ledger", session: "//evil.example", query: "stale=1", to: "/views?done=saved"},
	} {
		res := reviewer.Post("/views",
			form("page", c.page, "session", c.session, "query", c.query, "name", "Mine "+c.query[:7]))
		require.Equal(t, 303, res.Code, res.Body.String())
		require.Equal(t, c.to, res.Header().Get("Location"))
	}
	require.Equal(t, 400, reviewer.Post("/views", form("page", "//evil.example", "name", "x")).Code)
	require.Equal(t, 400, reviewer.Post("/views", form("page", "sessions", "query", "%zz", "name", "x")).Code)
	page := reviewer.Do("GET", "/sessions/"+id, "").Body.String()
	require.Contains(t, page, `class="chip" href="/sessions/`+id+`?flagged=1&amp;verdict=weak"`,
		"a ledger's filters are for every session")

	res := reviewer.Post("/views", form("page", "sessions", "query", "verdict=weak", "name", " "))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "Give the view a name.")
	require.Contains(t, res.Body.String(), `value="verdict=weak"`, "the filters are kept")

	require.Equal(t, 403, viewer.Post("/views",
		form("page", "sessions", "query", "verdict=weak", "name", "x", "shared", "1")).Code)
	require.Equal(t, 303, reviewer.Post("/views",
		form("page", "sessions", "query", "verdict=weak", "name", "For all", "shared", "1")).Code)
	list := viewer.Do("GET", "/sessions", "").Body.String()
	require.Contains(t, list, `href="/sessions?verdict=weak"`)
	require.NotContains(t, list, "Mine")
	require.NotContains(t, s.As("foreign").Do("GET", "/sessions", "").Body.String(), "For all")
	require.NotContains(t, viewer.Do("GET", "/views", "").Body.String(), `action="/views/`)

	all := reviewer.Do("GET", "/views", "").Body.String()
	ids := regexp.MustCompile(`action="/views/([0-9a-f-]+)"`).FindAllStringSubmatch(all, -1)
	require.Len(t, ids, 5)
	shared := regexp.MustCompile(`action="/views/([0-9a-f-]+)"`).FindStringSubmatch(all[strings.Index(all,
		"For all"):])[1]
	require.Equal(t, 404, viewer.Post("/views/"+shared, "name=x").Code)
	require.Equal(t, 404, viewer.Post("/views/"+shared+"/delete", "").Code)
	require.Equal(t, 422, reviewer.Post("/views/"+shared, form("name", "mine STATE=O")).Code)
	require.Equal(t, 303, reviewer.Post("/views/"+shared, form("name", "Renamed", "shared", "1")).Code)
	require.Contains(t, viewer.Do("GET", "/views", "").Body.String(), "Renamed")
	require.Equal(t, 303, s.As("admin").Post("/views/"+shared+"/delete", "").Code, "an admin forgets what others share")
	require.NotContains(t, reviewer.Do("GET", "/views?done=deleted", "").Body.String(), "Renamed")
}

// The search finds packs, decisions that lack one and, for administrators, people; beginnings of words; and words with
// one wrong letter. Another tenant finds none of them.
func TestSearchFindsPacksAndPeople(t *testing.T) {
	s := webtest.NewServer(t)
	s.AddDecision("dec_waits", "A2")
	name := s.Person("approver").Name
	page := func(who, q string) string {
		code, body := s.Page(who, "/search?q="+url.QueryEscape(q))
		require.Equal(t, 200, code)
		return body
	}
	require.Contains(t, page("viewer", "Riyadh Hospital"), "/packs/new?decision=dec_waits")
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_waits"}`)(201)
	for _, q := range []string{"Riyadh Hospital", "hospitals", "hospi", "Hopsital", "Riyadh Hospitl", p.PackID} {
		found := page("viewer", q)
		require.Contains(t, found, `href="/packs/`+p.PackID+`"`, q)
		require.NotContains(t, found, "/packs/new?decision", "it has a pack now")
	}
	require.NotContains(t, page("viewer", "Riyadh Hospital"), "Nothing for")
	require.Contains(t, page("viewer", "Hopsital"), "Nothing for “\u2068Hopsital\u2069”; showing “\u2068Hospital\u2069”.")
	require.NotContains(t, page("viewer", p.PackID+"0"), `href="/packs/`, "an id has no wrong letter")
	require.NotContains(t, page("foreign", "Riyadh Hospital"), p.PackID)
	require.Contains(t, page("viewer", "ideal customers"), "matches the <mark>ideal</mark> <mark>customer</mark> profile",
		"why a pack was found")

	require.Contains(t, page("admin", name), "/admin/users/"+s.Person("approver").ID)
	require.NotContains(t, page("reviewer", name), "/admin/users/", "they may not see who there is")
	require.NotContains(t, page("foreign", name), s.Person("approver").ID)
	for _, misspelt := range []string{"aprover", "approvre", "apprower", "aapprover"} {
		found := page("admin", misspelt)
		require.Contains(t, found, "/admin/users/"+s.Person("approver").ID, misspelt)
		require.Contains(t, found, "showing “\u2068approver\u2069”")
	}
}
