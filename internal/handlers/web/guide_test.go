package web_test

import (
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// withGuide returns a server with the guide, and the id of the guide's session.
func withGuide(t *testing.T, change ...func(*web.Options)) (*webtest.Server, string) {
	t.Helper()
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	o := web.Options{
		Store: s.Store, Log: webtest.DiscardLog, Now: s.Clock.Now, NewID: uuid.NewString, Keys: s.Keys,
		Hasher: auth.NewHasher(1), Authorizer: access.ByRole{}, Guide: id,
	}
	for _, f := range change {
		f(&o)
	}
	s.Handler = handlers.New(o)
	return s, id
}

// The guide is shown in the demo only.
func TestGuideInDemoOnly(t *testing.T) {
	s := webtest.NewServer(t)
	require.Empty(t, s.Browser("reviewer").At("/"))
	require.Equal(t, 404, s.Post("/dev/guide", "do=hide").Code)
	s, id := withGuide(t)
	require.Empty(t, webtest.GuideAt(s.As("").Do("GET", "/login", "").Body.String()), "strangers see none")
	require.Equal(t, 303, s.As("").Post("/dev/guide", "do=hide").Code)
	require.Empty(t, s.Browser("foreign").At("/"), "nor does who cannot come to its session")
	require.Equal(t, 404, s.Browser("foreign").Ask("GET", "/sessions/"+id, "").Code)
}

// Each step is ticked off when the user has done it, on every page. One user's progress is not shown to another.
func TestGuideFollowsWhatIsDone(t *testing.T) {
	s, id := withGuide(t)
	b, path := s.Browser("reviewer"), "/sessions/"+id
	require.Equal(t, "Step 1 of 5", b.At("/"))
	require.Equal(t, "Step 1 of 5", b.At("/sessions"))
	other := s.Create(strings.Replace(webtest.LeavePolicy, "hr-42", "hr-43", 1)).SessionID
	require.Equal(t, "Step 1 of 5", b.At("/sessions/"+other), "another session is not the guide's")
	require.Equal(t, "Step 2 of 5", b.At(path))
	claim := b.Ask("GET", path+"/claims/1", "").Body.String()
	source := strings.ReplaceAll(regexp.MustCompile(`/documents/[^"#]+`).FindString(claim), "&amp;", "&")
	require.Contains(t, source, "chunk=")
	require.Equal(t, "Step 2 of 5", b.At(source[:strings.Index(source, "?")]), "the words are not pointed at")
	require.Equal(t, "Step 3 of 5", b.At(source))

	review := func(n, form string, headers ...string) *httptest.ResponseRecorder {
		return b.Ask("POST", path+"/claims/"+n+"/reviews", form, headers...)
	}
	w := review("1", "action=confirm&seen=0", "HX-Request", "true", "HX-Current-URL",
		"http://127.0.0.1"+path+"?claim=1")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "Step 4 of 5", webtest.GuideAt(w.Body.String()), "it comes with the review")
	require.Contains(t, w.Body.String(), `name="back" value="`+path+`?claim=1"`)
	require.Equal(t, 303, review("2", "action=override&verdict=weak&reason=It+says+so.&seen=0").Code)
	require.Equal(t, "Step 5 of 5", b.At("/"))
	require.Equal(t, 200, b.Ask("GET", path+"/export/json", "").Code)
	page := b.Ask("GET", "/", "").Body.String()
	require.Equal(t, "5 of 5 done", webtest.GuideAt(page))
	require.NotContains(t, page, `aria-current="step"`)

	require.Equal(t, "Step 1 of 3", s.Browser("viewer").At("/"), "what somebody else did is not theirs")
	for _, role := range []string{"approver", "admin"} {
		require.Empty(t, s.Browser(role).At("/"), "the tour is a reviewer's")
	}
	delete(b.Kept, "sanad_guide_"+s.Person("reviewer").ID)
	require.Equal(t, "Step 1 of 5", b.At("/"))
	require.Equal(t, 2, strings.Count(b.Ask("GET", "/", "").Body.String(), `class="is-done"`),
		"reviews are known without the cookie")
}

// The guide has no review steps for users who may not review, and names no export to users who may not export (P-20).
func TestGuideForViewers(t *testing.T) {
	s, _ := withGuide(t)
	b := s.Browser("viewer")
	require.Equal(t, "Step 1 of 3", b.At("/"))
	page := b.Ask("GET", "/", "").Body.String()
	require.NotContains(t, page, "Confirm claim")
	require.Contains(t, page, "Open an evidence pack")
	require.NotContains(t, page, "export the ledger")
	require.Contains(t, s.Browser("reviewer").Ask("GET", "/", "").Body.String(),
		"Open an evidence pack, or export the ledger")
}

// Steps can be skipped, and the guide can be hidden and shown again. Other values of the form are refused, and it never
// redirects to another host.
func TestGuideForm(t *testing.T) {
	s, _ := withGuide(t)
	b := s.Browser("reviewer")
	set := func(form, to string) {
		t.Helper()
		w := b.Ask("POST", "/dev/guide", form)
		require.Equal(t, 303, w.Code)
		require.Equal(t, to, w.Header().Get("Location"))
	}
	set("do=skip&step=open&back="+url.QueryEscape("/sessions?state=open"), "/sessions?state=open")
	require.Equal(t, "Step 2 of 5", b.At("/"))
	for _, back := range []string{"https://evil.example/", "//evil.example", "/dev/guide", ""} {
		set("do=hide&back="+url.QueryEscape(back), "/")
	}
	require.Empty(t, b.At("/"))
	require.Contains(t, b.Ask("GET", "/?lang=ar", "").Body.String(), "عرض الخطوات الأولى")
	set("do=again&back=/packs", "/packs")
	require.Equal(t, "الخطوة 1 من 5", b.At("/packs"))
	for _, form := range []string{"", "do=skip", "do=skip&step=none", "do=everything"} {
		require.Equal(t, 400, b.Ask("POST", "/dev/guide", form).Code, form)
	}
	b.Kept["sanad_guide_"+s.Person("reviewer").ID] = "open.nonsense.-read.<script>.-hidden"
	require.Equal(t, "الخطوة 3 من 5", b.At("/"), "what it does not know it drops")
}

// The guide costs a page one query, and none if it is hidden.
func TestGuideCostsOneQuery(t *testing.T) {
	s, id := withGuide(t)
	b := s.Browser("reviewer")
	cost := func(path string) int64 {
		b.Ask("GET", path, "") // updates what the login records, such as its last use
		before := s.Store.QueryCount()
		b.Ask("GET", path, "")
		return s.Store.QueryCount() - before
	}
	for _, path := range []string{"/", "/sessions", "/sessions/" + id, "/sessions/" + id + "/claims/1", "/packs"} {
		b.Ask("POST", "/dev/guide", "do=again")
		with := cost(path)
		b.Ask("POST", "/dev/guide", "do=hide")
		require.Equal(t, cost(path)+1, with, path)
	}
}

// Lists show how many reviews of a session are stale, with a link to their claims, without an additional query.
func TestListsShowStaleReviews(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(webtest.WrongMatches).SessionID
	cost := func() int64 {
		before := s.Store.QueryCount()
		require.Equal(t, 200, s.Do("GET", "/sessions", "").Code)
		return s.Store.QueryCount() - before
	}
	cost()
	fresh := cost()
	require.NotContains(t, s.Do("GET", "/sessions", "").Body.String(), "to check again")
	for _, n := range []string{"1", "2"} {
		require.Equal(t, 201, s.Do("POST", "/api/v1/sessions/"+id+"/claims/"+n+"/reviews", `{"action":"confirm"}`,
			"If-Match", "*").Code)
	}
	require.Equal(t, 200, s.Do("POST", "/api/v1/sessions/"+id+"/judge", `{}`, "If-Match", "*").Code)
	for _, path := range []string{"/sessions", "/"} {
		body := s.Do("GET", path, "").Body.String()
		require.Contains(t, body, `<a class="was stale" href="/sessions/`+id+
			`?stale=1#ledger">1 review to check again</a>`, path)
		require.Contains(t, s.Do("GET", path+"?lang=ar", "").Body.String(), "مراجعة واحدة تستدعي إعادة النظر", path)
	}
	require.Equal(t, fresh, cost())
}
