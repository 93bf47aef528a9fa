package db

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// recordTable is a table outside of sessions. The event of each change of a row holds digests of the columns that were
// set, and `audit verify` compares the rows with them (rule LOG-11). Names are stored in events: only add columns.
type recordTable struct {
	name    string
	keys    []string       // the columns of its primary key besides the tenant
	secret  int            // how many of them, at the end, no event may show: it has a salted digest of them
	chosen  bool           // a caller chose the key: no event may show it, and the salt of its digest goes with the row
	order   string         // its rows of one key are made together and never change: one digest of all, in this order
	columns []string       // that are recorded
	account bool           // one row for all tenants of a person: each of their logs records it
	initial map[string]any // what a row that no event recorded has; nil if there may be none
	made    map[string]any // columns that are younger than the table: what a row has whose event did not know them
}

// recordTables are the tables in the order in which they are verified.
var recordTables = []recordTable{
	{name: "tenants", keys: []string{"id"}, columns: []string{"name", "freshness_months", "second_review", "second_factor",
		"time_zone", "mail_titles", "slug", "created_at"},
		initial: map[string]any{"freshness_months": int64(ledger.DefaultFreshness),
			"second_review": string(ledger.OneReviewer), "second_factor": int64(0), "time_zone": "",
			"mail_titles": int64(0)}},
	{name: "memberships", keys: []string{"user_id"}, columns: []string{"role", "disabled_at", "created_at"}},
	{name: "users", keys: []string{"id"}, account: true,
		columns: []string{"login", "name", "email", "password", "totp", "disabled_at", "created_at", "contact"},
		made:    map[string]any{"contact": ""}},
	{name: "recovery_codes", keys: []string{"user_id", "hash"}, secret: 1, account: true, columns: []string{"hash"}},
	{name: "identities", keys: []string{"user_id", "issuer", "subject"}, secret: 2, account: true,
		columns: []string{"issuer", "subject", "created_at"}},
	{name: "api_tokens", keys: []string{"id"}, columns: []string{"user_id", "name", "role", "hash", "created_at",
		"created_by", "expires_at", "revoked_at", "scopes", "addresses"},
		made: map[string]any{"scopes": "", "addresses": ""}},
	{name: "invitations", keys: []string{"id"}, columns: []string{"login", "role", "invited_by", "invited_at", "expires_at",
		"request_id"}},
	{name: "policies", keys: []string{"version"}, columns: []string{"at", "actor", "content"}},
	{name: "trusted_keys", keys: []string{"id"}, columns: []string{"name", "public", "added_by", "added_at"}},
	{name: "retention_periods", keys: []string{"kind"}, columns: []string{"days", "set_by", "set_at"}},
	{name: "redaction_patterns", keys: []string{"n"}, columns: []string{"kind", "expr"}},
	{name: "webhooks", keys: []string{"id"}, columns: []string{"url", "kinds", "sealed", "created_at", "created_by",
		"disabled_at"}},
	{name: "model_endpoints", keys: []string{"id"}, columns: []string{"sealed", "created_at", "created_by",
		"disabled_at", "changed_at", "changed_by", "name", "kind", "url", "model", "trust_supported", "trust_contradicted",
		"price_in", "price_out", "run_tokens", "run_cost", "day_tokens", "day_cost", "parallel", "timeout_ms", "redact"}},
	{name: "reader_calibrations", keys: []string{"reader"}, columns: []string{"balances", "calibrated_on", "calibrated_at"}},
	{name: "decisions", keys: []string{"decision_id"}, chosen: true, columns: []string{"digest", "created_at", "title",
		"agent_name", "entity_id", "approval_class", "level", "session_id", "decided_at", "data"}},
	{name: "decision_calls", keys: []string{"decision_id", "n"}, chosen: true,
		columns: []string{"id", "digest", "at", "actor", "data"}},
	{name: "evidence_packs", keys: []string{"pack_id"}, columns: []string{"decision_id", "version", "supersedes",
		"family", "title", "agent_name", "entity_id", "approval_class", "level", "need", "made_by", "created_at",
		"retain_until", "revision", "updated_at", "state", "approvals", "on_hold", "superseded_by", "signed_at",
		"returned_at", "returned_by", "returned_name", "return_reason", "discarded_at", "discarded_by", "discarded_name",
		"discard_reason", "submitted_at", "digest", "content", "session_id"}},
	{name: "pack_approvals", keys: []string{"pack_id", "n"}, columns: []string{"actor", "name", "role", "at", "digest",
		"log_index", "comment", "acknowledged", "since"}},
	{name: "pack_edits", keys: []string{"pack_id", "revision"}, columns: []string{"actor", "name", "at", "parts",
		"reason"}},
	{name: "pack_attachments", keys: []string{"pack_id", "n"}, columns: []string{"blob", "name", "media_type", "size",
		"sha256"}},
	{name: "pack_exports", keys: []string{"id"}, columns: []string{"pack_id", "format", "state", "asked_by", "asked_name",
		"asked_at", "decided_by", "decided_at", "token_hash", "linked_at", "expires_at", "reason"}},
	{name: "pack_purges", keys: []string{"id"}, columns: []string{"pack_id", "state", "asked_by", "asked_name", "asked_at",
		"files", "bytes", "decision", "confirmed_by", "confirmed_at"}},
	{name: "pack_tombstones", keys: []string{"pack_id"}, columns: []string{"decision_id", "digest", "created_at",
		"retain_until", "purged_at", "purged_by", "second_by"}},
	{name: "erased_packs", keys: []string{"pack_id", "name"}, columns: []string{"data"}},
	{name: "pack_makers", keys: []string{"pack_id", "actor"}, columns: []string{"own", "n"}},
	{name: "pack_holds", keys: []string{"pack_id", "n"}, columns: []string{"held", "actor", "at", "reason"}},
	{name: "legal_holds", keys: []string{"kind", "object_id", "n"}, columns: []string{"held", "actor", "at", "reason"}},
	{name: "pack_comments", keys: []string{"pack_id", "n"}, columns: []string{"id", "by_id", "name", "role", "at", "text",
		"mentions", "withdrawn_at"}},
	{name: "due_dates", keys: []string{"object_kind", "object_id"}, columns: []string{"revision", "day", "zone", "late_at",
		"set_by", "set_at"}},
	{name: "keys", keys: []string{"id"}, columns: []string{"purpose", "public", "created_at", "retired_at"}},
	{name: "change_requests", keys: []string{"id"}, columns: []string{"kind", "object_id", "content", "reason", "state",
		"asked_by", "asked_name", "asked_at", "expires_at", "decided_by", "decided_name", "decided_at"}},
	{name: "erasures", keys: []string{"id"}, columns: []string{"kind", "object_id", "session_id", "state", "retention",
		"reason", "counts", "files", "bytes", "asked_by", "asked_name", "asked_at", "confirmed_by", "confirmed_name",
		"confirmed_at", "done_at"}},
	{name: "saved_views", keys: []string{"id"}, columns: []string{"user_id", "page", "name", "name_key", "query", "shared",
		"created_at"}},
	{name: "live_rules", keys: []string{"tenant_id"}, columns: []string{"revision", "rules", "actor", "at"}},
	{name: "evidence_bundles", keys: []string{"bundle_id"}, columns: []string{"created_at", "made_by", "build_version",
		"policy", "item_count", "total_bytes", "type_counts"}},
	{name: "evidence_items", keys: []string{"bundle_no"}, order: "n", columns: []string{"n", "evidence_id",
		"evidence_type", "source_ref", "content_sha256", "byte_count", "full_ref", "metadata"}},
	{name: "evidence_builds", keys: []string{"bundle_no", "n"}, columns: []string{"digest", "created_at", "made_by",
		"lake_uri", "sha256", "size", "bounding", "dropped", "failed", "said", "dropped_n", "failed_n"}},
	{name: "run_evidence", keys: []string{"run_id", "bundle_no"}, chosen: true, columns: []string{"created_at",
		"made_by"}},
	{name: "lake_artifacts", keys: []string{"path"}, chosen: true, columns: []string{"sha256", "size", "created_at",
		"made_by"}},
}

// columnList splits a list of columns as SQL has it.
func columnList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func recordTableNamed(name string) *recordTable {
	if x := findRecordTable(name); x != nil {
		return x
	}
	panic("db: no record table " + name)
}

func findRecordTable(name string) *recordTable {
	for i := range recordTables {
		if recordTables[i].name == name {
			return &recordTables[i]
		}
	}
	return nil
}

// query selects the keys and some columns of a tenant's rows, ready for more conditions; its argument is the tenant.
func (x *recordTable) query(columns []string) string {
	of := "r.tenant_id = ?1"
	switch {
	case x.name == "tenants":
		of = "r.id = ?1"
	case x.account: // the tenants that appendEverywhere logs to
		user := x.keys[0]
		of = fmt.Sprintf(`EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = r.%s AND m.tenant_id = ?1)
			AND (SELECT count(*) FROM memberships m WHERE m.user_id = r.%s
			AND m.tenant_id < ?1) < %d`, user, user, maxTenants)
	}
	return "SELECT " + strings.Join(append(slices.Clone(x.keys), columns...), ", ") + " FROM " + x.name + " r WHERE " + of
}

// owner returns the part of a key that record_salts has.
func (x *recordTable) owner(keys []any) string {
	words := make([]string, len(keys)-x.secret)
	for i := range words {
		words[i] = fmt.Sprint(keys[i])
	}
	return strings.Join(words, "/")
}

// id returns what events call a row.
func (x *recordTable) id(keys []any, salt []byte) string {
	switch {
	case x.chosen:
		return x.chosenID(x.owner(keys), salt)
	case x.secret == 0:
		return x.owner(keys)
	}
	return x.owner(keys) + "/" + audit.ColumnDigest(x.name, "key", salt, fmt.Sprintf("%q", keys[len(keys)-x.secret:]))[:16]
}

// chosenID returns what events call a row whose key a caller chose.
func (x *recordTable) chosenID(owner string, salt []byte) string {
	return audit.ColumnDigest(x.name, "key", salt, owner)[:32]
}

// recordRow is a row that was read with recordTable.query.
type recordRow struct {
	table   *recordTable
	columns []string
	values  []any // keys, then columns
}

func (r *recordRow) fields() []any {
	r.values = make([]any, len(r.table.keys)+len(r.columns))
	out := make([]any, len(r.values))
	for i := range out {
		out[i] = &r.values[i]
	}
	return out
}

func (r *recordRow) keys() []any { return r.values[:len(r.table.keys)] }

// digests returns the digest of each column.
func (r *recordRow) digests(salt []byte) map[string]string {
	out := map[string]string{}
	for i, column := range r.columns {
		out[column] = audit.ColumnDigest(r.table.name, column, salt, r.values[len(r.table.keys)+i])
	}
	return out
}
