package handlers_test

import (
	"context"
	"encoding/base32"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// form encodes fields given as name, value pairs.
func form(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v.Encode()
}

// found gives what the first group of a pattern matches in a page.
func found(t *testing.T, pattern, page string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page)
	require.NotNil(t, m, "%s in %s", pattern, page)
	return m[1]
}

func TestChangePassword(t *testing.T) {
	for name, c := range map[string]struct{ current, fresh, again, field, words string }{
		"wrong current": {
			current: "not mine at all", fresh: "three odd words", again: "three odd words",
			field: "p-current-e", words: "not your current password",
		},
		"too short": {
			current: password, fresh: "short", again: "short", field: "p-new-e",
			words: "At least 8 characters",
		},
		"common": {
			current: password, fresh: "password123", again: "password123", field: "p-new-e",
			words: "tried first",
		},
		"login name": {
			current: password, fresh: "reviewer1", again: "reviewer1", field: "p-new-e", words: "login name",
		},
		"not the same": {
			current: password, fresh: "three odd words", again: "three odd wards", field: "p-again-e",
			words: "not the same",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t).as("reviewer")
			res := s.post("/account/password", form("current", c.current, "new", c.fresh, "again", c.again))
			require.Equal(t, 422, res.Code)
			require.Contains(t, found(t, `(?s)id="`+c.field+`">(.*?)</p>`, res.Body.String()), c.words)
			require.NotContains(t, res.Body.String(), c.fresh, "no password goes back")
			require.Equal(t, 303, s.post("/login", form("login", "reviewer", "password", password), "Cookie", "x=y").Code, "the old one still works")
		})
	}
}

func TestChangedPasswordEndsOtherDevices(t *testing.T) {
	s := newServer(t).as("reviewer")
	other := s.newLogin(s.person("reviewer").ID, s.tenant.ID)
	res := s.post("/account/password", form("current", password, "new", "three odd words", "again", "three odd words"))
	require.Equal(t, 303, res.Code, res.Body.String())
	require.Equal(t, "/account?done=password", res.Header().Get("Location"))
	require.Equal(t, 200, s.do("GET", "/account", "").Code, "this one stays")
	require.Equal(t, 303, s.do("GET", "/account", "", "Cookie", "sanad="+other).Code, "the other one has to sign in")
	require.Equal(t, 422, s.post("/login", form("login", "reviewer", "password", password), "Cookie", "x=y").Code)
	require.Equal(t, 303, s.post("/login", form("login", "reviewer", "password", "three odd words"), "Cookie", "x=y").Code)
}

// A session that was stolen must not guess the password faster than the login page lets anybody.
func TestChangePasswordIsSlowedDown(t *testing.T) {
	s := newServer(t).as("reviewer")
	for range 12 {
		s.post("/account/password", form("current", "wrong", "new", "three odd words", "again", "three odd words"))
	}
	res := s.post("/account/password", form("current", password, "new", "three odd words", "again", "three odd words"))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "Too many wrong tries")
	require.Equal(t, 429, s.post("/confirm", form("password", password)).Code, "it is the same count")
}

// enrol starts the second step and gives the page's sealed secret and the app's.
func enrol(t *testing.T, s *server) (pending, secret string) {
	t.Helper()
	res := s.post("/account/totp/new", "")
	require.Equal(t, 200, res.Code, res.Body.String())
	page := res.Body.String()
	require.Contains(t, page, `<path d="M`)
	secret = strings.ReplaceAll(found(t, `(?s)<code id="t-secret"[^>]*>([A-Z2-7 ]+)</code>`, page), " ", "")
	_, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	require.NoError(t, err)
	return found(t, `name="pending" value="([^"]+)"`, page), secret
}

func (s *server) code(secret string) string {
	s.t.Helper()
	code, err := totp.GenerateCode(secret, s.clock.now())
	require.NoError(s.t, err)
	return code
}

func TestTwoStepLogin(t *testing.T) {
	s := newServer(t).as("reviewer")
	pending, secret := enrol(t, s)
	u, err := s.store.UserByLogin(context.Background(), "reviewer")
	require.NoError(t, err)
	require.Nil(t, u.TOTP, "nothing is stored before a code was right")

	res := s.post("/account/totp", form("pending", pending, "code", "000000"))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "This code is not right")
	require.Contains(t, strings.ReplaceAll(res.Body.String(), " ", ""), secret, "the same secret stays")

	code := s.code(secret)
	res = s.post("/account/totp", form("pending", pending, "code", code))
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Equal(t, "no-store", res.Header().Get("Cache-Control"))
	codes := regexp.MustCompile(`<li><code>([a-z2-7-]{19})</code></li>`).FindAllStringSubmatch(res.Body.String(), -1)
	require.Len(t, codes, 10)
	require.Equal(t, 303, s.post("/account/totp", form("pending", pending, "code", code)).Code, "sent twice it changes nothing")
	require.Contains(t, s.do("GET", "/account", "").Body.String(), "Turn off two-step login")

	// the login now asks for a code; the one just used is spent
	res = s.post("/login", form("login", "reviewer", "password", password), "Cookie", "x=y")
	require.Equal(t, 303, res.Code)
	require.Contains(t, res.Header().Get("Location"), "/login/code")

	require.Equal(t, 303, s.post("/account/totp/off", "").Code)
	require.Contains(t, s.do("GET", "/account", "").Body.String(), "Set up two-step login")
}

func TestPendingSecretIsBoundToPersonAndTime(t *testing.T) {
	s := newServer(t)
	pending, secret := enrol(t, s.as("reviewer"))
	send := func(who, pending string) (location, page string) {
		res := s.as(who).post("/account/totp", form("pending", pending, "code", s.code(secret)), "Cookie",
			"sanad="+s.newLogin(s.person(who).ID, s.tenant.ID))
		return res.Header().Get("Location"), res.Body.String()
	}
	for name, c := range map[string]struct{ who, pending string }{
		"another person": {"viewer", pending}, "changed": {"reviewer", pending[:40] + "____" + pending[44:]}, "none": {"reviewer", ""}, "not base64": {"reviewer", "%%"},
	} {
		location, _ := send(c.who, c.pending)
		require.Equal(t, "/account", location, name)
	}
	s.clock.move(20 * time.Minute)
	location, _ := send("reviewer", pending)
	require.Equal(t, "/account", location, "too late")
	s.clock.move(-20 * time.Minute)
	_, page := send("reviewer", pending)
	require.Contains(t, page, "Two-step login is on")
}

func TestDevices(t *testing.T) {
	s := newServer(t).as("viewer")
	id := s.person("viewer").ID
	second, third := s.newLogin(id, s.tenant.ID), s.newLogin(id, s.tenant.ID)
	foreign := found(t, `/account/devices/([0-9a-f-]{36})/end`, s.as("reviewer").do("GET", "/account", "", "Cookie",
		"sanad="+s.newLogin(s.person("reviewer").ID, s.tenant.ID)).Body.String())

	page := s.do("GET", "/account", "").Body.String()
	ends := regexp.MustCompile(`action="(/account/devices/[0-9a-f-]{36}/end)"`).FindAllStringSubmatch(page, -1)
	require.Len(t, ends, 2, "this device has no button")
	require.Equal(t, 1, strings.Count(page, "This device"))
	require.Equal(t, 404, s.post("/account/devices/"+foreign+"/end", "").Code, "another person's")

	require.Equal(t, 303, s.post(ends[0][1], "").Code)
	alive := 0
	for _, cookie := range []string{second, third} {
		if s.do("GET", "/account", "", "Cookie", "sanad="+cookie).Code == 200 {
			alive++
		}
	}
	require.Equal(t, 1, alive)
	require.Equal(t, 303, s.post("/account/devices/end", "").Code)
	for _, cookie := range []string{second, third} {
		require.Equal(t, 303, s.do("GET", "/account", "", "Cookie", "sanad="+cookie).Code)
	}
	require.Equal(t, 200, s.do("GET", "/account", "").Code)
}

func TestSwitchTenant(t *testing.T) {
	s := newServer(t).as("viewer")
	require.Equal(t, 404, s.post("/account/tenant", form("tenant", s.other.ID)).Code, "no member there")
	require.NoError(t, s.store.AddMember(context.Background(), domain.AtCommandLine(s.other.ID), s.person("viewer").ID, domain.Admin))
	page := s.do("GET", "/account", "").Body.String()
	require.Contains(t, page, `value="`+s.other.ID+`"`)
	require.Equal(t, 403, s.do("GET", "/admin/users", "").Code)
	require.Equal(t, 303, s.post("/account/tenant", form("tenant", s.other.ID)).Code)
	require.Equal(t, 200, s.do("GET", "/admin/users", "").Code, "an administrator there")
}
