package accounts

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// flowLife is how long a login may take at the provider.
const flowLife = 10 * time.Minute

// flow is what a login at the provider must remember, sealed in a cookie: so that only the browser that left can come
// back.
type flow struct {
	auth.OIDCFlow
	Login string // id of the login to make fresh; "" for a new one
}

// startOIDC leaves for the provider: to sign in, or with ?confirm=1 to give the password there once more.
func (s *server) startOIDC(c echo.Context) error {
	if s.OIDC == nil {
		return web.NotFound()
	}
	f, maxAge := flow{}, 0
	if c.QueryParam("confirm") == "1" {
		l := s.SignedIn(c)
		if l == nil {
			return web.SeeOther(c, "/login")
		}
		f.Login, maxAge = l.ID, int(db.FreshFor/time.Second)
	}
	url, begun, err := s.OIDC.Start(c.Request().Context(), s.LocalPath(c.QueryParam("next")), maxAge)
	if err != nil {
		return s.oidcFailed(c, err)
	}
	f.OIDCFlow = begun
	if err := s.SealCookie(c, web.FlowCookie, f, flowLife); err != nil {
		return err
	}
	return web.SeeOther(c, url) // the provider's address is the operator's, not the request's
}

// finishOIDC comes back from the provider. The provider asks for its own second factor; ours is for passwords. A
// provider may know the person still and have asked for nothing: what needs a fresh password counts from when it says
// that it did.
func (s *server) finishOIDC(c echo.Context) error {
	var f flow
	if s.OIDC == nil || !s.OpenCookie(c, web.FlowCookie, &f) {
		return web.SeeOther(c, "/login")
	}
	s.ClearCookie(c, web.FlowCookie)
	ctx := c.Request().Context()
	who, err := s.OIDC.Finish(ctx, f.OIDCFlow, c.QueryParam("state"), c.QueryParam("code"), s.Now())
	if err != nil {
		return s.oidcFailed(c, err)
	}
	u, at, err := s.userOf(ctx, who)
	switch {
	case domain.KindOf(err) == domain.NotFound, errors.Is(err, errNoEntrance):
		return s.oidcUnknown(c, u.ID)
	case err != nil:
		return err
	case f.Login != "":
		return s.confirmOIDC(c, &u, f)
	}
	return s.enter(c, &u, at, who.AuthTime, s.LocalPath(f.Next))
}

// userOf returns who the provider's identity is here, and where that user lands.
func (s *server) userOf(ctx context.Context, who auth.OIDCIdentity) (db.User, *db.Membership, error) {
	u, err := s.Store.UserByIdentity(ctx, who.Issuer, who.Subject, who.Email)
	if err != nil {
		return u, nil, err
	}
	at, err := s.entrance(ctx, u.ID)
	if err == nil && (at == nil || u.Disabled) {
		err = errNoEntrance
	}
	return u, at, err
}

// confirmOIDC makes the login that left for the provider fresh, where the same person came back.
func (s *server) confirmOIDC(c echo.Context, u *db.User, f flow) error {
	l := s.SignedIn(c)
	if l == nil || l.ID != f.Login || l.UserID != u.ID {
		return s.oidcUnknown(c, u.ID)
	}
	return s.freshen(c, l, s.LocalPath(f.Next))
}

// oidcFailed tells that the provider did not let anybody in, or does not answer; why is for the log.
func (s *server) oidcFailed(c echo.Context, err error) error {
	s.Log.Warn("login at the provider failed", "request_id", web.RequestID(c), "err", err)
	status := http.StatusUnprocessableEntity
	if errors.Is(err, auth.ErrOIDCUnavailable) {
		status = http.StatusServiceUnavailable
	}
	return s.loginPage(c, status, accountsviews.LoginForm{Fault: accountsviews.LoginProvider})
}

// oidcUnknown tells that the provider's person has no account here, and counts it as a failed login.
func (s *server) oidcUnknown(c echo.Context, userID string) error {
	if err := s.Store.LoginFailed(c.Request().Context(), s.From(c, domain.Actor{}), s.Keys.MAC("login", "oidc"), userID); err != nil {
		return err
	}
	return s.loginPage(c, http.StatusForbidden, accountsviews.LoginForm{Fault: accountsviews.LoginNoAccount})
}
