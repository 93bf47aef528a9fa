package accounts

import (
	"cmp"
	"errors"
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

// showAdmin leads to the first of the administration pages.
func (s *server) showAdmin(c echo.Context) error { return web.SeeOther(c, "/admin/users") }

// listUsers shows the people of the tenant.
func (s *server) listUsers(c echo.Context) error {
	typed := s.Typed(c)
	return s.usersPage(c, http.StatusOK, accountsviews.UserForm{
		Login: typed.Get("login"), Name: typed.Get("name"), Email: typed.Get("email"),
		Role: cmp.Or(access.Role(typed.Get("role")), access.Viewer),
	})
}

func (s *server) usersPage(c echo.Context, status int, form accountsviews.UserForm) error {
	ctx, who, list := c.Request().Context(), s.Who(c), ui.AdminList{After: c.QueryParam("after")}
	members, next, err := s.Store.MembersPage(ctx, who.Tenant, list.After, web.RowsPerPage)
	if err != nil {
		return err
	}
	list.Next = next
	if list.Total, err = s.Store.CountMembers(ctx, who.Tenant); err != nil {
		return err
	}
	if form.AskReason, err = s.Store.DemandsSecond(ctx, who.Tenant); err != nil {
		return err
	}
	if form.Scope, err = s.Store.AccountScope(ctx, who.Tenant); err != nil {
		return err
	}
	requests, err := s.Store.ChangeRequests(ctx, who, mostChanges)
	if err != nil {
		return err
	}
	form.Confirm, form.Reason = s.ConfirmFirst(c), c.FormValue("reason")
	in := accountsviews.UsersInput{People: members, Requests: requests, Self: who.ID, List: list, Form: form}
	return s.Render(c, status, accountsviews.Users(accountsviews.NewUsersPage(s.Chrome(c), in)))
}

// addUser creates a user with a random password, which the answer shows once.
func (s *server) addUser(c echo.Context) error {
	form := accountsviews.UserForm{
		Login: c.FormValue("login"), Name: c.FormValue("name"), Email: c.FormValue("email"),
		Role: access.Role(c.FormValue("role")),
	}
	ctx, password := c.Request().Context(), auth.RandomPassword()
	phc, err := s.Hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	u, err := s.Store.AddUser(ctx, s.WhoBecause(c),
		db.User{Login: form.Login, Name: form.Name, Email: form.Email, Password: phc}, form.Role)
	if form.Fault = web.FormFault(err, "login",
		map[domain.Kind]string{domain.Conflict: "login_taken"}); form.Fault != nil {
		return s.usersPage(c, web.FaultOf(err).Status, form)
	}
	return s.showPassword(c, err, u.Name, u.Login, password, true)
}

// showPassword shows a new password once, also if it is valid only after a second administrator has confirmed it.
func (s *server) showPassword(c echo.Context, err error, name, login, password string, added bool) error {
	var waits *db.AskedError
	if err != nil && !errors.As(err, &waits) {
		return err
	}
	page := accountsviews.NewPasswordPage(s.Chrome(c), name, login, password, added)
	page.Waits = waits != nil
	return s.Render(c, http.StatusOK, accountsviews.Password(page))
}
