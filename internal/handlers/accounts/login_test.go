package accounts_test

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

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestLoginCookie(t *testing.T) {
	for _, c := range []struct {
		name, cookie string
		secure       bool
		change       func(*web.Options)
		headers      []string
	}{
		{name: "plain", cookie: "sanad", change: func(*web.Options) {}},
		{
			name: "plain, header not trusted", cookie: "sanad", change: func(*web.Options) {},
			headers: []string{"X-Forwarded-Proto", "https"},
		},
		{name: "TLS", cookie: "__Host-sanad", secure: true, change: func(o *web.Options) { o.Secure = true }},
		{
			name: "proxy", cookie: "__Host-sanad", secure: true,
			change:  func(o *web.Options) { o.TrustProxy = true },
			headers: []string{"X-Forwarded-Proto", "https"},
		},
		{name: "proxy without TLS", cookie: "sanad", change: func(o *web.Options) { o.TrustProxy = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := webtest.NewServer(t, c.change)
			s.Person("viewer")
			from := s.From("10.0.0.1:1234")
			w := from.SignIn("Viewer ", webtest.Password, c.headers...)
			require.Equal(t, 303, w.Code)
			require.Equal(t, "/", w.Header().Get("Location"))
			ck := webtest.SetCookie(w, c.cookie)
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
			lang := webtest.SetCookie(from.As("").Do("GET", "/login?lang=ar", "", c.headers...),
				strings.TrimSuffix(c.cookie, "sanad")+"sanad_lang")
			require.Equal(t, c.secure, lang.Secure)
			_, err := s.Store.SignedIn(context.Background(), db.HashToken(ck.Value))
			require.NoError(t, err, "the store has the hash")
			_, err = s.Store.SignedIn(context.Background(), ck.Value)
			require.Equal(t, domain.NotFound, domain.KindOf(err), "and not the value")
			got := from.As("").Do("GET", "/sessions", "",
				append([]string{"Cookie", c.cookie + "=" + ck.Value}, c.headers...)...)
			require.Equal(t, 200, got.Code)
		})
	}
}

// A cookie without the prefix could have been set by a sibling host or by an attacker on the network, so it is ignored
// under TLS.
func TestPlainCookieIsNotReadUnderTLS(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Secure = true })
	p := s.Person("viewer")
	require.Equal(t, 303, s.As("").Do("GET", "/", "", "Cookie", "sanad="+p.Cookie).Code)
	require.Equal(t, 200, s.As("").Do("GET", "/", "", "Cookie", "__Host-sanad="+p.Cookie).Code)
}

// The token that the browser had before the login is invalid afterwards.
func TestLoginMakesANewToken(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Person("viewer")
	planted := s.SignIn("viewer", webtest.Password, "Cookie", "sanad=planted-by-somebody-else")
	require.NotEqual(t, "planted-by-somebody-else", webtest.SetCookie(planted, "sanad").Value)
	require.Equal(t, 303, s.As("").Do("GET", "/", "", "Cookie", "sanad=planted-by-somebody-else").Code)

	again := s.SignIn("viewer", webtest.Password, "Cookie", "sanad="+p.Cookie)
	require.Equal(t, 303, again.Code)
	require.NotEqual(t, p.Cookie, webtest.SetCookie(again, "sanad").Value)
	require.Equal(t, 303, s.As("").Do("GET", "/", "", "Cookie", "sanad="+p.Cookie).Code, "the old login has ended")
}

func TestLogout(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Person("viewer")
	require.Contains(t, s.As("viewer").Do("GET", "/", "").Body.String(), `action="/logout"`)
	w := s.As("viewer").Post("/logout", "")
	require.Equal(t, 303, w.Code)
	require.Negative(t, webtest.SetCookie(w, "sanad").MaxAge)
	require.Negative(t, webtest.SetCookie(w, "sanad-typed").MaxAge)
	require.Equal(t, `"cache"`, w.Header().Get("Clear-Site-Data"))
	require.Equal(t, 303, s.As("").Do("GET", "/", "", "Cookie", "sanad="+p.Cookie).Code,
		"the token is dead, not only forgotten")
	note := s.As("").Do("GET", w.Header().Get("Location"), "")
	require.Equal(t, 200, note.Code)
	require.Contains(t, note.Body.String(), "You have signed out.")
	require.Equal(t, 405, s.As("viewer").Do("GET", "/logout", "").Code, "no state change by GET")
}

// An open page asks the login page whether its login lasts. That prolongs nothing.
func TestAskingDoesNotProlongALogin(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	for range 5 {
		require.Equal(t, 303, s.As("viewer").Do("HEAD", "/login", "").Code)
		s.Clock.Move(access.LoginIdle / 5)
	}
	require.Equal(t, 200, s.As("viewer").Do("HEAD", "/login", "").Code)
	require.Equal(t, 303, s.As("viewer").Do("GET", "/sessions", "").Code)
}

func TestLoginIsSeenOnceAMinute(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	queries := func() int64 {
		before := s.Store.QueryCount()
		require.Equal(t, 200, s.As("viewer").Do("GET", "/sessions", "").Code)
		return s.Store.QueryCount() - before
	}
	least := queries()
	s.Clock.Move(59 * time.Second)
	require.Equal(t, least, queries())
	s.Clock.Move(time.Second)
	require.Greater(t, queries(), least)
	require.Equal(t, least, queries())
}

// All failed logins get the same answer after the same work: body, headers, queries, hash computations.
func TestSameAnswerForUnknownNames(t *testing.T) {
	s := webtest.NewServer(t)
	ctx, by := context.Background(), access.AtCommandLine(s.Tenant.ID)
	s.Person("viewer")
	s.Person("disabled")
	_, err := s.Store.AddUser(ctx, by, db.User{Login: "only-oidc", Name: "No password"}, access.Viewer)
	require.NoError(t, err)
	type seen struct {
		answer  string
		queries int64
		hashes  uint64
	}
	try := func(login, pass string) seen {
		before, allocated := s.Store.QueryCount(), allocations()
		w := s.SignIn(login, pass)
		hashes := (allocations() - allocated) / (19 << 20) // argon2id takes 19 MiB each
		w.Header().Del("Content-Length")
		return seen{strings.ReplaceAll(webtest.Answer(w), `value="`+login+`"`, `value="NAME"`),
			s.Store.QueryCount() - before, hashes}
	}
	try("somebody-else", "wrong") // the first entry of the system's log makes its tree
	wrong := try("viewer", "wrong")
	require.Equal(t, uint64(1), wrong.hashes)
	require.Contains(t, wrong.answer, "That did not match")
	for name, got := range map[string]seen{
		"unknown": try("nobody-has-it", webtest.Password), "disabled": try("disabled", webtest.Password),
		"no password": try("only-oidc", ""),
		"too long":    try("viewer", strings.Repeat("x", 129)),
	} {
		require.Equal(t, wrong.answer, got.answer, name)
		require.Equal(t, wrong.hashes, got.hashes, name)
		if name == "unknown" || name == "disabled" || name == "no password" {
			require.Equal(t, wrong.queries, got.queries, name)
		}
	}
	s.Person("shut.out")
	require.Equal(t, wrong.answer, try("shut.out", webtest.Password).answer)
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestThrottle(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	for _, name := range []string{"viewer", "nobody-has-it"} {
		var w *httptest.ResponseRecorder
		for n := 0; n < 30; n++ {
			if w = s.SignIn(name, "wrong"); w.Code == 429 {
				break
			}
			require.Equal(t, 422, w.Code)
		}
		require.Equal(t, 429, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Contains(t, w.Body.String(), "Too many failed attempts")
		require.Contains(t, w.Body.String(), `value="`+name+`"`, "what was typed is kept")
		require.Equal(t, 429, s.SignIn(strings.ToUpper(name), webtest.Password).Code,
			"another spelling is the same name, and the right password waits as well")
	}
	require.Equal(t, 422, s.SignIn("reviewer", "wrong").Code, "another name does not wait")
	s.Clock.Move(time.Second)
	require.Equal(t, 422, s.SignIn("viewer", "wrong").Code)
	require.Equal(t, "2", s.SignIn("viewer", "wrong").Header().Get("Retry-After"), "it doubles")
	s.Clock.Move(2 * time.Second)
	require.Equal(t, 303, s.SignIn("viewer", webtest.Password).Code)
	for range 4 {
		require.Equal(t, 422, s.SignIn("viewer", "wrong").Code, "a success forgets the failures")
	}
}

// Guesses that are sent at the same time are counted one after the other.
func TestThrottleOfParallelGuesses(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	codes := make(chan int, 40)
	for range cap(codes) {
		go func() { codes <- s.SignIn("viewer", "wrong").Code }()
	}
	checked := 0
	for range cap(codes) {
		if <-codes == 422 {
			checked++
		}
	}
	require.Equal(t, 5, checked)
}

func TestFreshPassword(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Person("admin")
	page := s.As("admin").Do("GET", "/confirm?next=%2Fsessions%2Fnew", "")
	require.Equal(t, 200, page.Code)
	require.Contains(t, page.Body.String(), `action="/confirm?next=%2Fsessions%2Fnew"`)
	require.Equal(t, 422, s.As("admin").Post("/confirm?next=%2Fsessions%2Fnew", "password=wrong").Code)
	s.Clock.Move(10 * time.Minute)
	w := s.As("admin").Post("/confirm?next=%2Fsessions%2Fnew", url.Values{"password": {webtest.Password}}.Encode())
	require.Equal(t, 303, w.Code)
	require.Equal(t, "/sessions/new", w.Header().Get("Location"))
	fresh := webtest.SetCookie(w, "sanad").Value
	require.NotEqual(t, p.Cookie, fresh)
	require.Equal(t, 303, s.As("").Do("GET", "/", "", "Cookie", "sanad="+p.Cookie).Code, "the old token is dead")
	l, err := s.Store.SignedIn(context.Background(), db.HashToken(fresh))
	require.NoError(t, err)
	require.Equal(t, s.Clock.Now(), l.FreshAt.UTC())
	for range 5 {
		s.As("").Post("/confirm", "password=wrong", "Cookie", "sanad="+fresh)
	}
	require.Equal(t, 429, s.As("").Post("/confirm", "password=wrong", "Cookie", "sanad="+fresh).Code,
		"slowed down as a login is")
}

// Failed logins do not delay confirmations or password changes of users who are signed in: they are counted separately,
// so that an attacker cannot keep an approver from signing off.
func TestFailedLoginsDoNotBlockConfirmation(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("approver")
	for range 6 {
		s.SignIn("approver", "wrong")
	}
	require.Equal(t, 429, s.SignIn("approver", webtest.Password).Code)
	w := s.As("approver").Post("/confirm", url.Values{"password": {webtest.Password}}.Encode())
	require.Equal(t, 303, w.Code)
	s.Person("approver").Cookie = webtest.SetCookie(w, "sanad").Value
	require.Equal(t, 429, s.SignIn("approver", webtest.Password).Code, "and a confirmation forgets none of the guesses")
	w = s.As("approver").Post("/account/password",
		webtest.Form("current", webtest.Password, "new", "three odd words", "again", "three odd words"))
	require.Equal(t, 303, w.Code)
}

// The log records the address of a login attempt, and never what was typed.
func TestLoginsAreLogged(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	from := s.From("203.0.113.9:1")
	from.SignIn("viewer", "wrong-secret")
	require.NoError(t, s.Store.LogFailures(context.Background()))
	require.Equal(t, 303, from.SignIn("viewer", webtest.Password).Code)
	events, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "login.", Limit: 2})
	require.NoError(t, err)
	require.Len(t, events, 2)
	for i, action := range []string{"login.succeeded", "login.failed"} {
		require.Equal(t, action, events[i].Action)
		require.Equal(t, "203.0.113.9", events[i].Address)
		require.Contains(t, string(events[i].Bytes), `"from":"hmac-sha256:`)
		require.NotContains(t, string(events[i].Bytes), "203.0.113.9")
		require.Contains(t, string(events[i].Bytes), `"trace":"`)
		require.NotContains(t, string(events[i].Bytes), "wrong-secret")
		require.NotContains(t, string(events[i].Bytes), "viewer@")
	}
}

// TestWrongProofsAreLogged: a wrong password of somebody who is signed in is theirs in the log, and no sign-in of a stranger.
func TestWrongProofsAreLogged(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 422, s.As("admin").Post("/confirm?next=%2Fsessions%2Fnew", "password=wrong").Code)
	s.From("203.0.113.9:1").SignIn("admin", "wrong-secret")
	require.NoError(t, s.Store.LogFailures(context.Background()))
	events, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "login.failed", Limit: 3})
	require.NoError(t, err)
	actors := []string{events[0].Actor, events[1].Actor}
	require.ElementsMatch(t, []string{s.Person("admin").ID, access.Anonymous}, actors)
}

// The event of a login names the factors by which somebody signed in, and whether the browser was known.
func TestLoginsNameTheirFactors(t *testing.T) {
	s, p := withProvider(t)
	newest := func() string {
		events, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "login.succeeded", Limit: 1})
		require.NoError(t, err)
		require.Len(t, events, 1)
		return string(events[0].Bytes)
	}
	flow, state := s.StartProviderLogin(p, "/login/oidc", "x=y")
	require.Equal(t, 303, s.FinishProviderLogin(state, flow).Code)
	require.Contains(t, newest(), `"factors":"provider"`)

	s = webtest.NewServer(t)
	s.Person("viewer")
	w := s.SignIn("viewer", webtest.Password)
	require.Contains(t, newest(), `"factors":"password","known_browser":false`)
	device := "sanad-device=" + webtest.SetCookie(w, "sanad-device").Value
	require.Equal(t, 303, s.SignIn("viewer", webtest.Password, "Cookie", device).Code)
	require.Contains(t, newest(), `"factors":"password","known_browser":true`)
	secret, codes := s.Authenticator()
	require.Equal(t, 303, s.GiveCode(s.SignInUntilCode("/"), s.CurrentCode(secret)).Code)
	require.Contains(t, newest(), `"factors":"password one_time_code"`)
	require.Equal(t, 303, s.GiveCode(s.SignInUntilCode("/"), codes[0]).Code)
	require.Contains(t, newest(), `"factors":"password recovery_code"`)
}
