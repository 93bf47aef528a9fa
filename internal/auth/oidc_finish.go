package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"sanad/internal/domain"
)

// leeway is how many seconds the provider's clock may be from ours where we compare the time of a login.
const leeway = 60

// Finish checks state, code (PKCE), signature, nonce, audience and, where MaxAge was asked for, the time of the login. An
// error is Denied where this login is at fault, else Internal and ErrOIDCUnavailable.
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

// idClaims is what we read of an ID token and of the provider's answer about the user.
type idClaims struct {
	Subject       string   `json:"sub"`
	Azp           string   `json:"azp"`
	AuthTime      *float64 `json:"auth_time"`
	Name          string   `json:"name"`
	Username      string   `json:"preferred_username"`
	Email         string   `json:"email"`
	EmailVerified any      `json:"email_verified"` // some providers say "true"
}

// verify checks the ID token (OpenID Connect Core 3.1.3.7): go-oidc the signature, issuer, audience and expiry, the rest
// is ours.
func (o *OIDC) verify(ctx context.Context, p *provider, token *oauth2.Token, f OIDCFlow, now time.Time) (idClaims, error) {
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return idClaims{}, denied(errors.New("the provider sent no id_token"))
	}
	verified, err := p.Verifier(&oidc.Config{ClientID: o.config.ClientID, Now: func() time.Time { return now }}).Verify(ctx, raw)
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

// checkAge refuses a login that is older than was asked for, or whose time the provider does not tell.
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

// complete adds name and email. Many providers tell them at their userinfo endpoint only; that answer must be about the
// same subject.
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
	return c.identity(o.config.Issuer), nil
}

// with fills what is empty. An email goes with its own email_verified, never with that of the other answer.
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

// ErrOIDCUnavailable is in the chain of an error that is no fault of the person who logs in: the provider does not answer,
// or refuses this app.
var ErrOIDCUnavailable = errors.New("the OpenID Connect provider is unavailable")

func unavailable(op string, cause error) error {
	return &domain.Error{Kind: domain.Internal, Op: op, Msg: "The sign-in service does not answer; try again in a minute, or sign in with your password.",
		Err: fmt.Errorf("%w: %w", ErrOIDCUnavailable, shortened{cause})}
}

func denied(cause error) error {
	return &domain.Error{Kind: domain.Denied, Op: "auth.Finish", Msg: "This sign-in could not be completed; start it again.", Err: shortened{cause}}
}

// exchangeFault tells a code that is no good from a provider that is down or refuses us. Of the provider's answer only
// status and error code are kept: its text might repeat what we sent.
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
