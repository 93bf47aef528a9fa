package accounts

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// joinPath begins the address of an invitation by link; the link's secret follows.
const joinPath = "/join/"

// showInvitations lists the invitations that wait, with the forms for another one.
func (s *server) showInvitations(c echo.Context) error {
	typed := s.Typed(c)
	return s.invitationsPage(c, http.StatusOK, accountsviews.InviteForm{Login: typed.Get("login"),
		Name: typed.Get("name"), Email: typed.Get("email"), Days: cmp.Or(typed.Get("days"), strconv.Itoa(access.LinkDays)),
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
	if form.Scope, err = s.Store.AccountScope(ctx, who.Tenant); err != nil {
		return err
	}
	form.Confirm, form.Reason = s.ConfirmFirst(c), c.FormValue("reason")
	return s.Render(c, status,
		accountsviews.Invitations(accountsviews.NewInvitationsPage(s.ChromeAt(c, "/admin/invitations"), all, form)))
}

// invite invites a name, or makes a link if the form has no field for one. For a name the answer is the same whether
// anybody has it.
func (s *server) invite(c echo.Context) error {
	if !c.Request().PostForm.Has("login") {
		return s.inviteByLink(c)
	}
	form := accountsviews.InviteForm{Login: c.FormValue("login"), Role: access.Role(c.FormValue("role")),
		Days: strconv.Itoa(access.LinkDays)}
	_, err := s.Store.Invite(c.Request().Context(), s.WhoBecause(c), form.Login, form.Role)
	if form.Fault = web.FormFault(err, "login", nil); form.Fault != nil {
		return s.invitationsPage(c, web.FaultOf(err).Status, form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/invitations?done=sent")
}

// inviteByLink makes an invitation whose link only this answer shows, also if it can be used only after a second
// administrator has confirmed it.
func (s *server) inviteByLink(c echo.Context) error {
	form := accountsviews.InviteForm{ByLink: true, Name: c.FormValue("name"), Email: c.FormValue("email"),
		Days: c.FormValue("days"), Role: access.Role(c.FormValue("role"))}
	days, err := strconv.Atoi(strings.TrimSpace(form.Days))
	if err != nil {
		days = 0 // refused
	}
	link := access.Link{Role: form.Role, Name: form.Name, Email: form.Email, Days: days}
	i, at, err := s.makeLink(c, s.WhoBecause(c), &link)
	if form.Fault = web.FormFault(err, "", nil); form.Fault != nil {
		return s.invitationsPage(c, web.FaultOf(err).Status, form)
	}
	var waits *db.AskedError
	if err != nil && !errors.As(err, &waits) {
		return err
	}
	page := accountsviews.NewLinkPage(s.ChromeAt(c, "/admin/invitations"), &i, days, at, waits != nil)
	return s.Render(c, http.StatusOK, accountsviews.Link(page))
}

// makeLink makes an invitation and returns its link, of which only the hash is stored.
func (s *server) makeLink(c echo.Context, who access.Actor, link *access.Link) (access.Invitation, string, error) {
	secret := auth.NewLink()
	link.Hash = db.HashToken(secret)
	i, err := s.Store.InviteByLink(c.Request().Context(), who, *link)
	return i, s.Base(c.Request()) + joinPath + secret, err
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
	ID        string  `json:"invitation_id"`
	Login     *string `json:"login"` // null for a link; whether anybody has it is not said
	Name      *string `json:"name"`  // proposed for the account that a link makes, null if none
	Email     *string `json:"email"` // of that account, null if none
	Role      string  `json:"role"`
	InvitedBy string  `json:"invited_by"`
	InvitedAt string  `json:"invited_at"`
	ExpiresAt string  `json:"expires_at"`
	Usable    bool    `json:"usable"` // false while who sent it may not invite with this role
}

func newAPIInvitation(i access.Invitation) apiInvitation {
	return apiInvitation{ID: i.ID, Login: web.OrNull(i.Login), Name: web.OrNull(i.Name), Email: web.OrNull(i.Email),
		Role: string(i.Role), InvitedBy: i.By, InvitedAt: web.FormatTime(i.At), ExpiresAt: web.FormatTime(i.ExpiresAt),
		Usable: !i.Void}
}

// apiInvitationLink is a new invitation with its link, which is only in this answer.
type apiInvitationLink struct {
	apiInvitation
	Link string `json:"link"`
}

// apiInvitationLinkAsked is a request for an invitation with its link, which is only in this answer and can be used once a second
// administrator has confirmed it.
type apiInvitationLinkAsked struct {
	web.APIChange
	Link string `json:"link"`
}

// linkInput is the body of POST /invitations/link.
type linkInput struct {
	Role     string `json:"role"`
	Name     string `json:"name,omitempty"`  // proposed for the account
	Email    string `json:"email,omitempty"` // of the account
	Days     int    `json:"days,omitempty"`  // how long the link can be used, 7 by default
	Reason   string `json:"reason,omitempty"`
	Password string `json:"password"`
	Code     string `json:"code,omitempty"`
}

func (s *server) apiInviteByLink(c echo.Context) error {
	var in linkInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return err
	}
	who := s.Who(c)
	who.Why = in.Reason
	i, link, err := s.makeLink(c, who, &access.Link{Role: access.Role(in.Role), Name: in.Name, Email: in.Email,
		Days: cmp.Or(in.Days, access.LinkDays)})
	var waits *db.AskedError
	if errors.As(err, &waits) {
		c.Response().Header().Set("Location", "/api/v1/changes/"+waits.Request.ID)
		return web.SendJSON(c, http.StatusAccepted, apiInvitationLinkAsked{web.NewAPIChange(waits.Request), link})
	}
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusCreated, apiInvitationLink{newAPIInvitation(i), link})
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
