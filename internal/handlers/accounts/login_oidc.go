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
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// flowLife is how long a login may take at the provider.
const flowLife = 10 * time.Minute

// flow is the state of a login at the provider, sealed in a cookie, so that only the browser that started it can finish
// it.
type flow struct {
	auth.OIDCFlow
	Login string // id of the login for which the password is confirmed; "" to sign in
}

// showOIDC shows the button that leads to the provider, for those who come by a link: a GET begins no login.
func (s *server) showOIDC(c echo.Context) error {
	if s.oidc == nil {
		return web.NotFound()
	}
	return s.providerPage(c, "")
}

// providerPage shows the way to the provider: the button, or where the browser is being sent.
func (s *server) providerPage(c echo.Context, to string) error {
	in := accountsviews.LoginForm{Provider: s.oidc.Name(), To: to,
		ProviderHref: web.WithNext("/login/oidc", s.LocalPath(c.QueryParam("next")))}
	if c.QueryParam("confirm") == "1" {
		in.ProviderHref = web.AddQuery(in.ProviderHref, "confirm=1")
	}
	return s.Render(c, http.StatusOK, accountsviews.Provider(accountsviews.NewLoginPage(s.Chrome(c), in)))
}

// startOIDC leads to the provider: to sign in, or with ?confirm=1 to give the password there again. It is a page that
// leads on by itself and no redirect, because the content security policy holds also where a form is redirected to.
func (s *server) startOIDC(c echo.Context) error {
	if s.oidc == nil {
		return web.NotFound()
	}
	f, maxAge := flow{}, 0
	if c.QueryParam("confirm") == "1" {
		l := s.SignedIn(c)
		if l == nil {
			return web.SeeOther(c, "/login")
		}
		f.Login, maxAge = l.ID, int(access.FreshFor/time.Second)
	}
	url, begun, err := s.oidc.Start(c.Request().Context(), s.LocalPath(c.QueryParam("next")), maxAge)
	if err != nil {
		return s.oidcFailed(c, err)
	}
	f.OIDCFlow = begun
	if err := s.SealCookie(c, web.FlowCookie, f, flowLife); err != nil {
		return err
	}
	c.Response().Header().Set("Refresh", "0; url="+url) // the provider's address is the operator's, not the request's
	return s.providerPage(c, url)
}

// finishOIDC handles the return from the provider. Who set up one-time codes here is asked for one, unless the provider
// says that it saw a second factor (rule SEC-25). The provider may have recognised the user without asking for
// anything, so the password counts as given at the time that the provider states.
func (s *server) finishOIDC(c echo.Context) error {
	var f flow
	if s.oidc == nil || !s.OpenCookie(c, web.FlowCookie, &f) {
		return web.SeeOther(c, "/login")
	}
	s.ClearCookie(c, web.FlowCookie)
	ctx := c.Request().Context()
	who, err := s.oidc.Finish(ctx, f.OIDCFlow, c.QueryParam("state"), c.QueryParam("code"), s.Now())
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
	case u.TOTP != nil && !who.SecondFactor:
		return s.askCode(c, &u, step{Next: s.LocalPath(f.Next), Proven: who.AuthTime, Provider: true})
	}
	by := []access.Factor{access.ByProvider}
	if who.SecondFactor {
		by = append(by, access.ByProviderFactor)
	}
	return s.enter(c, &u, at, proof{at: who.AuthTime, by: by}, s.LocalPath(f.Next))
}

// userOf returns the user that the provider's identity belongs to, and the tenant to enter.
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

// confirmOIDC records that the password was given at the provider, if the same user came back.
func (s *server) confirmOIDC(c echo.Context, u *db.User, f flow) error {
	l := s.SignedIn(c)
	if l == nil || l.ID != f.Login || l.UserID != u.ID {
		return s.oidcUnknown(c, u.ID)
	}
	return s.freshen(c, l, s.LocalPath(f.Next))
}

// oidcFailed answers that the provider refused the login or does not respond; err is for the log.
func (s *server) oidcFailed(c echo.Context, err error) error {
	s.Log.Warn("login at the provider failed", "request_id", web.RequestID(c), "err", err)
	status := http.StatusUnprocessableEntity
	if errors.Is(err, auth.ErrOIDCUnavailable) {
		status = http.StatusServiceUnavailable
	}
	return s.loginPage(c, status, accountsviews.LoginForm{Fault: accountsviews.LoginProvider})
}

// oidcUnknown answers that the provider's user has no account here, and counts a failed login.
func (s *server) oidcUnknown(c echo.Context, userID string) error {
	if err := s.Store.LoginFailed(c.Request().Context(), s.From(c, access.Actor{}), s.Keys.MAC("login", "oidc"),
		userID); err != nil {
		return err
	}
	return s.loginPage(c, http.StatusForbidden, accountsviews.LoginForm{Fault: accountsviews.LoginNoAccount})
}
