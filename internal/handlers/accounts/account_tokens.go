package accounts

import (
	"context"
	"net/http"
	"net/url"
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

// ownTokenForm is what was typed into the form of an own token, and what is wrong with a form of the account's page.
type ownTokenForm struct {
	name, days string
	narrowing  accountsviews.Narrowing
	fault      *ui.FormFault
	title      string // job title, as typed into its own form
}

// typedNarrowing reads what a token is to be narrowed to from a form or a query.
func typedNarrowing(values url.Values) (out accountsviews.Narrowing) {
	for _, x := range values["scope"] {
		out.Scopes = append(out.Scopes, access.Scope(x))
	}
	out.Addresses = values.Get("addresses")
	return out
}

// mint makes a token that acts as a person. It returns its secret, of which only the hash is stored.
func (s *server) mint(ctx context.Context, who access.Actor, name string, days int,
	narrowing accountsviews.Narrowing) (access.Token, string, error) {
	addresses, err := access.ParseNetworks(narrowing.Addresses)
	if err != nil {
		return access.Token{}, "", err
	}
	if days < 1 || days > maxTokenDays {
		return access.Token{}, "", domain.Refuse(domain.Invalid, "days", "refused_token_valid_days", "N",
			maxTokenDays)
	}
	secret := auth.NewToken()
	k, err := s.Store.AddToken(ctx, who, access.Token{
		Name: name, UserID: who.ID, Role: who.Role, Hash: db.HashToken(secret),
		ExpiresAt: s.Now().Add(time.Duration(days) * 24 * time.Hour), Scopes: narrowing.Scopes, Addresses: addresses,
	})
	return k, secret, err
}

// addOwnToken creates an API token that acts as the signed-in person. Only this answer shows its secret.
func (s *server) addOwnToken(c echo.Context) error {
	form := ownTokenForm{name: c.FormValue("name"), days: c.FormValue("days"),
		narrowing: typedNarrowing(c.Request().PostForm)}
	days, err := strconv.Atoi(strings.TrimSpace(form.days))
	if err != nil {
		days = 0 // refused
	}
	k, secret, err := s.mint(c.Request().Context(), s.Who(c), form.name, days, form.narrowing)
	if form.fault = web.FormFault(err, "name", nil); form.fault != nil {
		if form.fault.Field == "days" {
			form.fault = web.FieldFault("days", "token_days")
		}
		return s.accountTyped(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK,
		accountsviews.OwnToken(accountsviews.NewTokenPage(s.Chrome(c), k.Name, secret, s.Base(c.Request()), k.ExpiresAt)))
}

// revokeOwnToken ends a token of the person who asks; the next request with it is refused.
func (s *server) revokeOwnToken(c echo.Context) error {
	if err := s.Store.RevokeOwnToken(c.Request().Context(), s.Who(c), c.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=revoked#tokens")
}

// apiToken is a token that acts as the caller.
type apiToken struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Role       string  `json:"role"` // the lower of this and the person's counts
	CreatedAt  string  `json:"created_at"`
	ExpiresAt  string  `json:"expires_at"`
	RevokedAt  *string `json:"revoked_at"`
	LastUsedAt *string `json:"last_used_at"` // to the minute
	Current    bool    `json:"current"`      // the one that this call was made with

	Scopes    []access.Scope `json:"scopes"`    // that it is narrowed to; empty for all
	Addresses []string       `json:"addresses"` // networks that it may be used from; empty for everywhere
}

// apiTokenSecret is a new token with its secret, which is only in this answer.
type apiTokenSecret struct {
	apiToken
	Secret string `json:"secret"`
}

// apiTokens answers GET /account/tokens.
type apiTokens struct {
	Tokens []apiToken `json:"tokens"`
}

func newAPIToken(k *access.Token, who access.Actor) apiToken {
	networks := strings.Fields(access.NetworkNames(k.Addresses))
	return apiToken{
		ID: k.ID, Name: k.Name, Role: string(k.Role), CreatedAt: web.FormatTime(k.CreatedAt),
		ExpiresAt: web.FormatTime(k.ExpiresAt), RevokedAt: web.TimeOrNull(k.RevokedAt),
		LastUsedAt: web.TimeOrNull(k.LastUsedAt), Current: k.ID == who.Token,
		Scopes: append([]access.Scope{}, k.Scopes...), Addresses: append([]string{}, networks...),
	}
}

func (s *server) apiListOwnTokens(c echo.Context) error {
	who := s.Who(c)
	if !who.Human {
		return web.MachineDenied()
	}
	found, err := s.Store.OwnTokens(c.Request().Context(), who.Tenant, who.ID)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK,
		apiTokens{web.Map(found, func(k access.Token) apiToken { return newAPIToken(&k, who) })})
}

// ownTokenInput is the body of POST /account/tokens.
type ownTokenInput struct {
	Name     string `json:"name"`
	Days     int    `json:"days"`
	Password string `json:"password"`
	Code     string `json:"code,omitempty"`

	Scopes    []access.Scope `json:"scopes,omitempty"`    // none for all that the caller may do
	Addresses []string       `json:"addresses,omitempty"` // networks such as 192.0.2.0/24; none for everywhere
}

// apiAddOwnToken makes a token that acts as the caller, with the password given again: a stolen token makes no others.
func (s *server) apiAddOwnToken(c echo.Context) error {
	var in ownTokenInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return err
	}
	who := s.Who(c)
	k, secret, err := s.mint(c.Request().Context(), who, in.Name, in.Days,
		accountsviews.Narrowing{Scopes: in.Scopes, Addresses: strings.Join(in.Addresses, " ")})
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusCreated, apiTokenSecret{newAPIToken(&k, who), secret})
}

func (s *server) apiRevokeOwnToken(c echo.Context) (web.Reply, error) {
	who := s.Who(c)
	if !who.Human {
		return web.Reply{}, web.MachineDenied()
	}
	err := s.Store.RevokeOwnToken(c.Request().Context(), who, c.Param("id"))
	return web.Reply{Status: http.StatusNoContent}, err
}
