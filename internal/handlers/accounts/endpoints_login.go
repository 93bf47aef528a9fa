package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
)

// loginEndpoints are the endpoints by which people log in and out and give their password again.
func (s *server) loginEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/login", Action: access.Public, Handle: s.showLogin},
		{Method: http.MethodPost, Path: "/login", Action: access.Public, Handle: web.SmallForm(s.logIn)},
		{Method: http.MethodGet, Path: "/login/code", Action: access.Public, Handle: s.showCode},
		{Method: http.MethodPost, Path: "/login/code", Action: access.Public, Handle: web.SmallForm(s.giveCode)},
		{Method: http.MethodGet, Path: "/login/oidc", Action: access.Public, Handle: s.showOIDC},
		{Method: http.MethodPost, Path: "/login/oidc", Action: access.Public, Handle: s.startOIDC},
		{Method: http.MethodGet, Path: "/login/oidc/callback", Action: access.Public, Handle: s.finishOIDC},
		{Method: http.MethodPost, Path: "/logout", Action: access.Public, Handle: s.logOut},
		{Method: http.MethodGet, Path: "/confirm", Action: access.UseAccount, Handle: s.showConfirm},
		{Method: http.MethodPost, Path: "/confirm", Action: access.UseAccount, Handle: web.SmallForm(s.confirm)},
	}
}
