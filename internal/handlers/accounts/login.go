package accounts

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	accountsviews "sanad/internal/views/accounts"
)

// showLogin shows the login form; a user who is signed in already is redirected.
func (s *server) showLogin(c echo.Context) error {
	if s.SignedIn(c) != nil {
		return web.SeeOther(c, s.LocalPath(c.QueryParam("next")))
	}
	in := accountsviews.LoginForm{}
	if c.QueryParam("out") == "1" {
		in.Note = accountsviews.LoginSignedOut
	}
	return s.loginPage(c, http.StatusOK, in)
}

// logIn checks name and password. Whatever is wrong (unknown name, no password, disabled, no tenant, wrong password)
// gets the same answer after the same work.
func (s *server) logIn(c echo.Context) error {
	ctx, name := c.Request().Context(), strings.TrimSpace(c.FormValue("login"))
	form := accountsviews.LoginForm{Login: web.FirstRunes(name, web.MaxLoginName)}
	u, err := s.userFor(ctx, name)
	if err != nil {
		return err
	}
	var at *db.Membership
	ok, wait, err := s.Attempt(c, s.loginTry(c, &u, name), func() (ok bool, err error) {
		if ok, err = s.CheckPassword(ctx, &u, c.FormValue("password")); err != nil || !ok {
			return false, err
		}
		at, err = s.entrance(ctx, u.ID)
		return at != nil, err
	})
	switch {
	case limits.IsBusy(err):
		form.Fault = accountsviews.LoginBusy
		return s.loginPage(c, limits.Busy(c), form)
	case err != nil:
		return err
	case wait > 0:
		form.Fault, form.Wait = accountsviews.LoginWait, wait
		return s.loginPage(c, limits.TooMany(c, wait), form)
	case !ok:
		form.Fault = accountsviews.LoginWrong
		return s.loginPage(c, http.StatusUnprocessableEntity, form)
	case u.TOTP != nil:
		return s.askCode(c, &u, step{Next: s.LocalPath(c.QueryParam("next"))})
	}
	return s.enter(c, &u, at, proof{at: s.Now(), by: []access.Factor{access.ByPassword}},
		s.LocalPath(c.QueryParam("next")))
}

// userFor returns the user of a login name, the zero one if none; the caller does the same work for both.
func (s *server) userFor(ctx context.Context, name string) (db.User, error) {
	u, err := s.Store.UserByLogin(ctx, web.FirstRunes(name, web.MaxLoginName))
	if domain.KindOf(err) == domain.NotFound || err == nil && utf8.RuneCountInString(name) > web.MaxLoginName {
		return db.User{}, nil
	}
	return u, err
}

// loginTry is the try of a user, or of a name that nobody has.
func (s *server) loginTry(c echo.Context, u *db.User, name string) limits.Try {
	return s.LoginTry(c, u, s.failureKey(u, name))
}

// failureKey is the key under which failures of a name are counted. For a known user it is the stored spelling, so that
// all spellings are counted together.
func (s *server) failureKey(u *db.User, name string) string {
	if u.Login != "" {
		name = u.Login
	}
	return s.Keys.MAC("login", access.FoldLogin(web.FirstRunes(name, web.MaxLoginName)))
}

// entrance returns the tenant that a user is signed in to, the first by name; nil if the user may enter none.
func (s *server) entrance(ctx context.Context, userID string) (*db.Membership, error) {
	all, err := s.Store.Memberships(ctx, userID)
	for i := range all {
		if !all[i].Disabled {
			return &all[i], err
		}
	}
	return nil, err
}

// proof is how a user proved who they are: when they last gave a password, and by which factors.
type proof struct {
	at time.Time
	by []access.Factor
}

// enter creates a login with a new token and ends the login that the browser had. proven is when the user last gave a
// password.
func (s *server) enter(c echo.Context, u *db.User, at *db.Membership, given proof, next string) error {
	ctx, secret, now, old := c.Request().Context(), auth.NewSecret(), s.Now().UTC(), s.SignedIn(c)
	by, try := s.actorAt(c, u, at), s.loginTry(c, u, "")
	err := s.Store.CreateLogin(ctx, by, access.Login{
		ID: s.NewID(), TokenHash: db.HashToken(secret), UserID: u.ID, TenantID: at.Tenant.ID,
		CreatedAt: now, SeenAt: now, FreshAt: given.at.UTC(), Vouched: slices.Contains(given.by, access.ByProviderFactor),
		Agent: web.FirstRunes(c.Request().UserAgent(), 200), Address: by.From,
		Factors: given.by, Known: try.Known,
	})
	if err != nil {
		return err
	}
	if !try.Known { // a known browser gets a new key, and whoever copied its cookie keeps the old count
		if err := s.Store.LoginSucceeded(ctx, try.Key); err != nil {
			return err
		}
	}
	if err := s.KnowDevice(c, u); err != nil {
		return err
	}
	if s.Mail != nil {
		if err := s.Store.NoteLanguage(ctx, by, s.Chrome(c).Lang); err != nil {
			return err
		}
	}
	if old != nil {
		if err := s.endLogin(c, old); err != nil {
			return err
		}
	}
	s.SetCookie(c, web.LoginCookie, secret, 0)
	if s.Cookie(c, web.StepCookie) != "" {
		s.ClearCookie(c, web.StepCookie)
	}
	return web.SeeOther(c, next)
}

// actorAt is the actor of a user who is about to enter a tenant.
func (s *server) actorAt(c echo.Context, u *db.User, at *db.Membership) access.Actor {
	return s.From(c, access.Actor{Tenant: at.Tenant.ID, ID: u.ID, User: u.Name, Role: at.Role, Human: true})
}

// endLogin ends a login; one that has already ended is not an error.
func (s *server) endLogin(c echo.Context, l *db.SignedIn) error {
	err := s.Store.EndLogin(c.Request().Context(), s.From(c, l.Actor()), l.ID)
	if domain.KindOf(err) == domain.NotFound {
		return nil
	}
	return err
}

// logOut ends the login and deletes its cookie. It also works without a login.
func (s *server) logOut(c echo.Context) error {
	l, err := s.FindLogin(c)
	if err != nil {
		return err
	}
	for _, name := range []string{web.LoginCookie, web.StepCookie, web.FlowCookie, web.TypedCookie} {
		s.ClearCookie(c, name)
	}
	// Not "storage": it would forget which keys somebody switched off, and holds nothing of the login.
	c.Response().Header().Set("Clear-Site-Data", `"cache"`)
	if l != nil {
		if err := s.endLogin(c, l); err != nil {
			return err
		}
	}
	return web.SeeOther(c, "/login?out=1")
}

// loginPage shows the form with what was typed, never the password.
func (s *server) loginPage(c echo.Context, status int, in accountsviews.LoginForm) error {
	next := s.LocalPath(c.QueryParam("next"))
	in.Action = web.WithNext("/login", next)
	if s.oidc != nil {
		in.Provider, in.ProviderHref = s.oidc.Name(), web.WithNext("/login/oidc", next)
	}
	return s.Render(c, status, accountsviews.Login(accountsviews.NewLoginPage(s.Chrome(c), in)))
}

// errNoEntrance is for a user who has proved their identity but has no tenant to enter.
var errNoEntrance = errors.New("no tenant to enter")
