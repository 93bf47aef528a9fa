package ledger

import (
	"slices"

	"sanad/internal/app"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// Endpoints returns the endpoints of sessions: their ledgers, reviews, documents and judge runs, and what is computed
// for the caller.
func Endpoints(core *web.Server, limits importers.Options, own *app.Embedded) []web.Endpoint {
	s := &server{Server: core, imports: limits, embedded: own}
	return slices.Concat(s.sessionEndpoints(), s.judgeEndpoints(), s.answerEndpoints(), s.exportEndpoints(),
		s.claimEndpoints(), s.documentEndpoints(), s.evidenceEndpoints(), s.dueEndpoints())
}
