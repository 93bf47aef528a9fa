package accounts_test

import (
	"context"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// elsewhere adds somebody to the other tenant, whose login name is salem, and returns their API token there.
func elsewhere(t *testing.T, s *webtest.Server) (u db.User, token string) {
	t.Helper()
	p := s.AddPerson("salem", s.Other.ID, access.Approver)
	return p.User, s.NewToken(p.ID, s.Other.ID, access.Approver)
}

// An administrator invites a name on the page; the person accepts on theirs, and works in both organisations.
func TestInvitationOnThePages(t *testing.T) {
	s := webtest.NewServer(t)
	u, _ := elsewhere(t, s)
	require.Contains(t, s.Do("GET", "/admin/users", "").Body.String(), `href="/admin/invitations"`)
	require.Equal(t, 303, s.Post("/admin/invitations", webtest.Form("login", u.Login, "role", "reviewer")).Code)
	page := s.Do("GET", "/admin/invitations", "").Body.String()
	require.Contains(t, page, u.Login)

	person := []string{"Cookie", "sanad=" + s.NewLogin(u.ID, s.Other.ID)}
	for _, path := range []string{"/", "/account"} {
		require.Contains(t, s.Do("GET", path, "", person...).Body.String(), "1 organisation invites you", path)
	}
	require.Contains(t, s.Do("GET", "/", "", append(person, "Accept-Language", "ar")...).Body.String(), "تدعوك جهة واحدة")
	page = s.Do("GET", "/account/invitations", "", person...).Body.String()
	require.Contains(t, page, s.Tenant.Name)
	accept := webtest.FindGroup(t, `action="(/account/invitations/[0-9a-f-]{36}/accept)"`, page)
	require.Equal(t, 404, s.As("viewer").Post(accept, "").Code, "another's")
	res := s.Post(accept, "", person...)
	require.Equal(t, "/account?done=joined", res.Header().Get("Location"), res.Body.String())
	account := s.Do("GET", "/account?done=joined", "", person...).Body.String()
	require.Contains(t, account, s.Tenant.ID, "can be switched to")
	require.NotContains(t, account, "invites you")
	m, err := s.Store.Member(context.Background(), s.Tenant.ID, u.ID)
	require.NoError(t, err)
	require.Equal(t, access.Reviewer, m.Role)
	require.NotContains(t, s.As("admin").Do("GET", "/admin/invitations", "").Body.String(), "withdraw\"")
}

func TestDeclineAndWithdrawOnThePages(t *testing.T) {
	s := webtest.NewServer(t)
	u, _ := elsewhere(t, s)
	require.Equal(t, 303, s.Post("/admin/invitations", webtest.Form("login", u.Login, "role", "viewer")).Code)
	person := []string{"Cookie", "sanad=" + s.NewLogin(u.ID, s.Other.ID)}
	decline := webtest.FindGroup(t, `action="(/account/invitations/[0-9a-f-]{36}/decline)"`,
		s.Do("GET", "/account/invitations", "", person...).Body.String())
	require.Equal(t, 303, s.Post(decline, "", person...).Code)
	require.NotContains(t, s.Do("GET", "/", "", person...).Body.String(), "invites you")
	page := s.Do("GET", "/admin/invitations", "").Body.String()
	require.Contains(t, page, u.Login, "who sent it is not told")
	withdraw := webtest.FindGroup(t, `action="(/admin/invitations/[0-9a-f-]{36}/withdraw)"`, page)
	require.Equal(t, 303, s.Post(withdraw, "").Code)
	require.NotContains(t, s.Do("GET", "/admin/invitations", "").Body.String(), u.Login)
}

// differs finds ids, numbers of requests and times.
var differs = regexp.MustCompile(`[0-9a-f-]{36}|[0-9a-f]{8}-[0-9a-f]{4}|\d\d:\d\d(:\d\d)?(\.\d+)?Z?`)

// invitation is the body of POST /invitations.
func invitation(login, role, password string) string {
	return `{"login":"` + login + `","role":"` + role + `","password":"` + password + `"}`
}

// bare is an answer without what differs between any two requests.
func bare(w *httptest.ResponseRecorder, login string) string {
	text := strings.ReplaceAll(w.Body.String(), login, "NAME")
	return differs.ReplaceAllString(text, "…")
}

// What an administrator is answered is the same, byte for byte, for a name that somebody has elsewhere and for one that
// nobody has: on the pages that add and invite, and by the API.
func TestNoAnswerTellsThatANameExists(t *testing.T) {
	ask := func(login string) (out []string) {
		s := webtest.NewServer(t)
		elsewhere(t, s)
		token := s.NewToken(s.Person("admin").ID, s.Tenant.ID, access.Admin)
		say := func(w *httptest.ResponseRecorder) {
			out = append(out, w.Result().Status+" "+w.Header().Get("Location")+" "+bare(w, login))
		}
		add := func(login, email string) *httptest.ResponseRecorder {
			return s.Post("/admin/users", webtest.Form("login", login, "name", "X", "email", email, "role", "viewer"))
		}
		added := add(login, login+"@example.test")
		require.Equal(t, 200, added.Code)
		say(s.Post("/admin/users", webtest.Form("login", login+"@example.test", "name", "X", "role", "viewer")))
		say(s.Post("/admin/users", webtest.Form("login", login+"@"+s.Other.Slug, "name", "X", "role", "viewer")))
		api := func(name, role string) *httptest.ResponseRecorder {
			return s.Do("POST", "/api/v1/invitations", invitation(name, role, webtest.Password),
				"Authorization", "Bearer "+token)
		}
		say(api(login, "viewer"))
		say(api(login, "viewer"))
		say(api(login+"@"+s.Other.Slug, "viewer"))
		say(s.Post("/admin/invitations", webtest.Form("login", login, "role", "viewer")))
		say(s.Do("GET", "/admin/invitations", ""))
		say(s.Do("GET", "/api/v1/invitations", "", "Authorization", "Bearer "+token))
		return out
	}
	free, taken := ask("nobody"), ask("salem")
	for i := range free {
		require.Equal(t, free[i], taken[i], "answer %d", i)
	}
}

// The API's way, with a fresh password; a machine neither invites nor is invited.
func TestInvitationByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	u, token := elsewhere(t, s)
	there := []string{"Authorization", "Bearer " + token}
	admin := []string{"Authorization", "Bearer " + s.NewToken(s.Person("admin").ID, s.Tenant.ID, access.Admin)}
	send := func(password string, headers ...string) *httptest.ResponseRecorder {
		return s.Do("POST", "/api/v1/invitations", invitation(u.Login, "approver", password), headers...)
	}
	require.Equal(t, 403, send("wrong", admin...).Code)
	require.Equal(t, 403, send(webtest.Password, "Authorization", s.Machine(access.Admin)).Code)
	sent := webtest.Get[struct {
		ID string `json:"invitation_id"`
	}](t, send(webtest.Password, admin...), 201)
	at := "/api/v1/account/invitations/" + sent.ID
	list := webtest.Get[struct {
		Invitations []struct {
			ID           string `json:"invitation_id"`
			Organisation string
			Role         string
		}
	}](t, s.Do("GET", "/api/v1/account/invitations", "", there...), 200).Invitations
	require.Len(t, list, 1)
	require.Equal(t, []string{sent.ID, s.Tenant.Name, "approver"},
		[]string{list[0].ID, list[0].Organisation, list[0].Role})
	require.Equal(t, 404, s.Do("POST", at+"/accept", `{"password":"`+webtest.Password+`"}`, admin...).Code)
	require.Equal(t, 403, s.Do("POST", at+"/accept", `{"password":"wrong"}`, there...).Code)
	require.Equal(t, 200, s.Do("POST", at+"/accept", `{"password":"`+webtest.Password+`"}`, there...).Code)
	require.Equal(t, 404, s.Do("POST", at+"/decline", "", there...).Code)
	require.Equal(t, 409, send(webtest.Password, admin...).Code, "a member of the own organisation may be told")
	require.Equal(t, 404, s.Do("DELETE", "/api/v1/invitations/"+sent.ID, "", admin...).Code)
}

// Inviting and accepting ask for the password as changes of roles do.
func TestInvitingNeedsAFreshPassword(t *testing.T) {
	s := webtest.NewServer(t)
	u, _ := elsewhere(t, s)
	s.Person("admin")
	s.Clock.Move(access.FreshFor + 1)
	res := s.Post("/admin/invitations", webtest.Form("login", u.Login, "role", "reviewer"))
	require.Equal(t, 303, res.Code)
	require.Equal(t, "/confirm?next=%2Fadmin%2Finvitations", res.Header().Get("Location"), "an address names nobody")
	kept := s.Do("GET", "/admin/invitations", "", "Cookie", "sanad="+s.Person("admin").Cookie+"; sanad-typed="+
		webtest.SetCookie(res, "sanad-typed").Value)
	require.Contains(t, kept.Body.String(), `value="`+u.Login+`"`, "what was typed is kept")
	all, err := s.Store.Invitations(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.Empty(t, all)
}
