package main

import (
	"errors"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

// oidcFlags configure the OpenID Connect provider, if one is used.
type oidcFlags struct {
	issuer, clientID, secretFile, name string
	secondFactor                       []string
}

func (f *oidcFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.issuer, "oidc-issuer", "",
		"address of an OpenID Connect provider to sign in at; needs --public-url")
	cmd.Flags().StringVar(&f.clientID, "oidc-client-id", "", "client id that the provider assigned to this app")
	cmd.Flags().StringVar(&f.secretFile, "oidc-client-secret-file", "",
		"file with the client secret from the provider (default: none, a public client)")
	cmd.Flags().StringSliceVar(&f.secondFactor, "oidc-second-factor", nil,
		"value of amr or acr by which the provider says that it saw a second factor, such as mfa (repeatable)")
	cmd.Flags().StringVar(&f.name, "oidc-name", "", "name of the provider on the login button (default: its host)")
}

// oidcCallback is the path that the provider redirects to; it must be registered there.
const oidcCallback = "/login/oidc/callback"

// client returns the client, or nil if no provider is configured. It does not use the network.
func (f *oidcFlags) client(public string) (*auth.OIDC, error) {
	if f.issuer+f.clientID+f.secretFile+f.name == "" && len(f.secondFactor) == 0 {
		return nil, nil
	}
	if f.issuer == "" {
		return nil, errors.New("--oidc-issuer is needed: the provider's address")
	}
	if public == "" {
		return nil, errors.New("--oidc-issuer needs --public-url: the provider redirects to " + oidcCallback + " there")
	}
	secret, err := secretFile("--oidc-client-secret-file", f.secretFile)
	if err != nil {
		return nil, err
	}
	c := auth.OIDCConfig{Issuer: f.issuer, ClientID: f.clientID, ClientSecret: secret,
		RedirectURL: public + oidcCallback, Name: f.name, SecondFactor: f.secondFactor}
	if err := c.Check(); err != nil {
		var e *domain.Error
		if errors.As(err, &e) && e.Path != "" {
			return nil, errors.New("--" + e.Path + " " + e.Text())
		}
		return nil, err
	}
	return auth.NewOIDC(c), nil
}
