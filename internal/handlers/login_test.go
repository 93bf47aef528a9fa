package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers"
)

// signIn sends the login form as nobody, with headers.
func (s *server) signIn(login, pass string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.as("").post("/login", url.Values{"login": {login}, "password": {pass}}.Encode(), headers...)
}

// setCookie gives the cookie that an answer sets under a name, nil for none.
func setCookie(w *httptest.ResponseRecorder, name string) *http.Cookie {
	for _, c := range w.Result().Cookies() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func TestLoginCookie(t *testing.T) {
	for _, c := range []struct {
		name, cookie string
		secure       bool
		change       func(*handlers.Options)
		headers      []string
	}{
		{name: "plain", cookie: "sanad", change: func(*handlers.Options) {}},
		{
			name: "plain, header not trusted", cookie: "sanad", change: func(*handlers.Options) {},
			headers: []string{"X-Forwarded-Proto", "https"},
		},
		{name: "TLS", cookie: "__Host-sanad", secure: true, change: func(o *handlers.Options) { o.Secure = true }},
		{
			name: "proxy", cookie: "__Host-sanad", secure: true,
			change:  func(o *handlers.Options) { o.TrustProxy = true },
			headers: []string{"X-Forwarded-Proto", "https"},
		},
		{name: "proxy without TLS", cookie: "sanad", change: func(o *handlers.Options) { o.TrustProxy = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, c.change)
			s.person("viewer")
			from := s.from("10.0.0.1:1234")
			w := from.signIn("Viewer ", password, c.headers...)
			require.Equal(t, 303, w.Code)
			require.Equal(t, "/", w.Header().Get("Location"))
			ck := setCookie(w, c.cookie)
			require.NotNil(t, ck)
			require.True(t, ck.HttpOnly)
			require.Equal(t, c.secure, ck.Secure)
			require.Equal(t, http.SameSiteLaxMode, ck.SameSite)
			require.Equal(t, "/", ck.Path)
			require.Empty(t, ck.Domain)
			require.Zero(t, ck.MaxAge, "it ends with the browser")
			require.True(t, ck.Expires.IsZero())
			require.GreaterOrEqual(t, len(ck.Value), 26, "128 bits and more")
			require.Equal(t, c.secure, w.Header().Get("Strict-Transport-Security") != "")
			require.Equal(t, c.secure, setCookie(from.as("").do("GET", "/login?lang=ar", "", c.headers...), "sanad_lang").Secure)
			_, err := s.store.SignedIn(context.Background(), db.HashToken(ck.Value))
			require.NoError(t, err, "the store has the hash")
			_, err = s.store.SignedIn(context.Background(), ck.Value)
			require.Equal(t, domain.NotFound, domain.KindOf(err), "and not the value")
			got := from.as("").do("GET", "/sessions", "", append([]string{"Cookie", c.cookie + "=" + ck.Value}, c.headers...)...)
			require.Equal(t, 200, got.Code)
		})
	}
}

// A cookie without the prefix could have been planted by a sibling host or on the wire: under TLS it counts for nothing.
func TestPlainCookieIsNotReadUnderTLS(t *testing.T) {
	s := newServer(t, func(o *handlers.Options) { o.Secure = true })
	p := s.person("viewer")
	require.Equal(t, 303, s.as("").do("GET", "/", "", "Cookie", "sanad="+p.cookie).Code)
	require.Equal(t, 200, s.as("").do("GET", "/", "", "Cookie", "__Host-sanad="+p.cookie).Code)
}

// from gives the same app, reached from another address.
func (s *server) from(peer string) *server {
	other, inner := *s, s.handler
	other.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = peer
		inner.ServeHTTP(w, r)
	})
	return &other
}

// A token that the browser had before the login is worth nothing after it.
func TestLoginMakesANewToken(t *testing.T) {
	s := newServer(t)
	p := s.person("viewer")
	planted := s.signIn("viewer", password, "Cookie", "sanad=planted-by-somebody-else")
	require.NotEqual(t, "planted-by-somebody-else", setCookie(planted, "sanad").Value)
	require.Equal(t, 303, s.as("").do("GET", "/", "", "Cookie", "sanad=planted-by-somebody-else").Code)

	again := s.signIn("viewer", password, "Cookie", "sanad="+p.cookie)
	require.Equal(t, 303, again.Code)
	require.NotEqual(t, p.cookie, setCookie(again, "sanad").Value)
	require.Equal(t, 303, s.as("").do("GET", "/", "", "Cookie", "sanad="+p.cookie).Code, "the old login has ended")
}

func TestLogout(t *testing.T) {
	s := newServer(t)
	p := s.person("viewer")
	require.Contains(t, s.as("viewer").do("GET", "/", "").Body.String(), `action="/logout"`)
	w := s.as("viewer").post("/logout", "")
	require.Equal(t, 303, w.Code)
	require.Negative(t, setCookie(w, "sanad").MaxAge)
	require.Equal(t, 303, s.as("").do("GET", "/", "", "Cookie", "sanad="+p.cookie).Code, "the token is dead, not only forgotten")
	note := s.as("").do("GET", w.Header().Get("Location"), "")
	require.Equal(t, 200, note.Code)
	require.Contains(t, note.Body.String(), "You have signed out.")
	require.Equal(t, 405, s.as("viewer").do("GET", "/logout", "").Code, "no state change by GET")
}

func TestLoginsEnd(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	get := func() int { return s.as("viewer").do("GET", "/sessions", "").Code }
	s.clock.move(db.LoginIdle - time.Second)
	require.Equal(t, 200, get())
	s.clock.move(db.LoginIdle - time.Second)
	require.Equal(t, 200, get(), "a request keeps it alive")
	s.clock.move(db.LoginIdle)
	require.Equal(t, 303, get(), "idle for too long")

	s.person("reviewer")
	for range 20 {
		require.Equal(t, 200, s.as("reviewer").do("GET", "/sessions", "").Code)
		s.clock.move(db.LoginAbsolute / 20)
	}
	require.Equal(t, 303, s.as("reviewer").do("GET", "/sessions", "").Code, "at work, but for too long in all")
}

func TestLoginIsSeenOnceAMinute(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	queries := func() int64 {
		before := s.store.QueryCount()
		require.Equal(t, 200, s.as("viewer").do("GET", "/sessions", "").Code)
		return s.store.QueryCount() - before
	}
	least := queries()
	s.clock.move(59 * time.Second)
	require.Equal(t, least, queries())
	s.clock.move(time.Second)
	require.Greater(t, queries(), least)
	require.Equal(t, least, queries())
}

// Whoever may not come in gets one answer after the same work: body, headers, queries, hash computations.
func TestSameAnswerForUnknownNames(t *testing.T) {
	s := newServer(t)
	ctx, by := context.Background(), domain.AtCommandLine(s.tenant.ID)
	s.person("viewer")
	s.person("disabled")
	_, err := s.store.AddUser(ctx, by, db.User{Login: "only-oidc", Name: "No password"}, domain.Viewer)
	require.NoError(t, err)
	type seen struct {
		answer  string
		queries int64
		hashes  uint64
	}
	try := func(login, pass string) seen {
		before, allocated := s.store.QueryCount(), allocations()
		w := s.signIn(login, pass)
		hashes := (allocations() - allocated) / (19 << 20) // argon2id takes 19 MiB each
		w.Header().Del("Content-Length")
		return seen{strings.ReplaceAll(answer(w), `value="`+login+`"`, `value="NAME"`), s.store.QueryCount() - before, hashes}
	}
	try("somebody-else", "wrong") // the first entry of the system's log makes its tree
	wrong := try("viewer", "wrong")
	require.Equal(t, uint64(1), wrong.hashes)
	require.Contains(t, wrong.answer, "That did not match")
	for name, got := range map[string]seen{
		"unknown": try("nobody-has-it", password), "disabled": try("disabled", password), "no password": try("only-oidc", ""),
		"too long": try("viewer", strings.Repeat("x", 129)),
	} {
		require.Equal(t, wrong.answer, got.answer, name)
		require.Equal(t, wrong.hashes, got.hashes, name)
		if name == "unknown" || name == "disabled" || name == "no password" {
			require.Equal(t, wrong.queries, got.queries, name)
		}
	}
	s.person("shut.out")
	require.Equal(t, wrong.answer, try("shut.out", password).answer)
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestThrottle(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	for _, name := range []string{"viewer", "nobody-has-it"} {
		var w *httptest.ResponseRecorder
		for n := 0; n < 30; n++ {
			if w = s.signIn(name, "wrong"); w.Code == 429 {
				break
			}
			require.Equal(t, 422, w.Code)
		}
		require.Equal(t, 429, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Contains(t, w.Body.String(), "Too many failed tries")
		require.Contains(t, w.Body.String(), `value="`+name+`"`, "what was typed is kept")
		require.Equal(t, 429, s.signIn(strings.ToUpper(name), password).Code, "another spelling is the same name, and the right password waits as well")
	}
	require.Equal(t, 422, s.signIn("reviewer", "wrong").Code, "another name does not wait")
	s.clock.move(time.Second)
	require.Equal(t, 422, s.signIn("viewer", "wrong").Code)
	require.Equal(t, "2", s.signIn("viewer", "wrong").Header().Get("Retry-After"), "it doubles")
	s.clock.move(2 * time.Second)
	require.Equal(t, 303, s.signIn("viewer", password).Code)
	for range 4 {
		require.Equal(t, 422, s.signIn("viewer", "wrong").Code, "a success forgets the failures")
	}
}

// Guesses sent at once are counted one after the other.
func TestThrottleOfParallelGuesses(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	codes := make(chan int, 40)
	for range cap(codes) {
		go func() { codes <- s.signIn("viewer", "wrong").Code }()
	}
	checked := 0
	for range cap(codes) {
		if <-codes == 422 {
			checked++
		}
	}
	require.Equal(t, 5, checked)
}

func TestDisablingWorksOnTheNextRequest(t *testing.T) {
	ctx := context.Background()
	for name, disable := range map[string]func(*server, string) error{
		"by the operator": func(s *server, id string) error {
			return s.store.SetUserDisabled(ctx, domain.AtCommandLine(s.tenant.ID), id, true)
		},
		"in the tenant": func(s *server, id string) error {
			return s.store.SetMemberDisabled(ctx, domain.AtCommandLine(s.tenant.ID), id, true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			p := s.person("reviewer")
			require.Equal(t, 200, s.as("reviewer").do("GET", "/sessions", "").Code)
			require.Equal(t, 200, s.as("reviewer").do("GET", "/api/v1/sessions", "").Code)
			require.NoError(t, disable(s, p.ID))
			require.Equal(t, 303, s.as("reviewer").do("GET", "/sessions", "").Code)
			require.Equal(t, 401, s.as("reviewer").do("GET", "/api/v1/sessions", "").Code)
		})
	}
	s := newServer(t)
	p := s.person("reviewer")
	require.Equal(t, 200, s.as("reviewer").do("GET", "/sessions/new", "").Code)
	require.NoError(t, s.store.SetRole(ctx, domain.AtCommandLine(s.tenant.ID), p.ID, domain.Viewer))
	require.Equal(t, 403, s.as("reviewer").do("GET", "/sessions/new", "").Code, "a lower role, too")
	require.Equal(t, 403, s.as("reviewer").do("POST", "/api/v1/sessions", leave).Code, "and for the person's tokens")
}

func TestFreshPassword(t *testing.T) {
	s := newServer(t)
	p := s.person("admin")
	page := s.as("admin").do("GET", "/confirm?next=%2Fsessions%2Fnew", "")
	require.Equal(t, 200, page.Code)
	require.Contains(t, page.Body.String(), `action="/confirm?next=%2Fsessions%2Fnew"`)
	require.Equal(t, 422, s.as("admin").post("/confirm?next=%2Fsessions%2Fnew", "password=wrong").Code)
	s.clock.move(10 * time.Minute)
	w := s.as("admin").post("/confirm?next=%2Fsessions%2Fnew", url.Values{"password": {password}}.Encode())
	require.Equal(t, 303, w.Code)
	require.Equal(t, "/sessions/new", w.Header().Get("Location"))
	fresh := setCookie(w, "sanad").Value
	require.NotEqual(t, p.cookie, fresh)
	require.Equal(t, 303, s.as("").do("GET", "/", "", "Cookie", "sanad="+p.cookie).Code, "the old token is dead")
	l, err := s.store.SignedIn(context.Background(), db.HashToken(fresh))
	require.NoError(t, err)
	require.Equal(t, s.clock.now(), l.FreshAt.UTC())
	for range 5 {
		s.as("").post("/confirm", "password=wrong", "Cookie", "sanad="+fresh)
	}
	require.Equal(t, 429, s.as("").post("/confirm", "password=wrong", "Cookie", "sanad="+fresh).Code, "slowed down as a login is")
}

// Whoever guesses at the login page keeps nobody who is signed in from confirming or from a new password: they are counted
// apart, so that an approver cannot be kept from signing off.
func TestStrangersDoNotKeepPeopleFromConfirming(t *testing.T) {
	s := newServer(t)
	s.person("approver")
	for range 6 {
		s.signIn("approver", "wrong")
	}
	require.Equal(t, 429, s.signIn("approver", password).Code)
	w := s.as("approver").post("/confirm", url.Values{"password": {password}}.Encode())
	require.Equal(t, 303, w.Code)
	s.people["approver"].cookie = setCookie(w, "sanad").Value
	require.Equal(t, 429, s.signIn("approver", password).Code, "and a confirmation forgets none of the guesses")
	w = s.as("approver").post("/account/password", form("current", password, "new", "three odd words", "again", "three odd words"))
	require.Equal(t, 303, w.Code)
}

// authenticator gives the viewer an authenticator app and recovery codes.
func (s *server) authenticator() (secret []byte, codes []string) {
	s.t.Helper()
	p := s.person("viewer")
	secret, codes = auth.NewTOTP(), auth.RecoveryCodes()
	sealed, err := s.keys.Seal("totp/"+p.ID, secret)
	require.NoError(s.t, err)
	hashes := make([]string, len(codes))
	for i, c := range codes {
		hashes[i] = auth.HashRecovery(c)
	}
	by := domain.Actor{Tenant: s.tenant.ID, ID: p.ID, Role: domain.Viewer, Human: true}
	require.NoError(s.t, s.store.SetTOTP(context.Background(), by, p.ID, sealed, hashes))
	return secret, codes
}

// The log says where a login was tried from, and never what was typed.
func TestLoginsAreLogged(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	from := s.from("203.0.113.9:1")
	from.signIn("viewer", "wrong-secret")
	require.Equal(t, 303, from.signIn("viewer", password).Code)
	events, _, err := s.store.Log(context.Background(), s.tenant.ID, db.EventQuery{Action: "login.", Limit: 2})
	require.NoError(t, err)
	require.Len(t, events, 2)
	for i, action := range []string{"login.succeeded", "login.failed"} {
		require.Equal(t, action, events[i].Action)
		require.Contains(t, string(events[i].Bytes), "203.0.113.9")
		require.Contains(t, string(events[i].Bytes), `"trace":"`)
		require.NotContains(t, string(events[i].Bytes), "wrong-secret")
		require.NotContains(t, string(events[i].Bytes), "viewer@")
	}
}
