package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	accountsviews "sanad/internal/views/accounts"
)

// showConfirm asks a signed-in person for the password again (rule SEC-5).
func (s *Server) showConfirm(c echo.Context) error {
	return s.confirmPage(c, http.StatusOK, accountsviews.LoginForm{})
}

// confirm takes the password, with the one-time code where the login asked for one, and gives the login a new token.
func (s *Server) confirm(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, l := c.Request().Context(), s.signedIn(c)
	if l == nil {
		return notFound()
	}
	ok, wait, err := s.attempt(c, s.proofKey(l.UserID), l.UserID, func() (bool, error) {
		if ok, err := s.checkPassword(ctx, &l.User, c.FormValue("password")); err != nil || !ok || l.User.TOTP == nil {
			return ok, err
		}
		return s.checkCode(ctx, s.who(c), &l.User, c.FormValue("code"))
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return s.confirmPage(c, tooMany(c, wait), accountsviews.LoginForm{Fault: accountsviews.LoginWait, Wait: wait})
	case !ok:
		return s.confirmPage(c, http.StatusUnprocessableEntity, accountsviews.LoginForm{Fault: accountsviews.LoginWrong})
	}
	return s.freshen(c, l, s.localPath(c.QueryParam("next")))
}

// proofKey is under which failures of somebody who has shown who they are, by login or token, are counted: apart from those at the login page, so that
// strangers who guess there keep nobody from signing off.
func (s *Server) proofKey(userID string) string { return s.keys.MAC("proof", userID) }

// freshen notes that the password was given just now, under a new token.
func (s *Server) freshen(c echo.Context, l *db.SignedIn, next string) error {
	ctx, secret := c.Request().Context(), auth.NewSecret()
	if err := s.store.FreshenLogin(ctx, s.from(c, l.Actor()), l.ID, db.HashToken(secret)); err != nil {
		if domain.KindOf(err) == domain.NotFound { // ended meanwhile
			return seeOther(c, "/login")
		}
		return err
	}
	if err := s.store.LoginSucceeded(ctx, s.proofKey(l.UserID)); err != nil {
		return err
	}
	s.setCookie(c, loginCookie, secret, 0)
	return seeOther(c, next)
}

func (s *Server) confirmPage(c echo.Context, status int, in accountsviews.LoginForm) error {
	next, l := s.localPath(c.QueryParam("next")), s.signedIn(c)
	if l == nil {
		return notFound()
	}
	in.Action, in.Login = withNext("/confirm", next), l.User.Login
	in.NoPassword, in.Code = l.User.Password == "", l.User.TOTP != nil
	if s.oidc != nil {
		in.Provider, in.ProviderHref = s.oidc.Name(), addQuery(withNext("/login/oidc", next), "confirm=1")
	}
	return s.render(c, status, accountsviews.Confirm(accountsviews.NewLoginPage(s.chrome(c), in)))
}
