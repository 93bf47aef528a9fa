package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/sources"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// Endpoints returns the endpoints of sessions: their ledgers, reviews, documents and judge runs, and what is computed
// for the caller.
func Endpoints(core *web.Server, limits importers.Options) []web.Endpoint {
	s := &server{Server: core, imports: limits}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/sessions", Action: access.ReadLedger, Handle: web.TakesStatus(s.listSessions)},
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
			Object: "session", Handle: s.attachPassage,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/reviews", Action: access.ReviewClaim,
			Object: "session", Handle: s.createReview,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/confirm", Action: access.ReviewClaim, Object: "session",
			Handle: s.showBulk,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/confirm", Action: access.ReviewClaim, Object: "session",
			Handle: s.confirmBulk,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/undo", Action: access.ReviewClaim, Object: "session",
			Handle: s.undoBulk,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/close", Action: access.ReviewClaim, Object: "session",
			Handle: s.closeSession,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/reopen", Action: access.ReviewClaim, Object: "session",
			Handle: s.reopenSession,
		},
		// others than oneself: AssignReview
		{
			Method: http.MethodPost, Path: "/sessions/:id/reviewers", Action: access.ReviewClaim, Object: "session",
			Handle: s.setReviewers,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/export/:format", Action: access.ExportLedger,
			Object: "session", Handle: s.downloadSession,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/citations/:hash", Action: access.ReadLedger,
			Object: "session", Handle: s.showCitation,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/judge", Action: access.ImportLedger, Object: "session",
			Handle: s.judgeSession,
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
			Handle: s.attachTo,
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/withdraw", Action: access.ImportLedger, Object: "document",
			Handle: s.withdrawDocument,
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/replace", Action: access.ImportLedger, Object: "document",
			Handle: s.replaceDocument,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id/original", Action: access.ReadLedger, Object: "document",
			Handle: s.downloadOriginal,
		},
		{Method: http.MethodGet, Path: "/downloads/:token", Action: access.ExportLedger, Handle: s.download},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/sessions", Action: access.ReadLedger,
			Doc: &web.Doc{
				ID: "listSessions", Tag: "sessions", Summary: "List sessions",
				Description: "Newest first by default.",
				Query: web.ListByState(
					"open: new or in review.", append([]ledger.State{ledger.StateOpen}, ledger.States...),
					web.ChoiceOf("assigned", "Those that the caller is to review. With state open, without those "+
						"whose claims the caller has all decided.", "me"),
					web.ChoiceOf("verdict", "With a claim of this verdict.", ledger.Verdicts...),
					web.ChoiceOf("flag", "With this risk flag.", ledger.RiskTypes...),
					web.TextOf("q", "In the title or the question."),
					web.ChoiceOf("sort", "", "created", "title", "coverage", "claims"),
					web.ChoiceOf("dir", "", "asc", "desc"),
				),
				Answers: []web.Answer{web.PageOf("sessions", apiSessionRow{})},
			},
			Handle: web.TakesStatus(s.apiListSessions),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions", Action: access.ImportLedger,
			Doc: &web.Doc{
				ID: "importSession", Tag: "sessions", Summary: "Import a session",
				Description: "Takes sanad.session/v1, an exported ledger, and the interchange formats: rows of " +
					"Ragas and RAGTruth, messages of Anthropic, OpenAI, Cohere, Gemini and Bedrock, spans and " +
					"others. The format is detected. Claims without matches are judged here.",
				Reads: web.SchemaFunc(web.OfAnyFormat), JSONLines: true, Example: web.SessionExample, Conflicts: true,
				Answers: []web.Answer{
					{
						Status: "201", Description: "The session, with its ledger.", Body: apiSession{},
						Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same content was imported before: its session.",
						Body: apiSession{}, Headers: []string{"Location"},
					},
					{
						Status: "202", Description: "More than 1,000 claims or 5 MiB: a job that imports it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Streams: true, Idempotent: s.apiCreateSession,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/ledger", Action: access.ReadLedger, Object: "session",
			Doc: &web.Doc{
				ID: "showLedger", Tag: "sessions", Summary: "Read a ledger", IfNoneMatch: true,
				Query: []*openapi.Parameter{
					web.ChoiceOf("citation", "Entries with a citation of this status only.", ledger.CitationStatuses...),
					web.ChoiceOf("quotation", "Entries with a quotation of this status only.", ledger.QuotationStatuses...),
				},
				Answers: []web.Answer{
					{
						Status: "200", Description: "The ledger, its entries in the order of the claims.",
						Body: apiLedgerAnswer{}, Headers: []string{"ETag"},
					},
					web.Unchanged,
				},
			},
			Handle: s.apiShowLedger,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/judge", Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "judgeSession", Tag: "sessions", Summary: "Judge a session again",
				Description: "Judges its claims with its stored chunks, without withdrawn documents; with bundle_id from " +
					"the items of that bundle and nothing else. Earlier runs " +
					"stay readable. Reviews are kept; those of claims whose verdict or evidence changed become " +
					"stale.",
				Reads: judgeInput{}, BodyOptional: true, Conflicts: true,
				Answers: []web.Answer{
					{
						Status: "200", Description: "The run, with what it changed in figures.", Body: apiJudged{},
						Headers: []string{"ETag"},
					},
					{
						Status: "202", Description: "More than 1,000 claims or 5 MiB: a job that judges it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiJudge,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/documents", Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "addDocuments", Tag: "sessions", Summary: "Add documents to a session",
				Description: "Documents as in sanad.session/v1, at most 16 MiB in one request. Claims that are not " +
					"supported, and supported ones that a new document contradicts, are judged again with all " +
					"documents; other claims keep their judgement. Reviews are kept; those of claims whose verdict " +
					"or evidence changed become stale.",
				Reads: addInput{},
				Example: map[string]any{"documents": []any{
					map[string]any{"filename": "HR-2026.txt", "text": "Leave is 20 days."},
				}},
				Conflicts: true,
				Answers: []web.Answer{
					{
						Status: "200", Description: "The documents, and the run with what it changed in figures.",
						Body: apiAdded{}, Headers: []string{"ETag"},
					},
					{
						Status: "202", Description: "More than 1,000 claims or 5 MiB: a job that adds them.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiAddDocuments,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/answers", Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "reviseAnswer", Tag: "sessions", Summary: "Revise the answer of a session",
				Description: "Makes the next version of the answer: a session of its own. Claims whose text is in " +
					"both versions keep their matches and reviews; the others are judged and have since_version " +
					"in an export. Claims are split from the answer unless they are given. Only the newest version " +
					"can be revised.",
				Reads: importers.RevisedAnswer{}, Example: map[string]any{"answer": "Leave is 20 days."},
				Conflicts: true,
				Answers: []web.Answer{
					{
						Status: "201", Description: "The new version.", Body: apiRevised{},
						Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same revision was stored before.", Body: apiRevised{},
						Headers: []string{"Location"},
					},
					{
						Status: "202", Description: "More than 1,000 claims or 5 MiB: a job that makes it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiRevise,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/answers", Action: access.ReadLedger, Object: "session",
			Doc: &web.Doc{
				ID: "listAnswers", Tag: "sessions", Summary: "List the versions of an answer",
				Description: "The first version first, at most 200; each is a session.",
				Answers:     []web.Answer{web.PageOf("versions", apiAnswerRow{})},
			},
			Handle: s.apiListAnswers,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/answers/:n/changes", Action: access.ReadLedger,
			Object: "session",
			Doc: &web.Doc{
				ID: "showAnswerChanges", Tag: "sessions", Summary: "Compare two versions of an answer",
				Description: "What became of each claim, in the order of the newer version.",
				Path: map[string]*openapi.Schema{
					"n": openapi.Between(1, 1<<30, "The version's number, from 1."),
				},
				Query: []*openapi.Parameter{
					web.TextOf("from", "The number of the older version; by default the one before."),
				},
				Answers: []web.Answer{web.PageOf("changes", apiAnswerChange{})},
			},
			Handle: s.apiShowAnswerChanges,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs", Action: access.ReadLedger, Object: "session",
			Doc: &web.Doc{
				ID: "listRuns", Tag: "sessions", Summary: "List the judge runs of a session",
				Description: "The newest first.", Query: web.ListQuery(),
				Answers: []web.Answer{web.PageOf("runs", apiRunRow{})},
			},
			Handle: s.apiListRuns,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs/:n/claims", Action: access.ReadLedger,
			Object: "session",
			Doc: &web.Doc{
				ID: "showRun", Tag: "sessions", Summary: "Read the judgement of a run",
				Description: "Also of an earlier run; in the order of the claims.", Query: web.ListQuery(),
				Path: runPaths, Answers: []web.Answer{web.PageOf("claims", apiRunClaim{})},
			},
			Handle: s.apiShowRun,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs/:n/changes", Action: access.ReadLedger,
			Object: "session",
			Doc: &web.Doc{
				ID: "showRunChanges", Tag: "sessions", Summary: "See what a run changed",
				Description: "Compared with the run before it, in the order of the claims; empty for the first run.",
				Query:       web.ListQuery(), Path: runPaths, Answers: []web.Answer{web.PageOf("changes", apiChange{})},
			},
			Handle: s.apiShowRunChanges,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/ledger/export", Action: access.ExportLedger,
			Object: "session",
			Doc: &web.Doc{
				ID: "exportLedger", Tag: "sessions", Summary: "Export a ledger",
				Description: "The formats are markdown, json and pdf.", Reads: ledgerExportInput{},
				Example: map[string]any{"format": "pdf"},
				Answers: []web.Answer{{Status: "200", Description: "A personal link.", Body: apiLedgerLink{}}},
			},
			Idempotent: s.apiExportLedger,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/claims/:n/reviews", Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "reviewClaim", Tag: "sessions", Summary: "Review a claim",
				Path:  map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The claim's number, from 1.")},
				Reads: apiReviewInput{},
				Example: map[string]any{
					"action": "override", "verdict": "supported", "reason": "The department head has agreed.",
				},
				Answers: []web.Answer{{
					Status: "201", Description: "The review, and the entry as it is now.", Body: web.ReviewAnswer,
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: s.apiCreateReview,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/claims/:n/passages", Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "attachPassage", Tag: "sessions", Summary: "Attach a passage to a claim as evidence",
				Path: map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The claim's number, from 1.")},
				Description: "document_id is the id of the document in session.documents of the ledger. start and end " +
					"are code points in the document's text: the places that its chunks state, or, if they state " +
					"none, those in its chunks joined by line feeds. The passage lies within one chunk. It becomes a " +
					"match by the caller, with name and time, which the judge judges by that passage alone; the " +
					"verdict rules then apply as to any other match. Reviews of the claim become stale.",
				Reads: passageInput{}, Example: map[string]any{
					"document_id": "00000000-0000-0000-0000-000000000000", "start": 0, "end": 42,
				},
				Conflicts: true,
				Answers: []web.Answer{{
					Status: "201", Description: "The match as it was judged, and the verdict before and after.",
					Body: apiPassageAttached{}, Headers: []string{"ETag"},
				}},
			},
			Idempotent: s.apiAttach,
		},
		{
			Method: http.MethodPost, Path: `/api/v1/sessions/:id/reviews\:bulk`, Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "reviewClaims", Tag: "sessions", Summary: "Confirm several claims, or undo that",
				Description: "confirm confirms the claims that match the whole filter and wait for the caller: one " +
					"review per claim, all or none, at most 5,000. undo takes back what is left of such a step, " +
					"named by its batch_id; the filter is then ignored.",
				Reads: apiBulkInput{},
				Example: map[string]any{
					"action": "confirm", "filter": map[string]any{"verdict": "supported", "unsettled": true},
				},
				Answers: []web.Answer{{
					Status: "200", Description: "The claims, and those that were left out.", Body: apiBulkAnswer{},
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: s.apiBulkReview,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id", Action: access.ReadLedger, Object: "session",
			Doc: &web.Doc{
				ID: "showSession", Tag: "sessions", Summary: "Show the progress of a review",
				Answers: []web.Answer{{
					Status: "200", Description: "Its state, progress, reviewers and how far they agree.",
					Body: apiSessionReview{},
				}},
			},
			Handle: s.apiShowSession,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/close", Action: access.ReviewClaim,
			Object: "session",
			Doc: &web.Doc{
				ID: "closeSession", Tag: "sessions", Summary: "Close a session",
				Description: "A reason is required if claims are not settled. Any change opens the session again.",
				Reads:       apiCloseInput{}, BodyOptional: true, Conflicts: true,
				Answers: []web.Answer{{Status: "200", Description: "As it is now.", Body: apiSessionReview{}}},
			},
			Idempotent: s.apiCloseSession,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/reopen", Action: access.ReviewClaim,
			Object: "session",
			Doc: &web.Doc{
				ID: "reopenSession", Tag: "sessions", Summary: "Reopen a closed session", Reads: web.NoFields,
				BodyOptional: true, Conflicts: true,
				Answers: []web.Answer{{Status: "200", Description: "As it is now.", Body: apiSessionReview{}}},
			},
			Idempotent: s.apiReopenSession,
		},
		// others than oneself: AssignReview
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/reviewers", Action: access.ReviewClaim,
			Object: "session",
			Doc: &web.Doc{
				ID: "setReviewers", Tag: "sessions", Summary: "Set the reviewers of a session",
				Description: "Every reviewer may take a free seat and leave their own. Only administrators assign " +
					"others and ask for a second review. In a blind second review nobody sees the other's reviews of " +
					"a claim before both have decided it, and users who can read the audit log have no seat.",
				Reads: apiReviewersInput{}, Example: map[string]any{"second_review": "blind"},
				Answers: []web.Answer{{Status: "200", Description: "As it is now.", Body: apiSessionReview{}}},
			},
			Idempotent: s.apiSetReviewers,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/documents/:id/withdraw", Action: access.ImportLedger,
			Object: "document", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "withdrawDocument", Tag: "sessions", Summary: "Withdraw a document",
				Description: "id is the id of the document in session.documents of its session's ledger, and " +
					"If-Match takes the ETag of that ledger. The text stays readable. Citations of it no longer " +
					"resolve, and reviews of claims that rest on it become stale. Judge the session again for " +
					"verdicts without it.",
				Reads: withdrawInput{}, Example: map[string]any{"reason": "It was a draft."}, Conflicts: true,
				Answers: []web.Answer{{
					Status: "200", Description: "How many claims rested on it.", Body: apiWithdrawn{},
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: s.apiWithdraw,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/documents/:id/replace", Action: access.ImportLedger,
			Object: "document", IfMatch: web.RequiredMatch("ledger"),
			Doc: &web.Doc{
				ID: "replaceDocument", Tag: "sessions", Summary: "Replace a document with a newer version",
				Description: "The older version is withdrawn, as by withdrawDocument. The newer one, with either " +
					"text or pages, is added to the session and supersedes it. It takes over the fields that the " +
					"request leaves out, except the dates. Judge the session again for verdicts by the newer " +
					"version.",
				Reads: replaceInput{},
				Example: map[string]any{
					"reason": "The policy of 2026.", "filename": "HR-2026.txt", "text": "Leave is 20 days.",
				},
				Conflicts: true,
				Answers: []web.Answer{{
					Status: "200", Description: "The newer version, and how many claims rested on the older one.",
					Body: apiReplaced{}, Headers: []string{"ETag"},
				}},
			},
			Idempotent: s.apiReplace,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/citations/:hash", Action: access.ReadLedger,
			Doc: &web.Doc{
				ID: "showCitation", Tag: "sessions", Summary: "Resolve a citation",
				Description: "Finds the passages that `[cite:…]` refers to, anywhere in the tenant.",
				Path:        map[string]*openapi.Schema{"hash": openapi.String("8 or more hex digits of a chunk's hash.")},
				Answers:     []web.Answer{{Status: "200", Description: "Resolved or not.", Body: web.CitationAnswer}},
			},
			Handle: s.apiShowCitation,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/evidence-maps", Action: access.ReadLedger,
			Doc: &web.Doc{
				ID: "makeEvidenceMap", Tag: "evidence", Summary: "Compute an evidence map", Reads: evidenceMapInput{},
				Answers: []web.Answer{{Status: "200", Description: "The map.", Body: apiEvidenceMap{}}},
			},
			Handle: s.apiCreateEvidenceMap,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/evidence-maps/answers", Action: access.ImportLedger,
			Doc: &web.Doc{
				ID: "checkPointers", Tag: "evidence", Summary: "Check an answer that points to evidence",
				Description: "Makes a session of the answer. evidence_ids are pointers of the map of these chunks (E1 " +
					"is the first chunk). Unknown ones are violations, never errors; a claim with a violation or " +
					"without evidence is ungrounded. Claims are given by number, from 1.",
				Reads: importers.PointerAnswer{}, Example: map[string]any{
					"query": "How long is the leave?", "chunks": []any{map[string]any{
						"source_root": "a1", "document_uri": "hr.pdf", "chunk_idx": 0, "chunk_root": "b2",
						"span": "Leave is 15 days.",
					}},
					"claims": []any{map[string]any{"text": "Leave is 15 days", "evidence_ids": []string{"E1"}}},
				},
				Answers: []web.Answer{
					{
						Status: "201", Description: "The session, and what is wrong with the pointers.",
						Body: apiPointerAnswer{}, Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same answer was stored before.", Body: apiPointerAnswer{},
						Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiCheckPointers,
		},
		// the colon is part of the address
		{
			Method: http.MethodPost, Path: `/api/v1/sources\:pack`, Action: access.ReadLedger,
			Doc: &web.Doc{
				ID: "packSources", Tag: "evidence", Summary: "Choose sources to show beside an answer",
				Description: "Unknown fields of candidates and chunks are ignored. For JSON that is not retrieval " +
					"output the list is empty, and with options.debug it has the reason.",
				Reads:   sourcesInput{},
				Answers: []web.Answer{{Status: "200", Description: "The event rag.sources.", Body: sources.Event{}}},
			},
			Handle: s.apiPackSources,
		},
	}
}

var runPaths = map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The run's number, from 1.")}
