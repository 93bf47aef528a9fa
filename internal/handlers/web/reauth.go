package web

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
)

// StepUp asks who acts for the password again, and for the one-time code where they have that, slowed down as /confirm is
// (rule P-13). Somebody without a password gives it at the organisation's provider, in a login of the last
// minutes; a token cannot do that.
func (s *Server) StepUp(c echo.Context, password, code string) error {
	ctx, who := c.Request().Context(), s.Who(c)
	if !who.Human {
		return MachineDenied()
	}
	u, err := s.Store.User(ctx, who.ID)
	if err != nil {
		return err
	}
	if u.Password == "" {
		if who.Token == "" && s.HasReauthed(c) {
			return nil
		}
		return &domain.Error{Kind: domain.Denied, Msg: "You sign in with your organisation's login and have no password here: do this on the page, which asks you to sign in again."}
	}
	if password == "" {
		return domain.Invalidf("password", "Give your password.")
	}
	key := s.ProofKey(u.ID)
	ok, wait, err := s.Attempt(c, key, u.ID, func() (bool, error) {
		if ok, err := s.CheckPassword(ctx, &u, password); err != nil || !ok || u.TOTP == nil {
			return ok, err
		}
		return s.CheckCode(ctx, who, &u, code)
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return WithStatus(TooMany(c, wait), &domain.Error{Kind: domain.Denied,
			Msg: "The password was wrong several times; wait " + wait.Round(time.Second).String() + " before the next try."})
	case !ok:
		return WithStatus(http.StatusForbidden, &domain.Error{Kind: domain.Denied, Path: "password", Msg: wrongProof(&u)})
	}
	return s.Store.LoginSucceeded(ctx, key)
}

// wrongProof says what was wrong without telling which of two it was.
func wrongProof(u *db.User) string {
	if u.TOTP == nil {
		return "This is not your password."
	}
	return "The password or the one-time code (as code) is wrong."
}

// ProofKey is under which failures of somebody who has shown who they are, by login or token, are counted: apart from those at the login page, so that
// strangers who guess there keep nobody from signing off.
func (s *Server) ProofKey(userID string) string { return s.Keys.MAC("proof", userID) }

// The limits of what a login form's fields take, in characters.
const (
	MaxLoginName = 200
	maxPassword  = 128
)

// CheckPassword compares; for who may not come in, and for what is too long to be a password, it costs the same.
func (s *Server) CheckPassword(ctx context.Context, u *db.User, password string) (bool, error) {
	phc := u.Password
	if u.Disabled {
		phc = ""
	}
	if utf8.RuneCountInString(password) > maxPassword {
		password, phc = "", ""
	}
	return s.Hasher.Check(ctx, password, phc)
}

// TooMany tells the client how long to wait, in whole seconds.
func TooMany(c echo.Context, wait time.Duration) int {
	c.Response().Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return http.StatusTooManyRequests
}

// TotpContext is the use that a user's authenticator secret is sealed for.
func TotpContext(userID string) string { return "totp/" + userID }

// CheckCode takes a one-time code, once, or a recovery code, once.
func (s *Server) CheckCode(ctx context.Context, by domain.Actor, u *db.User, code string) (bool, error) {
	if len(code) > maxPassword {
		return false, nil
	}
	secret, err := s.Keys.Open(TotpContext(u.ID), u.TOTP)
	if err != nil {
		return false, err
	}
	if at, ok := auth.CheckTOTP(secret, code, s.Now()); ok {
		return s.Store.UseTOTPStep(ctx, u.ID, at)
	}
	return s.Store.UseRecoveryCode(ctx, by, u.ID, auth.HashRecovery(code))
}
