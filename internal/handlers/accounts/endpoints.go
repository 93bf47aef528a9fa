package accounts

import (
	"slices"

	"sanad/internal/auth"
	"sanad/internal/handlers/web"
)

// Endpoints returns the endpoints of logins, of one's own account, and of the administration of people, tokens, keys
// and the tenant.
func Endpoints(core *web.Server, oidc *auth.OIDC) []web.Endpoint {
	s := &server{Server: core, oidc: oidc}
	return slices.Concat(s.loginEndpoints(), s.tokenEndpoints(), s.accountEndpoints(), s.deputyEndpoints(),
		s.changeEndpoints(),
		s.invitationEndpoints(), s.userEndpoints(), s.keyEndpoints(), s.tenantEndpoints())
}
