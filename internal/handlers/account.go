package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// showAccount shows what a person may know and change of the own account.
func (s *Server) showAccount(c echo.Context) error { return s.accountPage(c, http.StatusOK, nil) }

// accountPage shows the account, with what is wrong with the password form.
func (s *Server) accountPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, l := c.Request().Context(), s.signedIn(c)
	if l == nil {
		return notFound()
	}
	memberships, err := s.store.Memberships(ctx, l.UserID)
	if err != nil {
		return err
	}
	logins, err := s.store.Logins(ctx, l.UserID)
	if err != nil {
		return err
	}
	in := accountsviews.AccountInput{
		Name: l.User.Name, Login: l.User.Login, Email: l.User.Email, Role: l.Role, HasPassword: l.User.Password != "",
		HasTOTP: l.User.TOTP != nil, Tenants: tenantRows(memberships, l.TenantID), Devices: deviceRows(logins, l.ID), Fault: fault,
	}
	return s.render(c, status, accountsviews.Account(accountsviews.NewAccountPage(s.chrome(c), in)))
}

func tenantRows(in []db.Membership, current string) []accountsviews.TenantRow {
	var out []accountsviews.TenantRow
	for _, m := range in {
		if !m.Disabled {
			out = append(out, accountsviews.TenantRow{ID: m.Tenant.ID, Name: m.Tenant.Name, Role: m.Role, Current: m.Tenant.ID == current})
		}
	}
	return out
}

func deviceRows(in []db.Login, current string) []accountsviews.DeviceRow {
	out := make([]accountsviews.DeviceRow, len(in))
	for i, l := range in {
		out[i] = accountsviews.DeviceRow{ID: l.ID, Agent: l.Agent, Address: l.Address, CreatedAt: l.CreatedAt, SeenAt: l.SeenAt, Current: l.ID == current}
	}
	return out
}

// switchTenant puts this browser into another of the person's tenants.
func (s *Server) switchTenant(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	l := s.signedIn(c)
	if l == nil {
		return notFound()
	}
	if err := s.store.SwitchTenant(c.Request().Context(), s.who(c), l.ID, c.FormValue("tenant")); err != nil {
		return err
	}
	return seeOther(c, "/account?done=tenant")
}

// endDevice signs one of the person's browsers out.
func (s *Server) endDevice(c echo.Context) error {
	if err := s.store.EndLogin(c.Request().Context(), s.who(c), c.Param("id")); err != nil {
		return err
	}
	return seeOther(c, "/account?done=device#devices")
}

// endOtherDevices signs all of the person's browsers out but this one.
func (s *Server) endOtherDevices(c echo.Context) error {
	ctx, l := c.Request().Context(), s.signedIn(c)
	if l == nil {
		return notFound()
	}
	logins, err := s.store.Logins(ctx, l.UserID)
	if err != nil {
		return err
	}
	for _, other := range logins {
		if other.ID == l.ID {
			continue
		}
		if err := s.store.EndLogin(ctx, s.who(c), other.ID); err != nil && domain.KindOf(err) != domain.NotFound { // ended by itself meanwhile
			return err
		}
	}
	return seeOther(c, "/account?done=devices#devices")
}
