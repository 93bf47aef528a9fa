package packs

import (
	"slices"

	"sanad/internal/handlers/web"
)

// Endpoints returns the endpoints of decisions and their evidence packs: drafts, sign-off, exports, retention.
func Endpoints(core *web.Server, traceViewer string) []web.Endpoint {
	s := &server{Server: core, traceViewer: traceViewer}
	return slices.Concat(s.decisionEndpoints(), s.packEndpoints(), s.signOffEndpoints(), s.draftEndpoints(),
		s.dueEndpoints(), s.proofEndpoints(), s.exportEndpoints(), s.retentionEndpoints())
}
