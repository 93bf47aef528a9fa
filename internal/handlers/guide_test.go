package handlers_test

import (
	"net/http"
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
)

// withGuide is a server whose newcomers are led through a session; it gives that session's id too.
func withGuide(t *testing.T) (*server, string) {
	t.Helper()
	s := newServer(t)
	id := s.create(leave).SessionID
	s.handler = handlers.New(handlers.Options{
		Store: s.store, Log: quiet, Now: s.clock.now, NewID: uuid.NewString, Keys: s.keys, Hasher: auth.NewHasher(1), Authorizer: access.ByRole{}, Guide: id,
	})
	return s, id
}

// browser keeps the cookies of somebody.
type browser struct {
	*server
	kept map[string]string
}

func (s *server) browser(who string) *browser {
	return &browser{s.as(who), map[string]string{"sanad": s.person(who).cookie}}
}

func (b *browser) ask(method, path, form string, headers ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	var cookies []string
	for name, value := range b.kept {
		cookies = append(cookies, name+"="+value)
	}
	w := b.do(method, path, form, append([]string{"Content-Type", "application/x-www-form-urlencoded", "Cookie", strings.Join(cookies, "; ")}, headers...)...)
	for _, c := range w.Result().Cookies() {
		if strings.HasPrefix(c.Name, "sanad_guide_") {
			require.True(b.t, c.HttpOnly)
			require.Equal(b.t, http.SameSiteLaxMode, c.SameSite)
		}
		b.kept[c.Name] = c.Value
	}
	return w
}

// at gives what the guide on a page says of how far the reader is, "" where there is no guide.
func (b *browser) at(path string) string {
	b.t.Helper()
	return guideAt(b.ask("GET", path, "").Body.String())
}

func guideAt(body string) string {
	m := regexp.MustCompile(`(?s)<aside id="guide".*?<span class="soft">([^<]*)</span>`).FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	return m[1]
}

// The guide is of the demo alone.
func TestGuideIsOfTheDemoAlone(t *testing.T) {
	s := newServer(t)
	require.Empty(t, s.browser("reviewer").at("/"))
	require.Equal(t, 404, s.post("/dev/guide", "do=hide").Code)
	s, id := withGuide(t)
	require.Empty(t, guideAt(s.as("").do("GET", "/login", "").Body.String()), "strangers see none")
	require.Equal(t, 303, s.as("").post("/dev/guide", "do=hide").Code)
	require.Empty(t, s.browser("foreign").at("/"), "nor does who cannot come to its session")
	require.Equal(t, 404, s.browser("foreign").ask("GET", "/sessions/"+id, "").Code)
}

// Each step is ticked off by what the person does, whichever page shows it then; of one person it says nothing to another.
func TestGuideFollowsWhatIsDone(t *testing.T) {
	s, id := withGuide(t)
	b, path := s.browser("reviewer"), "/sessions/"+id
	require.Equal(t, "Step 1 of 5", b.at("/"))
	require.Equal(t, "Step 1 of 5", b.at("/sessions"))
	other := s.create(strings.Replace(leave, "hr-42", "hr-43", 1)).SessionID
	require.Equal(t, "Step 1 of 5", b.at("/sessions/"+other), "another session is not the guide's")
	require.Equal(t, "Step 2 of 5", b.at(path))
	claim := b.ask("GET", path+"/claims/1", "").Body.String()
	source := strings.ReplaceAll(regexp.MustCompile(`/documents/[^"#]+`).FindString(claim), "&amp;", "&")
	require.Contains(t, source, "chunk=")
	require.Equal(t, "Step 2 of 5", b.at(source[:strings.Index(source, "?")]), "the words are not pointed at")
	require.Equal(t, "Step 3 of 5", b.at(source))

	review := func(n, form string, headers ...string) *httptest.ResponseRecorder {
		return b.ask("POST", path+"/claims/"+n+"/reviews", form, headers...)
	}
	w := review("1", "action=confirm&seen=0", "HX-Request", "true", "HX-Current-URL", "http://127.0.0.1"+path+"?claim=1")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "Step 4 of 5", guideAt(w.Body.String()), "it comes with the review")
	require.Contains(t, w.Body.String(), `name="back" value="`+path+`?claim=1"`)
	require.Equal(t, 303, review("2", "action=override&verdict=weak&reason=It+says+so.&seen=0").Code)
	require.Equal(t, "Step 5 of 5", b.at("/"))
	require.Equal(t, 200, b.ask("GET", path+"/export/json", "").Code)
	page := b.ask("GET", "/", "").Body.String()
	require.Equal(t, "5 of 5 done", guideAt(page))
	require.NotContains(t, page, `aria-current="step"`)

	require.Equal(t, "Step 1 of 5", s.browser("approver").at("/"), "what somebody else did is not theirs")
	delete(b.kept, "sanad_guide_"+s.person("reviewer").ID)
	require.Equal(t, "Step 1 of 5", b.at("/"))
	require.Equal(t, 2, strings.Count(b.ask("GET", "/", "").Body.String(), `class="is-done"`), "reviews are known without the cookie")
}

// Who may not review is not asked to.
func TestGuideOfAViewer(t *testing.T) {
	s, _ := withGuide(t)
	b := s.browser("viewer")
	require.Equal(t, "Step 1 of 3", b.at("/"))
	require.NotContains(t, b.ask("GET", "/", "").Body.String(), "Confirm claim")
}

// A step can be skipped, the guide hidden, and had again; what else a form says is refused, and it leads to no other host.
func TestGuideForm(t *testing.T) {
	s, _ := withGuide(t)
	b := s.browser("reviewer")
	set := func(form, to string) {
		t.Helper()
		w := b.ask("POST", "/dev/guide", form)
		require.Equal(t, 303, w.Code)
		require.Equal(t, to, w.Header().Get("Location"))
	}
	set("do=skip&step=open&back="+url.QueryEscape("/sessions?state=open"), "/sessions?state=open")
	require.Equal(t, "Step 2 of 5", b.at("/"))
	for _, back := range []string{"https://evil.example/", "//evil.example", "/dev/guide", ""} {
		set("do=hide&back="+url.QueryEscape(back), "/")
	}
	require.Empty(t, b.at("/"))
	require.Contains(t, b.ask("GET", "/?lang=ar", "").Body.String(), "أظهر الخطوات الأولى")
	set("do=again&back=/packs", "/packs")
	require.Equal(t, "الخطوة 1 من 5", b.at("/packs"))
	for _, form := range []string{"", "do=skip", "do=skip&step=none", "do=everything"} {
		require.Equal(t, 400, b.ask("POST", "/dev/guide", form).Code, form)
	}
	b.kept["sanad_guide_"+s.person("reviewer").ID] = "open.nonsense.-read.<script>.-hidden"
	require.Equal(t, "الخطوة 3 من 5", b.at("/"), "what it does not know it drops")
}

// The guide costs a page one query, and none where it is hidden.
func TestGuideCostsOneQuery(t *testing.T) {
	s, id := withGuide(t)
	b := s.browser("reviewer")
	cost := func(path string) int64 {
		b.ask("GET", path, "") // whatever a login keeps up to date
		before := s.store.QueryCount()
		b.ask("GET", path, "")
		return s.store.QueryCount() - before
	}
	for _, path := range []string{"/", "/sessions", "/sessions/" + id, "/sessions/" + id + "/claims/1", "/packs"} {
		b.ask("POST", "/dev/guide", "do=again")
		with := cost(path)
		b.ask("POST", "/dev/guide", "do=hide")
		require.Equal(t, cost(path)+1, with, path)
	}
}

// A list says how many reviews of a session are to be looked at again, and leads to their claims; it costs no query more.
func TestListsTellOfStaleReviews(t *testing.T) {
	s := newServer(t).as("reviewer")
	id := s.create(givenWrong).SessionID
	cost := func() int64 {
		before := s.store.QueryCount()
		require.Equal(t, 200, s.do("GET", "/sessions", "").Code)
		return s.store.QueryCount() - before
	}
	cost()
	fresh := cost()
	require.NotContains(t, s.do("GET", "/sessions", "").Body.String(), "to look at again")
	for _, n := range []string{"1", "2"} {
		require.Equal(t, 201, s.do("POST", "/api/v1/sessions/"+id+"/claims/"+n+"/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	}
	require.Equal(t, 200, s.do("POST", "/api/v1/sessions/"+id+"/judge", `{}`, "If-Match", "*").Code)
	for _, path := range []string{"/sessions", "/"} {
		body := s.do("GET", path, "").Body.String()
		require.Contains(t, body, `<a class="was stale" href="/sessions/`+id+`?stale=1#ledger">1 review to look at again</a>`, path)
		require.Contains(t, s.do("GET", path+"?lang=ar", "").Body.String(), "مراجعة واحدة تستدعي إعادة النظر", path)
	}
	require.Equal(t, fresh, cost())
}
