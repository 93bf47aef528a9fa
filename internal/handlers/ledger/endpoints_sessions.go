package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// sessionEndpoints are the endpoints of sessions: the list, import, the ledger, reviewers, closing, due dates.
func (s *server) sessionEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/sessions", Action: access.ReadLedger, Handle: s.listSessions},
		{Method: http.MethodPost, Path: "/sessions", Action: access.ImportLedger, Handle: s.createSession},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "listSessions", Tag: "sessions", Summary: "List sessions",
				Description: "Newest first by default.",
				Query:       apidoc.ListQuery(apidoc.Parameters(ledger.SessionFilters)...),
				Answers:     []apidoc.Answer{apidoc.PageOf("sessions", apiSessionRow{})},
			},
			Handle: s.apiListSessions,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions", Action: access.ImportLedger,
			Doc: &apidoc.Doc{
				ID: "importSession", Tag: "sessions", Summary: "Import a session",
				Description: "Takes sanad.session/v1, an exported ledger, and the interchange formats: rows of " +
					"Ragas and RAGTruth, messages of Anthropic, OpenAI, Cohere, Gemini and Bedrock, spans and " +
					"others. The format is detected. Claims without matches are judged here. As a form it takes PDF, " +
					"Word, HTML, Markdown and text files.",
				Reads: apidoc.SchemaFunc(apidoc.OfAnyFormat), JSONLines: true, Form: sessionParts, Example: apidoc.SessionExample, Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "201", Description: "The session, with its ledger.", Body: apiSession{},
						Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same content was imported before: its session.",
						Body: apiSession{}, Headers: []string{"Location"},
					},
					{
						Status: "202", Description: "20 claims or more that the embedded judge reads, more than 1,000 claims, 5 MiB, or 512 KiB of PDF, RTF and archived files: a job " +
							"that imports it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Streams: true, Idempotent: s.apiCreateSession,
		},
		{Method: http.MethodGet, Path: "/sessions/new", Action: access.ImportLedger, Handle: s.newSession},
		// the colon is part of the address
		{
			Method: http.MethodPost, Path: `/api/v1/sessions\:batch`, Action: access.ImportLedger,
			Doc: &apidoc.Doc{
				ID: "importSessions", Tag: "sessions", Summary: "Import several sessions",
				Description: "Up to 1,000 sessions and 16 MiB in one request, each in any format that importSession takes; " +
					"together up to 10,000 claims, of which the embedded judge reads up to 200. Every session is imported on its own, in their order, and has its own " +
					"result: one that is refused does not stop the others. Sessions of more than 5 MiB or 1,000 claims are " +
					"refused, as importSession makes a job of them.",
				Reads: batchInput{}, Example: map[string]any{"sessions": []any{apidoc.SessionExample}},
				Answers: []apidoc.Answer{{
					Status: "200", Description: "What became of each session, in their order.", Body: apiBatch{},
				}},
			},
			Idempotent: web.WithBody(s.apiImportBatch),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id", Action: access.ReadLedger, Object: "session",
			Handle: s.showSession,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "showSession", Tag: "sessions", Summary: "Show the progress of a review",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "Its state, progress, reviewers and how far they agree.",
					Body: apiSessionReview{},
				}},
			},
			Handle: s.apiShowSession,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/ledger", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "showLedger", Tag: "sessions", Summary: "Read a ledger", IfNoneMatch: true,
				Description: "All entries, or with from or limit some of them: page then says how many match, how many of " +
					"them come after those listed, and where to go on. The summary and risk flags always cover all claims; of some " +
					"entries, affected_claim_ids names those listed, and affected_count counts all.",
				Query: []*openapi.Parameter{
					apidoc.TextOf("verdict", "Entries with one of these verdicts only, with commas between: supported, weak, "+
						"contradicted, not_found, unjudged."),
					apidoc.ChoiceOf("citation", "Entries with a citation of this status only.", ledger.CitationStatuses...),
					apidoc.ChoiceOf("quotation", "Entries with a quotation of this status only.", ledger.QuotationStatuses...),
					apidoc.NumberOf("from", "Entries from this claim number on.", 1, ledger.MaxClaims),
					apidoc.NumberOf("limit", "At most so many entries; 50 by default if from is given.", 1, apidoc.MaxListLimit),
				},
				Answers: []apidoc.Answer{
					{
						Status: "200", Description: "The ledger, its entries in the order of the claims.",
						Body: apiLedgerAnswer{}, Headers: []string{"ETag"},
					},
					apidoc.Unchanged,
				},
			},
			Handle: s.apiShowLedger,
		},
		// others than oneself: AssignReview
		{
			Method: http.MethodPost, Path: "/sessions/:id/reviewers", Action: access.ReviewClaim, Object: "session",
			Handle: web.SmallForm(s.setReviewers),
		},
		// others than oneself: AssignReview
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/reviewers", Action: access.ReviewClaim,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "setReviewers", Tag: "sessions", Summary: "Set the reviewers of a session",
				Description: "Every reviewer may take a free seat and leave their own. Only administrators assign " +
					"others and ask for a second review. In a blind second review nobody sees the other's reviews of " +
					"a claim before both have decided it, and users who can read the audit log have no seat.",
				Reads: apiReviewersInput{}, Example: map[string]any{"second_review": "blind"},
				Answers: []apidoc.Answer{{Status: "200", Description: "As it is now.", Body: apiSessionReview{}}},
			},
			Idempotent: web.WithBody(s.apiSetReviewers),
		},
		{Method: http.MethodGet, Path: "/sessions/assign", Action: access.AssignReview, Handle: s.showAssign},
		{
			Method: http.MethodPost, Path: "/sessions/assign", Action: access.AssignReview,
			Handle: web.Form(web.MaxForm, s.assignMany),
		},
		{
			Method: http.MethodPost, Path: `/api/v1/sessions\:assign`, Action: access.AssignReview,
			Doc: &apidoc.Doc{
				ID: "assignSessions", Tag: "sessions", Summary: "Assign many sessions",
				Description: "Gives the sessions under review that pass the filters, and that are nobody's or one person's " +
					"(whose), to other first reviewers: turns, one each again and again; load, to who has the fewest " +
					"under review; shares, in proportion to share; nobody, with no people in to, takes them back. At most " +
					"10,000 at once, or as most says, those with the gravest flags first, then the oldest; all in one transaction. " +
					"sessions names those among which they are. With dry_run nothing is changed, and the answer says what would be.",
				Query: apidoc.Parameters(ledger.SessionFilters), Reads: apiAssignInput{},
				Example: map[string]any{"how": "nobody", "dry_run": true},
				Answers: []apidoc.Answer{{Status: "200", Description: "Who got how many, and what was left out.", Body: apiAssigned{}}},
			},
			Idempotent: web.WithBody(s.apiAssign),
		},
		{
			Method: http.MethodGet, Path: "/next", Action: access.ReadLedger,
			Handle: s.nextReview,
		},
		{
			Method: http.MethodPost, Path: "/next", Action: access.ReviewClaim,
			Handle: web.SmallForm(s.takeNext),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/close", Action: access.ReviewClaim, Object: "session",
			Handle: web.Form(web.MaxForm, s.closeSession),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/close", Action: access.ReviewClaim,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "closeSession", Tag: "sessions", Summary: "Close a session",
				Description: "A reason is required if claims are not settled. Any change opens the session again.",
				Reads:       apiCloseInput{}, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "As it is now.", Body: apiSessionReview{}}},
			},
			Idempotent: s.apiCloseSession,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/reopen", Action: access.ReviewClaim, Object: "session",
			Handle: s.reopenSession,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/reopen", Action: access.ReviewClaim,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "reopenSession", Tag: "sessions", Summary: "Reopen a closed session", Reads: apidoc.NoFields,
				BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "As it is now.", Body: apiSessionReview{}}},
			},
			Idempotent: web.WithoutBody(s.apiReopenSession),
		},
	}
}
