package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// showUser shows one person of the tenant, with what may be changed.
func (s *server) showUser(c echo.Context) error { return s.userPage(c, http.StatusOK, nil) }

func (s *server) userPage(c echo.Context, status int, fault *ui.FormFault) error {
	who := s.Who(c)
	m, err := s.Store.Member(c.Request().Context(), who.Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	page := accountsviews.NewUserPage(s.Chrome(c), m, who.ID, fault)
	if page.AskReason, err = s.Store.DemandsSecond(c.Request().Context(), who.Tenant); err != nil {
		return err
	}
	page.Reason, page.Confirm = c.FormValue("reason"), s.ConfirmFirst(c)
	if m.ID != who.ID {
		if page.Deputies, err = s.deputyPanel(c, m.ID, fault); err != nil {
			return err
		}
	}
	if fault != nil && fault.Field == "title" {
		page.Person.Title = c.FormValue("title")
	}
	if role := access.Role(c.FormValue("role")); role.Valid() {
		page.Roles = page.RoleOptions(role)
	}
	return s.Render(c, status, accountsviews.User(page))
}

// changed answers a change of a person: 303, or the page again with what is wrong beside field.
func (s *server) changed(c echo.Context, err error, field, done string) error {
	if fault := web.FormFault(err, field,
		map[domain.Kind]string{domain.Denied: "other_tenants"}); fault != nil {
		if fault.Word == "" && domain.KindOf(err) == domain.Conflict {
			fault.Word = "last_admin"
		}
		if fault.Field == "reason" {
			fault.Field = field + ".reason"
		}
		return s.userPage(c, web.FaultOf(err).Status, fault)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/users/"+c.Param("id")+"?done="+done)
}

// setRole changes a person's role.
func (s *server) setRole(c echo.Context) error {
	err := s.Store.SetRole(c.Request().Context(), s.WhoBecause(c), c.Param("id"), access.Role(c.FormValue("role")))
	return s.changed(c, err, "role", "role")
}

// setTitle changes a person's job title.
func (s *server) setTitle(c echo.Context) error {
	err := s.Store.SetTitle(c.Request().Context(), s.Who(c), c.Param("id"), c.FormValue("title"))
	return s.changed(c, err, "title", "title")
}

// disableUser shuts a user out of the tenant; their next request is refused.
func (s *server) disableUser(c echo.Context) error {
	err := s.Store.SetMemberDisabled(c.Request().Context(), s.WhoBecause(c), c.Param("id"), true)
	return s.changed(c, err, "state", "disabled")
}

// enableUser lets a user in again.
func (s *server) enableUser(c echo.Context) error {
	err := s.Store.SetMemberDisabled(c.Request().Context(), s.WhoBecause(c), c.Param("id"), false)
	return s.changed(c, err, "state", "enabled")
}

// removeTOTP removes the second step of a user who belongs to this tenant only and has lost the device.
func (s *server) removeTOTP(c echo.Context) error {
	err := s.Store.SetTOTP(c.Request().Context(), s.WhoBecause(c), c.Param("id"), nil, nil)
	return s.changed(c, err, "totp", "totp_off")
}

// renewPassword sets a new random password for a user who belongs to this tenant only; the answer shows it once. For
// one's own password there is the account page, which asks for the current one.
func (s *server) renewPassword(c echo.Context) error {
	ctx, who := c.Request().Context(), s.WhoBecause(c)
	m, err := s.Store.Member(ctx, who.Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	if m.ID == who.ID {
		return web.SeeOther(c, "/account#password")
	}
	password := auth.RandomPassword()
	phc, err := s.Hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	err = s.Store.SetPassword(ctx, who, m.ID, db.NewPassword{PHC: phc})
	if web.FormFault(err, "password", nil) != nil {
		return s.changed(c, err, "password", "")
	}
	return s.showPassword(c, err, m.Name, m.Login, password, false)
}
