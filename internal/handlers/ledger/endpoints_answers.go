package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// answerEndpoints are the endpoints of the versions of an answer.
func (s *server) answerEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/sessions/:id/answers", Action: access.ReadLedger, Object: "session",
			Handle: s.showAnswers,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/answers.pdf", Work: limits.ExportWork, Action: access.ExportLedger,
			Object: "session", Handle: s.answersPDF,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/answers.pdf", Work: limits.ExportWork,
			Action: access.ExportLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "redlineAnswers", Tag: "sessions", Summary: "Read what changed in the wording of an answer as a PDF",
				Description: "The whole answer: what the newer version removed is struck through, what it added is underlined.",
				Query: []*openapi.Parameter{
					apidoc.TextOf("from", "The number of the older version; by default the one before."),
					apidoc.TextOf("to", "The number of the newer version; by default the newest."),
					apidoc.ChoiceOf("language", "Of the document's own words; English by default.", web.PDFLanguages...)},
				Answers: []apidoc.Answer{{Status: "200", Description: "The PDF.", Body: apidoc.PDFBytes{},
					Headers: []string{"Content-Disposition"}}},
			},
			Handle: s.answersPDF,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/answers", Action: access.ImportLedger, Object: "session",
			Handle: s.reviseAnswer,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/answers", Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "reviseAnswer", Tag: "sessions", Summary: "Revise the answer of a session",
				Description: "Makes the next version of the answer: a session of its own. Claims whose text is in " +
					"both versions keep their matches and reviews; the others are judged and have since_version " +
					"in an export. Claims are split from the answer unless they are given. Only the newest version " +
					"can be revised.",
				Reads: importers.RevisedAnswer{}, Example: map[string]any{"answer": "Leave is 20 days."},
				Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "201", Description: "The new version.", Body: apiRevised{},
						Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same revision was stored before.", Body: apiRevised{},
						Headers: []string{"Location"},
					},
					{
						Status: "202", Description: "20 claims or more that the embedded judge reads, more than 1,000 claims or 5 MiB: a job that makes it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: web.WithBody(s.apiRevise),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/answers", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "listAnswers", Tag: "sessions", Summary: "List the versions of an answer",
				Description: "The first version first, at most 200; each is a session.",
				Answers:     []apidoc.Answer{apidoc.PageOf("versions", apiAnswerRow{})},
			},
			Handle: s.apiListAnswers,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/answers/new", Action: access.ImportLedger, Object: "session",
			Handle: s.newAnswer,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/answers/:n/changes", Action: access.ReadLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "showAnswerChanges", Tag: "sessions", Summary: "Compare two versions of an answer",
				Description: "What became of each claim, in the order of the newer version.",
				Path: map[string]*openapi.Schema{
					"n": openapi.Between(1, 1<<30, "The version's number, from 1."),
				},
				Query: []*openapi.Parameter{
					apidoc.TextOf("from", "The number of the older version; by default the one before."),
				},
				Answers: []apidoc.Answer{apidoc.PageOf("changes", apiAnswerChange{})},
			},
			Handle: s.apiShowAnswerChanges,
		},
	}
}
