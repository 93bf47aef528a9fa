package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// showInvited shows the invitations of other organisations to the person.
func (s *server) showInvited(c echo.Context) error {
	l := s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	all, err := s.Store.InvitationsFor(c.Request().Context(), l.UserID)
	if err != nil {
		return err
	}
	page := accountsviews.NewInvitedPage(s.ChromeAt(c, "/account/invitations"), all)
	page.Confirm = s.ConfirmFirst(c)
	return s.Render(c, http.StatusOK, accountsviews.Invited(page))
}

// acceptInvitation makes the person a member of the organisation that invited them.
func (s *server) acceptInvitation(c echo.Context) error {
	if _, err := s.Store.AcceptInvitation(c.Request().Context(), s.Who(c), c.Param("invitation")); err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=joined")
}

// declineInvitation hides an invitation; who sent it is not told.
func (s *server) declineInvitation(c echo.Context) error {
	if err := s.Store.DeclineInvitation(c.Request().Context(), s.Who(c), c.Param("invitation")); err != nil {
		return err
	}
	return web.SeeOther(c, "/account/invitations?done=declined")
}

// showJoin shows the form by which somebody with a link makes their account. Looking at it does not use the link.
func (s *server) showJoin(c echo.Context) error {
	if s.SignedIn(c) != nil {
		return s.joinOther(c, http.StatusConflict, accountsviews.JoinForm{Message: accountsviews.JoinSignedIn})
	}
	return s.joinPage(c, http.StatusOK, db.HashToken(c.Param("token")), accountsviews.JoinForm{First: true})
}

// join makes the account and uses the link up. A link that was used or withdrawn, whose time is over, and one that
// never was get the same answer after the same work; tries are bounded as logins are, and nobody hashes a password
// without a link that can be used.
func (s *server) join(c echo.Context) error {
	if s.SignedIn(c) != nil {
		return s.joinOther(c, http.StatusConflict, accountsviews.JoinForm{Message: accountsviews.JoinSignedIn})
	}
	ctx, hash := c.Request().Context(), db.HashToken(c.Param("token"))
	form := accountsviews.JoinForm{Login: web.FirstRunes(c.FormValue("login"), web.MaxLoginName),
		Name: web.FirstRunes(c.FormValue("name"), web.MaxLoginName)}
	var u db.User
	ok, wait, err := s.Attempt(c, limits.Try{Key: s.Keys.MAC("join", hash)}, func() (usable bool, err error) {
		i, err := s.Store.InvitationByLink(ctx, hash)
		if err == nil {
			u, form.Fault, err = s.joinAs(c, hash, &i, form)
		}
		if domain.KindOf(err) == domain.NotFound {
			return false, nil
		}
		return err == nil, err
	})
	switch {
	case limits.IsBusy(err):
		form.Message = accountsviews.LoginBusy
		return s.joinPage(c, limits.Busy(c), hash, form)
	case wait > 0:
		form.Message, form.Wait = accountsviews.LoginWait, wait
		return s.joinPage(c, limits.TooMany(c, wait), hash, form)
	case err == nil && !ok:
		return s.joinOther(c, http.StatusNotFound, accountsviews.JoinForm{Message: accountsviews.JoinOver})
	case err == nil && form.Fault == nil:
		form.Login = u.Login
		return s.Render(c, http.StatusOK,
			accountsviews.Joined(accountsviews.NewJoinPage(s.Chrome(c), &access.Invitation{}, form)))
	}
	status := http.StatusUnprocessableEntity
	if err != nil {
		form.Fault = web.FormFault(err, "login", nil)
		if status = web.FaultOf(err).Status; form.Fault == nil {
			return err
		}
	}
	return s.joinPage(c, status, hash, form)
}

// joinAs makes the account, unless the password may not be chosen.
func (s *server) joinAs(c echo.Context, hash string, i *access.Invitation,
	form accountsviews.JoinForm) (u db.User, fault *ui.FormFault, err error) {
	ctx, password := c.Request().Context(), c.FormValue("new")
	t, err := s.Store.Tenant(ctx, i.Tenant)
	if err != nil {
		return u, nil, err
	}
	if err := auth.CheckPassword(auth.NewPassword{Password: password, Login: access.FoldLogin(form.Login),
		Names: []string{form.Name, i.Email, t.Slug, t.Name}, Forbidden: s.Forbidden}); err != nil {
		fault = web.FormFault(err, "new", nil)
		fault.Field = "new"
		return u, fault, nil
	}
	if password != c.FormValue("again") {
		return u, web.FieldFault("again", "password_again"), nil
	}
	u = db.User{Login: form.Login, Name: form.Name}
	if u.Password, err = s.Hasher.Hash(ctx, password); err != nil {
		return u, nil, err
	}
	u, err = s.Store.Join(ctx, s.From(c, access.Actor{}), hash, u)
	return u, nil, err
}

// joinPage shows the form of an invitation, or that the link cannot be used.
func (s *server) joinPage(c echo.Context, status int, hash string, form accountsviews.JoinForm) error {
	ctx := c.Request().Context()
	i, err := s.Store.InvitationByLink(ctx, hash)
	if domain.KindOf(err) == domain.NotFound {
		if form.Message == "" {
			return s.joinOther(c, http.StatusNotFound, accountsviews.JoinForm{Message: accountsviews.JoinOver})
		}
		return s.joinOther(c, status, form)
	}
	if err != nil {
		return err
	}
	if form.Scope, err = s.Store.AccountScope(ctx, i.Tenant); err != nil {
		return err
	}
	t, err := s.Store.Tenant(ctx, i.Tenant)
	if err != nil {
		return err
	}
	chrome := s.Chrome(c)
	chrome.Keep(t.TimeZone) // whoever invited reads the link's end in it
	return s.Render(c, status, accountsviews.Join(accountsviews.NewJoinPage(chrome, &i, form)))
}

// joinOther shows why a link makes no account now.
func (s *server) joinOther(c echo.Context, status int, why accountsviews.JoinForm) error {
	return s.Render(c, status,
		accountsviews.JoinNot(accountsviews.NewJoinPage(s.Chrome(c), &access.Invitation{}, why)))
}

// apiInvited is an invitation as the person whom it is for sees it.
type apiInvited struct {
	ID            string `json:"invitation_id"`
	Organisation  string `json:"organisation"`
	Role          string `json:"role"`
	InvitedByName string `json:"invited_by_name"`
	InvitedAt     string `json:"invited_at"`
	ExpiresAt     string `json:"expires_at"`
}

func newAPIInvited(i access.Invitation) apiInvited {
	return apiInvited{ID: i.ID, Organisation: i.TenantName, Role: string(i.Role), InvitedByName: i.ByName,
		InvitedAt: web.FormatTime(i.At), ExpiresAt: web.FormatTime(i.ExpiresAt)}
}

// apiInvitedRows answers GET /account/invitations.
type apiInvitedRows struct {
	Invitations []apiInvited `json:"invitations"`
}

func (s *server) apiListInvited(c echo.Context) error {
	who := s.Who(c)
	if !who.Human {
		return web.MachineDenied()
	}
	all, err := s.Store.InvitationsFor(c.Request().Context(), who.ID)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiInvitedRows{web.Map(all, newAPIInvited)})
}

func (s *server) apiAcceptInvitation(c echo.Context, in confirmInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	i, err := s.Store.AcceptInvitation(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusOK, Body: newAPIInvited(i)}, err
}

func (s *server) apiDeclineInvitation(c echo.Context) (web.Reply, error) {
	who := s.Who(c)
	if !who.Human {
		return web.Reply{}, web.MachineDenied()
	}
	err := s.Store.DeclineInvitation(c.Request().Context(), who, c.Param("id"))
	return web.Reply{Status: http.StatusNoContent}, err
}
