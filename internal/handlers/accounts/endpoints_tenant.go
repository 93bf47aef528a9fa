package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
)

// tenantEndpoints are the endpoints of the tenant: its settings, its letterhead and its patterns of redaction.
func (s *server) tenantEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin", Action: access.ManageUsers, Handle: s.showAdmin},
		{Method: http.MethodGet, Path: "/admin/tenant", Action: access.ManageTenant, Handle: s.showTenant},
		{Method: http.MethodPost, Path: "/admin/tenant", Action: access.ManageTenant,
			Handle: web.SmallForm(s.saveTenant)},
		{Method: http.MethodGet, Path: "/admin/letterhead", Action: access.ManageTenant, Handle: s.showLetterhead},
		{Method: http.MethodGet, Path: "/admin/letterhead/logo", Action: access.ManageTenant, Handle: s.letterLogo},
		{Method: http.MethodPost, Path: "/admin/letterhead", Action: access.ManageTenant, Handle: s.saveLetterhead},
		{Method: http.MethodGet, Path: "/admin/redaction", Action: access.ManageTenant, Handle: s.showRedaction},
		{Method: http.MethodPost, Path: "/admin/redaction", Action: access.ManageTenant,
			Handle: web.SmallForm(s.saveRedaction)},
	}
}
