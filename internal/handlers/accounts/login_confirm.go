package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	accountsviews "sanad/internal/views/accounts"
)

// showConfirm asks a signed-in user for the password again (rule SEC-5).
func (s *server) showConfirm(c echo.Context) error {
	return s.confirmPage(c, http.StatusOK, accountsviews.LoginForm{})
}

// confirm checks the password, and the one-time code if the login uses one, and gives the login a new token.
func (s *server) confirm(c echo.Context) error {
	ctx, l := c.Request().Context(), s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	ok, wait, err := s.Attempt(c, s.ProofTry(c, l.UserID), func() (bool, error) {
		if ok, err := s.CheckPassword(ctx, &l.User, c.FormValue("password")); err != nil || !ok || l.User.TOTP == nil {
			return ok, err
		}
		by, err := s.CheckCode(ctx, s.Who(c), &l.User, c.FormValue("code"))
		return by != "", err
	})
	switch {
	case limits.IsBusy(err):
		return s.confirmPage(c, limits.Busy(c), accountsviews.LoginForm{Fault: accountsviews.LoginBusy})
	case err != nil:
		return err
	case wait > 0:
		return s.confirmPage(c, limits.TooMany(c, wait),
			accountsviews.LoginForm{Fault: accountsviews.LoginWait, Wait: wait})
	case !ok:
		return s.confirmPage(c, http.StatusUnprocessableEntity,
			accountsviews.LoginForm{Fault: accountsviews.LoginWrong})
	}
	return s.freshen(c, l, s.LocalPath(c.QueryParam("next")))
}

// freshen records that the password was given just now, and issues a new token.
func (s *server) freshen(c echo.Context, l *db.SignedIn, next string) error {
	ctx, secret := c.Request().Context(), auth.NewSecret()
	if err := s.Store.FreshenLogin(ctx, s.From(c, l.Actor()), l.ID, db.HashToken(secret)); err != nil {
		if domain.KindOf(err) == domain.NotFound { // ended meanwhile
			return web.SeeOther(c, "/login")
		}
		return err
	}
	if err := s.Store.LoginSucceeded(ctx, s.ProofTry(c, l.UserID).Key); err != nil {
		return err
	}
	s.SetCookie(c, web.LoginCookie, secret, 0)
	return web.SeeOther(c, next)
}

func (s *server) confirmPage(c echo.Context, status int, in accountsviews.LoginForm) error {
	next, l := s.LocalPath(c.QueryParam("next")), s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	in.Action, in.Login = web.WithNext("/confirm", next), l.User.Login
	in.NoPassword, in.Code = l.User.Password == "", l.User.TOTP != nil
	if s.oidc != nil {
		in.Provider, in.ProviderHref = s.oidc.Name(), web.AddQuery(web.WithNext("/login/oidc", next), "confirm=1")
	}
	return s.Render(c, status, accountsviews.Confirm(accountsviews.NewLoginPage(s.Chrome(c), in)))
}
