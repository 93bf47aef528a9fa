package accounts_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
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

// joining is what somebody types who uses a link.
func joining(login string) string {
	return webtest.Form("login", login, "name", "Hana Said", "new", "four quiet lamps 12", "again", "four quiet lamps 12")
}

// makesLink has the administrator make a link, and returns its path.
func makesLink(t *testing.T, s *webtest.Server, fields ...string) (path, page string) {
	t.Helper()
	w := s.As("admin").Post("/admin/invitations", webtest.Form(append([]string{"days", "7"}, fields...)...))
	require.Equal(t, 200, w.Code, w.Body.String())
	return webtest.FindGroup(t, `http://[^/]+(/join/[a-z2-7]{52})`, w.Body.String()), w.Body.String()
}

// TestJoinByLink makes a link on the page, uses it without a login, and signs in.
func TestJoinByLink(t *testing.T) {
	var log bytes.Buffer
	s := webtest.NewServer(t, func(o *web.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	join, page := makesLink(t, s, "role", "auditor", "name", "Hana", "email", "hana@example.test")
	require.Contains(t, page, "This link is not shown again")
	list := s.As("admin").Do("GET", "/admin/invitations", "").Body.String()
	for _, part := range []string{"Invitation link", "Hana", "hana@example.test", "Auditor", "/withdraw"} {
		require.Contains(t, list, part)
	}
	require.NotContains(t, list, join, "shown once")

	for range 2 { // looking uses nothing up
		w := s.As("").Do("GET", join, "")
		require.Equal(t, 200, w.Code)
		require.Equal(t, []string{"no-referrer", "no-store"},
			[]string{w.Header().Get("Referrer-Policy"), w.Header().Get("Cache-Control")})
		for _, part := range []string{s.Tenant.Name, "Auditor", `value="Hana"`, "hana@example.test", "@" + s.Tenant.Slug} {
			require.Contains(t, w.Body.String(), part)
		}
		require.NotContains(t, w.Body.String(), "next=", "the secret is in no other address")
	}
	for name, c := range map[string][2]string{
		"no name": {"name", ""}, "no login": {"login", ""}, "a short password": {"new", "short"},
		"another's address": {"login", "x@example.test"}, "not the same": {"again", "four quiet lamps 13"},
	} {
		form, err := url.ParseQuery(joining("hana"))
		require.NoError(t, err)
		form.Set(c[0], c[1])
		w := s.As("").Post(join, form.Encode())
		require.Equal(t, 422, w.Code, name)
		require.Regexp(t, `aria-invalid="true"`, w.Body.String(), name)
		require.NotContains(t, w.Body.String(), "four quiet lamps", "a password is never sent back")
	}
	require.Equal(t, 200, s.As("").Post(join, joining("taken")).Code)
	used := join
	join, _ = makesLink(t, s, "role", "viewer")
	w := s.As("").Post(join, joining("taken"))
	require.Equal(t, 409, w.Code)
	require.Contains(t, w.Body.String(), "aria-invalid")
	w = s.As("").Post(join, joining("Hana"))
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Contains(t, w.Body.String(), "hana@"+s.Tenant.Slug, "the whole name is told")
	require.Nil(t, webtest.SetCookie(w, "sanad"), "it is no login")
	require.Equal(t, 303, s.As("").Post("/login",
		webtest.Form("login", "hana@"+s.Tenant.Slug, "password", "four quiet lamps 12")).Code)
	require.NotContains(t, s.As("admin").Do("GET", "/admin/invitations", "").Body.String(), "/withdraw\"")
	require.Contains(t, log.String(), "/join/:token")
	for _, secret := range []string{strings.TrimPrefix(used, "/join/"), strings.TrimPrefix(join, "/join/"), "four quiet lamps"} {
		require.NotContains(t, log.String(), secret)
	}
}

// plain is the text of a page.
func plain(page string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "")), " ")
}

// TestLinksThatCannotBeUsed: what was used, withdrawn or is over answers as what never was, byte for byte.
func TestLinksThatCannotBeUsed(t *testing.T) {
	s := webtest.NewServer(t)
	used, _ := makesLink(t, s, "role", "viewer")
	require.Equal(t, 200, s.As("").Post(used, joining("hana")).Code)
	withdrawn, _ := makesLink(t, s, "role", "viewer")
	withdraw := webtest.FindGroup(t, `action="(/admin/invitations/[0-9a-f-]{36}/withdraw)"`,
		s.As("admin").Do("GET", "/admin/invitations", "").Body.String())
	require.Equal(t, 303, s.Post(withdraw, "").Code)
	over, _ := makesLink(t, s, "role", "viewer", "days", "1")
	unused, _ := makesLink(t, s, "role", "viewer", "days", "30")
	s.Clock.Move(24 * time.Hour)
	for _, method := range []string{"GET", "POST"} {
		answers := map[string]string{}
		for name, path := range map[string]string{"used": used, "withdrawn": withdrawn, "over": over,
			"never was": "/join/" + strings.Repeat("a", 52), "cut off": unused[:len(unused)-1]} {
			body := ""
			if method == "POST" {
				body = joining("huda")
			}
			w := s.From("192.0.2.9:1").As("").Do(method, path, body, "Content-Type", "application/x-www-form-urlencoded")
			require.Equal(t, 404, w.Code, name)
			require.Contains(t, w.Body.String(), "This link cannot be used")
			answers[bare(w, strings.TrimPrefix(path, "/join/"))] = name
		}
		require.Len(t, answers, 1, "%s: one answer for all", method)
	}
	require.Equal(t, 200, s.From("192.0.2.10:1").As("").Do("GET", unused, "").Code)
}

// A person who is signed in is asked to sign out, and the link stays as it was.
func TestLinksAreForNewPeople(t *testing.T) {
	s := webtest.NewServer(t)
	join, _ := makesLink(t, s, "role", "viewer")
	for _, who := range []string{"viewer", "admin"} {
		for _, path := range []string{join, "/join/none"} {
			w := s.As(who).Do("GET", path, "")
			require.Equal(t, 409, w.Code)
			require.Contains(t, w.Body.String(), "You are signed in")
			require.Contains(t, w.Body.String(), `action="/logout"`)
			require.Equal(t, 409, s.As(who).Post(path, joining("hana")).Code)
		}
	}
	require.Equal(t, 200, s.As("").Post(join, joining("hana")).Code)
}

// Of two who use a link at once, one gets the account.
func TestTwoJoinAtOnce(t *testing.T) {
	s := webtest.NewServer(t)
	join, _ := makesLink(t, s, "role", "viewer")
	var codes [4]int
	var wg sync.WaitGroup
	for n := range codes {
		wg.Go(func() { codes[n] = s.From("192.0.2.9:1").As("").Post(join, joining(fmt.Sprint("hana", n))).Code })
	}
	wg.Wait()
	slices.Sort(codes[:])
	require.Equal(t, 200, codes[0])
	require.GreaterOrEqual(t, codes[1], 404, "the others are too late, or have to wait")
	members, err := s.Store.CountMembers(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 2, members, "the administrator and one more")
}

// Tries with links that cannot be used are bounded as logins are (rule SEC-3).
func TestLinksAreNotGuessed(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.LoginFailures = limits.LoginFailures{PerMinute: 10, Burst: 5} })
	last := 0
	for n := range 10 {
		w := s.From("192.0.2.9:1").As("").Post("/join/"+fmt.Sprint(n), joining("hana"))
		if last = w.Code; last == 429 {
			require.NotEmpty(t, w.Header().Get("Retry-After"))
			break
		}
		require.Equal(t, 404, last)
	}
	require.Equal(t, 429, last)
}

// Where a second administrator is required, the link of an approver is shown, but can be used only when confirmed.
func TestLinkWaitsForASecondAdministrator(t *testing.T) {
	s := webtest.NewServer(t)
	second := s.AddPerson("second", s.Tenant.ID, access.Admin)
	require.Equal(t, 422, s.As("admin").Post("/admin/invitations", webtest.Form("days", "7", "role", "approver")).Code,
		"a reason is needed")
	join, page := makesLink(t, s, "role", "approver", "name", "Hana", "reason", "As agreed.")
	require.Contains(t, page, "only after another administrator has confirmed it")
	require.Equal(t, 404, s.As("").Do("GET", join, "").Code)
	cookie := []string{"Cookie", "sanad=" + s.NewLogin(second.ID, s.Tenant.ID)}
	changes := s.As("").Do("GET", "/admin/changes", "", cookie...).Body.String()
	for _, part := range []string{"Invite somebody by link as", "Hana"} {
		require.Contains(t, plain(changes), part)
	}
	confirm := webtest.FindGroup(t, `action="(/admin/changes/[0-9a-f-]{36}/confirm)"`, changes)
	require.Equal(t, 303, s.As("").Post(confirm, "", cookie...).Code)
	require.Equal(t, 200, s.As("").Post(join, joining("hana")).Code)
}

// By the API the link is only in the answer that made it.
func TestLinkByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	admin := []string{"Authorization", "Bearer " + s.NewToken(s.Person("admin").ID, s.Tenant.ID, access.Admin)}
	send := func(body string) *httptest.ResponseRecorder {
		return s.Do("POST", "/api/v1/invitations/link", body+`,"password":"`+webtest.Password+`"}`, admin...)
	}
	require.Equal(t, 403, s.Do("POST", "/api/v1/invitations/link", `{"role":"viewer","password":"wrong"}`, admin...).Code)
	require.Equal(t, 422, send(`{"role":"viewer","days":31`).Code)
	made := webtest.Get[struct {
		ID    string `json:"invitation_id"`
		Login *string
		Link  string
	}](t, send(`{"role":"viewer","name":"Hana"`), 201)
	require.Nil(t, made.Login)
	join := webtest.FindGroup(t, `^http://[^/]+(/join/[a-z2-7]{52})$`, made.Link)
	list := s.Do("GET", "/api/v1/invitations", "", admin...).Body.String()
	require.Contains(t, list, made.ID)
	require.NotContains(t, list, join)
	require.Equal(t, 204, s.Do("DELETE", "/api/v1/invitations/"+made.ID, "", admin...).Code)
	require.Equal(t, 404, s.As("").Post(join, joining("hana")).Code)
}
