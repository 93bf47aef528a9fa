package handlers

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// rowsPerPage is how many people or tokens a page lists; maxChoices is how many of them a form offers to choose from.
const (
	rowsPerPage = 100
	maxChoices  = 500
)

// showAdmin leads to the first of the administration pages.
func (s *Server) showAdmin(c echo.Context) error { return seeOther(c, "/admin/users") }

// listUsers shows the people of the tenant.
func (s *Server) listUsers(c echo.Context) error {
	role := cmp.Or(domain.Role(c.QueryParam("role")), domain.Viewer)
	return s.usersPage(c, http.StatusOK, accountsviews.UserForm{ // as typed before the password was asked for, see withTyped
		Login: c.QueryParam("login"), Name: c.QueryParam("name"), Email: c.QueryParam("email"), Role: role,
	})
}

func (s *Server) usersPage(c echo.Context, status int, form accountsviews.UserForm) error {
	ctx, who, list := c.Request().Context(), s.who(c), ui.AdminList{After: c.QueryParam("after")}
	members, next, err := s.store.MembersPage(ctx, who.Tenant, list.After, rowsPerPage)
	if err != nil {
		return err
	}
	list.Next = next
	if list.Total, err = s.store.CountMembers(ctx, who.Tenant); err != nil {
		return err
	}
	rows := make([]accountsviews.MemberRow, len(members))
	for i, m := range members {
		rows[i] = memberRow(m, who.ID)
	}
	form.Confirm = s.confirmFirst(c)
	return s.render(c, status, accountsviews.Users(accountsviews.NewUsersPage(s.chrome(c), rows, list, form)))
}

// confirmFirst is where the password is given again, "" while it is fresh. A page with fields to fill in offers it before
// they are, as what was typed would be lost on the way.
func (s *Server) confirmFirst(c echo.Context) string {
	if s.hasReauthed(c) {
		return ""
	}
	return withNext("/confirm", c.Request().URL.Path)
}

func memberRow(m db.Member, self string) accountsviews.MemberRow {
	return accountsviews.MemberRow{
		ID: m.ID, Name: m.Name, Login: m.Login, Email: m.Email, Role: m.Role, TOTP: m.TOTP != nil, Disabled: m.Disabled,
		Everywhere: m.User.Disabled, SeenAt: m.SeenAt, Others: m.Others, Self: m.ID == self,
	}
}

// addUser makes a person with a random password, which the answer shows once.
func (s *Server) addUser(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	form := accountsviews.UserForm{
		Login: c.FormValue("login"), Name: c.FormValue("name"), Email: c.FormValue("email"), Role: domain.Role(c.FormValue("role")),
	}
	ctx, password := c.Request().Context(), auth.RandomPassword()
	phc, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	u, err := s.store.AddUser(ctx, s.who(c), db.User{Login: form.Login, Name: form.Name, Email: form.Email, Password: phc}, form.Role)
	if form.Fault = formFault(err, "login", map[domain.Kind]string{domain.Conflict: "login_taken"}); form.Fault != nil {
		return s.usersPage(c, faultOf(err).status, form)
	}
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, accountsviews.Password(accountsviews.NewPasswordPage(s.chrome(c), u.Name, u.Login, password, true)))
}
