package accounts

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// showInvitations lists the invitations that wait, with the form for another one.
func (s *server) showInvitations(c echo.Context) error {
	typed := s.Typed(c)
	return s.invitationsPage(c, http.StatusOK, accountsviews.InviteForm{Login: typed.Get("login"),
		Role: cmp.Or(access.Role(typed.Get("role")), access.Viewer)})
}

func (s *server) invitationsPage(c echo.Context, status int, form accountsviews.InviteForm) error {
	ctx, who := c.Request().Context(), s.Who(c)
	all, err := s.Store.Invitations(ctx, who.Tenant)
	if err != nil {
		return err
	}
	if form.AskReason, err = s.Store.DemandsSecond(ctx, who.Tenant); err != nil {
		return err
	}
	form.Confirm, form.Reason = s.ConfirmFirst(c), c.FormValue("reason")
	return s.Render(c, status,
		accountsviews.Invitations(accountsviews.NewInvitationsPage(s.ChromeAt(c, "/admin/invitations"), all, form)))
}

// invite invites a name; the answer is the same whether anybody has it.
func (s *server) invite(c echo.Context) error {
	form := accountsviews.InviteForm{Login: c.FormValue("login"), Role: access.Role(c.FormValue("role"))}
	_, err := s.Store.Invite(c.Request().Context(), s.WhoBecause(c), form.Login, form.Role)
	if form.Fault = web.FormFault(err, "login", nil); form.Fault != nil {
		return s.invitationsPage(c, web.FaultOf(err).Status, form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/invitations?done=sent")
}

// withdrawInvitation takes one back.
func (s *server) withdrawInvitation(c echo.Context) error {
	if err := s.Store.WithdrawInvitation(c.Request().Context(), s.Who(c), c.Param("invitation")); err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/invitations?done=withdrawn")
}

// apiInvitation is an invitation as the tenant that sent it sees it.
type apiInvitation struct {
	ID        string `json:"invitation_id"`
	Login     string `json:"login"` // whether anybody has it is not said
	Role      string `json:"role"`
	InvitedBy string `json:"invited_by"`
	InvitedAt string `json:"invited_at"`
	ExpiresAt string `json:"expires_at"`
}

func newAPIInvitation(i access.Invitation) apiInvitation {
	return apiInvitation{ID: i.ID, Login: i.Login, Role: string(i.Role), InvitedBy: i.By, InvitedAt: web.FormatTime(i.At),
		ExpiresAt: web.FormatTime(i.ExpiresAt)}
}

// apiInvitations answers GET /invitations.
type apiInvitations struct {
	Invitations []apiInvitation `json:"invitations"`
}

func (s *server) apiListInvitations(c echo.Context) error {
	all, err := s.Store.Invitations(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiInvitations{web.Map(all, newAPIInvitation)})
}

// invitationInput is the body of POST /invitations.
type invitationInput struct {
	Login    string `json:"login"`
	Role     string `json:"role"`
	Reason   string `json:"reason,omitempty"` // where a second administrator is required
	Password string `json:"password"`
	Code     string `json:"code,omitempty"`
}

func (s *server) apiInvite(c echo.Context, in invitationInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	who := s.Who(c)
	who.Why = in.Reason
	i, err := s.Store.Invite(c.Request().Context(), who, in.Login, access.Role(in.Role))
	return web.Reply{Status: http.StatusCreated, Body: newAPIInvitation(i)}, err
}

func (s *server) apiWithdrawInvitation(c echo.Context) (web.Reply, error) {
	err := s.Store.WithdrawInvitation(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusNoContent}, err
}
