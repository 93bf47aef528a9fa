package handlers

import (
	"net/http"
	"sanad/internal/domain/access"
)

// auditEndpoints are those of the audit log.
func (s *Server) auditEndpoints() []Endpoint {
	return []Endpoint{
		{Method: http.MethodGet, Path: "/audit", Action: access.ReadAudit, Handle: s.showAudit},
		{Method: http.MethodPost, Path: "/audit/verify", Action: access.ReadAudit, Handle: s.verifyAudit},
		{Method: http.MethodGet, Path: "/audit/export", Action: access.ReadAudit, Handle: s.exportAudit},
		{Method: http.MethodGet, Path: "/audit/checkpoint", Action: access.ReadAudit, Handle: s.downloadCheckpoint},
	}
}
