package sessions

import (
	"sanad/internal/db/auditlog"
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
		text_by bundle_id blob_sha256 left_out? library_id library_no origin?`),
	auditlog.NewSection("chunks", "chunks", "document", 0, "position", documentSalt,
		`tenant_id document position id key hash root
		page heading_path? span_start? span_end? text kind scanned doubtful?`),
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
		`no tenant_id position verdict machine_verdict tier
		confidence state overridden effective_type effective_importance uncited flags revision id key type importance
		requires_citation span_start? span_end? judge given unjudged unjudged_said? text stale_reviews stale settled differs
		withheld_reviews citation_checks quotation_checks checks since replaces? threads`),
	auditlog.NewSection("matches", "matches", "claim", 0, "rank", claimSalt,
		`tenant_id claim rank document chunk similarity support
		contradicts quote_kind quote_start quote_end snippet note note_said? conflicts? missing? features? attached?`),
	auditlog.NewSection("citations", "citations", "claim", 0, "n", claimSalt,
		"tenant_id claim n hash span_start span_end status places?"),
	auditlog.NewSection("reviews", "reviews", "claim", 0, "n", ownSalt,
		`tenant_id claim n id actor role at action verdict type
		importance reason by_id undoes adjudicates batch replaced_by? asks thread`),
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
