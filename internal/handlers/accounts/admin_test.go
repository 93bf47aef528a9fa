package accounts_test

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/letterhead"
	"sanad/internal/handlers/webtest"
)

func TestAddUserShowsThePasswordOnce(t *testing.T) {
	s := webtest.NewServer(t)
	res := s.Post("/admin/users", webtest.Form("login", "New.Person", "name", "New Person", "email", "New@Example.com",
		"role", "reviewer"))
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Equal(t, "no-store", res.Header().Get("Cache-Control"))
	secret := webtest.FindGroup(t, `<code id="new-password"[^>]*>([a-z0-9-]+)</code>`, res.Body.String())
	require.Contains(t, res.Body.String(), "new.person@"+s.Tenant.Slug)
	short := s.Post("/login", webtest.Form("login", "new.person", "password", secret), "Cookie", "x=y")
	require.Equal(t, 422, short.Code, "only the whole name is one")
	in := s.Post("/login", webtest.Form("login", "new.person@"+s.Tenant.Slug, "password", secret), "Cookie", "x=y")
	require.Equal(t, 303, in.Code)
	require.Equal(t, "/", in.Header().Get("Location"))

	page := s.Do("GET", "/admin/users", "").Body.String()
	require.Contains(t, page, "New Person")
	require.NotContains(t, page, secret)
	events, err := s.Store.Events(context.Background(), s.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	for _, e := range events {
		require.NotContains(t, string(e.Bytes), secret)
		require.NotContains(t, string(e.Bytes), "New Person", "the log names nobody")
	}
}

func TestAddUserRefusesBesideTheField(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 200, s.Post("/admin/users", webtest.Form("login", "viewer", "name", "X", "role", "viewer")).Code)
	for name, c := range map[string]struct {
		login, name, email, role, field, words string
		status                                 int
	}{
		"taken":    {login: "Viewer", name: "X", role: "viewer", field: "u-login-e", words: "taken", status: 409},
		"no login": {name: "X", role: "viewer", field: "u-login-e", words: "characters", status: 422},
		"no name":  {login: "x", role: "viewer", field: "u-name-e", words: "name", status: 422},
		"bad e-mail": {
			login: "x", name: "X", email: "nothing", role: "viewer", field: "u-email-e", words: "e-mail",
			status: 422,
		},
		"bad role": {login: "x", name: "X", role: "owner", field: "u-role-e", words: "roles", status: 422},
	} {
		t.Run(name, func(t *testing.T) {
			res := s.Post("/admin/users",
				webtest.Form("login", c.login, "name", c.name, "email", c.email, "role", c.role))
			require.Equal(t, c.status, res.Code)
			require.Contains(t, webtest.FindGroup(t, `(?s)id="`+c.field+`">(.*?)</p>`, res.Body.String()), c.words)
			if c.login != "" {
				require.Contains(t, res.Body.String(), `value="`+c.login+`"`, "what was typed stays")
			}
		})
	}
}

// Fields that are not in the form are ignored.
func TestMassAssignmentOfUsers(t *testing.T) {
	s := webtest.NewServer(t)
	res := s.Post("/admin/users", webtest.Form("login", "x", "name", "X", "role", "viewer", "id",
		s.Person("viewer").ID, "password", "three odd words",
		"tenant", s.Other.ID, "disabled", "true", "totp", "x", "Role", "admin"))
	require.Equal(t, 200, res.Code)
	u, err := s.Store.UserByLogin(context.Background(), "x@"+s.Tenant.Slug)
	require.NoError(t, err)
	require.NotEqual(t, s.Person("viewer").ID, u.ID)
	require.False(t, u.Disabled)
	in, err := s.Store.Memberships(context.Background(), u.ID)
	require.NoError(t, err)
	require.Len(t, in, 1)
	require.Equal(t, s.Tenant.ID, in[0].Tenant.ID)
	require.Equal(t, access.Viewer, in[0].Role)
	require.Equal(t, 422, s.Post("/login", webtest.Form("login", u.Login, "password", "three odd words"), "Cookie",
		"x=y").Code)
}

func TestChangesOfAUserTakeEffectAtOnce(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/admin/users/" + s.Person("viewer").ID
	require.Equal(t, 403, s.As("viewer").Do("GET", "/sessions/new", "").Code)
	require.Equal(t, 303, s.Post(at+"/role", webtest.Form("role", "reviewer")).Code)
	require.Equal(t, 200, s.As("viewer").Do("GET", "/sessions/new", "").Code)
	require.Equal(t, 303, s.Post(at+"/disable", "").Code)
	require.Contains(t, s.As("viewer").Do("GET", "/sessions/new", "").Header().Get("Location"), "/login")
	require.Equal(t, 401, s.As("viewer").Do("GET", "/api/v1/sessions", "").Code)
	require.Equal(t, 303, s.Post(at+"/enable", "").Code)
	require.Equal(t, 200, s.As("viewer").Do("GET", "/api/v1/sessions", "").Code)

	res := s.Post(at+"/password", "")
	require.Equal(t, 200, res.Code)
	secret := webtest.FindGroup(t, `<code id="new-password"[^>]*>([a-z0-9-]+)</code>`, res.Body.String())
	require.Equal(t, 422, s.Post("/login", webtest.Form("login", "viewer", "password", webtest.Password), "Cookie",
		"x=y").Code)
	require.Equal(t, 303, s.Post("/login", webtest.Form("login", "viewer", "password", secret), "Cookie", "x=y").Code)
}

func TestTheLastAdministratorStays(t *testing.T) {
	s := webtest.NewServer(t)
	at := "/admin/users/" + s.Person("admin").ID
	for path, id := range map[string]string{"/role": "m-r-e", "/disable": "m-state-e"} {
		res := s.Post(at+path, webtest.Form("role", "viewer"))
		require.Equal(t, 409, res.Code, path)
		require.Contains(t, webtest.FindGroup(t, `(?s)id="`+id+`">(.*?)</p>`, res.Body.String()), "last administrator",
			path)
	}
}

func TestAdminCannotChangeAccountOfSeveralTenants(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Person("viewer").ID
	require.NoError(t, s.Store.AddMember(context.Background(), access.AtCommandLine(s.Other.ID), id, access.Viewer))
	require.NotContains(t, s.Do("GET", "/admin/users/"+id, "").Body.String(), id+`/password"`)
	for path, field := range map[string]string{"/password": "m-pw-e"} {
		res := s.Post("/admin/users/"+id+path, "")
		require.Equal(t, 403, res.Code)
		require.Contains(t, webtest.FindGroup(t, `(?s)id="`+field+`">(.*?)</p>`, res.Body.String()), "other organisations")
	}
	require.Equal(t, 403, s.Post("/admin/users/"+id+"/totp-off", "").Code)
	require.Equal(t, 303, s.Post("/login", webtest.Form("login", "viewer", "password", webtest.Password), "Cookie",
		"x=y").Code, "the password is as it was")
}

func TestTokens(t *testing.T) {
	s := webtest.NewServer(t)
	res := s.Post("/admin/tokens", webtest.Form("name", "Nightly", "role", "viewer", "days", "7"))
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Equal(t, "no-store", res.Header().Get("Cache-Control"))
	secret := webtest.FindGroup(t, `<code id="token"[^>]*>(sanad_[a-z2-7]+)</code>`, res.Body.String())
	require.Contains(t, res.Body.String(), "Bearer $SANAD_TOKEN")
	require.Equal(t, 1, strings.Count(res.Body.String(), secret), "the example does not repeat it")
	call := func() int {
		return s.As("").Do("GET", "/api/v1/sessions", "", "Authorization", "Bearer "+secret).Code
	}
	require.Equal(t, 200, call())

	list := s.Do("GET", "/admin/tokens", "").Body.String()
	require.NotContains(t, list, secret)
	require.Contains(t, list, "The admin", "who made it")
	tokens, err := s.Store.Tokens(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	at := ""
	for _, k := range tokens {
		if k.Name == "Nightly" {
			at = "/admin/tokens/" + k.ID + "/revoke"
			require.Equal(t, webtest.Now.Add(7*24*time.Hour), k.ExpiresAt)
		}
	}
	require.Contains(t, s.Do("GET", at, "").Body.String(), "Nightly")
	require.Equal(t, 200, call(), "asking changes nothing")
	require.Equal(t, 303, s.Post(at, "").Code)
	require.Equal(t, 401, call())
}

// Long lists are paged; the log's filter and the forms offer a bounded number of choices.
func TestLongListsArePaged(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("admin")
	ctx, by := context.Background(), access.AtCommandLine(s.Tenant.ID)
	for i := range 130 {
		_, err := s.Store.AddUser(ctx, by, db.User{
			Login: fmt.Sprintf("p%03d", i), Name: fmt.Sprintf("Person %03d", i), Password: webtest.Phc(),
		}, access.Viewer)
		require.NoError(t, err)
		_, err = s.Store.AddToken(ctx, by, access.Token{
			Name: fmt.Sprintf("token %03d", i), Role: access.Viewer, Hash: fmt.Sprint(i),
			ExpiresAt: webtest.Now.Add(time.Hour),
		})
		require.NoError(t, err)
	}
	for path, pattern := range map[string]string{
		"/admin/users": `>(Person \d{3})</bdi>`, "/admin/tokens": `>(token \d{3})</bdi>`,
	} {
		rows := regexp.MustCompile(pattern)
		first := s.Do("GET", path, "").Body.String()
		require.Regexp(t, `13[12] (people|tokens)`, first, "the whole number stands above")
		seen := map[string]bool{}
		for _, m := range rows.FindAllStringSubmatch(first, -1) {
			seen[m[1]] = true
		}
		require.LessOrEqual(t, len(seen), 100)
		next := s.Do("GET", html.UnescapeString(webtest.FindGroup(t, `rel="next" href="([^"]+)"`, first)), "").Body.String()
		require.NotContains(t, next, `rel="next"`)
		require.Contains(t, next, `href="`+path+`">First page`)
		for _, m := range rows.FindAllStringSubmatch(next, -1) {
			require.False(t, seen[m[1]], m[1])
			seen[m[1]] = true
		}
		require.Len(t, seen, 130)
	}
}

func TestTokenFormRefusesBesideTheField(t *testing.T) {
	s := webtest.NewServer(t)
	for name, c := range map[string]struct{ name, role, person, days, field string }{
		"no name":      {role: "viewer", days: "7", field: "k-name-e"},
		"too long":     {name: "x", role: "viewer", days: "366", field: "k-days-e"},
		"not a number": {name: "x", role: "viewer", days: "a week", field: "k-days-e"},
		"no role":      {name: "x", days: "7", field: "k-role-e"},
		"foreign person": {
			name: "x", role: "viewer", person: s.Person("foreign").ID, days: "7", field: "k-person-e",
		},
		"disabled person": {
			name: "x", role: "viewer", person: s.Person("shut.out").ID, days: "7", field: "k-person-e",
		},
	} {
		t.Run(name, func(t *testing.T) {
			res := s.Post("/admin/tokens",
				webtest.Form("name", c.name, "role", c.role, "person", c.person, "days", c.days))
			require.Equal(t, 422, res.Code)
			require.NotEmpty(t, webtest.FindGroup(t, `(?s)id="`+c.field+`">(.*?)</p>`, res.Body.String()))
			require.Contains(t, res.Body.String(), `value="`+c.days+`"`)
		})
	}
}

// If the password was given too long ago, a page with a form says so before the form is filled in.
func TestFormsOfferToConfirmFirst(t *testing.T) {
	s := webtest.NewServer(t)
	require.NotContains(t, s.Do("GET", "/admin/users", "").Body.String(), "/confirm?next=")
	s.Clock.Move(6 * time.Minute)
	for _, path := range []string{"/admin/users", "/admin/tokens"} {
		require.Contains(t, s.Do("GET", path, "").Body.String(), "/confirm?next="+url.QueryEscape(path), path)
	}
}

// What was typed is filled in again after the detour through /confirm.
func TestTypedTextSurvivesTheConfirmation(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("admin")
	s.Clock.Move(6 * time.Minute)
	for path, c := range map[string]struct {
		form  string
		shown []string
	}{
		"/admin/users": {
			webtest.Form("login", "huda.k", "name", "Huda & Co <b>", "email", "h@example.com", "role", "approver",
				"password", "not kept", "x", "not kept"),
			[]string{`value="huda.k"`, `value="Huda &amp; Co &lt;b&gt;"`, `value="h@example.com"`,
				`<option value="approver" selected>`},
		},
		"/admin/tokens": {
			webtest.Form("name", "Nightly", "role", "reviewer", "days", "7", "person", s.Person("admin").ID),
			[]string{`value="Nightly"`, `value="7"`, `<option value="reviewer" selected>`,
				`<option value="` + s.Person("admin").ID + `" selected>`},
		},
	} {
		b := s.Browser("admin")
		to := b.Ask("POST", path, c.form).Header().Get("Location")
		require.Equal(t, "/confirm?next="+url.QueryEscape(path), to, "an address names nobody")
		back := b.Ask("POST", to, webtest.Form("password", webtest.Password))
		require.Equal(t, 303, back.Code)
		require.Equal(t, path, back.Header().Get("Location"))
		s.Person("admin").Cookie = b.Kept["sanad"]
		require.NotContains(t, b.Kept["sanad-typed"], "uda", "it is sealed")
		sealed := b.Kept["sanad-typed"]
		page := b.Ask("GET", path, "").Body.String()
		for _, shown := range c.shown {
			require.Contains(t, page, shown, path)
		}
		require.NotContains(t, page, "not kept")
		require.Empty(t, b.Kept["sanad-typed"], "it is shown once")
		require.NotContains(t, b.Ask("GET", path, "").Body.String(), c.shown[0])
		b.Kept["sanad-typed"] = sealed
		other := map[string]string{"/admin/users": "/admin/tokens", "/admin/tokens": "/admin/users"}[path]
		require.NotContains(t, b.Ask("GET", other, "").Body.String(), c.shown[0], "another page's form is not filled in")
		s.Clock.Move(16 * time.Minute)
		b.Kept["sanad-typed"] = sealed
		require.NotContains(t, b.Ask("GET", path, "").Body.String(), c.shown[0], "it ends after a quarter of an hour")
	}
	require.NotRegexp(t, `<input id="u-name"[^>]*Huda`, s.Do("GET", "/admin/users?name=Huda", "").Body.String(),
		"no address fills in the form")
	require.Equal(t, "/confirm?next=%2Fadmin%2Fkeys%2Flog%2Frotate",
		s.Post("/admin/keys/log/rotate", webtest.Form("x", "y")).Header().Get("Location"))
	large := s.Post("/admin/users", webtest.Form("name", strings.Repeat("x", 20<<10)))
	require.Equal(t, "/confirm?next=%2Fadmin%2Fusers", large.Header().Get("Location"))
	require.Nil(t, webtest.SetCookie(large, "sanad-typed"))
	long := s.Post("/admin/tokens", webtest.Form("name", strings.Repeat("ش", 200))+
		strings.Repeat("&addresses="+strings.Repeat("2001:db8::1,", 16), 9))
	require.Less(t, len(webtest.SetCookie(long, "sanad-typed").Value), 4000, "as much as a browser keeps")
}

func TestKeys(t *testing.T) {
	s := webtest.NewServer(t)
	page := s.Do("GET", "/admin/keys", "").Body.String()
	old := webtest.FindGroup(t, `<bdi class="mono">(SHA256:[^<]+)</bdi>`, page)
	require.Contains(t, s.Do("GET", "/admin/keys/log/rotate", "").Body.String(), old)
	require.Equal(t, 404, s.Do("GET", "/admin/keys/other/rotate", "").Code)
	require.Equal(t, 303, s.Post("/admin/keys/log/rotate", "").Code)
	page = s.Do("GET", "/admin/keys", "").Body.String()
	require.Contains(t, page, old, "a retired key stays")
	fresh := webtest.FindGroup(t, `<bdi class="mono">(SHA256:[^<]+)</bdi>`, page)
	require.NotEqual(t, old, fresh, "the one in use comes first")

	for _, id := range []string{old, fresh} {
		res := s.Do("GET", "/admin/keys/public?id="+url.QueryEscape(id), "")
		require.Equal(t, 200, res.Code)
		block, rest := pem.Decode(res.Body.Bytes())
		require.NotNil(t, block)
		require.Empty(t, rest)
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		require.NoError(t, err)
		require.IsType(t, ed25519.PublicKey{}, key)
	}
	require.Equal(t, 404, s.Do("GET", "/admin/keys/public?id=SHA256:none", "").Code)
	require.Equal(t, 303, s.Post("/admin/keys/sign/rotate", "").Code, "a first key is made the same way")
}

func TestTenantSettings(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 303, s.Post("/admin/tenant", webtest.Form("name", "Ministry", "months", "18")).Code)
	tenant, err := s.Store.Tenant(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, "Ministry", tenant.Name)
	require.Equal(t, 18, tenant.FreshnessMonths)
	for _, months := range []string{"0", "121", "x", ""} {
		res := s.Post("/admin/tenant", webtest.Form("name", "Changed", "months", months))
		require.Equal(t, 422, res.Code, months)
		require.Contains(t, res.Body.String(), `id="t-months-e"`)
	}
	require.Contains(t, s.Post("/admin/tenant", webtest.Form("name", "", "months", "12")).Body.String(),
		`id="t-name-e"`)
	tenant, err = s.Store.Tenant(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, "Ministry", tenant.Name, "a refused form changes nothing")
	require.Equal(t, 18, tenant.FreshnessMonths)
}

// The page of the letterhead shows the logo that is set.
func TestLetterheadShowsItsLogo(t *testing.T) {
	s := webtest.NewServer(t)
	require.NotContains(t, s.Do("GET", "/admin/letterhead", "").Body.String(), "/admin/letterhead/logo")
	logo := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#1b6638" d="M0 0h8v8z"/></svg>`)
	require.NoError(t, s.Store.SetLetterhead(context.Background(), access.AtCommandLine(s.Tenant.ID),
		letterhead.Letterhead{Name: "Rimal", Logo: logo}))
	require.Contains(t, s.Do("GET", "/admin/letterhead", "").Body.String(), `src="/admin/letterhead/logo"`)
	res := s.Do("GET", "/admin/letterhead/logo", "")
	require.Equal(t, "image/svg+xml", res.Header().Get("Content-Type"))
	require.Equal(t, logo, res.Body.Bytes())
	require.Equal(t, 403, s.As("reviewer").Do("GET", "/admin/letterhead/logo", "").Code)
}
