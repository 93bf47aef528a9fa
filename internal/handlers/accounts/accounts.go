// Package accounts serves logins, one's own account, and the administration of people, tokens, keys, redaction
// and the tenant.
package accounts

import (
	"sanad/internal/auth"
	"sanad/internal/handlers/web"
)

// server answers the requests of this capability.
type server struct {
	*web.Server

	oidc *auth.OIDC // nil if none
}
