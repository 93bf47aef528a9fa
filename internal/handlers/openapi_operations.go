package handlers

import (
	"maps"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/sources"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// operations says of every route of the API what it takes and what it sends, by method and path as in routes.
var operations = func() map[string]*operation {
	all := map[string]*operation{}
	for _, chapter := range []map[string]*operation{ledgerOperations, findOperations, jobOperations, decisionOperations, packOperations, exportOperations, reviewOperations, statsOperations, webhookOperations, bundleOperations} {
		maps.Copy(all, chapter)
	}
	return all
}()

// ledgerOperations are those of sessions and of evidence.
var ledgerOperations = map[string]*operation{
	"GET /api/v1/openapi.json": {
		id: "showDescription", tag: "description", summary: "This description", none: true,
		sends: []answers{{
			status: "200", words: "The description.",
			sent: bare(&openapi.Schema{Type: openapi.Types{"object"}}), headers: []string{"ETag"},
		}, unchanged},
	},
	"GET /api/v1/sessions": {
		id: "listSessions", tag: "sessions", summary: "List sessions", about: "The newest first, unless told otherwise.",
		query: listQuery(
			choiceOf("status", "open: new or in review.", append([]ledger.State{db.StatusOpen}, ledger.States...)...), choiceOf("assigned", "Those that the caller is to review.", "me"), choiceOf("verdict", "With a claim of this verdict.", ledger.Verdicts...),
			choiceOf("flag", "With this risk flag.", ledger.RiskTypes...), textOf("q", "In the title or the question."),
			choiceOf("sort", "", "created", "title", "coverage", "claims"), choiceOf("dir", "", "asc", "desc"),
		),
		sends: []answers{pageOf("sessions", apiSessionRow{})},
	},
	"POST /api/v1/sessions": {
		id: "importSession", tag: "sessions", summary: "Import a session", keyed: true, states: true, example: sessionExample,
		about: "Takes sanad.session/v1, an exported ledger, and the interchange formats: rows of Ragas and RAGTruth, messages of Anthropic, OpenAI, Cohere, Gemini and Bedrock, spans and others. The format is detected. Claims without matches are judged here.",
		read:  made(ofAnyFormat), lines: true,
		sends: []answers{
			{
				status: "201", words: "The session, with its ledger.", sent: apiSession{},
				headers: []string{"Location"},
			},
			{
				status: "200", words: "The same content was imported before: its session.", sent: apiSession{},
				headers: []string{"Location"},
			},
			{
				status: "202", words: "More than 1,000 claims or 5 MiB: a job that imports it.",
				sent: apiJob{}, headers: []string{"Location"},
			},
		},
	},
	"GET /api/v1/sessions/:id/ledger": {
		id: "showLedger", tag: "sessions", summary: "Read a ledger", none: true,
		sends: []answers{{
			status: "200", words: "The ledger, its entries in the order of the claims.",
			sent: apiLedgerAnswer{}, headers: []string{"ETag"},
		}, unchanged},
	},
	"POST /api/v1/sessions/:id/judge": {
		id: "judgeSession", tag: "sessions", summary: "Judge a session anew", keyed: true, ifMatch: required, states: true, read: judgeInput{}, bodyless: true,
		about: "Over its claims and stored chunks, without withdrawn documents. The runs before stay readable; reviews of claims whose verdict or evidence changed become stale and are kept.",
		sends: []answers{
			{
				status: "200", words: "The run, with what it changed in figures.", sent: apiJudged{},
				headers: []string{"ETag"},
			},
			{
				status: "202", words: "More than 1,000 claims or 5 MiB: a job that judges it.", sent: apiJob{},
				headers: []string{"Location"},
			},
		},
	},
	"POST /api/v1/documents/:id/withdraw": {
		id: "withdrawDocument", tag: "sessions", summary: "Withdraw a document", keyed: true, ifMatch: required, states: true, read: withdrawInput{},
		about:   "If-Match is that of its session's ledger. Its text stays readable; citations of it resolve no longer, and reviews of claims that rest on it become stale. Judge the session again to see what they rest on without it.",
		example: map[string]any{"reason": "It was a draft."},
		sends: []answers{{
			status: "200", words: "How many claims rested on it.", sent: apiWithdrawn{},
			headers: []string{"ETag"},
		}},
	},
	"POST /api/v1/documents/:id/replace": {
		id: "replaceDocument", tag: "sessions", summary: "Replace a document with a newer version", keyed: true, ifMatch: required, states: true, read: replaceInput{},
		about: "The older version is withdrawn, as by withdrawDocument; the newer one, of either text or pages, joins the session and supersedes it, and has from it what it leaves out, but for the dates. Judge the session again to see what the claims rest on then.",
		example: map[string]any{
			"reason": "The policy of 2026.", "filename": "HR-2026.txt", "text": "Leave is 20 days.",
		},
		sends: []answers{{
			status: "200", words: "The newer version, and how many claims rested on the older one.",
			sent: apiReplaced{}, headers: []string{"ETag"},
		}},
	},
	"GET /api/v1/sessions/:id/runs": {
		id: "listRuns", tag: "sessions", summary: "List the judge runs of a session", about: "The newest first.",
		query: listQuery(), sends: []answers{pageOf("runs", apiRunRow{})},
	},
	"GET /api/v1/sessions/:id/runs/:n/claims": {
		id: "showRun", tag: "sessions", summary: "Read the judgement of a run", about: "Also of one that others came after, in the order of the claims.",
		path: runPaths, query: listQuery(), sends: []answers{pageOf("claims", apiRunClaim{})},
	},
	"GET /api/v1/sessions/:id/runs/:n/changes": {
		id: "showRunChanges", tag: "sessions", summary: "See what a run changed", about: "Against the run before it, in the order of the claims; nothing for the first.",
		path: runPaths, query: listQuery(), sends: []answers{pageOf("changes", apiChange{})},
	},
	"POST /api/v1/sessions/:id/ledger/export": {
		id: "exportLedger", tag: "sessions", summary: "Take a ledger away", keyed: true, read: ledgerExportInput{}, example: map[string]any{"format": "pdf"},
		about: "The formats are markdown, json and pdf.",
		sends: []answers{{status: "200", words: "A personal link.", sent: apiLedgerLink{}}},
	},
	"POST /api/v1/sessions/:id/claims/:n/reviews": {
		id: "reviewClaim", tag: "sessions", summary: "Review a claim", keyed: true, ifMatch: required, read: apiReviewInput{},
		path: map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The claim's number, from 1.")},
		example: map[string]any{
			"action": "override", "verdict": "supported", "reason": "The department head has agreed.",
		},
		sends: []answers{{
			status: "201", words: "The review, and the entry as it is now.", sent: reviewAnswer,
			headers: []string{"ETag"},
		}},
	},
	"GET /api/v1/citations/:hash": {
		id: "showCitation", tag: "sessions", summary: "Resolve a citation", about: "What `[cite:…]` stands for, anywhere in the tenant.",
		path:  map[string]*openapi.Schema{"hash": openapi.String("At least 8 hex digits of a chunk's hash.")},
		sends: []answers{{status: "200", words: "Resolved or not.", sent: citationAnswer}},
	},
	"POST /api/v1/evidence-maps": {
		id: "makeEvidenceMap", tag: "evidence", summary: "Compute an evidence map", read: evidenceMapInput{},
		sends: []answers{{status: "200", words: "The map.", sent: apiEvidenceMap{}}},
	},
	`POST /api/v1/sources\:pack`: {
		id: "packSources", tag: "evidence", summary: "Choose sources to show beside an answer", read: sourcesInput{},
		about: "What a retriever adds to its candidates and chunks is passed over. JSON that is no retrieval output gives an empty list, with the reason where options.debug is set.",
		sends: []answers{{status: "200", words: "The event rag.sources.", sent: sources.Event{}}},
	},
}

var runPaths = map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The run's number, from 1.")}

// decisionOperations are those of decisions.
var decisionOperations = map[string]*operation{
	"GET /api/v1/decisions": {
		id: "listDecisions", tag: "decisions", summary: "List decisions", about: "The newest first.",
		query: listQuery(flagOf("missing", "Only those that must have a pack and have none."), choiceOf("level", "", levels...), textOf("q", "In the title, the agent or the entity.")),
		sends: []answers{pageOf("decisions", apiDecisionRow{})},
	},
	"POST /api/v1/decisions": {
		id: "importDecision", tag: "decisions", summary: "Take a decision in", keyed: true, states: true, read: importers.DecisionFile(),
		about: "The excerpt of an S3 source, and the inputs and outputs of an S3 tool call, are replaced by a URI and a salted hash before anything is stored.",
		sends: []answers{
			{
				status: "201", words: "It is there, and this is whether it must have a pack.",
				sent: apiDecision{}, headers: []string{"Location"},
			},
			{status: "200", words: "The same content was there.", sent: apiDecision{}, headers: []string{"Location"}},
		},
	},
	"GET /api/v1/decisions/:id": {
		id: "showDecision", tag: "decisions", summary: "Read a decision", about: "As it is kept, with the packs about it.",
		path:  map[string]*openapi.Schema{"id": openapi.String("The caller's id of the decision.")},
		sends: []answers{{status: "200", words: "The decision.", sent: apiDecisionKept{}}},
	},
}
