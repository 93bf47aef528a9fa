package accounts

import (
	"crypto/sha256"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	accountsviews "sanad/internal/views/accounts"
)

// stepLife is how long a login waits for its one-time code after the password.
const stepLife = 5 * time.Minute

// step is the state of a login between password and code, sealed in a cookie.
type step struct {
	UserID, Login, Next string
	Proven              time.Time // when the password was given at the provider, which may be long ago
	Provider            bool      // the password was given there, not here
	Password            [32]byte  // SHA-256 of the stored hash of the password, which must still be the same
}

// askCode redirects to the form for the code. The failures of the name stay counted until the code is right as well.
func (s *server) askCode(c echo.Context, u *db.User, before step) error {
	before.UserID, before.Login, before.Password = u.ID, u.Login, sha256.Sum256([]byte(u.Password))
	if err := s.SealCookie(c, web.StepCookie, before, stepLife); err != nil {
		return err
	}
	return web.SeeOther(c, "/login/code")
}

// showCode shows the form for the code, or redirects to the login form if no password was given before.
func (s *server) showCode(c echo.Context) error {
	var at step
	if !s.OpenCookie(c, web.StepCookie, &at) {
		return web.SeeOther(c, "/login")
	}
	return s.codePage(c, http.StatusOK, accountsviews.LoginForm{})
}

// giveCode checks the code of the authenticator app, or a recovery code. Failures count together with those of the
// password.
func (s *server) giveCode(c echo.Context) error {
	ctx, before := c.Request().Context(), step{}
	if !s.OpenCookie(c, web.StepCookie, &before) {
		return web.SeeOther(c, "/login")
	}
	u, err := s.userFor(ctx, before.Login)
	if err != nil {
		return err
	}
	at, err := s.entrance(ctx, before.UserID)
	if err != nil {
		return err
	}
	if u.ID != before.UserID || u.Disabled || at == nil || u.TOTP == nil ||
		sha256.Sum256([]byte(u.Password)) != before.Password { // changed since the password was given
		s.ClearCookie(c, web.StepCookie)
		return web.SeeOther(c, web.WithNext("/login", before.Next))
	}
	by := access.ByPassword
	if before.Provider {
		by = access.ByProvider
	}
	var second access.Factor
	ok, wait, err := s.Attempt(c, s.loginTry(c, &u, ""), func() (ok bool, err error) {
		second, err = s.CheckCode(ctx, s.actorAt(c, &u, at), &u, c.FormValue("code"))
		return second != "", err
	})
	switch {
	case limits.IsBusy(err):
		return s.codePage(c, limits.Busy(c), accountsviews.LoginForm{Fault: accountsviews.LoginBusy})
	case err != nil:
		return err
	case wait > 0:
		return s.codePage(c, limits.TooMany(c, wait), accountsviews.LoginForm{Fault: accountsviews.LoginWait, Wait: wait})
	case !ok:
		return s.codePage(c, http.StatusUnprocessableEntity, accountsviews.LoginForm{Fault: accountsviews.LoginWrong})
	}
	proven := s.Now()
	if before.Provider {
		proven = before.Proven
	}
	return s.enter(c, &u, at, proof{at: proven, by: []access.Factor{by, second}}, s.LocalPath(before.Next))
}

func (s *server) codePage(c echo.Context, status int, in accountsviews.LoginForm) error {
	in.Action = "/login/code"
	return s.Render(c, status, accountsviews.LoginCode(accountsviews.NewLoginPage(s.Chrome(c), in)))
}
