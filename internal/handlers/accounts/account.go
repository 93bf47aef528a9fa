package accounts

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// showAccount shows what users may see and change of their own account.
func (s *server) showAccount(c echo.Context) error { return s.accountPage(c, http.StatusOK, nil) }

// accountPage shows the account, with what is wrong with one of its forms.
func (s *server) accountPage(c echo.Context, status int, fault *ui.FormFault) error {
	return s.accountTyped(c, status, ownTokenForm{days: strconv.Itoa(tokenDays), fault: fault})
}

// accountTyped is accountPage with what was typed into the form of an own token.
func (s *server) accountTyped(c echo.Context, status int, form ownTokenForm) error {
	ctx, l := c.Request().Context(), s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	memberships, err := s.Store.Memberships(ctx, l.UserID)
	if err != nil {
		return err
	}
	logins, err := s.Store.Logins(ctx, l.UserID)
	if err != nil {
		return err
	}
	changes, err := s.accountChanges(ctx, l.TenantID, l.UserID)
	if err != nil {
		return err
	}
	tokens, err := s.Store.OwnTokens(ctx, l.TenantID, l.UserID)
	if err != nil {
		return err
	}
	invited, err := s.Store.InvitationsFor(ctx, l.UserID)
	if err != nil {
		return err
	}
	mail, err := s.mailPanel(c)
	if err != nil {
		return err
	}
	deputies, err := s.deputyPanel(c, l.UserID, form.fault)
	if err != nil {
		return err
	}
	in := accountsviews.AccountInput{
		Deputies: deputies,
		Mail:     mail,
		Invited:  len(invited),
		Changes:  changes, Tokens: tokens, TokenName: form.name, TokenDays: form.days,
		TokenNarrowing: form.narrowing, MustEnrol: s.Who(c).Unproven,
		Name: l.User.Name, Title: l.Title, Login: l.User.Login, Email: l.User.Email, Contact: l.User.Contact, Role: l.Role,
		HasPassword: l.User.Password != "", HasTOTP: l.User.TOTP != nil, Tenants: tenantRows(memberships, l.TenantID),
		Devices: logins, Here: l.ID, Fault: form.fault, KeepTokens: c.FormValue("keep_tokens") != "",
	}
	if form.title != "" {
		in.Title = form.title
	}
	return s.Render(c, status, accountsviews.Account(accountsviews.NewAccountPage(s.Chrome(c), in)))
}

// saveTitle sets one's own job title here.
func (s *server) saveTitle(c echo.Context) error {
	who := s.Who(c)
	err := s.Store.SetTitle(c.Request().Context(), who, who.ID, c.FormValue("title"))
	if fault := web.FormFault(err, "title", nil); fault != nil {
		return s.accountTyped(c, web.FaultOf(err).Status,
			ownTokenForm{days: strconv.Itoa(tokenDays), fault: fault, title: c.FormValue("title")})
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=title")
}

// apiJobTitle is one's own job title here.
type apiJobTitle struct {
	Title string `json:"title"` // "" for none
}

func (s *server) apiShowTitle(c echo.Context) error {
	who := s.Who(c)
	if !who.Human {
		return web.MachineDenied()
	}
	return web.SendJSON(c, http.StatusOK, apiJobTitle{Title: who.Title})
}

func (s *server) apiSetTitle(c echo.Context) (web.Reply, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	if !who.Human {
		return web.Reply{}, web.MachineDenied()
	}
	var in apiJobTitle
	if err := web.Decode(c, &in); err != nil {
		return web.Reply{}, err
	}
	if err := s.Store.SetTitle(ctx, who, who.ID, in.Title); err != nil {
		return web.Reply{}, err
	}
	m, err := s.Store.Member(ctx, who.Tenant, who.ID)
	return web.Reply{Status: http.StatusOK, Body: apiJobTitle{Title: m.Title}}, err
}

func tenantRows(in []db.Membership, current string) []accountsviews.TenantRow {
	var out []accountsviews.TenantRow
	for _, m := range in {
		if !m.Disabled {
			out = append(out, accountsviews.TenantRow{ID: m.Tenant.ID, Name: m.Tenant.Name, Role: m.Role,
				Current: m.Tenant.ID == current})
		}
	}
	return out
}

// switchTenant switches this browser to another of the user's tenants.
func (s *server) switchTenant(c echo.Context) error {
	l := s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	if err := s.Store.SwitchTenant(c.Request().Context(), s.Who(c), l.ID, c.FormValue("tenant")); err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=tenant")
}

// endDevice signs one of the person's browsers out.
func (s *server) endDevice(c echo.Context) error {
	if err := s.Store.EndLogin(c.Request().Context(), s.Who(c), c.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=device#devices")
}

// endOtherDevices signs all of the person's browsers out but this one.
func (s *server) endOtherDevices(c echo.Context) error {
	ctx, l := c.Request().Context(), s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	logins, err := s.Store.Logins(ctx, l.UserID)
	if err != nil {
		return err
	}
	for _, other := range logins {
		if other.ID == l.ID {
			continue
		}
		// ended by itself meanwhile
		if err := s.Store.EndLogin(ctx, s.Who(c), other.ID); err != nil && domain.KindOf(err) != domain.NotFound {
			return err
		}
	}
	return web.SeeOther(c, "/account?done=devices#devices")
}
