package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
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
