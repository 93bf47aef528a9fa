package web

import (
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/words"
)

// StepUp asks the caller for the password again, and for the one-time code if they use one (rule P-13). Failures slow
// it down as they do /confirm. A user without a password must have signed in at the organisation's provider within
// access.FreshFor; a token cannot do that.
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
		return &domain.Error{Kind: domain.Denied,
			Message: words.Msg("refused_sign_organisation_login")}
	}
	if password == "" {
		return domain.Refuse(domain.Invalid, "password", "refused_password")
	}
	try := s.ProofTry(c, u.ID)
	ok, wait, err := s.Attempt(c, try, func() (bool, error) {
		if ok, err := s.CheckPassword(ctx, &u, password); err != nil || !ok || u.TOTP == nil {
			return ok, err
		}
		by, err := s.CheckCode(ctx, who, &u, code)
		return by != "", err
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		return WithStatus(limits.TooMany(c, wait), domain.Refuse(domain.Denied, "",
			"refused_password_often", "Wait", wait.Round(time.Second).String()))
	case !ok:
		return WithStatus(http.StatusForbidden,
			domain.Refuse(domain.Denied, "password", wrongProof(&u)))
	}
	return s.Store.LoginSucceeded(ctx, try.Key)
}

// wrongProof is the id of what says that the proof was wrong, without telling whether it was the password or the code.
func wrongProof(u *db.User) string {
	if u.TOTP == nil {
		return "refused_password_wrong"
	}
	return "refused_proof_wrong"
}

// The limits of a login form's fields, in characters.
const (
	MaxLoginName = 200
	maxPassword  = 128
)

// CheckPassword compares a password with the user's. It takes equally long for a disabled user and for a text that is
// too long to be a password, so that its duration reveals nothing.
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

// CheckCode accepts a one-time code or a recovery code, each of them once, and returns which it was; "" if it is wrong.
func (s *Server) CheckCode(ctx context.Context, by access.Actor, u *db.User, code string) (access.Factor, error) {
	if len(code) > maxPassword {
		return "", nil
	}
	secret, err := s.Keys.Open(db.TOTPContext(u.ID), u.TOTP)
	if err != nil {
		return "", err
	}
	factor, ok := access.ByCode, false
	if at, right := auth.CheckTOTP(secret, code, s.Now()); right {
		ok, err = s.Store.UseTOTPStep(ctx, u.ID, at)
	} else {
		factor = access.ByRecoveryCode
		ok, err = s.Store.UseRecoveryCode(ctx, by, u.ID, auth.HashRecovery(code))
	}
	if err != nil || !ok {
		return "", err
	}
	return factor, nil
}
