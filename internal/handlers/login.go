package handlers

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	accountsviews "sanad/internal/views/accounts"
)

// The limits of what a login form's fields take, in characters.
const (
	maxLoginName = 200
	maxPassword  = 128
)

// showLogin shows the login form; who is signed in already goes on.
func (s *Server) showLogin(c echo.Context) error {
	if s.signedIn(c) != nil {
		return seeOther(c, s.localPath(c.QueryParam("next")))
	}
	in := accountsviews.LoginForm{}
	if c.QueryParam("out") == "1" {
		in.Note = accountsviews.LoginSignedOut
	}
	return s.loginPage(c, http.StatusOK, in)
}

// logIn takes name and password. Whatever is wrong (no such name, no password, disabled, in no tenant, the password)
// gets the same answer after the same work.
func (s *Server) logIn(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, name := c.Request().Context(), strings.TrimSpace(c.FormValue("login"))
	form := accountsviews.LoginForm{Login: firstRunes(name, maxLoginName)}
	u, err := s.userFor(ctx, name)
	if err != nil {
		return err
	}
	var at *db.Membership
	ok, wait, err := s.attempt(c, s.failureKey(&u, name), u.ID, func() (ok bool, err error) {
		if ok, err = s.checkPassword(ctx, &u, c.FormValue("password")); err != nil || !ok {
			return false, err
		}
		at, err = s.entrance(ctx, u.ID)
		return at != nil, err
	})
	switch {
	case err != nil:
		return err
	case wait > 0:
		form.Fault, form.Wait = accountsviews.LoginWait, wait
		return s.loginPage(c, tooMany(c, wait), form)
	case !ok:
		form.Fault = accountsviews.LoginWrong
		return s.loginPage(c, http.StatusUnprocessableEntity, form)
	case u.TOTP != nil:
		return s.askCode(c, &u)
	}
	return s.enter(c, &u, at, s.now(), s.localPath(c.QueryParam("next")))
}

// userFor gives the user of a login name, the zero one where there is none: all that follows is done with that as well.
func (s *Server) userFor(ctx context.Context, name string) (db.User, error) {
	u, err := s.store.UserByLogin(ctx, firstRunes(name, maxLoginName))
	if domain.KindOf(err) == domain.NotFound || err == nil && utf8.RuneCountInString(name) > maxLoginName {
		return db.User{}, nil
	}
	return u, err
}

// failureKey is under which failures of a name are counted: the user's own spelling where there is one, so that no
// other spelling counts apart.
func (s *Server) failureKey(u *db.User, name string) string {
	if u.Login != "" {
		name = u.Login
	}
	return s.keys.MAC("login", domain.FoldLogin(firstRunes(name, maxLoginName)))
}

// checkPassword compares; for who may not come in, and for what is too long to be a password, it costs the same.
func (s *Server) checkPassword(ctx context.Context, u *db.User, password string) (bool, error) {
	phc := u.Password
	if u.Disabled {
		phc = ""
	}
	if utf8.RuneCountInString(password) > maxPassword {
		password, phc = "", ""
	}
	return s.hasher.Check(ctx, password, phc)
}

// entrance gives the tenant that a user lands in, the first by name; nil where there is none to enter.
func (s *Server) entrance(ctx context.Context, userID string) (*db.Membership, error) {
	all, err := s.store.Memberships(ctx, userID)
	for i := range all {
		if !all[i].Disabled {
			return &all[i], err
		}
	}
	return nil, err
}

// enter makes a login with a token that was never seen before, and ends the one that the browser had. proven is when the
// person last gave a password.
func (s *Server) enter(c echo.Context, u *db.User, at *db.Membership, proven time.Time, next string) error {
	ctx, secret, now, old := c.Request().Context(), auth.NewSecret(), s.now().UTC(), s.signedIn(c)
	by := s.actorAt(c, u, at)
	err := s.store.CreateLogin(ctx, by, db.Login{
		ID: s.newID(), TokenHash: db.HashToken(secret), UserID: u.ID, TenantID: at.Tenant.ID,
		CreatedAt: now, SeenAt: now, FreshAt: proven.UTC(), Agent: firstRunes(c.Request().UserAgent(), 200), Address: by.From,
	})
	if err != nil {
		return err
	}
	if err := s.store.LoginSucceeded(ctx, s.failureKey(u, "")); err != nil {
		return err
	}
	if old != nil {
		if err := s.endLogin(c, old); err != nil {
			return err
		}
	}
	s.setCookie(c, loginCookie, secret, 0)
	if s.cookie(c, stepCookie) != "" {
		s.clearCookie(c, stepCookie)
	}
	return seeOther(c, next)
}

// actorAt is a user who is about to come into a tenant.
func (s *Server) actorAt(c echo.Context, u *db.User, at *db.Membership) domain.Actor {
	return s.from(c, domain.Actor{Tenant: at.Tenant.ID, ID: u.ID, User: u.Name, Role: at.Role, Human: true})
}

// endLogin ends a login; one that has ended meanwhile is fine.
func (s *Server) endLogin(c echo.Context, l *db.SignedIn) error {
	err := s.store.EndLogin(c.Request().Context(), s.from(c, l.Actor()), l.ID)
	if domain.KindOf(err) == domain.NotFound {
		return nil
	}
	return err
}

// logOut ends the login and takes its cookie away. It works for who is not signed in, too.
func (s *Server) logOut(c echo.Context) error {
	l, err := s.findLogin(c)
	if err != nil {
		return err
	}
	for _, name := range []string{loginCookie, stepCookie, flowCookie} {
		s.clearCookie(c, name)
	}
	if l != nil {
		if err := s.endLogin(c, l); err != nil {
			return err
		}
	}
	return seeOther(c, "/login?out=1")
}

// loginPage shows the form with what was typed, never the password.
func (s *Server) loginPage(c echo.Context, status int, in accountsviews.LoginForm) error {
	next := s.localPath(c.QueryParam("next"))
	in.Action = withNext("/login", next)
	if s.oidc != nil {
		in.Provider, in.ProviderHref = s.oidc.Name(), withNext("/login/oidc", next)
	}
	return s.render(c, status, accountsviews.Login(accountsviews.NewLoginPage(s.chrome(c), in)))
}

// tooMany tells the client how long to wait, in whole seconds.
func tooMany(c echo.Context, wait time.Duration) int {
	c.Response().Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return http.StatusTooManyRequests
}

// firstRunes cuts a text to n characters.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// errNoEntrance is for who was right in all but has no tenant to enter any more.
var errNoEntrance = errors.New("no tenant to enter")
