package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// sessionCalls are the operations of the API on sessions: their import, ledger, answers, judge runs and export.
func (s *server) sessionCalls() []web.Endpoint {
	return []web.Endpoint{
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
						Status: "202", Description: "20 claims or more that the embedded judge reads, more than 1,000 claims, 5 MiB, or 512 KiB of PDF and Word files: a job " +
							"that imports it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Streams: true, Idempotent: s.apiCreateSession,
		},
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
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/ledger", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "showLedger", Tag: "sessions", Summary: "Read a ledger", IfNoneMatch: true,
				Description: "All entries, or with from or limit some of them: page then says how many match, how many of " +
					"them come after those listed, and where to go on. The summary and risk flags always cover all claims.",
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
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/judge", Work: limits.JudgeWork, Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "judgeSession", Tag: "sessions", Summary: "Judge a session again",
				Description: "Judges its claims with its stored chunks, without withdrawn documents; with bundle_id from " +
					"the items of that bundle and nothing else. judge is embedded, the default, lexical, the same without " +
					"its reader, or the id or name of an endpoint that an administrator made. With scope rest, the default, the endpoint " +
					"is asked about the claims of which the embedded judge is not sure, with all about every claim. " +
					"Earlier runs stay readable. Reviews are kept; those of claims whose verdict or evidence changed " +
					"become stale.",
				Reads: judgeInput{}, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "200", Description: "The run, with what it changed in figures.", Body: apiJudged{},
						Headers: []string{"ETag"},
					},
					{
						Status: "202", Description: "An endpoint, 20 claims or more that the embedded judge reads, more than 1,000 claims or 5 MiB: a job that judges it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiJudge,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/judge/estimate", Work: limits.JudgeWork, Action: access.ImportLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "estimateJudge", Tag: "sessions", Summary: "Estimate what a run by an endpoint asks and costs",
				Description: "How many claims judgeSession would put to the endpoint, why, and what that is expected to take. " +
					"Nothing is sent. Answers that are known already are counted, though they cost nothing.",
				Query: []*openapi.Parameter{
					apidoc.TextOf("judge", "The id or name of an endpoint."),
					apidoc.ChoiceOf("scope", "Which claims it is asked about; by default rest.", judge.Rest, judge.Every),
				},
				Answers: []apidoc.Answer{{Status: "200", Description: "The estimate.", Body: apiJudgeEstimate{}}},
			},
			Handle: s.apiEstimateJudge,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/documents", Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "addDocuments", Tag: "sessions", Summary: "Add documents to a session",
				Description: "Documents as in sanad.session/v1, at most 16 MiB in one request, or files as a form. Claims that " +
					"are not supported, and supported ones that a new document contradicts, are judged again with all " +
					"documents; other claims keep their judgement. Reviews are kept; those of claims whose verdict " +
					"or evidence changed become stale.",
				Reads: addInput{}, Form: documentParts,
				Example: map[string]any{"documents": []any{
					map[string]any{"filename": "HR-2026.txt", "text": "Leave is 20 days."},
				}},
				Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "200", Description: "The documents, and the run with what it changed in figures.",
						Body: apiAdded{}, Headers: []string{"ETag"},
					},
					{
						Status: "202", Description: "20 claims or more that the embedded judge reads, more than 1,000 claims, 5 MiB, or 512 KiB of PDF and Word files: a job " +
							"that adds them.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiAddDocuments,
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
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "listRuns", Tag: "sessions", Summary: "List the judge runs of a session",
				Description: "The newest first.", Query: apidoc.ListQuery(),
				Answers: []apidoc.Answer{apidoc.PageOf("runs", apiRunRow{})},
			},
			Handle: s.apiListRuns,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs/:n/claims", Action: access.ReadLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "showRun", Tag: "sessions", Summary: "Read the judgement of a run",
				Description: "Also of an earlier run; in the order of the claims.", Query: apidoc.ListQuery(),
				Path: runPaths, Answers: []apidoc.Answer{apidoc.PageOf("claims", apiRunClaim{})},
			},
			Handle: s.apiShowRun,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs/:n/changes", Action: access.ReadLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "showRunChanges", Tag: "sessions", Summary: "See what a run changed",
				Description: "Compared with the run before it, in the order of the claims; empty for the first run.",
				Query:       apidoc.ListQuery(), Path: runPaths, Answers: []apidoc.Answer{apidoc.PageOf("changes", apiChange{})},
			},
			Handle: s.apiShowRunChanges,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/opinions", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "listOpinions", Tag: "sessions", Summary: "Set the verdicts of several judges side by side",
				Description: "Each claim with the newest verdict of every judge that has judged it, and that of people " +
					"where it is settled. A judge that asks a model is one for each model. Of the runs, the newest ones " +
					"are read (runs_read of showAgreement), of the claims the first 10,000.",
				Query:   apidoc.ListQuery(apidoc.FlagOf("differ", "Only claims of which two have different verdicts.")),
				Answers: []apidoc.Answer{apidoc.PageOf("claims", apiOpinions{})},
			},
			Handle: s.apiListOpinions,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/agreement", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "showAgreement", Tag: "sessions", Summary: "See how far judges and people agree on a session",
				Description: "Each pair over the claims that both have judged: how many have the same verdict, with the " +
					"95 % score interval (Wilson) of that share, Cohen's kappa from 30 claims on, and which verdict stands " +
					"against which; the same for each type of claim and each language.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The figures.", Body: apiAgreements{}}},
			},
			Handle: s.apiShowAgreement,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/ledger/export", Action: access.ExportLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "exportLedger", Tag: "sessions", Summary: "Export a ledger",
				Description: "The formats are markdown, json and pdf. A PDF has an English and an Arabic part; " +
					"`language` asks for one of them.", Reads: ledgerExportInput{},
				Example: map[string]any{"format": "pdf"},
				Answers: []apidoc.Answer{{Status: "200", Description: "A personal link.", Body: apiLedgerLink{}}},
			},
			Idempotent: web.WithBody(s.apiExportLedger),
		},
	}
}

var runPaths = map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The run's number, from 1.")}
