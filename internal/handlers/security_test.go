package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

func TestCrossOriginWrites(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	path := "/sessions/" + c.SessionID + "/claims/1/reviews"
	for _, x := range []struct {
		name    string
		headers []string
		refused bool
	}{
		{"same-origin", []string{"Sec-Fetch-Site", "same-origin"}, false},
		{"none: typed by the user", []string{"Sec-Fetch-Site", "none"}, false},
		{"same-site: a sibling host", []string{"Sec-Fetch-Site", "same-site"}, true},
		{"cross-site", []string{"Sec-Fetch-Site", "cross-site"}, true},
		{"old browser, own origin", []string{"Origin", "http://127.0.0.1"}, false},
		{"old browser, other origin", []string{"Origin", "https://elsewhere.example"}, true},
		{"opaque origin", []string{"Origin", "null"}, true},
		{"no browser", nil, false},
	} {
		for _, form := range []struct{ path, body string }{{path, "action=nonsense&seen=0"}, {"/logout", ""},
			{"/login", "login=x&password=y"}} {
			w := s.As("admin").Post(form.path, form.body,
				append([]string{"Cookie", "sanad=" + s.NewLogin(s.Person("admin").ID, s.Tenant.ID)}, x.headers...)...)
			require.Equal(t, x.refused, w.Code == 403, "%s %s: %d", x.name, form.path, w.Code)
		}
		api := s.Do("POST", "/api/v1/sessions", webtest.LeavePolicy, x.headers...)
		require.Equal(t, x.refused, api.Code == 403, x.name)
	}
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, c.SessionID)
	require.NoError(t, err)
	require.Empty(t, session.Claims[0].Reviews)
}

func TestHostHeader(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Hosts = []string{"sanad.example.com"} })
	for host, want := range map[string]int{
		"127.0.0.1": 200, "127.0.0.1:8080": 200, "localhost:8080": 200, "[::1]:8080": 200, "LOCALHOST": 200,
		// a bare IP address cannot be rebound
		"sanad.example.com": 200, "Sanad.Example.com:443": 200, "192.0.2.7:8080": 200, "[2001:db8::1]": 200,
		"evil.example": 421, "sanad.example.com.evil.example": 421, "evil.example:8080": 421,
		"127.0.0.1.evil.example":         421,
		"sanad.example.com@evil.example": 421, "localhost.evil.example": 421, "": 421,
	} {
		r := httptest.NewRequest("GET", "http://127.0.0.1/login", nil)
		r.Host = host
		r.Header.Set("X-Forwarded-Host", "evil.example")
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, r)
		require.Equal(t, want, w.Code, host)
		require.NotContains(t, w.Body.String()+w.Header().Get("Location"), "evil.example", host)
	}
}

func TestAddressOfClients(t *testing.T) {
	for _, x := range []struct {
		name, peer, header, want string
		trust                    bool
	}{
		{name: "direct", peer: "203.0.113.9:1", want: "203.0.113.9"},
		{name: "header of nobody we trust", peer: "203.0.113.9:1", header: "198.51.100.1", want: "203.0.113.9"},
		{name: "proxy", peer: "10.0.0.2:1", header: "198.51.100.1", want: "198.51.100.1", trust: true},
		{
			name: "proxy, and what the client made up before it", peer: "127.0.0.1:1",
			header: "192.0.2.66, 198.51.100.1", want: "198.51.100.1", trust: true,
		},
		{name: "not from the proxy", peer: "203.0.113.9:1", header: "198.51.100.1", want: "203.0.113.9", trust: true},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := webtest.NewServer(t, func(o *handlers.Options) { o.TrustProxy = x.trust })
			p := s.Person("viewer")
			require.Equal(t, 303, s.From(x.peer).SignIn("viewer", webtest.Password, "X-Forwarded-For", x.header).Code)
			logins, err := s.Store.Logins(context.Background(), p.ID)
			require.NoError(t, err)
			var addresses []string
			for _, l := range logins {
				addresses = append(addresses, l.Address)
			}
			require.Contains(t, addresses, x.want)
		})
	}
}

// nasty lists addresses that must not be redirected to.
var nasty = []string{
	"//evil.example", "///evil.example", `/\evil.example`, `\\evil.example`, `/\/evil.example`, "https://evil.example",
	"http:evil.example",
	"https:/evil.example", "javascript:alert(1)", "data:text/html,x", "/%2f/evil.example", "/%2Fevil.example",
	"/%5cevil.example", "/sessions/../..//evil.example",
	"/..//evil.example", "/sessions/..;/admin", "/;/evil.example", "/\tevil", "/\r\nSet-Cookie: a=b",
	"/sessions\r\nX: y", "\t//evil.example", " //evil.example",
	"//127.0.0.1@evil.example", "/sessions//", "sessions", "?x", "#x", "", "/login", "/login?next=/login", "/logout",
	"/api/v1/sessions", "/nowhere",
	"/static/base.css", "http://127.0.0.1/sessions", "/sessions/%00", "/sessions/\x00",
	"/" + strings.Repeat("a", 3000), "////", "/.", "/%2e%2e/",
}

func TestNextLeadsToOurPagesOnly(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	to := func(next string) string {
		w := s.As("").Post("/login?next="+url.QueryEscape(next), url.Values{
			"login": {"viewer"}, "password": {webtest.Password},
		}.Encode())
		require.Equal(t, 303, w.Code)
		signedIn := s.As("viewer").Do("GET", "/login?next="+url.QueryEscape(next), "")
		require.Equal(t, w.Header().Get("Location"), signedIn.Header().Get("Location"))
		require.Empty(t, w.Header().Get("X"))
		return w.Header().Get("Location")
	}
	for _, next := range nasty {
		require.Equal(t, "/", to(next), "%q", next)
	}
	for next, want := range map[string]string{
		"/sessions": "/sessions", "/sessions?q=a+b&state=open": "/sessions?q=a+b&state=open",
		"/sessions/x/claims/3":       "/sessions/x/claims/3",
		"/documents/x?chunk=2#c":     "/documents/x?chunk=2",
		"/sessions?q=//evil.example": "/sessions?q=%2F%2Fevil.example",
		"/sessions?q=إجازة":          "/sessions?q=%D8%A5%D8%AC%D8%A7%D8%B2%D8%A9",
	} {
		require.Equal(t, want, to(next))
	}
}

// After the login, a request without a login returns to the requested page; for a form, to the form's page.
func TestAskedToSignIn(t *testing.T) {
	s := webtest.NewServer(t).As("")
	for _, x := range []struct {
		method, path, want string
		headers            []string
	}{
		{method: "GET", path: "/", want: "/login"},
		{method: "GET", path: "/sessions?q=x", want: "/login?next=%2Fsessions%3Fq%3Dx"},
		{method: "POST", path: "/sessions/x/claims/2/reviews", want: "/login?next=%2Fsessions%2Fx%2Fclaims%2F2"},
		{
			method: "POST", path: "/sessions", want: "/login?next=%2Fsessions%2Fnew",
			headers: []string{"Referer", "http://127.0.0.1/sessions/new"},
		},
		{
			method: "POST", path: "/sessions", want: "/login",
			headers: []string{"Referer", "http://evil.example/sessions/new"},
		},
		{method: "GET", path: "/sessions//", want: "/login"},
	} {
		w := s.Do(x.method, x.path, "", x.headers...)
		if w.Code == 404 {
			continue // not a route
		}
		require.Equal(t, 303, w.Code, x.path)
		require.Equal(t, x.want, w.Header().Get("Location"))
	}
	w := s.Do("POST", "/sessions/x/claims/2/reviews", "", "HX-Request", "true", "HX-Current-URL",
		"http://127.0.0.1/sessions/x?claim=2")
	require.Equal(t, "/login?next=%2Fsessions%2Fx%3Fclaim%3D2", w.Header().Get("HX-Redirect"))
	require.Empty(t, w.Header().Get("Location"))
}

func TestPathTricks(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	for _, path := range []string{"//sessions", "/sessions/..;/sessions", "/sessions/%2e%2e/sessions",
		"/x/../sessions", "/sessions%2f" + id,
		"/SESSIONS", "/sessions;x=y", "/sessions/" + id + "/", "/sessions/" + id + "%00", "/static/../sessions",
		"/static/..%2fserver.go", "/fonts/fonts.go", "/api//v1/sessions", "/.git/config", "/.git/", "/static/.git/config",
		"/static", "/static/", "/fonts/", "/static/static.go"} {
		for _, who := range []string{"", "admin"} {
			r := httptest.NewRequest("GET", "http://127.0.0.1/", nil)
			u, err := url.ParseRequestURI("http://127.0.0.1" + path)
			require.NoError(t, err, path)
			r.URL = u
			if who != "" {
				r.Header.Set("Cookie", "sanad="+s.Person(who).Cookie)
			}
			w := httptest.NewRecorder()
			s.Handler.ServeHTTP(w, r)
			require.Contains(t, map[string][]int{"": {404, 303}, "admin": {404}}[who], w.Code, "%s as %q", path, who)
			require.NotContains(t, w.Body.String(), "Carryover", path)
		}
	}
}

// Unknown fields of a form or body have no effect.
func TestMassAssignment(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	extra := "&role=admin&tenant=" + s.Other.ID + "&tenant_id=" + s.Other.ID + "&user_id=" + s.Person("admin").ID +
		"&disabled=0&fresh_at=2030-01-01"
	w := s.As("").Post("/login", url.Values{"login": {"viewer"}, "password": {webtest.Password}}.Encode()+extra)
	cookie := "sanad=" + webtest.SetCookie(w, "sanad").Value
	require.Equal(t, 403, s.As("").Do("GET", "/sessions/new", "", "Cookie", cookie).Code)
	require.Contains(t, s.As("").Do("GET", "/", "", "Cookie", cookie).Body.String(), "Main")

	id := s.Create(webtest.LeavePolicy).SessionID
	review := s.As("reviewer").Post("/sessions/"+id+"/claims/1/reviews",
		"action=comment&reason=x&seen=0&actor=The+admin&actor_role=admin&at=2001-01-01"+extra)
	require.Equal(t, 303, review.Code)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, "The reviewer", session.Claims[0].Reviews[0].Actor)
	require.Equal(t, string(access.Reviewer), session.Claims[0].Reviews[0].Role)
	require.Equal(t, webtest.Now, session.Claims[0].Reviews[0].At.UTC())
	for path, body := range map[string]string{
		"/api/v1/sessions/" + id + "/claims/1/reviews": `{"action":"comment","reason":"x","actor":"The admin"}`,
		"/api/v1/sessions/" + id + "/ledger/export":    `{"format":"json","tenant":"other"}`,
		"/api/v1/evidence-maps":                        `{"chunks":[],"claims":[],"role":"admin"}`,
	} {
		require.Contains(t, []int{400, 422}, s.Do("POST", path, body, "If-Match", "*").Code, path)
	}
}

func TestDownloadLinksArePersonal(t *testing.T) {
	s := webtest.NewServer(t)
	path := "/api/v1/sessions/" + s.Create(webtest.LeavePolicy).SessionID + "/ledger/export"
	link := webtest.Get[map[string]string](t, s.As("approver").Do("POST", path, `{"format":"json"}`),
		200)["download_url"]
	require.Equal(t, 200, s.As("approver").Do("GET", link, "").Code)
	require.Equal(t, 200, s.As("").Do("GET", link, "", "Authorization", "Bearer "+s.Person("approver").Token).Code)
	other := s.As("admin").Do("GET", link, "")
	require.Equal(t, 404, other.Code)
	require.Equal(t, webtest.Answer(s.As("admin").Do("GET", "/downloads/nonsense", "")),
		strings.ReplaceAll(webtest.Answer(other), link, "/downloads/nonsense"))
}

// Users who may only read see no buttons for actions that would be refused.
func TestViewersSeeNoForms(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.LeavePolicy).SessionID
	for path, forms := range map[string][]string{
		"/sessions": {`href="/sessions/new"`}, "/": {`href="/sessions/new"`},
		"/sessions/" + id: {"/export/json"}, "/sessions/" + id + "/claims/1": {`class="review"`},
	} {
		for _, form := range forms {
			require.NotContains(t, s.As("viewer").Do("GET", path, "").Body.String(), form, path)
			require.Contains(t, s.As("reviewer").Do("GET", path, "").Body.String(), form, path)
		}
		require.NotContains(t, s.As("approver").Do("GET", path, "").Body.String(), `href="/audit"`)
		require.Contains(t, s.As("admin").Do("GET", path, "").Body.String(), `href="/audit"`)
	}
	login := s.As("").Do("GET", "/login", "").Body.String()
	for _, gone := range []string{"<nav", "/account", "/logout", `href="/search"`, `id="palette"`} {
		require.NotContains(t, login, gone)
	}
}

func TestRefusalNamesTheRoleInTheReadersLanguage(t *testing.T) {
	s := webtest.NewServer(t)
	require.Contains(t, s.As("viewer").Do("GET", "/sessions/new", "").Body.String(), "This needs the role Reviewer")
	require.Contains(t, s.As("viewer").Do("GET", "/sessions/new?lang=ar", "").Body.String(), "مراجع")
	p := webtest.Get[webtest.Problem](t, s.As("viewer").Do("POST", "/api/v1/sessions", webtest.LeavePolicy),
		http.StatusForbidden)
	require.Contains(t, p.Detail, "reviewer")
}
