package access

import (
	"net/netip"
	"time"
)

// Member is a person in one tenant, as lists show them: without password and secrets.
type Member struct {
	ID         string
	Login      string // folded to lower case
	Name       string // display name
	Title      string // job title in this tenant, "" for none
	Email      string // a login too; folded to lower case; "" if none
	Contact    string // an address that is not a login; folded; "" if none
	Role       Role
	TOTP       bool      // logs in with a one-time code as well
	Disabled   bool      // in this tenant or everywhere
	Everywhere bool      // disabled everywhere, by the operator
	SeenAt     time.Time // of the newest valid login in this tenant; zero for none
	Others     int       // number of other tenants the person is in; if any, only the operator may change the account
}

// Named is somebody, or some machine, by id and shown name.
type Named struct{ ID, Name string }

// Token is an API token without its secret.
type Token struct {
	ID         string
	UserID     string // the person it acts as; "" for a machine token
	UserName   string // display name; set by the store
	Name       string
	Role       Role
	Hash       string // of the secret; empty in lists
	CreatedAt  time.Time
	CreatedBy  string // id of an actor; set by the store
	ExpiresAt  time.Time
	RevokedAt  time.Time // zero while valid
	LastUsedAt time.Time // zero if never used

	Scopes    []Scope        // that it is narrowed to; none for all that the role allows
	Addresses []netip.Prefix // that it may be used from; none for everywhere
}

// The lifetime of a login (rule SEC-4).
const (
	LoginIdle     = 30 * time.Minute // since the last request
	LoginAbsolute = 8 * time.Hour    // since the login
	FreshFor      = 5 * time.Minute  // how long after the password was given no new one is needed
)

// Login is a signed-in browser.
type Login struct {
	ID        string
	TokenHash string // of the cookie's value; empty in lists
	UserID    string
	TenantID  string    // the tenant in use
	CreatedAt time.Time // set by the store
	SeenAt    time.Time // set by the store
	FreshAt   time.Time // when the password was last given; never in the future
	Vouched   bool      // the organisation's provider saw a second factor
	Agent     string    // cut to 200 characters
	Address   string

	Factors []Factor // by which the person signed in; in the log only
	Known   bool     // the browser had signed in to the account before; in the log only
}

// Factor is something by which somebody proves who they are. Names are logged.
type Factor string

// The factors.
const (
	ByPassword       Factor = "password"
	ByCode           Factor = "one_time_code"
	ByRecoveryCode   Factor = "recovery_code"
	ByProvider       Factor = "provider"
	ByProviderFactor Factor = "provider_second_factor" // the provider says that it saw one
)
