package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/views"
)

// showConfirm asks a signed-in person for the password again (spec page 6 "Web": fresh password).
func (s *Server) showConfirm(c echo.Context) error {
	return s.confirmPage(c, http.StatusOK, views.LoginForm{})
}

// confirm takes the password, slowed down as a login is, and gives the login a new token.
func (s *Server) confirm(c echo.Context) error {
	if err := readLoginForm(c); err != nil {
		return err
	}
	ctx, l := c.Request().Context(), s.signedIn(c)
	ok, wait, err := s.attempt(c, s.failureKey(&l.User, ""), l.UserID, func() (bool, error) {
		return s.checkPassword(ctx, &l.User, c.FormValue("password"))
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return s.confirmPage(c, tooMany(c, wait), views.LoginForm{Fault: views.LoginWait, Wait: wait})
	case !ok:
		return s.confirmPage(c, http.StatusUnprocessableEntity, views.LoginForm{Fault: views.LoginWrong})
	}
	return s.freshen(c, l, s.localPath(c.QueryParam("next")))
}

// freshen notes that the password was given just now, under a new token.
func (s *Server) freshen(c echo.Context, l *db.SignedIn, next string) error {
	ctx, secret := c.Request().Context(), auth.NewSecret()
	if err := s.store.FreshenLogin(ctx, s.from(c, l.Actor()), l.ID, db.HashToken(secret)); err != nil {
		if domain.KindOf(err) == domain.NotFound { // ended meanwhile
			return seeOther(c, "/login")
		}
		return err
	}
	if err := s.store.LoginSucceeded(ctx, s.failureKey(&l.User, "")); err != nil {
		return err
	}
	s.setCookie(c, loginCookie, secret, 0)
	return seeOther(c, next)
}

func (s *Server) confirmPage(c echo.Context, status int, in views.LoginForm) error {
	next, l := s.localPath(c.QueryParam("next")), s.signedIn(c)
	in.Action, in.Login, in.NoPassword = withNext("/confirm", next), l.User.Login, l.User.Password == ""
	if s.oidc != nil {
		in.Provider, in.ProviderHref = s.oidc.Name(), addQuery(withNext("/login/oidc", next), "confirm=1")
	}
	return s.render(c, status, views.Confirm(views.NewLoginPage(s.chrome(c), in)))
}
