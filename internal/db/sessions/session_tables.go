package sessions

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// What the rows of a session are salted with: their own salt, or that of what they belong to.
const (
	ownSalt     = "r.salt"
	sessionSalt = "(SELECT x.salt FROM sessions x WHERE x.tenant_id = r.tenant_id AND x.no = r.session_no)"
	runSalt     = "(SELECT x.salt FROM ledger_runs x WHERE x.tenant_id = r.tenant_id AND x.session_no = r.session_no " +
		"AND x.n = r.run)"
	claimSalt = "(SELECT x.salt FROM claims x WHERE x.tenant_id = r.tenant_id AND x.session_no = r.session_no " +
		"AND x.position = r.claim)"
	documentSalt = "(SELECT x.salt FROM documents x WHERE x.tenant_id = r.tenant_id AND x.session_no = r.session_no " +
		"AND x.position = r.document)"
)

// wholeClaim is the value of the column claim that stands for the whole session.
const wholeClaim = -1

// SessionSections are the parts of a session's state, in their order. Names, tables, columns and their order are stored
// in digests: only add to them.
var SessionSections = []auditlog.Section{
	auditlog.NewSection("session", "sessions", "", 0, "no", ownSalt,
		`revision updated_at status total supported weak contradicted
		not_found unjudged reviewed covered coverage flags flag_count severity urgency reviewer overview state settled
		differing second_review first_reviewer second_reviewer rule_set run document_count closed_at closed_by closed_reason
		answer_version first_ledger`),
	auditlog.NewSection("origin", "sessions", "", 0, "no", ownSalt,
		`no id tenant_id ledger_id digest created_at title_key first_claim
		answer_length external_id mode lang model model_version trace_id decision_id format title query extra?`),
	auditlog.NewSection("answer", "answer_parts", "", 0, "start", sessionSalt, "tenant_id start text"),
	auditlog.NewSection("upstream", "upstream", "claim", wholeClaim, "claim", sessionSalt, "tenant_id claim said"),
	auditlog.NewSection("imported reviews", "imported_reviews", "claim", wholeClaim, "claim", sessionSalt,
		"tenant_id claim said"),
	auditlog.NewSection("documents", "documents", "position", 0, "position", ownSalt,
		`id tenant_id position key filename title uri
		lang published_at valid_until supersedes source_quality? status media_type blob root chunk_count outline? withdrawn
		text_by bundle_id blob_sha256 left_out?`),
	auditlog.NewSection("chunks", "chunks", "document", 0, "position", documentSalt,
		`tenant_id document position id key hash root
		page heading_path? span_start? span_end? text kind`),
	auditlog.NewSection("runs", "ledger_runs", "n", 0, "n", ownSalt,
		"tenant_id n id judge version parameters? input_digest at duration_ns bundle_id"),
	auditlog.NewSection("run marks", "run_marks", "run", 0, "run", runSalt,
		"run tenant_id made_by changed flips stale"),
	auditlog.NewSection("run changes", "run_changes", "run", 0, "claim", runSalt,
		`run claim tenant_id from_verdict to_verdict
		from_confidence to_confidence stale gained? lost?`),
	auditlog.NewSection("run claims", "run_claims", "run", 0, "claim", runSalt,
		"run claim tenant_id verdict confidence judge given unjudged matches?"),
	auditlog.NewSection("claims", "claims", "position", 0, "position", ownSalt,
		`no tenant_id position verdict machine_verdict
		confidence state overridden effective_type effective_importance uncited flags revision id key type importance
		requires_citation span_start? span_end? judge given unjudged unjudged_said? text stale_reviews stale settled differs
		withheld_reviews citation_checks quotation_checks checks since`),
	auditlog.NewSection("matches", "matches", "claim", 0, "rank", claimSalt,
		`tenant_id claim rank document chunk similarity support
		contradicts quote_kind quote_start quote_end snippet note note_said? conflicts? missing? features? attached?`),
	auditlog.NewSection("citations", "citations", "claim", 0, "n", claimSalt,
		"tenant_id claim n hash span_start span_end status places?"),
	auditlog.NewSection("reviews", "reviews", "claim", 0, "n", ownSalt,
		`tenant_id claim n id actor role at action verdict type
		importance reason by_id undoes adjudicates batch`),
}

// CalibrationTables are the recorded tables of the calibrations of the reader.
var CalibrationTables = []auditlog.RecordTable{
	{Name: "reader_calibrations", Keys: []string{"reader"},
		Columns: []string{"balances", "calibrated_on", "calibrated_at"}},
}

// ViewTables are the recorded tables of saved views.
var ViewTables = []auditlog.RecordTable{
	{Name: "saved_views", Keys: []string{"id"},
		Columns: []string{"user_id", "page", "name", "name_key", "query", "shared",
			"created_at"}},
}

// By what an erasure finds rows of a session, or of a document in one.
const (
	byNo       = "no = ?"
	bySession  = "session_no = ?"
	byDocument = "session_no = ? AND document = ?"
)

// ErasureClaims are what an erasure does to the tables of sessions. Besides, the file names of erased documents are
// removed from the citations of other sessions.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Session, Does: auditlog.Deletes, By: bySession, Of: auditlog.Rows(
		"answer_parts", "chunks", "citations", "claims", "documents", "exports", "find_runs",
		"imported_reviews", "ledger_runs", "matches", "mentions", "reviews", "run_changes", "run_claims",
		"run_marks", "upstream")},
	{Kind: erasure.Session, Does: auditlog.Deletes, By: "sessions = 0 AND day <> ''", Of: auditlog.Rows(
		"counters")},
	{Kind: erasure.Session, Does: auditlog.Deletes, By: "claims = 0", Of: auditlog.Rows("comparisons")},
	{Kind: erasure.Session, Does: auditlog.Deletes, By: byNo, Of: auditlog.Rows("sessions")},
	{Kind: erasure.Session, Does: auditlog.Deletes, Of: auditlog.Rows(
		"session_search", "claim_search", "find_search")},
	{Kind: erasure.Document, Does: auditlog.Empties, Of: []auditlog.Columns{
		{Table: "documents", Names: "key, filename, title, uri, supersedes, status, withdrawn, " +
			"media_type, blob, blob_sha256, " +
			"text_by, outline, left_out"},
		{Table: "run_claims", Names: "matches"},
		{Table: "upstream", Names: "said"},
	}},
	{Kind: erasure.Document, Does: auditlog.Empties, By: byDocument, Of: []auditlog.Columns{
		{Table: "chunks", Names: "key = id, heading_path = NULL, text = ''"},
		{Table: "matches", Names: "snippet = '', note = '', note_said = NULL, conflicts = NULL, " +
			"quote_start = 0, quote_end = 0"},
	}},
	{Kind: erasure.Document, Does: auditlog.Empties, By: byNo, Of: []auditlog.Columns{
		{Table: "sessions", Names: "extra = NULL"},
	}},
	{Kind: erasure.Document, Does: auditlog.Renews, By: byNo, Of: []auditlog.Columns{
		{Table: "sessions", Names: "salt"},
	}},
	{Kind: erasure.Document, Does: auditlog.Renews, By: bySession, Of: []auditlog.Columns{
		{Table: "documents", Names: "salt"},
		{Table: "claims", Names: "salt"},
		{Table: "ledger_runs", Names: "salt"},
	}},
	{Kind: erasure.Document, Does: auditlog.Deletes, Of: auditlog.Rows("find_runs", "find_search")},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "what was asked, claimed and decided is not the document's",
		Of: []auditlog.Columns{
			{Table: "sessions", Names: "id, ledger_id, digest, created_at, updated_at, status, state, " +
				"title_key, severity, reviewer, " +
				"second_review, first_reviewer, second_reviewer, closed_at, closed_by, closed_reason, " +
				"first_ledger, external_id, mode, lang, model, model_version, trace_id, decision_id, format, " +
				"title, query, overview"},
			{Table: "answer_parts", Names: "text"},
			{Table: "claims", Names: "verdict, machine_verdict, state, effective_type, effective_importance, " +
				"id, key, type, " +
				"importance, judge, unjudged, unjudged_said, checks, text"},
			{Table: "reviews", Names: "id, actor, by_id, role, at, action, verdict, type, importance, batch, " +
				"salt, reason"},
			{Table: "mentions", Names: "review, user_id"},
			{Table: "imported_reviews", Names: "said"},
		}},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "where a document was relied on, and how, without a word of it",
		Of: []auditlog.Columns{
			{Table: "documents", Names: "id, lang, published_at, valid_until, bundle_id, root"},
			{Table: "chunks", Names: "id, hash, root, kind"},
			{Table: "matches", Names: "support, quote_kind, attached, missing, features"},
			{Table: "citations", Names: "hash, status, places"},
		}},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "the runs, their figures and verdicts, and how they differ",
		Of: []auditlog.Columns{
			{Table: "ledger_runs", Names: "id, judge, version, parameters, input_digest, at, bundle_id"},
			{Table: "run_marks", Names: "made_by"},
			{Table: "run_claims", Names: "verdict, judge, unjudged"},
			{Table: "run_changes", Names: "from_verdict, to_verdict, gained, lost"},
			{Table: "counters", Names: "day"},
			{Table: "comparisons", Names: "day, judge, version, machine, person"},
		}},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "links that end within an hour", Of: []auditlog.Columns{
		{Table: "exports", Names: "token_hash, format, actor, created_at, expires_at"},
	}},
	{Does: auditlog.Keeps, Why: "what a person looks for again, and how the reader is calibrated, is of no session",
		Of: []auditlog.Columns{
			{Table: "saved_views", Names: "id, user_id, page, name, name_key, query, created_at"},
			{Table: "reader_calibrations", Names: "reader, balances, calibrated_at"},
		}},
}
