package db_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"sanad/internal/db"
)

// outside are the tables, and single columns, that no digest of the log covers, with the reason. A column of the schema
// that is neither here nor covered fails TestEveryTextColumnIsCovered.
var outside = map[string]string{
	// compared with something that is covered
	"counters":         "verifySums computes it from the sessions",
	"comparisons":      "verifySums computes it from the sessions",
	"session_states":   "verifySession compares it with the log",
	"state_pages":      "verifySession compares it with the log",
	"record_salts":     "another salt makes each digest of its row another one",
	"events":           "VerifyLog compares it with its leaf",
	"log_heads":        "VerifyLog compares it with the signed checkpoint",
	"keys":             "VerifyLog opens the checkpoint with it",
	"pack_files":       "verifyPacks compares it with what was signed",
	"evidence_items":   "the bundle's id is made of it",
	"evidence_bundles": "its id is made of its content",
	"lake_artifacts":   "the bytes have the digest that evidence names",
	// nobody reads it
	"text_salts":        "salts",
	"tenant_secrets":    "sealed",
	"master_keys":       "fingerprints",
	"receipts":          "answers to repeated requests, for seven days",
	"serving":           "which processes run",
	"schema_migrations": "which schema this is",
	"sqlite_sequence":   "SQLite's own",
	"mail_queue":        "what is about to be sent",
	"mail_settings":     "a person's own choice of mails",
	"login_failures":    "keyed hashes, for some minutes",
	"mentions":          "places of names within covered comments",
	"find_runs":         "search index",
	"model_answers":     "cache of answers",
	"model_spending":    "counts",
	"live_counts":       "counts",
	// changes without an event: read, but nothing is decided by it, and it is deleted after a while
	"logins":               "a session's last-seen, address and device",
	"declined_invitations": "until when one is not shown",
	"jobs":                 "work in progress; what comes of it is covered",
	"notifications":        "pointers to what is covered",
	"mails":                "whether a mail went out",
	"webhook_deliveries":   "whether a call went out",
	"model_calls":          "measurements; the verdict is covered",
	"exports":              "links for an hour; the event of the download is in the log",
	"live_spans":           "spans in transit; the session made of them is covered",
	"live_traces":          "traces in transit",
	"users.id":             "the key of a recorded row",
	"tenants.id":           "the key of a recorded row",
	// NOT YET covered, though people read it
	"saved_views":             "not yet: names of a person's own lists",
	"live_rules":              "not yet: rules for sampling traces",
	"change_requests":         "not yet: each step is an event, the texts of the row are not compared",
	"erasures":                "not yet: each step is an event, the texts of the row are not compared",
	"event_names":             "not yet: the events have HMACs of it, which nothing compares",
	"evidence_builds":         "not yet",
	"run_evidence":            "not yet",
	"tenants":                 "not yet: slug and created_at",
	"api_tokens.last_used_at": "changes without an event",
	"webhooks":                "not yet: only what is recorded",
	"model_endpoints":         "not yet: changed_at and changed_by",
	"due_dates":               "tell_at, told, open: when to tell",
}

// TestEveryTextColumnIsCovered takes the columns from the schema: each text column is digested with its session, recorded
// by the events of the log, part of the key of such a row, or stands in outside.
func TestEveryTextColumnIsCovered(t *testing.T) {
	h := newFixture(t)
	d := raw(t, h.dir)
	digested, recorded := db.DigestedColumns(), db.RecordedColumns()
	used := map[string]bool{}
	for _, table := range textsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'") {
		if strings.Contains(table, "_search") {
			continue // the index of words
		}
		keys := map[string]bool{}
		for _, key := range primaryKey(t, d, table) {
			keys[key] = len(recorded[table]) > 0 || len(digested[table]) > 0
		}
		for _, c := range schemaOf(t, d, table) {
			_, in := digested[table][c.name]
			for _, name := range recorded[table] {
				in = in || name == c.name
			}
			switch {
			case c.kind != "TEXT" || in || keys[c.name] || c.name == "tenant_id":
			case outside[table+"."+c.name] != "":
				used[table+"."+c.name] = true
			case outside[table] != "":
				used[table] = true
			default:
				t.Errorf("%s.%s: bring it under a digest (recordTables), or say in outside why not", table, c.name)
			}
		}
	}
	for name := range outside {
		assert.True(t, used[name] || strings.HasSuffix(name, ".id"), "%s is covered, or is not there: take it out", name)
	}
}

// TestFilesOfPacksAreVerified: each column of each file of a signed pack that is changed by hand is named.
func TestFilesOfPacksAreVerified(t *testing.T) {
	b := newBoard(t)
	id := b.signed(t, "dec-1").Life.PackID
	d := unguarded(t, b.dir)
	for _, trigger := range textsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		must(t, d, "DROP TRIGGER "+trigger)
	}
	assert.Empty(t, recordFaults(t, b.Store, b.tenant.ID))
	must(t, d, "CREATE TEMP TABLE good AS SELECT * FROM pack_files")
	for _, name := range textsOf(t, d, "SELECT name FROM pack_files WHERE name <> 'checkpoint'") {
		for _, set := range []string{"media_type = media_type || 'x'", "size = size + 1", "sha256 = sha256 || 'x'",
			"data = CAST(CAST(data AS TEXT) || ' ' AS BLOB)", "name = name || 'x'"} {
			must(t, d, "UPDATE pack_files SET "+set+" WHERE name = ?", name)
			found := recordFaults(t, b.Store, b.tenant.ID)
			if assert.NotEmpty(t, found, "%s: %s", name, set) {
				assert.Equal(t, "pack_files", found[0].Table)
				assert.Contains(t, found[0].Object, id)
			}
			must(t, d, "DELETE FROM pack_files")
			must(t, d, "INSERT INTO pack_files SELECT * FROM temp.good")
		}
	}
	assert.Empty(t, recordFaults(t, b.Store, b.tenant.ID))
}
