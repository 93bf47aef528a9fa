package auth

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"sanad/internal/domain"
)

// OIDCConfig is the operator's configuration of an OpenID Connect provider.
type OIDCConfig struct {
	Issuer, ClientID, ClientSecret string
	RedirectURL                    string // PUBLIC-URL/login/oidc/callback
	Name                           string // shown on the login button

	// SecondFactor are the values of amr or acr by which the provider says that it saw a second factor (RFC 8176).
	SecondFactor []string
}

// Check names what the operator must correct (domain.Invalid), without contacting the provider. The issuer must use
// https, except on this machine: otherwise anybody on the network path could pose as any user.
func (c OIDCConfig) Check() error {
	issuer, err := url.Parse(c.Issuer)
	switch {
	case err != nil || issuer.Host == "" || issuer.RawQuery != "" || issuer.Fragment != "":
		return domain.Refuse(domain.Invalid, "oidc-issuer", "refused_must_provider_address")
	case issuer.Scheme != "https" && (issuer.Scheme != "http" || !IsLoopback(issuer.Hostname())):
		return domain.Refuse(domain.Invalid, "oidc-issuer", "refused_must_begin_https")
	case c.ClientID == "":
		return domain.Refuse(domain.Invalid, "oidc-client-id", "refused_must_id_provider")
	}
	back, err := url.Parse(c.RedirectURL)
	if err != nil || back.Host == "" || back.Scheme != "https" && back.Scheme != "http" {
		return domain.Refuse(domain.Invalid, "public-url", "refused_must_set_openid")
	}
	return nil
}

// OIDC is the client of a provider. It contacts the provider only at the first login.
type OIDC struct {
	config OIDCConfig
	client *http.Client

	mu       sync.Mutex
	provider *provider // nil until discovery succeeded
}

// provider is the result of discovery.
type provider struct {
	*oidc.Provider
	oauth2 oauth2.Config
}

// NewOIDC returns a client; it does not use the network.
func NewOIDC(c OIDCConfig) *OIDC { return &OIDC{config: c, client: newOIDCClient()} }

// Name returns the provider's name for the login button: its host if the operator set no name.
func (o *OIDC) Name() string {
	if o.config.Name != "" {
		return o.config.Name
	}
	if u, err := url.Parse(o.config.Issuer); err == nil {
		return u.Host
	}
	return o.config.Issuer
}

// OIDCFlow is what a login must remember between redirecting to the provider and returning, in a sealed cookie.
type OIDCFlow struct {
	State, Nonce, Verifier string
	Next                   string // path to redirect to after the login
	MaxAge                 int    // seconds; 0 for no limit
}

// Start returns the provider's address to redirect to, and what to remember.
func (o *OIDC) Start(ctx context.Context, next string, maxAge int) (url string, f OIDCFlow, err error) {
	p, err := o.discover(ctx)
	if err != nil {
		return "", OIDCFlow{}, err
	}
	f = OIDCFlow{State: NewSecret(), Nonce: NewSecret(), Verifier: NewSecret() + NewSecret(), Next: next,
		MaxAge: max(0, maxAge)}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if f.MaxAge > 0 {
		options = append(options, oauth2.SetAuthURLParam("max_age", strconv.Itoa(f.MaxAge)))
	}
	return p.oauth2.AuthCodeURL(f.State, options...), f, nil
}

// discover returns the provider and caches it. A failure is not cached, so the next login tries again. Concurrent first
// logins each run discovery, so that a slow answer delays only its own login.
func (o *OIDC) discover(ctx context.Context) (*provider, error) {
	o.mu.Lock()
	known := o.provider
	o.mu.Unlock()
	if known != nil {
		return known, nil
	}
	if err := o.config.Check(); err != nil {
		return nil, unavailable("auth.OIDC", err)
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, o.client), o.config.Issuer)
	if err != nil {
		return nil, unavailable("auth.OIDC", err)
	}
	p := &provider{Provider: found, oauth2: o.oauth2Config(found)}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.provider = p
	return p, nil
}

// oauth2Config sets how the client authenticates at the token endpoint from the provider's metadata. It does not try
// the methods in turn, because a second try would send the code twice.
func (o *OIDC) oauth2Config(p *oidc.Provider) oauth2.Config {
	endpoint := p.Endpoint()
	var says struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	_ = p.Claims(&says) // missing or malformed: the default of OpenID Connect
	endpoint.AuthStyle = authStyle(o.config.ClientSecret, says.Methods)
	return oauth2.Config{ClientID: o.config.ClientID, ClientSecret: o.config.ClientSecret, Endpoint: endpoint,
		RedirectURL: o.config.RedirectURL, Scopes: []string{oidc.ScopeOpenID, "profile", "email"}}
}

func authStyle(secret string, methods []string) oauth2.AuthStyle {
	if secret == "" {
		return oauth2.AuthStyleInParams
	}
	for _, m := range methods {
		switch m {
		case "client_secret_basic":
			return oauth2.AuthStyleInHeader
		case "client_secret_post":
			return oauth2.AuthStyleInParams
		}
	}
	return oauth2.AuthStyleInHeader
}

// OIDCIdentity identifies the person who logged in, as the provider states it.
type OIDCIdentity struct {
	Issuer, Subject, Name string
	Email                 string    // "" unless the provider verified it
	AuthTime              time.Time // zero if the provider did not state it
	SecondFactor          bool      // the provider says that it saw one
}
