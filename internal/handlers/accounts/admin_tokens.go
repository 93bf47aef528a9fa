package accounts

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// How long an API token lives, in days.
const (
	tokenDays    = 90
	maxTokenDays = 365
)

// listTokens shows the tenant's API tokens.
func (s *server) listTokens(c echo.Context) error {
	typed := s.Typed(c)
	return s.tokensPage(c, http.StatusOK, accountsviews.TokenForm{
		Name: typed.Get("name"), Person: typed.Get("person"), Role: cmp.Or(access.Role(typed.Get("role")), access.Viewer),
		Days: cmp.Or(typed.Get("days"), strconv.Itoa(tokenDays)), Narrowing: typedNarrowing(typed.Values),
	})
}

func (s *server) tokensPage(c echo.Context, status int, form accountsviews.TokenForm) error {
	ctx, tenant, list := c.Request().Context(), s.Who(c).Tenant, ui.AdminList{After: c.QueryParam("after")}
	page, names, next, err := s.tokens(ctx, tenant, list.After)
	if err != nil {
		return err
	}
	list.Next = next
	if list.Total, err = s.Store.CountTokens(ctx, tenant); err != nil {
		return err
	}
	if l := s.SignedIn(c); l != nil { // people make their own tokens (rule P-22)
		form.People = []ui.Option{{Value: l.UserID, Label: l.User.Name, Selected: l.UserID == form.Person}}
	}
	form.Confirm = s.ConfirmFirst(c)
	return s.Render(c, status,
		accountsviews.Tokens(accountsviews.NewTokensPage(s.Chrome(c), page, names, list, form)))
}

// tokens returns a page of the tenant's tokens, and the names of those who made them, by id.
func (s *server) tokens(ctx context.Context,
	tenant, after string) (page []access.Token, names map[string]string, next string, err error) {
	if page, next, err = s.Store.TokensPage(ctx, tenant, after, web.RowsPerPage); err != nil {
		return nil, nil, "", err
	}
	makers := make([]string, len(page))
	for i := range page {
		makers[i] = page[i].CreatedBy
	}
	names, err = s.Store.ActorNames(ctx, tenant, makers)
	return page, names, next, err
}

// addToken creates an API token. Only this answer shows its secret.
func (s *server) addToken(c echo.Context) error {
	form := accountsviews.TokenForm{
		Name: c.FormValue("name"), Person: c.FormValue("person"), Days: c.FormValue("days"),
		Role: access.Role(c.FormValue("role")), Narrowing: typedNarrowing(c.Request().PostForm),
	}
	addresses, err := access.ParseNetworks(form.Addresses)
	if form.Fault = web.FormFault(err, "", nil); form.Fault != nil {
		return s.tokensPage(c, http.StatusUnprocessableEntity, form)
	}
	days, err := strconv.Atoi(strings.TrimSpace(form.Days))
	if err != nil || days < 1 || days > maxTokenDays {
		form.Fault = web.FieldFault("days", "token_days")
		return s.tokensPage(c, http.StatusUnprocessableEntity, form)
	}
	secret := auth.NewToken()
	k, err := s.Store.AddToken(c.Request().Context(), s.Who(c), access.Token{
		Name: form.Name, UserID: form.Person, Role: form.Role, Hash: db.HashToken(secret),
		ExpiresAt: s.Now().Add(time.Duration(days) * 24 * time.Hour), Scopes: form.Scopes, Addresses: addresses,
	})
	if domain.KindOf(err) == domain.NotFound { // the person was removed in the meantime
		form.Fault = web.FieldFault("person", "token_person")
	} else {
		form.Fault = web.FormFault(err, "", nil)
	}
	if form.Fault != nil {
		return s.tokensPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK,
		accountsviews.Token(accountsviews.NewTokenPage(s.Chrome(c), k.Name, secret, s.Base(c.Request()), k.ExpiresAt)))
}

// askRevoke asks whether to revoke a token.
func (s *server) askRevoke(c echo.Context) error {
	k, err := s.Store.Token(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, accountsviews.Revoke(accountsviews.NewRevokePage(s.Chrome(c), &k, nil)))
}

// revokeToken ends a token; the next request with it is refused.
func (s *server) revokeToken(c echo.Context) error {
	if err := s.Store.RevokeToken(c.Request().Context(), s.Who(c), c.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/tokens?done=revoked")
}
