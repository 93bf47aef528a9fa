package ledger

import (
	"net/http"
	"slices"

	"sanad/internal/app"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
)

// Endpoints returns the endpoints of sessions: their ledgers, reviews, documents and judge runs, and what is computed
// for the caller.
func Endpoints(core *web.Server, limits importers.Options, own *app.Embedded) []web.Endpoint {
	s := &server{Server: core, imports: limits, embedded: own}
	return slices.Concat(s.pages(), s.sessionCalls(), s.reviewCalls(), s.sourceCalls(), s.dueCalls())
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/sessions", Action: access.ReadLedger, Handle: s.listSessions},
		{Method: http.MethodGet, Path: "/sessions/new", Action: access.ImportLedger, Handle: s.newSession},
		{Method: http.MethodPost, Path: "/sessions", Action: access.ImportLedger, Handle: s.createSession},
		{
			Method: http.MethodGet, Path: "/sessions/:id", Action: access.ReadLedger, Object: "session",
			Handle: s.showSession,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/claims/:n", Action: access.ReadLedger, Object: "session",
			Handle: s.showClaim,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/claims/:n/passages", Action: access.ReviewClaim,
			Object: "session", Handle: s.showPassages,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/passages", Action: access.ReviewClaim,
			Object: "session", Handle: web.SmallForm(s.attachPassage),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/passages/undo", Action: access.ReviewClaim,
			Object: "session", Handle: web.SmallForm(s.detachPassage),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/reviews", Action: access.ReviewClaim,
			Object: "session", Handle: web.Form(web.MaxForm, s.createReview),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/confirm", Action: access.ReviewClaim, Object: "session",
			Handle: s.showBulk,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/confirm", Action: access.ReviewClaim, Object: "session",
			Handle: web.SmallForm(s.confirmBulk),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/undo", Action: access.ReviewClaim, Object: "session",
			Handle: web.SmallForm(s.undoBulk),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/close", Action: access.ReviewClaim, Object: "session",
			Handle: web.Form(web.MaxForm, s.closeSession),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/reopen", Action: access.ReviewClaim, Object: "session",
			Handle: s.reopenSession,
		},
		// others than oneself: AssignReview
		{
			Method: http.MethodPost, Path: "/sessions/:id/reviewers", Action: access.ReviewClaim, Object: "session",
			Handle: web.SmallForm(s.setReviewers),
		},
		s.dueEndpoint(), // its reviewers; all others: AssignReview
		{
			Method: http.MethodGet, Path: "/sessions/:id/export/:format", Work: limits.ExportWork, Action: access.ExportLedger,
			Object: "session", Handle: s.downloadSession,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/citations/:hash", Action: access.ReadLedger,
			Object: "session", Handle: s.showCitation,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/judge", Work: limits.JudgeWork, Action: access.ImportLedger, Object: "session",
			Handle: web.SmallForm(s.judgeSession),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/judge", Work: limits.JudgeWork, Action: access.ImportLedger, Object: "session",
			Handle: s.chooseJudge,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/documents", Action: access.ImportLedger, Object: "session",
			Handle: s.addDocuments,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/documents", Action: access.ImportLedger, Object: "session",
			Handle: s.takeDocuments,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/answers", Action: access.ReadLedger, Object: "session",
			Handle: s.showAnswers,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/answers/new", Action: access.ImportLedger, Object: "session",
			Handle: s.newAnswer,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/answers", Action: access.ImportLedger, Object: "session",
			Handle: s.reviseAnswer,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/runs/:n", Action: access.ReadLedger, Object: "session",
			Handle: s.showRun,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/opinions", Action: access.ReadLedger, Object: "session",
			Handle: s.showOpinions,
		},
		{
			Method: http.MethodGet, Path: "/evidence-maps/answers", Action: access.ImportLedger,
			Handle: s.newPointers,
		},
		{
			Method: http.MethodPost, Path: "/evidence-maps/answers", Action: access.ImportLedger,
			Handle: s.checkPointers,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id", Action: access.ReadLedger, Object: "document",
			Handle: s.showDocument,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id/attach", Action: access.ReviewClaim, Object: "document",
			Handle: s.showAttachTo,
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/attach", Action: access.ReviewClaim, Object: "document",
			Handle: web.SmallForm(s.attachTo),
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/withdraw", Action: access.ImportLedger, Object: "document",
			Handle: web.SmallForm(s.withdrawDocument),
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/replace", Action: access.ImportLedger, Object: "document",
			Handle: s.replaceDocument,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id/original", Action: access.ReadLedger, Object: "document",
			Handle: s.downloadOriginal,
		},
		{
			Method: http.MethodGet, Path: "/downloads/:token", Work: limits.ExportWork, Action: access.ExportLedger,
			Object: "session", Names: web.OfLink, Handle: s.download,
		},
	}
}
