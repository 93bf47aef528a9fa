package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	accountsviews "sanad/internal/views/accounts"
)

// stepLife is how long a right password waits for its one-time code.
const stepLife = 5 * time.Minute

// step is what a login under way remembers, sealed in a cookie: the password was right, the code is to come.
type step struct{ UserID, Login, Next string }

// totpContext is the use that a user's authenticator secret is sealed for.
func totpContext(userID string) string { return "totp/" + userID }

// askCode goes on to the second form. The failures of the name stay counted until the code was right as well.
func (s *Server) askCode(c echo.Context, u *db.User) error {
	next := s.localPath(c.QueryParam("next"))
	if err := s.sealCookie(c, stepCookie, step{u.ID, u.Login, next}, stepLife); err != nil {
		return err
	}
	return seeOther(c, "/login/code")
}

// showCode shows the form for the code; without a password before it there is none.
func (s *Server) showCode(c echo.Context) error {
	var at step
	if !s.openCookie(c, stepCookie, &at) {
		return seeOther(c, "/login")
	}
	return s.codePage(c, http.StatusOK, accountsviews.LoginForm{})
}

// giveCode takes the code of the authenticator app, or a recovery code. It is slowed down with the passwords of the name.
func (s *Server) giveCode(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, before := c.Request().Context(), step{}
	if !s.openCookie(c, stepCookie, &before) {
		return seeOther(c, "/login")
	}
	u, err := s.userFor(ctx, before.Login)
	if err != nil {
		return err
	}
	at, err := s.entrance(ctx, before.UserID)
	if err != nil {
		return err
	}
	if u.ID != before.UserID || u.Disabled || at == nil || u.TOTP == nil { // changed since the password was given
		s.clearCookie(c, stepCookie)
		return seeOther(c, withNext("/login", before.Next))
	}
	ok, wait, err := s.attempt(c, s.failureKey(&u, ""), u.ID, func() (bool, error) {
		return s.checkCode(ctx, s.actorAt(c, &u, at), &u, c.FormValue("code"))
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return s.codePage(c, tooMany(c, wait), accountsviews.LoginForm{Fault: accountsviews.LoginWait, Wait: wait})
	case !ok:
		return s.codePage(c, http.StatusUnprocessableEntity, accountsviews.LoginForm{Fault: accountsviews.LoginWrong})
	}
	return s.enter(c, &u, at, s.now(), s.localPath(before.Next))
}

// checkCode takes a one-time code, once, or a recovery code, once.
func (s *Server) checkCode(ctx context.Context, by domain.Actor, u *db.User, code string) (bool, error) {
	if len(code) > maxPassword {
		return false, nil
	}
	secret, err := s.keys.Open(totpContext(u.ID), u.TOTP)
	if err != nil {
		return false, err
	}
	if at, ok := auth.CheckTOTP(secret, code, s.now()); ok {
		return s.store.UseTOTPStep(ctx, u.ID, at)
	}
	return s.store.UseRecoveryCode(ctx, by, u.ID, auth.HashRecovery(code))
}

func (s *Server) codePage(c echo.Context, status int, in accountsviews.LoginForm) error {
	in.Action = "/login/code"
	return s.render(c, status, accountsviews.LoginCode(accountsviews.NewLoginPage(s.chrome(c), in)))
}
