package audit

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
)

// Endpoints returns the endpoints of the audit log.
func Endpoints(core *web.Server) []web.Endpoint {
	s := &server{Server: core}

	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/audit", Action: access.ReadAudit, Handle: s.showAudit},
		{Method: http.MethodPost, Path: "/audit/verify", Action: access.ReadAudit, Handle: s.verifyAudit},
		{Method: http.MethodGet, Path: "/audit/export", Action: access.ReadAudit, Handle: s.exportAudit},
		{Method: http.MethodGet, Path: "/audit/checkpoint", Action: access.ReadAudit, Handle: s.downloadCheckpoint},
	}
}
