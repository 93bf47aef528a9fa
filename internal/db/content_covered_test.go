package db_test

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/everyfield"
)

// outside are the tables, and single columns, whose changes by hand `audit verify` does not name, with the reason.
// docs/integrity.md says the same for people.
var outside = map[string]string{
	// sealed with the master key, which authenticates them
	"keys.sealed":           "sealed",
	"log_seals":             "sealed, and compared when the store opens",
	"tenant_secrets":        "sealed",
	"evidence_packs.secret": "sealed",
	// keys and caches, which nobody reads
	"text_salts":           "salts of commitments to texts",
	"master_keys":          "fingerprints, compared when the store opens",
	"receipts":             "answers to repeated requests, for seven days",
	"login_failures":       "keyed hashes, for some minutes",
	"model_answers":        "cache of answers",
	"log_heads.updated_at": "when the head was stored; nobody reads it",
	"due_dates.tell_at":    "when people are told next",
	"due_dates.told":       "what they were told",
	"pack_reminders":       "of which packs they were reminded",
	"mail_queue":           "which notification goes into which mail",
	"scrub_due":            "which files and traces are still to be removed",
	"serving":              "which processes run",
	"schema_migrations":    "which schema this is",
	"mentions":             "places of names in texts that are covered",
	"declined_invitations": "until when an invitation is not shown",
	"mail_settings":        "a person's own choice of mails, shown to that person only",
	"model_spending":       "sums over calls",
	"live_counts":          "sums over traces",
	"find_runs":            "search index",
	// change without an event; nothing is decided by them, and what comes of them is covered
	"api_tokens.last_used_at": "moves with each use",
	"logins":                  "a browser's session, for eight hours; the login itself is an event",
	"jobs":                    "work in progress; what comes of it is covered",
	"notifications":           "pointers to what is covered, without text of it",
	"mails":                   "whether a mail went out, for 30 days",
	"webhook_deliveries":      "whether a call went out; what it told is an event",
	"model_calls":             "measurements of calls; the judgement is covered",
	"exports":                 "links for an hour; making one is an event",
	"live_spans":              "spans in transit; the session that is made of them is covered",
	"live_traces":             "traces in transit; likewise",
}

// everyText makes rows in every table with a text that a person reads.
func everyText(t *testing.T, b *dbtest.Board) {
	t.Helper()
	s := everyRecord(t, b)
	_, err := b.ReviewClaim(s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
		Reason: "x"})
	require.NoError(t, err)
	b.JudgeAgain(t, s.ID, "run again")
	b.Replace(t, s, "صار عشرين يوما")
	every := everyfield.Session()
	every.BundleID, every.Follows, every.Seats = "", ledger.Follows{}, ledger.Seats{}
	b.AddSession(t, every)
}

// TestNoTextColumnIsMissed takes the columns from the schema, and changes each of text or bytes in one row by SQL: a
// part of `audit verify` names the table and the row, or the column stands in outside.
func TestNoTextColumnIsMissed(t *testing.T) {
	b := dbtest.NewBoard(t)
	everyText(t, b)
	added, err := b.AddTenant(b.Ctx, "added", "Added")
	require.NoError(t, err)
	d := dbtest.Unguarded(t, b.Dir)
	dbtest.Exec(t, d, "PRAGMA ignore_check_constraints = 1")
	for _, trigger := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		dbtest.Exec(t, d, "DROP TRIGGER "+trigger)
	}
	verified := func(tenant string) {
		_, err := b.VerifyContents(b.Ctx, tenant, func(f audit.ContentFault) {
			if f.Kind != audit.FaultFile { // the originals of everyfield.Session are names only
				t.Error(f.String())
			}
		})
		require.NoError(t, err)
		report, err := b.VerifyLog(b.Ctx, tenant)
		require.NoError(t, err)
		require.Empty(t, report.Faults)
	}
	verified(b.Tenant.ID)
	used := map[string]bool{}
	for _, table := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		if strings.Contains(table, "_search") {
			continue // the index of words
		}
		tenant := b.Tenant.ID
		if table == "tenants" {
			tenant = added.ID
		}
		where := rowOf(t, b, table, tenant)
		dbtest.Exec(t, d, "DROP TABLE IF EXISTS temp.good")
		dbtest.Exec(t, d, "CREATE TEMP TABLE good AS SELECT * FROM "+table)
		for _, c := range dbtest.SchemaOf(t, d, table) {
			value, args := "coalesce("+c.Name+", '') || 'x'", []any(nil)
			if c.Kind == "BLOB" {
				value, args = "?", []any{[]byte("x")}
			}
			switch {
			case c.Kind != "TEXT" && c.Kind != "BLOB":
				continue
			case outside[table] != "":
				used[table] = true
				continue
			case outside[table+"."+c.Name] != "":
				used[table+"."+c.Name] = true
				continue
			}
			changeOne(t, d, "UPDATE "+table+" SET "+c.Name+" = "+value+where, args...)
			found := faultsOf(t, b.Store, tenant, table)
			if !slices.ContainsFunc(found, func(f audit.ContentFault) bool { return names(&f, table) }) {
				t.Errorf("%s.%s was missed (%v): bring it under a digest, or say in outside why not", table, c.Name,
					found)
			}
			dbtest.Exec(t, d, "DELETE FROM "+table)
			dbtest.Exec(t, d, "INSERT INTO "+table+" SELECT * FROM temp.good")
		}
	}
	for name := range outside {
		assert.True(t, used[name], "%s is not there: take it out", name)
	}
	verified(b.Tenant.ID)
	verified(added.ID)
}

// rowOf is the condition for one row of a table, of a tenant if it has them.
func rowOf(t *testing.T, b *dbtest.Board, table, tenant string) string {
	t.Helper()
	d := dbtest.Raw(t, b.Dir)
	keys, of := primaryKey(t, d, table), ""
	for _, c := range dbtest.SchemaOf(t, d, table) {
		if c.Name == "tenant_id" {
			of = " WHERE tenant_id = '" + tenant + "'"
		}
	}
	switch table {
	case "tenants":
		of = " WHERE id = '" + tenant + "'"
	case "users":
		of = " WHERE id = '" + b.Approver.ID + "'"
	case "recovery_codes", "identities":
		of = " WHERE user_id = '" + b.Approver.ID + "'"
	case "event_names":
		of += " AND address <> '' AND object_id <> ''"
	case "record_salts":
		of += " AND tbl = 'webhooks'"
	case "comparisons":
		of += " AND claims > 0"
	}
	key := strings.Join(keys, ", ")
	return " WHERE (" + key + ") = (SELECT " + key + " FROM " + table + of + " ORDER BY " + key + " LIMIT 1)"
}

// ofLog are the tables that VerifyLog checks.
var ofLog = []string{"events", "keys", "log_hashes", "log_heads"}

// faultsOf returns what the first part of `audit verify` that names a table finds, or what all of them find.
func faultsOf(t *testing.T, s *db.Store, tenant, table string) (all []audit.ContentFault) {
	t.Helper()
	parts := verifyParts(s)
	if _, ofSession := db.DigestedColumns()[table]; ofSession {
		slices.Reverse(parts)
	}
	for _, verify := range parts {
		found, err := verify(context.Background(), tenant)
		require.NoError(t, err, table)
		all = append(all, found...)
		if slices.ContainsFunc(found, func(f audit.ContentFault) bool { return names(&f, table) }) {
			return all
		}
	}
	if slices.Contains(ofLog, table) {
		report, err := s.VerifyLog(context.Background(), tenant)
		require.NoError(t, err)
		for _, f := range report.Faults {
			all = append(all, audit.ContentFault{Table: table, Object: f.Kind})
		}
	}
	return all
}

// names reports whether a fault names a row of a table: by its key, by its session, or a sum by its day. A changed salt
// is found where its row is.
func names(f *audit.ContentFault, table string) bool {
	_, ofSession := db.DigestedColumns()[table]
	switch {
	case table == "record_salts":
		return f.Table == "webhooks" && f.Object != ""
	case f.Table != "":
		return f.Table == table && f.Object != ""
	case f.Session != "":
		return ofSession || table == "session_states" || table == "state_pages"
	}
	return f.Part == table && f.Field != ""
}

// TestFilesOfPacksAreVerified: each column of each file of a signed pack that is changed by hand is named.
func TestFilesOfPacksAreVerified(t *testing.T) {
	b := dbtest.NewBoard(t)
	id := b.Signed(t, "dec-1").Life.PackID
	d := dbtest.Unguarded(t, b.Dir)
	for _, trigger := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		dbtest.Exec(t, d, "DROP TRIGGER "+trigger)
	}
	assert.Empty(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID))
	dbtest.Exec(t, d, "CREATE TEMP TABLE good AS SELECT * FROM pack_files")
	for _, name := range dbtest.TextsOf(t, d, "SELECT name FROM pack_files WHERE name <> 'checkpoint'") {
		var data []byte
		require.NoError(t, d.QueryRow("SELECT data FROM pack_files WHERE name = ?", name).Scan(&data))
		for set, value := range map[string]any{"media_type = media_type || ?": "x", "size = size + ?": 1,
			"sha256 = sha256 || ?": "x", "data = ?": append(data, ' '), "name = name || ?": "x"} {
			dbtest.Exec(t, d, "UPDATE pack_files SET "+set+" WHERE name = ?", value, name)
			found := dbtest.RecordFaults(t, b.Store, b.Tenant.ID)
			if assert.NotEmpty(t, found, "%s: %s", name, set) {
				assert.Equal(t, "pack_files", found[0].Table)
				assert.Contains(t, found[0].Object, id)
			}
			dbtest.Exec(t, d, "DELETE FROM pack_files")
			dbtest.Exec(t, d, "INSERT INTO pack_files SELECT * FROM temp.good")
		}
	}
	assert.Empty(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID))
}

// verifyParts are the parts of VerifyContents, the quickest first.
func verifyParts(s *db.Store) []func(context.Context, string) ([]audit.ContentFault, error) {
	return []func(context.Context, string) ([]audit.ContentFault, error){s.VerifyRecords, s.VerifyNames, s.VerifySums,
		s.VerifyPacks, func(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
			ids, err := s.ContentIDs(ctx, tenant)
			for _, id := range ids {
				found, err := s.VerifyAlone(ctx, tenant, id, true)
				if err != nil {
					return nil, err
				}
				faults = append(faults, found...)
			}
			return faults, err
		}}
}

// changeOne runs a statement that is to change one row.
func changeOne(t testing.TB, d *sql.DB, query string, args ...any) {
	t.Helper()
	result, err := d.Exec(query, args...)
	require.NoError(t, err, query)
	n, err := result.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, n, "%s: there is no such row", query)
}
