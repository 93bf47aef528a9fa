package handlers

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
)

// stepUp asks who acts for the password again, and for the one-time code where they have that, slowed down as /confirm is
// (rule P-13). Somebody without a password gives it at the organisation's provider, in a login of the last
// minutes; a token cannot do that.
func (s *Server) stepUp(c echo.Context, password, code string) error {
	ctx, who := c.Request().Context(), s.who(c)
	if !who.Human {
		return machineDenied()
	}
	u, err := s.store.User(ctx, who.ID)
	if err != nil {
		return err
	}
	if u.Password == "" {
		if who.Token == "" && s.hasReauthed(c) {
			return nil
		}
		return &domain.Error{Kind: domain.Denied, Msg: "You sign in with your organisation's login and have no password here: do this on the page, which asks you to sign in again."}
	}
	if password == "" {
		return domain.Invalidf("password", "Give your password.")
	}
	key := s.proofKey(u.ID)
	ok, wait, err := s.attempt(c, key, u.ID, func() (bool, error) {
		if ok, err := s.checkPassword(ctx, &u, password); err != nil || !ok || u.TOTP == nil {
			return ok, err
		}
		return s.checkCode(ctx, who, &u, code)
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return withStatus(tooMany(c, wait), &domain.Error{Kind: domain.Denied,
			Msg: "The password was wrong several times; wait " + wait.Round(time.Second).String() + " before the next try."})
	case !ok:
		return withStatus(http.StatusForbidden, &domain.Error{Kind: domain.Denied, Path: "password", Msg: wrongProof(&u)})
	}
	return s.store.LoginSucceeded(ctx, key)
}

// wrongProof says what was wrong without telling which of two it was.
func wrongProof(u *db.User) string {
	if u.TOTP == nil {
		return "This is not your password."
	}
	return "The password or the one-time code (as code) is wrong."
}
