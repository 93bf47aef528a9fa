package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/domain"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// showUser shows one person of the tenant, with what may be changed.
func (s *Server) showUser(c echo.Context) error { return s.userPage(c, http.StatusOK, nil) }

func (s *Server) userPage(c echo.Context, status int, fault *ui.FormFault) error {
	who := s.who(c)
	m, err := s.store.Member(c.Request().Context(), who.Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return s.render(c, status, accountsviews.User(accountsviews.NewUserPage(s.chrome(c), memberRow(m, who.ID), fault)))
}

// changed answers a change of a person: 303, or the page again with what is wrong beside field.
func (s *Server) changed(c echo.Context, err error, field, done string) error {
	if fault := formFault(err, field, map[domain.Kind]string{domain.Conflict: "last_admin", domain.Denied: "other_tenants"}); fault != nil {
		return s.userPage(c, faultOf(err).status, fault)
	}
	if err != nil {
		return err
	}
	return seeOther(c, "/admin/users/"+c.Param("id")+"?done="+done)
}

// setRole changes a person's role.
func (s *Server) setRole(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	err := s.store.SetRole(c.Request().Context(), s.who(c), c.Param("id"), domain.Role(c.FormValue("role")))
	return s.changed(c, err, "role", "role")
}

// disableUser shuts a person out of the tenant, from the very next request on.
func (s *Server) disableUser(c echo.Context) error {
	err := s.store.SetMemberDisabled(c.Request().Context(), s.who(c), c.Param("id"), true)
	return s.changed(c, err, "state", "disabled")
}

// enableUser lets a person in again.
func (s *Server) enableUser(c echo.Context) error {
	err := s.store.SetMemberDisabled(c.Request().Context(), s.who(c), c.Param("id"), false)
	return s.changed(c, err, "state", "enabled")
}

// removeTOTP takes away the second step of a person who is in this tenant only and has lost the telephone.
func (s *Server) removeTOTP(c echo.Context) error {
	err := s.store.SetTOTP(c.Request().Context(), s.who(c), c.Param("id"), nil, nil)
	return s.changed(c, err, "totp", "totp_off")
}

// renewPassword gives a person who is in this tenant only a new random password, which the answer shows once. Who wants
// to change the own one does it on the account page, where the current one is asked for.
func (s *Server) renewPassword(c echo.Context) error {
	ctx, who := c.Request().Context(), s.who(c)
	m, err := s.store.Member(ctx, who.Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	if m.ID == who.ID {
		return seeOther(c, "/account#password")
	}
	password := auth.RandomPassword()
	phc, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	if err := s.store.SetPassword(ctx, who, m.ID, phc, ""); err != nil {
		return s.changed(c, err, "password", "")
	}
	return s.render(c, http.StatusOK, accountsviews.Password(accountsviews.NewPasswordPage(s.chrome(c), m.Name, m.Login, password, false)))
}
