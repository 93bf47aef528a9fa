package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/views/ui"
)

// changePassword takes the current password and a new one, and signs the person's other browsers out.
func (s *Server) changePassword(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, l := c.Request().Context(), s.signedIn(c)
	if l == nil || l.User.Password == "" {
		return notFound()
	}
	fault, err := s.checkChange(c, l)
	if err != nil {
		return err
	}
	if fault != nil {
		return s.accountPage(c, http.StatusUnprocessableEntity, fault)
	}
	phc, err := s.hasher.Hash(ctx, c.FormValue("new"))
	if err != nil {
		return err
	}
	if err := s.store.SetPassword(ctx, s.who(c), l.UserID, phc, l.ID); err != nil {
		return err
	}
	return seeOther(c, "/account?done=password")
}

// checkChange gives what is wrong with a change of password. The current one is checked last, as only that is slowed
// down by failures.
func (s *Server) checkChange(c echo.Context, l *db.SignedIn) (*ui.FormFault, error) {
	fresh := c.FormValue("new")
	if err := auth.CheckPassword(fresh, l.User.Login); err != nil {
		f := formFault(err, "new", nil)
		f.Field = "new"
		return f, nil
	}
	if fresh != c.FormValue("again") {
		return fieldFault("again", "password_again"), nil
	}
	ctx, key := c.Request().Context(), s.proofKey(l.UserID)
	ok, wait, err := s.attempt(c, key, l.UserID, func() (bool, error) { return s.checkPassword(ctx, &l.User, c.FormValue("current")) })
	switch {
	case err != nil:
		return nil, err
	case wait > 0:
		return fieldFault("current", "password_wait"), nil
	case !ok:
		return fieldFault("current", "password_wrong"), nil
	}
	return nil, s.store.LoginSucceeded(ctx, key)
}
