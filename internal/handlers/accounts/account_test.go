package accounts_test

import (
	"context"
	"encoding/base32"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestChangePassword(t *testing.T) {
	for name, c := range map[string]struct{ current, fresh, again, field, words string }{
		"wrong current": {
			current: "not mine at all", fresh: "three odd words", again: "three odd words",
			field: "p-current-e", words: "not your current password",
		},
		"too short": {
			current: webtest.Password, fresh: "sh0rt", again: "sh0rt", field: "p-new-e",
			words: "At least 12 characters",
		},
		"not the same": {
			current: webtest.Password, fresh: "three odd words", again: "three odd wards", field: "p-again-e",
			words: "not the same",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := webtest.NewServer(t).As("reviewer")
			res := s.Post("/account/password", webtest.Form("current", c.current, "new", c.fresh, "again", c.again))
			require.Equal(t, 422, res.Code)
			require.Contains(t, webtest.FindGroup(t, `(?s)id="`+c.field+`">(.*?)</p>`, res.Body.String()), c.words)
			require.NotContains(t, res.Body.String(), c.fresh, "no password goes back")
			require.Equal(t, 303, s.Post("/login", webtest.Form("login", "reviewer", "password", webtest.Password),
				"Cookie", "x=y").Code, "the old one still works")
		})
	}
}

func TestChangedPasswordEndsOtherDevices(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	other := s.NewLogin(s.Person("reviewer").ID, s.Tenant.ID)
	res := s.Post("/account/password",
		webtest.Form("current", webtest.Password, "new", "three odd words", "again", "three odd words"))
	require.Equal(t, 303, res.Code, res.Body.String())
	require.Equal(t, "/account?done=password", res.Header().Get("Location"))
	require.Equal(t, 200, s.Do("GET", "/account", "").Code, "this one stays")
	require.Equal(t, 303, s.Do("GET", "/account", "", "Cookie", "sanad="+other).Code, "the other one has to sign in")
	require.Equal(t, 422, s.Post("/login", webtest.Form("login", "reviewer", "password", webtest.Password), "Cookie",
		"x=y").Code)
	require.Equal(t, 303, s.Post("/login", webtest.Form("login", "reviewer", "password", "three odd words"), "Cookie",
		"x=y").Code)
}

// A new password ends the person's tokens too, unless they ask to keep them.
func TestChangedPasswordEndsTokens(t *testing.T) {
	for name, c := range map[string]struct {
		keep, done string
		status     int
	}{
		"by default": {"", "password", 401}, "kept": {"1", "password_only", 200},
	} {
		t.Run(name, func(t *testing.T) {
			s := webtest.NewServer(t).As("reviewer")
			require.Contains(t, s.Do("GET", "/account", "").Body.String(), `name="keep_tokens" value="1">`)
			require.Equal(t, 200, s.Do("GET", "/api/v1/sessions", "").Code)
			res := s.Post("/account/password", webtest.Form("current", webtest.Password, "new", "three odd words",
				"again", "three odd wards", "keep_tokens", c.keep))
			require.Equal(t, c.keep != "", strings.Contains(res.Body.String(), `value="1" checked>`), "as it was typed")
			res = s.Post("/account/password", webtest.Form("current", webtest.Password, "new", "three odd words",
				"again", "three odd words", "keep_tokens", c.keep))
			require.Equal(t, "/account?done="+c.done, res.Header().Get("Location"))
			require.Equal(t, c.status, s.Do("GET", "/api/v1/sessions", "").Code)
		})
	}
}

// With a stolen login, passwords cannot be guessed faster than at the login page.
func TestChangePasswordIsSlowedDown(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	for range 12 {
		s.Post("/account/password",
			webtest.Form("current", "wrong", "new", "three odd words", "again", "three odd words"))
	}
	res := s.Post("/account/password",
		webtest.Form("current", webtest.Password, "new", "three odd words", "again", "three odd words"))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "Too many wrong attempts")
	require.Equal(t, 429, s.Post("/confirm", webtest.Form("password", webtest.Password)).Code, "it is the same count")
}

// enrol starts setting up one-time codes, and returns the sealed secret of the form and the secret for the app.
func enrol(t *testing.T, s *webtest.Server) (pending, secret string) {
	t.Helper()
	res := s.Post("/account/totp/new", "")
	require.Equal(t, 200, res.Code, res.Body.String())
	page := res.Body.String()
	require.Contains(t, page, `<path d="M`)
	secret = strings.ReplaceAll(webtest.FindGroup(t, `(?s)<code id="t-secret"[^>]*>([A-Z2-7 ]+)</code>`, page), " ", "")
	_, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	require.NoError(t, err)
	return webtest.FindGroup(t, `name="pending" value="([^"]+)"`, page), secret
}

func TestTwoStepLogin(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	pending, secret := enrol(t, s)
	u, err := s.Store.UserByLogin(context.Background(), "reviewer")
	require.NoError(t, err)
	require.Nil(t, u.TOTP, "nothing is stored before a code was right")

	res := s.Post("/account/totp", webtest.Form("pending", pending, "code", "000000"))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "This code is wrong")
	require.Contains(t, strings.ReplaceAll(res.Body.String(), " ", ""), secret, "the same secret stays")

	code := s.Code(secret)
	res = s.Post("/account/totp", webtest.Form("pending", pending, "code", code))
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Equal(t, "no-store", res.Header().Get("Cache-Control"))
	codes := regexp.MustCompile(`<li><code>([a-z2-7]{4}(?:-[a-z2-7]{4}){6})</code></li>`).FindAllStringSubmatch(res.Body.String(), -1)
	require.Len(t, codes, 10)
	require.Equal(t, 303, s.Post("/account/totp", webtest.Form("pending", pending, "code", code)).Code,
		"sent twice it changes nothing")
	require.Contains(t, s.Do("GET", "/account", "").Body.String(), "Turn off two-step login")

	// the login now asks for a code; the one just used is spent
	res = s.Post("/login", webtest.Form("login", "reviewer", "password", webtest.Password), "Cookie", "x=y")
	require.Equal(t, 303, res.Code)
	require.Contains(t, res.Header().Get("Location"), "/login/code")

	require.Equal(t, 422, s.Post("/account/totp/off", "").Code)
	require.Equal(t, 303, s.Post("/account/totp/off", webtest.Form("password", webtest.Password)).Code)
	require.Contains(t, s.Do("GET", "/account", "").Body.String(), "Set up two-step login")
}

// With one-time codes a password of 8 characters is enough. Such a one must be changed before the codes are turned off.
func TestShortPasswordsNeedCodes(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) {
		var err error
		o.Forbidden, err = auth.ReadForbidden(strings.NewReader("sandcastle of ours"))
		require.NoError(t, err)
	}).As("reviewer")
	change := func(from, to string) (int, string) {
		res := s.Post("/account/password", webtest.Form("current", from, "new", to, "again", to))
		_, words, _ := strings.Cut(res.Body.String(), `id="p-new-e">`)
		words, _, _ = strings.Cut(words, "</p>")
		return res.Code, words
	}
	off := func(password string) (int, string) {
		res := s.Post("/account/totp/off", webtest.Form("password", password))
		_, words, _ := strings.Cut(res.Body.String(), `id="t-password-e">`)
		words, _, _ = strings.Cut(words, "</p>")
		return res.Code, words
	}
	code, words := change(webtest.Password, "kq7#mVz2kq7")
	require.Equal(t, 422, code)
	require.Contains(t, words, "At least 12 characters are needed, or 8 with two-step login.")
	code, words = change(webtest.Password, "Sandcastle of Ours 7")
	require.Equal(t, 422, code)
	require.Contains(t, words, "Your operator does not allow this password")

	pending, secret := enrol(t, s)
	require.Equal(t, 200, s.Post("/account/totp", webtest.Form("pending", pending, "code", s.Code(secret))).Code)
	code, words = change(webtest.Password, "kq7#mVz")
	require.Equal(t, 422, code)
	require.Contains(t, words, "At least 8 characters are needed.")
	code, _ = change(webtest.Password, "kq7#mVz2")
	require.Equal(t, 303, code)

	code, words = off("kq7#mVz3")
	require.Equal(t, 422, code)
	require.Contains(t, words, "not your current password")
	code, words = off("kq7#mVz2")
	require.Equal(t, 422, code)
	require.Contains(t, words, "Change the password first")
	code, _ = change("kq7#mVz2", "three odd words")
	require.Equal(t, 303, code)
	code, _ = off("three odd words")
	require.Equal(t, 303, code)
	code, _ = off("three odd words")
	require.Equal(t, 303, code, "sent twice it changes nothing")
}

// A password of before the rule works until it is changed.
func TestOldPasswordsWork(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	phc, err := auth.NewHasher(1).Hash(context.Background(), "kq7#mVz2")
	require.NoError(t, err)
	id := s.Person("reviewer").ID
	operator := access.AtCommandLine(s.Tenant.ID)
	require.NoError(t, s.Store.SetPassword(context.Background(), operator, id, db.NewPassword{PHC: phc}))
	form := webtest.Form("login", "reviewer", "password", "kq7#mVz2")
	require.Equal(t, 303, s.Post("/login", form, "Cookie", "x=y").Code)
}

func TestPendingSecretIsBoundToPersonAndTime(t *testing.T) {
	s := webtest.NewServer(t)
	pending, secret := enrol(t, s.As("reviewer"))
	send := func(who, pending string) (location, page string) {
		res := s.As(who).Post("/account/totp", webtest.Form("pending", pending, "code", s.Code(secret)), "Cookie",
			"sanad="+s.NewLogin(s.Person(who).ID, s.Tenant.ID))
		return res.Header().Get("Location"), res.Body.String()
	}
	for name, c := range map[string]struct{ who, pending string }{
		"another person": {"viewer", pending}, "changed": {"reviewer", pending[:40] + "____" + pending[44:]},
		"none": {"reviewer", ""}, "not base64": {"reviewer", "%%"},
	} {
		location, _ := send(c.who, c.pending)
		require.Equal(t, "/account", location, name)
	}
	s.Clock.Move(20 * time.Minute)
	location, _ := send("reviewer", pending)
	require.Equal(t, "/account", location, "too late")
	s.Clock.Move(-20 * time.Minute)
	_, page := send("reviewer", pending)
	require.Contains(t, page, "Two-step login is on")
}

func TestDevices(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	id := s.Person("viewer").ID
	second, third := s.NewLogin(id, s.Tenant.ID), s.NewLogin(id, s.Tenant.ID)
	foreign := webtest.FindGroup(t, `/account/devices/([0-9a-f-]{36})/end`,
		s.As("reviewer").Do("GET", "/account", "", "Cookie",
			"sanad="+s.NewLogin(s.Person("reviewer").ID, s.Tenant.ID)).Body.String())

	page := s.Do("GET", "/account", "").Body.String()
	ends := regexp.MustCompile(`action="(/account/devices/[0-9a-f-]{36}/end)"`).FindAllStringSubmatch(page, -1)
	require.Len(t, ends, 2, "this device has no button")
	require.Equal(t, 1, strings.Count(page, "This device"))
	require.Equal(t, 404, s.Post("/account/devices/"+foreign+"/end", "").Code, "another person's")

	require.Equal(t, 303, s.Post(ends[0][1], "").Code)
	alive := 0
	for _, cookie := range []string{second, third} {
		if s.Do("GET", "/account", "", "Cookie", "sanad="+cookie).Code == 200 {
			alive++
		}
	}
	require.Equal(t, 1, alive)
	require.Equal(t, 303, s.Post("/account/devices/end", "").Code)
	for _, cookie := range []string{second, third} {
		require.Equal(t, 303, s.Do("GET", "/account", "", "Cookie", "sanad="+cookie).Code)
	}
	require.Equal(t, 200, s.Do("GET", "/account", "").Code)
}

// Whoever finds a browser signed in cannot put the person's other browsers out without the password.
func TestEndingLoginsTakesThePassword(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	other := s.NewLogin(s.Person("viewer").ID, s.Tenant.ID)
	one := webtest.FindGroup(t, `action="(/account/devices/[0-9a-f-]{36}/end)"`, s.Do("GET", "/account", "").Body.String())
	s.Clock.Move(access.FreshFor)
	for _, path := range []string{one, "/account/devices/end"} {
		w := s.Post(path, "")
		require.Equal(t, 303, w.Code)
		require.Equal(t, "/confirm?next=%2Faccount", w.Header().Get("Location"), path)
		require.Equal(t, 200, s.Do("GET", "/account", "", "Cookie", "sanad="+other).Code, path)
	}
	w := s.Post("/confirm", webtest.Form("password", webtest.Password))
	require.Equal(t, 303, w.Code)
	fresh := "sanad=" + webtest.SetCookie(w, "sanad").Value
	require.Equal(t, 303, s.Post("/account/devices/end", "", "Cookie", fresh).Code)
	require.Equal(t, 303, s.Do("GET", "/account", "", "Cookie", "sanad="+other).Code, "ended")
}

func TestSwitchTenant(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	require.Equal(t, 404, s.Post("/account/tenant", webtest.Form("tenant", s.Other.ID)).Code, "no member there")
	require.NoError(t, s.Store.AddMember(context.Background(), access.AtCommandLine(s.Other.ID), s.Person("viewer").ID,
		access.Admin))
	page := s.Do("GET", "/account", "").Body.String()
	require.Contains(t, page, `value="`+s.Other.ID+`"`)
	require.Equal(t, 403, s.Do("GET", "/admin/users", "").Code)
	require.Equal(t, 303, s.Post("/account/tenant", webtest.Form("tenant", s.Other.ID)).Code)
	require.Equal(t, 200, s.Do("GET", "/admin/users", "").Code, "an administrator there")
}

// A new password may not mostly be the person's or the organisation's name; the page says so in both languages.
func TestPasswordsOfNames(t *testing.T) {
	s := webtest.NewServer(t).As("viewer")
	require.NoError(t, s.Store.RenameTenant(context.Background(), access.AtCommandLine(s.Tenant.ID), "Ministry of Lemons"))
	for password, says := range map[string]string{
		"Lemons-2026-Ministry": "names that others know", "viewer!1234567": "names that others know",
		"qwerty[]asdfgh": "keyboard rows", "password12345": "digits or symbols added",
	} {
		w := s.Post("/account/password", webtest.Form("current", webtest.Password, "new", password, "again", password))
		require.Equal(t, 422, w.Code, password)
		require.Contains(t, w.Body.String(), says, password)
		w = s.Post("/account/password", webtest.Form("current", webtest.Password, "new", password, "again", password),
			"Cookie", "sanad="+s.Person("viewer").Cookie+"; sanad_lang=ar")
		require.Equal(t, 422, w.Code, password)
		require.NotContains(t, w.Body.String(), says, password)
	}
}
