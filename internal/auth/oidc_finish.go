package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// leeway is the tolerated clock difference in seconds between the provider and this machine.
const leeway = 60

// Finish checks the state, code (PKCE), signature, nonce, audience and, if MaxAge is set, the time of the login. The
// error is Denied if this login is at fault, and otherwise Internal and wraps ErrOIDCUnavailable.
func (o *OIDC) Finish(ctx context.Context, f OIDCFlow, state, code string, now time.Time) (OIDCIdentity, error) {
	if f.State == "" || f.Nonce == "" || f.Verifier == "" || code == "" || !same(f.State, state) {
		return OIDCIdentity{}, denied(errors.New("state of another attempt, or no code"))
	}
	p, err := o.discover(ctx)
	if err != nil {
		return OIDCIdentity{}, err
	}
	ctx = oidc.ClientContext(ctx, o.client)
	token, err := p.oauth2.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return OIDCIdentity{}, exchangeFault(err)
	}
	id, err := o.verify(ctx, p, token, f, now)
	if err != nil {
		return OIDCIdentity{}, err
	}
	return o.complete(ctx, p, token, id)
}

// idClaims holds the claims used from an ID token and from the userinfo answer.
type idClaims struct {
	Subject       string   `json:"sub"`
	Azp           string   `json:"azp"`
	AuthTime      *float64 `json:"auth_time"`
	Name          string   `json:"name"`
	Username      string   `json:"preferred_username"`
	Email         string   `json:"email"`
	EmailVerified any      `json:"email_verified"` // some providers say "true"
	AMR           any      `json:"amr"`            // a list of methods; some providers send one as a text
	ACR           any      `json:"acr"`
}

// verify checks the ID token (OpenID Connect Core 3.1.3.7). go-oidc checks the signature, issuer, audience and expiry;
// the other checks are here.
func (o *OIDC) verify(ctx context.Context, p *provider, token *oauth2.Token, f OIDCFlow,
	now time.Time) (idClaims, error) {
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return idClaims{}, denied(errors.New("the provider sent no id_token"))
	}
	verified, err := p.Verifier(&oidc.Config{ClientID: o.config.ClientID,
		Now: func() time.Time { return now }}).Verify(ctx, raw)
	if err != nil {
		return idClaims{}, denied(err)
	}
	var c idClaims
	if err := verified.Claims(&c); err != nil {
		return idClaims{}, denied(err)
	}
	switch {
	case !same(f.Nonce, verified.Nonce):
		return idClaims{}, denied(errors.New("nonce of another attempt"))
	case c.Azp != "" && c.Azp != o.config.ClientID, c.Azp == "" && len(verified.Audience) > 1:
		return idClaims{}, denied(errors.New("a token made for another client"))
	case c.Subject == "" || len(c.Subject) > 255:
		return idClaims{}, denied(errors.New("no sub, or one of over 255 bytes"))
	}
	return c, checkAge(c.AuthTime, f.MaxAge, now)
}

// checkAge refuses a login that is older than maxAge, or whose time the provider did not state.
func checkAge(authTime *float64, maxAge int, now time.Time) error {
	if maxAge <= 0 {
		return nil
	}
	if authTime == nil {
		return denied(errors.New("max_age was asked for and the provider sent no auth_time"))
	}
	age := float64(now.Unix()) - *authTime // no conversion: the provider may send any number
	if age < -leeway || age > float64(maxAge)+leeway {
		return denied(fmt.Errorf("the login is %.4g s old, %d s were asked for", age, maxAge))
	}
	return nil
}

// complete adds the name and email. Many providers return them only from the userinfo endpoint, whose answer must be
// about the same subject.
func (o *OIDC) complete(ctx context.Context, p *provider, token *oauth2.Token, c idClaims) (OIDCIdentity, error) {
	if (c.Name == "" || c.Email == "") && p.UserInfoEndpoint() != "" {
		info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return OIDCIdentity{}, unavailable("auth.Finish", err)
		}
		var more idClaims
		if err := info.Claims(&more); err != nil {
			return OIDCIdentity{}, unavailable("auth.Finish", err)
		}
		if info.Subject != c.Subject {
			return OIDCIdentity{}, denied(errors.New("userinfo is about another subject"))
		}
		c = c.with(more)
	}
	id := c.identity(o.config.Issuer)
	id.SecondFactor = c.sawFactor(o.config.SecondFactor)
	return id, nil
}

// with fills in empty claims. An email is only taken together with its own email_verified.
func (c idClaims) with(more idClaims) idClaims {
	if c.Name == "" {
		c.Name = more.Name
	}
	if c.Username == "" {
		c.Username = more.Username
	}
	if c.Email == "" {
		c.Email, c.EmailVerified = more.Email, more.EmailVerified
	}
	return c
}

// sawFactor reports whether amr or acr of the ID token has one of the values that mean a second factor. The userinfo
// answer does not count: it says nothing of this login.
func (c idClaims) sawFactor(values []string) bool {
	said := []any{c.AMR, c.ACR}
	if list, ok := c.AMR.([]any); ok {
		said = append(list, c.ACR)
	}
	return slices.ContainsFunc(said, func(v any) bool {
		text, ok := v.(string)
		return ok && slices.Contains(values, text)
	})
}

func (c idClaims) identity(issuer string) OIDCIdentity {
	id := OIDCIdentity{Issuer: issuer, Subject: c.Subject, Name: c.Name}
	if id.Name == "" {
		id.Name = c.Username
	}
	if c.EmailVerified == true || c.EmailVerified == "true" {
		id.Email = c.Email
	}
	if c.AuthTime != nil && *c.AuthTime > 0 && *c.AuthTime < 1<<40 {
		id.AuthTime = time.Unix(int64(*c.AuthTime), 0).UTC()
	}
	return id
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// ErrOIDCUnavailable is wrapped by errors that the person who logs in did not cause: the provider does not answer or
// refuses this app.
var ErrOIDCUnavailable = errors.New("the OpenID Connect provider is unavailable")

func unavailable(op string, cause error) error {
	return &domain.Error{Kind: domain.Internal, Op: op,
		Message: words.Msg("refused_sign_service_does"),
		Err:     fmt.Errorf("%w: %w", ErrOIDCUnavailable, shortened{cause})}
}

func denied(cause error) error {
	return &domain.Error{Kind: domain.Denied, Op: "auth.Finish",
		Message: words.Msg("refused_sign_could_completed"), Err: shortened{cause}}
}

// exchangeFault distinguishes an invalid code from a provider that is down or refuses this app. Of the provider's
// answer it keeps only the status and error code, since the text might repeat what was sent.
func exchangeFault(err error) error {
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) || answer.Response == nil {
		return unavailable("auth.Finish", err)
	}
	cause := fmt.Errorf("the token endpoint answered %d %.40q", answer.Response.StatusCode, answer.ErrorCode)
	if answer.ErrorCode == "invalid_grant" {
		return denied(cause)
	}
	return unavailable("auth.Finish", cause)
}
