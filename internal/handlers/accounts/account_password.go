package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/handlers/web"
	"sanad/internal/views/ui"
)

// changePassword takes the current password and a new one, signs the person's other browsers out, and ends their API
// tokens unless they say otherwise.
func (s *server) changePassword(c echo.Context) error {
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
	keep := c.FormValue("keep_tokens") != ""
	err = s.Store.SetPassword(ctx, s.Who(c), l.UserID, db.NewPassword{PHC: phc, KeepLogin: l.ID, KeepTokens: keep})
	if err != nil {
		return err
	}
	l.User.Password = phc // all browsers are forgotten but this one
	if err := s.KnowDevice(c, &l.User); err != nil {
		return err
	}
	if keep {
		return web.SeeOther(c, "/account?done=password_only")
	}
	return web.SeeOther(c, "/account?done=password")
}

// checkChange returns what is wrong with a change of password. The current password is checked last, because only a
// wrong one counts as a failure and slows the next try down.
func (s *server) checkChange(c echo.Context, l *db.SignedIn) (*ui.FormFault, error) {
	fresh := c.FormValue("new")
	names := []string{l.User.Name, l.User.Email, l.User.Contact, l.Tenant.Slug, l.Tenant.Name}
	if err := auth.CheckPassword(auth.NewPassword{Password: fresh, Login: l.User.Login, Names: names,
		WithCode: l.User.TOTP != nil, Forbidden: s.Forbidden}); err != nil {
		f := web.FormFault(err, "new", nil)
		f.Field = "new"
		return f, nil
	}
	if fresh != c.FormValue("again") {
		return web.FieldFault("again", "password_again"), nil
	}
	return s.checkOwn(c, l, "current")
}

// checkOwn compares a field of a form with the person's password. It returns what is wrong with it. The password alone
// ends the count of failures only where no one-time code is asked for: else who knows it could guess codes without end.
func (s *server) checkOwn(c echo.Context, l *db.SignedIn, field string) (*ui.FormFault, error) {
	ctx, try := c.Request().Context(), s.ProofTry(c, l.UserID)
	ok, wait, err := s.Attempt(c, try,
		func() (bool, error) { return s.CheckPassword(ctx, &l.User, c.FormValue(field)) })
	switch {
	case err != nil:
		return nil, err
	case wait > 0:
		return web.FieldFault(field, "password_wait"), nil
	case !ok:
		return web.FieldFault(field, "password_wrong"), nil
	}
	if l.User.TOTP != nil {
		return nil, nil
	}
	return nil, s.Store.LoginSucceeded(ctx, try.Key)
}
