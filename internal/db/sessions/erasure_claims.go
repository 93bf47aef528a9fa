package sessions

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// The files of documents. One that was taken from the library is that of its version, and of others that took it.
var (
	documentFiles = []auditlog.Columns{{Table: "documents", Names: "blob, blob_sha256"}}
	sharedFiles   = []auditlog.Columns{{Table: "library_versions", Names: "blob"},
		{Table: "documents", Names: "blob", Only: "x.library_id <> ''"}}
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
	{Kind: erasure.Session, Does: auditlog.Deletes, Files: auditlog.Originals,
		By: "session_no = (SELECT s.no FROM sessions s WHERE s.tenant_id = ?1 AND s.id = ?2)", Of: documentFiles,
		Unless: sharedFiles},
	{Kind: erasure.Document, Does: auditlog.Deletes, Files: auditlog.Originals, By: "id = ?2", Of: documentFiles,
		Unless: sharedFiles},
	{Kind: erasure.Document, Does: auditlog.Empties, Of: []auditlog.Columns{
		{Table: "documents", Names: "key, filename, title, uri, supersedes, status, withdrawn, " +
			"media_type, blob, blob_sha256, " +
			"text_by, outline, left_out, origin"},
		{Table: "run_claims", Names: "matches"},
		{Table: "upstream", Names: "said"},
	}},
	{Kind: erasure.Document, Does: auditlog.Empties, By: byDocument, Of: []auditlog.Columns{
		{Table: "chunks", Names: "key = id, heading_path = NULL, text = '', doubtful = NULL"},
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
			{Table: "claims", Names: "verdict, machine_verdict, tier, state, effective_type, effective_importance, " +
				"id, key, type, " +
				"importance, judge, unjudged, unjudged_said, checks, text, replaces"},
			{Table: "reviews", Names: "id, actor, by_id, role, at, action, verdict, type, importance, batch, " +
				"salt, reason, replaced_by"},
			{Table: "mentions", Names: "review, user_id"},
			{Table: "imported_reviews", Names: "said"},
		}},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "where a document was relied on, and how, without a word of it",
		Of: []auditlog.Columns{
			{Table: "documents", Names: "id, lang, published_at, valid_until, bundle_id, library_id, root"},
			{Table: "chunks", Names: "id, hash, root, kind, scanned"},
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
