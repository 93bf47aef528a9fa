package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/handlers/web"
	"sanad/internal/views/ui"
)

// changePassword takes the current password and a new one, and signs the person's other browsers out.
func (s *server) changePassword(c echo.Context) error {
	if err := web.SmallForm(c); err != nil {
		return err
	}
	ctx, l := c.Request().Context(), s.SignedIn(c)
	if l == nil || l.User.Password == "" {
		return web.NotFound()
	}
	fault, err := s.checkChange(c, l)
	if err != nil {
		return err
	}
	if fault != nil {
		return s.accountPage(c, http.StatusUnprocessableEntity, fault)
	}
	phc, err := s.Hasher.Hash(ctx, c.FormValue("new"))
	if err != nil {
		return err
	}
	if err := s.Store.SetPassword(ctx, s.Who(c), l.UserID, phc, l.ID); err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=password")
}

// checkChange returns what is wrong with a change of password. The current password is checked last, because only a
// wrong one counts as a failure and slows the next try down.
func (s *server) checkChange(c echo.Context, l *db.SignedIn) (*ui.FormFault, error) {
	fresh := c.FormValue("new")
	if err := auth.CheckPassword(fresh, l.User.Login); err != nil {
		f := web.FormFault(err, "new", nil)
		f.Field = "new"
		return f, nil
	}
	if fresh != c.FormValue("again") {
		return web.FieldFault("again", "password_again"), nil
	}
	ctx, key := c.Request().Context(), s.ProofKey(l.UserID)
	ok, wait, err := s.Attempt(c, key, l.UserID,
		func() (bool, error) { return s.CheckPassword(ctx, &l.User, c.FormValue("current")) })
	switch {
	case err != nil:
		return nil, err
	case wait > 0:
		return web.FieldFault("current", "password_wait"), nil
	case !ok:
		return web.FieldFault("current", "password_wrong"), nil
	}
	return nil, s.Store.LoginSucceeded(ctx, key)
}
