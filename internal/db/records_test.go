package db_test

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/live"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/redact"
)

// quickFaults is recordFaults without the sessions and the files of packs.
func quickFaults(t testing.TB, s *db.Store, tenant string) []audit.ContentFault {
	t.Helper()
	out, err := s.VerifyRecords(context.Background(), tenant)
	require.NoError(t, err)
	return out
}

// everyRecord makes rows in every table that is recorded.
func everyRecord(t *testing.T, b *dbtest.Board) *ledger.Session {
	t.Helper()
	b.Machine.From = "203.0.113.77"
	self := b.Approver
	machineActor(t, b)
	require.NoError(t, b.SetTOTP(b.Ctx, self, self.ID, []byte("secret"), []string{"code one", "code two"}))
	used, err := b.UseRecoveryCode(b.Ctx, self, self.ID, "code one")
	require.NoError(t, err)
	require.True(t, used)
	u, err := b.User(b.Ctx, self.ID)
	require.NoError(t, err)
	_, err = b.UserByIdentity(b.Ctx, "https://issuer.test", "subject", u.Email)
	require.NoError(t, err)
	b.AlsoMember(t, b.Other, u, access.Viewer)
	require.NoError(t, b.SetFreshness(b.Ctx, b.Admin, 7))
	require.NoError(t, b.RenameTenant(b.Ctx, b.Admin, "Renamed"))
	_, err = b.TrustKey(b.Ctx, b.Admin, "Other store", make(ed25519.PublicKey, ed25519.PublicKeySize))
	require.NoError(t, err)
	require.NoError(t, b.SetPeriods(b.Ctx, b.Admin, []erasure.Period{{Kind: erasure.Session, Days: 3000}}))
	require.NoError(t, b.SetPatterns(b.Ctx, b.Admin, nil, []redact.Pattern{{Kind: "badge", Expr: "B-[0-9]{6}"}}))
	_, _, err = b.AddWebhook(b.Ctx, b.Admin, "https://hooks.example/x", []string{"session.imported"})
	require.NoError(t, err)
	_, err = b.AddModelEndpoint(b.Ctx, b.Admin, dbtest.AnEndpoint("Small model"), "sk-1")
	require.NoError(t, err)
	_, err = b.Invite(b.Ctx, b.Admin, "invited", access.Viewer)
	require.NoError(t, err)
	b.Held(t, "dec-held")
	d, err := b.SetDeputy(b.Ctx, b.Approver, db.DeputyDays{For: b.Approver.ID, By: b.Second.ID,
		Until: b.At.Format(time.DateOnly)})
	require.NoError(t, err)
	_, err = b.EndDeputy(b.Ctx, b.Approver, d.ID)
	require.NoError(t, err)
	s := dbtest.FullSession()
	s.Extra["claims[1].explanation"] = json.RawMessage(`"because"`)
	b.AddSession(t, s)
	_, err = b.PutOnHold(b.Ctx, b.Admin, erasure.Session, s.ID, "suit")
	require.NoError(t, err)
	require.NoError(t, b.SetReaderCalibration(b.Ctx, b.Admin,
		db.ReaderCalibration{Reader: "abc", Balances: "{}", Rows: 90}))
	said := b.Draft(t, "dec-said", "A2").Life.PackID
	_, err = b.AddPackComment(b.Ctx, b.Admin, said, pack.Comment{Text: "Well said."}, "", nil)
	require.NoError(t, err)
	_, err = b.SetDue(b.Ctx, b.Admin, &db.DueChange{Object: notify.Pack, ID: said,
		Day: time.Now().UTC().Format(time.DateOnly), Check: func(int) error { return nil },
		May: func(*db.DueNow) error { return nil }})
	require.NoError(t, err)
	_, err = b.AddToolCall(b.Ctx, b.Drafter, "dec-said", &pack.ToolCallRecord{ID: "call", ToolName: "crm.get",
		StartedAt: "2026-03-01T08:00:00Z", EndedAt: "2026-03-01T08:00:01Z", IntendedAction: "read",
		ActualAction: "read"}, nil)
	require.NoError(t, err)
	v, err := b.Pack(b.Ctx, b.Tenant.ID, said)
	require.NoError(t, err)
	v, err = b.MendPack(b.Ctx, b.Drafter, said, v.Life.Revision, "clearer", db.Answering{}, dbtest.Retell("Told anew."))
	require.NoError(t, err)
	_, err = b.AttachToPack(b.Ctx, b.Drafter, said, v.Life.Revision,
		[]db.NewFile{{Name: "a.txt", MediaType: "text/plain", Data: []byte("text")}}, "asked for", db.Answering{})
	require.NoError(t, err)
	b.Erase(t, erasure.Pack, b.Signed(t, "dec-erased").Life.PackID)
	signed := b.Signed(t, "dec-copied").Life.PackID
	_, err = b.MakePackExport(b.Ctx, b.Approver, signed, "zip", "", "hash")
	require.NoError(t, err)
	b.Pass(8 * 365 * 24 * time.Hour)
	_, err = b.AskPurge(b.Ctx, b.Admin, signed)
	require.NoError(t, err)
	bundle := dbtest.Built(t, "docs/none.md", "words", strings.Repeat("القسطاسيات ", 20))
	_, err = b.InsertBundle(b.Ctx, b.Drafter, bundle)
	require.NoError(t, err)
	_, err = b.LinkRun(b.Ctx, b.Drafter, bundle.Bundle.BundleID, "run")
	require.NoError(t, err)
	require.NoError(t, b.SaveView(b.Ctx, b.Viewer,
		ledger.SavedView{Page: "sessions", Name: "Mine", Query: "status=open"}))
	_, err = b.SetLiveRules(b.Ctx, b.Admin, 0, []live.Rule{{Service: "rag", Share: 12.5, Becomes: live.Session}})
	require.NoError(t, err)
	_, err = b.AddLibraryDocument(b.Ctx, b.Approver, &library.Document{Name: "Leave policy"},
		&library.Version{Filename: "leave.txt", MediaType: "text/plain"}, []byte("Leave is 15 days."),
		db.LibraryAnswering{})
	require.NoError(t, err)
	b.AddPerson(t, b.Tenant, "second-root", access.Admin)
	b.Admin.Why = "As agreed."
	dbtest.RequireAsked(t, b.SetRole(b.Ctx, b.Admin, b.Viewer.ID, access.Approver))
	return s
}

// insertCopy says how a copy of a row of a table gets a key of its own: columns and their SQL.
var insertCopy = map[string]map[string]string{
	"memberships":         {"user_id": "(SELECT u.id FROM users u WHERE u.id NOT IN (SELECT m.user_id FROM memberships m WHERE m.tenant_id = r.tenant_id))"},
	"recovery_codes":      {"hash": "'mine'"},
	"identities":          {"subject": "'mine'"},
	"api_tokens":          {"id": "'mine'", "hash": "'mine'"},
	"invitations":         {"id": "'mine'", "login": "'mine'"},
	"deputies":            {"id": "'mine'"},
	"policies":            {"version": "version + 1"},
	"trusted_keys":        {"id": "'mine'"},
	"retention_periods":   {"kind": "'bundle'"},
	"redaction_patterns":  {"n": "7"},
	"webhooks":            {"id": "'mine'"},
	"reader_calibrations": {"reader": "'mine'"},
	"model_endpoints":     {"id": "'mine'", "name": "'mine'"},
	"pack_makers":         {"actor": "'mine'"},
	"pack_holds":          {"n": "n + 7"},
	"legal_holds":         {"n": "n + 7"},
	"pack_comments":       {"n": "n + 7", "id": "'mine'"},
	"decisions":           {"no": "no + 70", "decision_id": "'mine'"},
	"decision_calls":      {"n": "n + 7", "id": "'mine'"},
	"pack_approvals":      {"n": "n + 7"},
	"pack_edits":          {"revision": "revision + 70"},
	"pack_attachments":    {"n": "n + 7"},
	"pack_exports":        {"id": "'mine'", "token_hash": "NULL"},
	"pack_purges":         {"id": "'mine'", "pack_id": "'mine'"},
	"pack_tombstones":     {"pack_id": "'pack_00000000000000aa'"},
	"erased_packs":        {"name": "'mine'"},
	"due_dates":           {"object_id": "'mine'"},
	"keys":                {"id": "'mine'", "retired_at": "'mine'"},
	"change_requests":     {"no": "no + 70", "id": "'mine'", "object_id": "'mine'"},
	"erasures":            {"no": "no + 70", "id": "'mine'", "object_id": "'mine'"},
	"saved_views":         {"id": "'mine'", "name_key": "'other'"},
	"evidence_bundles":    {"no": "no + 70", "bundle_id": "'mine'"},
	"evidence_items":      {"n": "n + 70"},
	"evidence_builds":     {"n": "n + 70", "digest": "'mine'"},
	"run_evidence":        {"run_id": "'mine'"},
	"lake_artifacts":      {"path": "'mine'"},
	"library_documents":   {"no": "no + 70", "id": "'mine'"},
	"library_versions":    {"n": "n + 70", "sha256": "'mine'"},
}

// TestNoChangeOfRecordsIsMissed changes each recorded column of a row of each table, deletes the row, and inserts
// another one, by SQL without triggers: each is named by table, row and column (rule LOG-11).
func TestNoChangeOfRecordsIsMissed(t *testing.T) {
	b := dbtest.NewBoard(t)
	everyRecord(t, b)
	added, err := b.AddTenant(b.Ctx, "added", "Added") // the one of the fixture is made without an event
	require.NoError(t, err)
	stranger := b.AddPerson(t, b.Other, "stranger", access.Viewer)
	require.Empty(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID))
	require.Empty(t, dbtest.RecordFaults(t, b.Store, b.Other.ID))
	d := dbtest.Unguarded(t, b.Dir)
	dbtest.Exec(t, d, "PRAGMA ignore_check_constraints = 1")
	for _, trigger := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		dbtest.Exec(t, d, "DROP TRIGGER "+trigger)
	}
	together, of := db.RecordedTogether(), map[string]string{}
	for table, columns := range db.RecordedColumns() {
		of[table] = map[bool]string{true: added.ID, false: b.Tenant.ID}[table == "tenants"]
		t.Run(table, func(t *testing.T) {
			where := " WHERE rowid = (SELECT min(rowid) FROM " + table + ")"
			if key := withoutRowID(t, d, table); key != "" {
				where = fmt.Sprintf(" WHERE (%s) = (SELECT %[1]s FROM %s %s ORDER BY %[1]s LIMIT 1)", key, table,
					map[bool]string{true: "WHERE tenant_id = '" + b.Tenant.ID + "'"}[strings.Contains(key,
						"tenant_id")])
			}
			if table == "tenants" || table == "users" {
				where = " WHERE id = '" + map[string]string{"tenants": added.ID, "users": b.Approver.ID}[table] + "'"
			}
			try := func(kind, field, query string, args ...any) {
				t.Helper()
				dbtest.Exec(t, d, "DROP TABLE IF EXISTS temp.good")
				dbtest.Exec(t, d, "CREATE TEMP TABLE good AS SELECT * FROM "+table)
				changeOne(t, d, query, args...)
				if slices.Contains(together, table) {
					kind, field = audit.FaultRecord, "rows"
				}
				found := quickFaults(t, b.Store, of[table])
				require.True(t, slices.ContainsFunc(found, func(f audit.ContentFault) bool {
					changedKey := field != "" && slices.Contains(primaryKey(t, d, table), field)
					return f.Table == table && f.Object != "" && (changedKey || f.Kind == kind && f.Field == field)
				}), "%s was missed: %v", query, found)
				dbtest.Exec(t, d, "DELETE FROM "+table)
				dbtest.Exec(t, d, "INSERT INTO "+table+" SELECT * FROM temp.good")
			}
			for _, column := range columns {
				value, args := "coalesce("+column+", '') || 'x'", []any(nil)
				for _, c := range dbtest.SchemaOf(t, d, table) {
					switch {
					case c.Name == column && c.Kind == "INTEGER":
						value = column + " + 70"
					case c.Name == column && c.Kind == "BLOB":
						value, args = "?", []any{[]byte("x")}
					}
				}
				if table == "api_tokens" && column == "user_id" {
					value = "'" + b.Admin.ID + "'"
				}
				try(audit.FaultRecord, column, "UPDATE "+table+" SET "+column+" = "+value+where, args...)
			}
			if table != "tenants" {
				try(audit.FaultMissing, "", "DELETE FROM "+table+where)
			}
			if other := insertCopy[table]; other != nil {
				var names, values []string
				for _, c := range dbtest.SchemaOf(t, d, table) {
					names, values = append(names, c.Name), append(values, c.Name)
					if sql := other[c.Name]; sql != "" {
						values[len(values)-1] = sql
					}
				}
				try(audit.FaultNew, "", "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") SELECT "+
					strings.Join(values, ", ")+" FROM "+table+" r"+where)
			}
			require.Empty(t, quickFaults(t, b.Store, of[table]), "all is undone")
		})
	}
	dbtest.Exec(t, d, "UPDATE users SET password = 'mine' WHERE id = ?", stranger.ID)
	require.Empty(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID), "this tenant does not record the people of another")
	require.Len(t, dbtest.RecordFaults(t, b.Store, b.Other.ID), 1)
	dbtest.Exec(t, d, "UPDATE users SET password = 'mine' WHERE id = ?", b.Approver.ID)
	require.Len(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID), 1)
	require.Len(t, dbtest.RecordFaults(t, b.Store, b.Other.ID), 2, "each tenant of a person names it")
	dbtest.Exec(t, d, "DELETE FROM record_salts WHERE tbl = 'memberships'")
	require.NotEmpty(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID))
}

// TestChangedRecordsAreNoted checks that a pass finds a role that was changed by SQL, that readiness says so, and that
// a later change by the store takes nothing of it over.
func TestChangedRecordsAreNoted(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "somebody", access.Viewer)
	boss := p.AddPerson(t, p.Tenant, "boss", access.Admin)
	require.NoError(t, p.PassContents(p.Ctx, dbtest.NoPause))
	require.NoError(t, p.Ready(p.Ctx))
	dbtest.Exec(t, dbtest.Raw(t, p.Dir), "UPDATE memberships SET role = 'approver' WHERE user_id = ?", u.ID)
	want := []audit.ContentFault{{Tenant: p.Tenant.ID, Table: "memberships", Object: u.ID, Kind: audit.FaultRecord,
		Field: "role"}}
	require.Equal(t, want, dbtest.RecordFaults(t, p.Store, p.Tenant.ID))
	require.NoError(t, p.SetMemberDisabled(p.Ctx, dbtest.As(p.Tenant, boss, access.Admin), u.ID, true))
	require.Equal(t, want, dbtest.RecordFaults(t, p.Store, p.Tenant.ID))
	require.NoError(t, p.PassContents(p.Ctx, dbtest.NoPause))
	pass := p.LastPass()
	require.Equal(t, []string{"table memberships, " + u.ID + ", role: it is not what the log's events recorded"},
		pass.Of(p.Tenant.ID))
	require.ErrorContains(t, p.Ready(p.Ctx), "memberships")
	require.NoError(t, p.SetRole(p.Ctx, dbtest.As(p.Tenant, boss, access.Admin), u.ID, access.Reviewer))
	require.Empty(t, dbtest.RecordFaults(t, p.Store, p.Tenant.ID), "the role is one that an administrator gave")
}

// withoutRowID returns the primary key of a table without rowid, "" of another one.
func withoutRowID(t testing.TB, d *sql.DB, table string) string {
	t.Helper()
	if len(dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE name = ? AND sql LIKE '%WITHOUT ROWID%'",
		table)) == 0 {
		return ""
	}
	return strings.Join(primaryKey(t, d, table), ", ")
}

func primaryKey(t testing.TB, d *sql.DB, table string) []string {
	t.Helper()
	return dbtest.TextsOf(t, d, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
}
