package accounts_test

import (
	"fmt"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/handlers/webtest"
)

// Wrong passwords of one address are bounded, whatever the names; right ones are not counted.
func TestFailuresOfAnAddress(t *testing.T) {
	for name, c := range map[string]struct {
		one, again, other string // addresses
		proxy             bool
	}{
		"IPv4":           {one: "203.0.113.9", again: "203.0.113.9", other: "203.0.113.10"},
		"IPv6, its /64":  {one: "2001:db8:1:2::1", again: "2001:db8:1:2:ffff::9", other: "2001:db8:1:3::1"},
		"mapped IPv4":    {one: "::ffff:203.0.113.9", again: "203.0.113.9", other: "203.0.113.10"},
		"behind a proxy": {one: "203.0.113.9", again: "203.0.113.9", other: "203.0.113.10", proxy: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := webtest.NewServer(t, func(o *web.Options) {
				o.LoginFailures, o.TrustProxy = limits.LoginFailures{PerMinute: 30, Burst: 5}, c.proxy
			})
			s.Person("viewer")
			signIn := func(from, login, pass string) *httptest.ResponseRecorder {
				if c.proxy {
					return s.From("10.0.0.1:80").SignIn(login, pass, "X-Forwarded-For", from)
				}
				return s.From(fmt.Sprintf("[%s]:80", from)).SignIn(login, pass)
			}
			for range 8 {
				require.Equal(t, 303, signIn(c.one, "viewer", webtest.Password).Code)
			}
			for i := range 5 {
				require.Equal(t, 422, signIn(c.one, fmt.Sprint("nobody-", i), "wrong").Code)
			}
			refused := signIn(c.again, "nobody-6", "wrong")
			require.Equal(t, 429, refused.Code)
			require.Equal(t, "2", refused.Header().Get("Retry-After"))
			require.Equal(t, 429, signIn(c.one, "viewer", webtest.Password).Code)
			require.Equal(t, 422, signIn(c.other, "nobody-7", "wrong").Code)
			s.Clock.Move(2 * time.Second)
			require.Equal(t, 303, signIn(c.one, "viewer", webtest.Password).Code)
		})
	}
}

// A browser that has signed in before is not locked out by strangers, neither by the name nor by the address; it has a
// delay of its own.
func TestKnownBrowser(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) {
		o.LoginFailures, o.Secure = limits.LoginFailures{PerMinute: 30, Burst: 8}, true
	})
	s.Person("viewer")
	s.Person("reviewer")
	first := s.SignIn("viewer", webtest.Password)
	known := webtest.SetCookie(first, "__Host-sanad-device")
	require.NotNil(t, known)
	require.True(t, known.HttpOnly)
	require.True(t, known.Secure)
	require.Equal(t, int((90 * 24 * time.Hour).Seconds()), known.MaxAge)
	require.NotContains(t, known.Value, s.Person("viewer").ID)
	cookie := "__Host-sanad-device=" + known.Value
	of := func(login, pass string) int { return s.SignIn(login, pass, "Cookie", cookie).Code }

	for range 6 {
		s.SignIn("viewer", "wrong")
	}
	require.Equal(t, 429, s.SignIn("viewer", webtest.Password).Code, "the name waits")
	require.Equal(t, 303, of("viewer", webtest.Password), "but not here")
	require.Equal(t, 429, s.SignIn("viewer", webtest.Password).Code, "and its login forgets no failure of strangers")
	for i := range 8 {
		s.SignIn(fmt.Sprint("nobody-", i), "wrong")
	}
	require.Equal(t, 429, s.SignIn("reviewer", webtest.Password).Code, "the address waits")
	require.Equal(t, 303, of("viewer", webtest.Password), "but not this browser")
	require.Equal(t, 429, of("reviewer", webtest.Password), "which is not known to others' accounts")

	for range 5 {
		require.Equal(t, 422, of("viewer", "wrong"))
	}
	require.Equal(t, 429, of("viewer", webtest.Password), "its own failures delay it")
	s.Clock.Move(time.Minute)
	require.Equal(t, 303, of("viewer", webtest.Password))

	both := webtest.SetCookie(s.SignIn("reviewer", webtest.Password, "Cookie", cookie), "__Host-sanad-device")
	for range 6 {
		s.SignIn("viewer", "wrong")
		s.SignIn("reviewer", "wrong")
	}
	cookie = "__Host-sanad-device=" + both.Value
	require.Equal(t, 303, of("viewer", webtest.Password), "a browser may be known to several accounts")
	require.Equal(t, 303, of("reviewer", webtest.Password))
	s.Clock.Move(90 * 24 * time.Hour)
	for range 6 {
		s.SignIn("viewer", "wrong")
	}
	require.Equal(t, 429, of("viewer", webtest.Password), "after 90 days it is a stranger again")
}

// The second step has the same bounds.
func TestKnownBrowserGivesItsCode(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	secret, _ := s.As("viewer").Authenticator()
	step := s.As("viewer").SignInUntilCode("")
	s.Clock.Move(time.Minute)
	known := webtest.SetCookie(s.GiveCode(step, s.CurrentCode(secret)), "sanad-device")
	require.NotNil(t, known)
	s.Clock.Move(time.Minute)
	step = s.As("viewer").SignInUntilCode("")
	for range 6 {
		s.SignIn("viewer", "wrong")
	}
	require.Equal(t, 429, s.GiveCode(step, s.CurrentCode(secret)).Code)
	w := s.As("").Post("/login/code", webtest.Form("code", s.CurrentCode(secret)),
		"Cookie", step+"; sanad-device="+known.Value)
	require.Equal(t, 303, w.Code)
}

// flood sends wrong passwords for ever new names from so many clients until stop; checked counts those that were
// hashed.
func flood(s *webtest.Server, clients int, address func(client int) string) (checked *atomic.Int64, stop func()) {
	checked = &atomic.Int64{}
	var ended atomic.Bool
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			from := s.From(address(i))
			for n := 0; !ended.Load(); n++ {
				if from.SignIn(fmt.Sprintf("nobody-%d-%d", i, n), "wrong").Code == 422 {
					checked.Add(1)
				}
			}
		})
	}
	require.Eventually(s.T, func() bool { return checked.Load() > 0 }, time.Minute, time.Millisecond)
	return checked, func() {
		ended.Store(true)
		all.Wait()
	}
}

// During a flood a right login waits for a few of the others and not for all of them: addresses take turns, and a known
// browser goes first.
func TestRightLoginDuringAFlood(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	known := webtest.SetCookie(s.SignIn("viewer", webtest.Password), "sanad-device")
	for name, c := range map[string]struct {
		address func(int) string
		cookie  string
	}{
		"one attacker, a new browser": {func(int) string { return "203.0.113.9:1" }, ""},
		"many attackers, a known browser": {
			func(i int) string { return fmt.Sprintf("203.0.113.%d:1", i) }, "sanad-device=" + known.Value,
		},
	} {
		t.Run(name, func(t *testing.T) {
			checked, stop := flood(s, 50, c.address)
			defer stop()
			for range 5 {
				before := checked.Load()
				require.Equal(t, 303, s.From("198.51.100.7:1").SignIn("viewer", webtest.Password, "Cookie", c.cookie).Code)
				require.Less(t, checked.Load()-before, int64(15), "of 50 that wait all the time")
			}
		})
	}
}

// What the queue cannot hold is refused, in the reader's language, and costs no hash.
func TestFullQueue(t *testing.T) {
	s := webtest.NewServer(t)
	var all sync.WaitGroup
	answers := make(chan *httptest.ResponseRecorder, 150)
	for i := range cap(answers) {
		all.Go(func() {
			answers <- s.SignIn(fmt.Sprint("nobody-", i), "wrong", "Accept-Language", []string{"en", "ar"}[i%2])
		})
	}
	all.Wait()
	close(answers)
	refused := map[string]int{}
	for w := range answers {
		if w.Code == 422 {
			continue
		}
		require.Equal(t, 503, w.Code)
		require.Equal(t, "10", w.Header().Get("Retry-After"))
		refused[webtest.Between(w.Body.String(), `role="alert" id="l-e">`, "</p>")]++
	}
	require.Len(t, refused, 2, "one text in each language")
	require.Positive(t, refused["Too many people are signing in at the moment, so nothing was checked. Try again in a few seconds."])
}

// Whoever stole a token or a login and guesses the password with it does not delay its owner elsewhere.
func TestStolenCredentialsDelayNobodyElse(t *testing.T) {
	s := webtest.NewServer(t)
	approver := s.Person("approver")
	confirm := func(cookie, pass string) int {
		return s.As("").Post("/confirm", webtest.Form("password", pass), "Cookie", "sanad="+cookie).Code
	}
	stolen, own := s.NewLogin(approver.ID, s.Tenant.ID), s.NewLogin(approver.ID, s.Tenant.ID)
	for range 5 {
		require.Equal(t, 422, confirm(stolen, "wrong"))
	}
	require.Equal(t, 429, confirm(stolen, webtest.Password), "the stolen login waits")
	require.Equal(t, 303, confirm(own, webtest.Password), "and the owner's does not")
	require.Equal(t, 429, confirm(stolen, webtest.Password), "nor does the owner's end its count")

	own = s.NewLogin(approver.ID, s.Tenant.ID)
	change := func(pass string) *httptest.ResponseRecorder {
		return s.As("approver").Do("POST", "/api/v1/account/tokens", `{"name":"x","days":1,"password":"`+pass+`"}`)
	}
	for range 5 {
		require.Equal(t, 403, change("wrong").Code)
	}
	require.Equal(t, 429, change(webtest.Password).Code, "the stolen token waits")
	require.Equal(t, 303, confirm(own, webtest.Password))
}

// Many stolen logins together have a bound.
func TestFailuresOfAllLoginsAreBounded(t *testing.T) {
	s := webtest.NewServer(t)
	viewer := s.Person("viewer")
	checked := 0
	for range 30 {
		cookie := s.NewLogin(viewer.ID, s.Tenant.ID)
		for range 4 {
			w := s.As("").Post("/confirm", "password=wrong", "Cookie", "sanad="+cookie)
			if w.Code == 422 {
				checked++
			}
		}
	}
	require.Equal(t, 100, checked)
	require.Equal(t, 303, s.SignIn("viewer", webtest.Password).Code)
}

// A copied cookie of a known browser delays its owner no more than strangers do, and not at all after the next login. A
// new password forgets all known browsers but the one in which it was changed.
func TestCopiedDeviceCookie(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	device := func(w *httptest.ResponseRecorder) string {
		ck := webtest.SetCookie(w, "sanad-device")
		require.NotNil(t, ck, w.Body.String())
		return "sanad-device=" + ck.Value
	}
	copied := device(s.SignIn("viewer", webtest.Password))
	guess := func(cookie string) (checked int) {
		for s.SignIn("viewer", "wrong", "Cookie", cookie).Code == 422 {
			checked++
		}
		return checked
	}
	for range 5 {
		require.Equal(t, 422, s.SignIn("viewer", "wrong", "Cookie", copied).Code)
	}
	w := s.SignIn("viewer", webtest.Password, "Cookie", copied)
	require.Equal(t, 303, w.Code, "as a browser that is not known")
	own := device(w)
	require.NotEqual(t, copied, own)
	require.Equal(t, 5, guess(copied), "the copy guesses as a stranger, whose name then waits")
	require.Equal(t, 429, s.SignIn("viewer", webtest.Password, "Cookie", copied).Code)
	require.Equal(t, 303, s.SignIn("viewer", webtest.Password, "Cookie", own).Code)

	fresh := "another password of hers"
	w = s.As("viewer").Post("/account/password",
		webtest.Form("current", webtest.Password, "new", fresh, "again", fresh), "Cookie", "sanad="+s.Person("viewer").Cookie)
	require.Equal(t, 303, w.Code)
	require.Equal(t, 429, s.SignIn("viewer", fresh, "Cookie", own).Code, "forgotten")
	require.Equal(t, 303, s.SignIn("viewer", fresh, "Cookie", device(w)).Code)
}
