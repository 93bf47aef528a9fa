package handlers

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
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// How long an API token lives, in days.
const (
	tokenDays    = 90
	maxTokenDays = 365
)

// listTokens shows the tenant's API tokens.
func (s *Server) listTokens(c echo.Context) error {
	role := cmp.Or(domain.Role(c.QueryParam("role")), domain.Viewer)
	return s.tokensPage(c, http.StatusOK, accountsviews.TokenForm{ // as typed before the password was asked for, see withTyped
		Name: c.QueryParam("name"), Person: c.QueryParam("person"), Role: role, Days: cmp.Or(c.QueryParam("days"), strconv.Itoa(tokenDays)),
	})
}

func (s *Server) tokensPage(c echo.Context, status int, form accountsviews.TokenForm) error {
	ctx, tenant, list := c.Request().Context(), s.who(c).Tenant, ui.AdminList{After: c.QueryParam("after")}
	rows, next, err := s.tokenRows(ctx, tenant, list.After)
	if err != nil {
		return err
	}
	list.Next = next
	if list.Total, err = s.store.CountTokens(ctx, tenant); err != nil {
		return err
	}
	people, err := s.store.MemberNames(ctx, tenant, maxChoices)
	if err != nil {
		return err
	}
	for _, p := range people {
		form.People = append(form.People, ui.Option{Value: p.ID, Label: p.Name, Selected: p.ID == form.Person})
	}
	form.Confirm = s.confirmFirst(c)
	return s.render(c, status, accountsviews.Tokens(accountsviews.NewTokensPage(s.chrome(c), rows, list, form)))
}

// tokenRows gives a page of the tenant's tokens, with the names of those who made them.
func (s *Server) tokenRows(ctx context.Context, tenant, after string) (rows []accountsviews.TokenRow, next string, err error) {
	tokens, next, err := s.store.TokensPage(ctx, tenant, after, rowsPerPage)
	if err != nil {
		return nil, "", err
	}
	makers := make([]string, len(tokens))
	for i, k := range tokens {
		makers[i] = k.CreatedBy
	}
	names, err := s.store.ActorNames(ctx, tenant, makers)
	for _, k := range tokens {
		rows = append(rows, tokenRow(k, names))
	}
	return rows, next, err
}

// tokenRow is a token for its page; names are those of people by id.
func tokenRow(k db.Token, names map[string]string) accountsviews.TokenRow {
	return accountsviews.TokenRow{
		ID: k.ID, Name: k.Name, Person: k.UserName, By: k.CreatedBy, ByName: names[k.CreatedBy], Role: k.Role, CreatedAt: k.CreatedAt,
		ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, LastUsedAt: k.LastUsedAt,
	}
}

// addToken makes an API token, whose secret the answer shows once.
func (s *Server) addToken(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	form := accountsviews.TokenForm{
		Name: c.FormValue("name"), Person: c.FormValue("person"), Days: c.FormValue("days"), Role: domain.Role(c.FormValue("role")),
	}
	days, err := strconv.Atoi(strings.TrimSpace(form.Days))
	if err != nil || days < 1 || days > maxTokenDays {
		form.Fault = fieldFault("days", "token_days")
		return s.tokensPage(c, http.StatusUnprocessableEntity, form)
	}
	secret := auth.NewToken()
	k, err := s.store.AddToken(c.Request().Context(), s.who(c), db.Token{
		Name: form.Name, UserID: form.Person, Role: form.Role, Hash: db.HashToken(secret), ExpiresAt: s.now().Add(time.Duration(days) * 24 * time.Hour),
	})
	if domain.KindOf(err) == domain.NotFound { // the person has left meanwhile
		form.Fault = fieldFault("person", "token_person")
	} else {
		form.Fault = formFault(err, "", nil)
	}
	if form.Fault != nil {
		return s.tokensPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, accountsviews.Token(accountsviews.NewTokenPage(s.chrome(c), k.Name, secret, s.base(c), k.ExpiresAt)))
}

// base is the address that this request reached the server by.
func (s *Server) base(c echo.Context) string {
	if s.isSecure(c.Request()) {
		return "https://" + c.Request().Host
	}
	return "http://" + c.Request().Host
}

// askRevoke asks whether to revoke a token.
func (s *Server) askRevoke(c echo.Context) error {
	k, err := s.store.Token(c.Request().Context(), s.who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, accountsviews.Revoke(accountsviews.NewRevokePage(s.chrome(c), tokenRow(k, nil))))
}

// revokeToken ends a token, from the very next request on.
func (s *Server) revokeToken(c echo.Context) error {
	if err := s.store.RevokeToken(c.Request().Context(), s.who(c), c.Param("id")); err != nil {
		return err
	}
	return seeOther(c, "/admin/tokens?done=revoked")
}
