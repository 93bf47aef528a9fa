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
	"sanad/internal/domain/live"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/redact"
)

// recordFaults returns what is wrong with a tenant's rows outside of sessions.
func recordFaults(t testing.TB, s *db.Store, tenant string) (out []audit.ContentFault) {
	t.Helper()
	_, err := s.VerifyContents(context.Background(), tenant, func(f audit.ContentFault) {
		if f.Table != "" {
			out = append(out, f)
		}
	})
	require.NoError(t, err)
	return out
}

// quickFaults is recordFaults without the sessions and the files of packs.
func quickFaults(t testing.TB, s *db.Store, tenant string) []audit.ContentFault {
	t.Helper()
	out, err := s.VerifyRecords(context.Background(), tenant)
	require.NoError(t, err)
	return out
}

// contentsHold checks, when a test ends, that verifying finds nothing wrong with what the store has stored, for every
// tenant. Tests that open the database themselves are left out.
func contentsHold(t testing.TB, s *db.Store, dir string) {
	t.Helper()
	_, opened := dbtest.OpenedRaw.Load(dir)
	if _, test := t.(*testing.T); !test || opened || t.Failed() { // benchmarks store sessions without digests
		return
	}
	tenants, err := s.Tenants(context.Background())
	if err != nil {
		return // the test has closed the store
	}
	for _, tenant := range tenants {
		_, err := s.VerifyContents(context.Background(), tenant.ID, func(f audit.ContentFault) {
			if f.Kind != audit.FaultFile { // some tests have no originals, or delete one
				t.Errorf("stored by the store itself: %s", f.String())
			}
		})
		require.NoError(t, err)
	}
}

// everyRecord makes rows in every table that is recorded.
func (b *board) everyRecord(t *testing.T) *ledger.Session {
	t.Helper()
	b.machine.From = "203.0.113.77"
	self := b.approver
	b.token(t)
	require.NoError(t, b.SetTOTP(b.ctx, self, self.ID, []byte("secret"), []string{"code one", "code two"}))
	used, err := b.UseRecoveryCode(b.ctx, self, self.ID, "code one")
	require.NoError(t, err)
	require.True(t, used)
	u, err := b.User(b.ctx, self.ID)
	require.NoError(t, err)
	_, err = b.UserByIdentity(b.ctx, "https://issuer.test", "subject", u.Email)
	require.NoError(t, err)
	b.also(t, b.other, u, access.Viewer)
	require.NoError(t, b.SetFreshness(b.ctx, b.admin, 7))
	require.NoError(t, b.RenameTenant(b.ctx, b.admin, "Renamed"))
	_, err = b.TrustKey(b.ctx, b.admin, "Other store", make(ed25519.PublicKey, ed25519.PublicKeySize))
	require.NoError(t, err)
	require.NoError(t, b.SetPeriods(b.ctx, b.admin, []erasure.Period{{Kind: erasure.Session, Days: 3000}}))
	require.NoError(t, b.SetPatterns(b.ctx, b.admin, nil, []redact.Pattern{{Kind: "badge", Expr: "B-[0-9]{6}"}}))
	_, _, err = b.AddWebhook(b.ctx, b.admin, "https://hooks.example/x", []string{"session.imported"})
	require.NoError(t, err)
	_, err = b.AddModelEndpoint(b.ctx, b.admin, anEndpoint("Small model"), "sk-1")
	require.NoError(t, err)
	_, err = b.Invite(b.ctx, b.admin, "invited", access.Viewer)
	require.NoError(t, err)
	b.held(t, "dec-held")
	s := fullSession()
	s.Extra["claims[1].explanation"] = json.RawMessage(`"because"`)
	b.insert(t, s)
	_, err = b.PutOnHold(b.ctx, b.admin, erasure.Session, s.ID, "suit")
	require.NoError(t, err)
	require.NoError(t, b.SetReaderCalibration(b.ctx, b.admin, db.ReaderCalibration{Reader: "abc", Balances: "{}", Rows: 90}))
	said := b.draft(t, "dec-said", "A2").Life.PackID
	_, err = b.AddPackComment(b.ctx, b.admin, said, "Well said.", "", nil)
	require.NoError(t, err)
	_, err = b.SetDue(b.ctx, b.admin, &db.DueChange{Object: notify.Pack, ID: said,
		Day: time.Now().UTC().Format(time.DateOnly), Check: func(int) error { return nil }, May: func(*db.DueNow) error { return nil }})
	require.NoError(t, err)
	_, err = b.AddToolCall(b.ctx, b.drafter, "dec-said", &pack.ToolCallRecord{ID: "call", ToolName: "crm.get",
		StartedAt: "2026-03-01T08:00:00Z", EndedAt: "2026-03-01T08:00:01Z", IntendedAction: "read", ActualAction: "read"}, nil)
	require.NoError(t, err)
	v, err := b.Pack(b.ctx, b.tenant.ID, said)
	require.NoError(t, err)
	v, err = b.MendPack(b.ctx, b.drafter, said, v.Life.Revision, "clearer", db.Answering{}, retell("Told anew."))
	require.NoError(t, err)
	_, err = b.AttachToPack(b.ctx, b.drafter, said, v.Life.Revision, pack.Attachment{Name: "a.txt", MediaType: "text/plain"},
		[]byte("text"), "asked for", db.Answering{})
	require.NoError(t, err)
	b.erase(t, erasure.Pack, b.signed(t, "dec-erased").Life.PackID)
	signed := b.signed(t, "dec-copied").Life.PackID
	_, err = b.MakePackExport(b.ctx, b.approver, signed, "zip", "hash")
	require.NoError(t, err)
	b.pass(8 * 365 * 24 * time.Hour)
	_, err = b.AskPurge(b.ctx, b.admin, signed)
	require.NoError(t, err)
	bundle := built(t, "docs/none.md", "words", strings.Repeat("القسطاسيات ", 20))
	_, err = b.InsertBundle(b.ctx, b.drafter, bundle)
	require.NoError(t, err)
	_, err = b.LinkRun(b.ctx, b.drafter, bundle.Bundle.BundleID, "run")
	require.NoError(t, err)
	require.NoError(t, b.SaveView(b.ctx, b.viewer, ledger.SavedView{Page: "sessions", Name: "Mine", Query: "status=open"}))
	_, err = b.SetLiveRules(b.ctx, b.admin, 0, []live.Rule{{Service: "rag", Share: 12.5, Becomes: live.Session}})
	require.NoError(t, err)
	b.add(t, b.tenant, "second-root", access.Admin)
	b.admin.Why = "As agreed."
	asked(t, b.SetRole(b.ctx, b.admin, b.viewer.ID, access.Approver))
	return s
}

// insertCopy says how a copy of a row of a table gets a key of its own: columns and their SQL.
var insertCopy = map[string]map[string]string{
	"memberships":         {"user_id": "(SELECT u.id FROM users u WHERE u.id NOT IN (SELECT m.user_id FROM memberships m WHERE m.tenant_id = r.tenant_id))"},
	"recovery_codes":      {"hash": "'mine'"},
	"identities":          {"subject": "'mine'"},
	"api_tokens":          {"id": "'mine'", "hash": "'mine'"},
	"invitations":         {"id": "'mine'", "login": "'mine'"},
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
}

// TestNoChangeOfRecordsIsMissed changes each recorded column of a row of each table, deletes the row, and inserts
// another one, by SQL without triggers: each is named by table, row and column (rule LOG-11).
func TestNoChangeOfRecordsIsMissed(t *testing.T) {
	b := newBoard(t)
	b.everyRecord(t)
	added, err := b.AddTenant(b.ctx, "added", "Added") // the one of the fixture is made without an event
	require.NoError(t, err)
	stranger := b.add(t, b.other, "stranger", access.Viewer)
	require.Empty(t, recordFaults(t, b.Store, b.tenant.ID))
	require.Empty(t, recordFaults(t, b.Store, b.other.ID))
	d := unguarded(t, b.dir)
	must(t, d, "PRAGMA ignore_check_constraints = 1")
	for _, trigger := range textsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		must(t, d, "DROP TRIGGER "+trigger)
	}
	together, of := db.RecordedTogether(), map[string]string{}
	for table, columns := range db.RecordedColumns() {
		of[table] = map[bool]string{true: added.ID, false: b.tenant.ID}[table == "tenants"]
		t.Run(table, func(t *testing.T) {
			where := " WHERE rowid = (SELECT min(rowid) FROM " + table + ")"
			if key := withoutRowID(t, d, table); key != "" {
				where = fmt.Sprintf(" WHERE (%s) = (SELECT %[1]s FROM %s %s ORDER BY %[1]s LIMIT 1)", key, table,
					map[bool]string{true: "WHERE tenant_id = '" + b.tenant.ID + "'"}[strings.Contains(key, "tenant_id")])
			}
			if table == "tenants" || table == "users" {
				where = " WHERE id = '" + map[string]string{"tenants": added.ID, "users": b.approver.ID}[table] + "'"
			}
			try := func(kind, field, query string, args ...any) {
				t.Helper()
				must(t, d, "DROP TABLE IF EXISTS temp.good")
				must(t, d, "CREATE TEMP TABLE good AS SELECT * FROM "+table)
				changeOne(t, d, query, args...)
				if slices.Contains(together, table) {
					kind, field = audit.FaultRecord, "rows"
				}
				found := quickFaults(t, b.Store, of[table])
				require.True(t, slices.ContainsFunc(found, func(f audit.ContentFault) bool {
					changedKey := field != "" && slices.Contains(primaryKey(t, d, table), field)
					return f.Table == table && f.Object != "" && (changedKey || f.Kind == kind && f.Field == field)
				}), "%s was missed: %v", query, found)
				must(t, d, "DELETE FROM "+table)
				must(t, d, "INSERT INTO "+table+" SELECT * FROM temp.good")
			}
			for _, column := range columns {
				value, args := "coalesce("+column+", '') || 'x'", []any(nil)
				for _, c := range schemaOf(t, d, table) {
					switch {
					case c.name == column && c.kind == "INTEGER":
						value = column + " + 70"
					case c.name == column && c.kind == "BLOB":
						value, args = "?", []any{[]byte("x")}
					}
				}
				if table == "api_tokens" && column == "user_id" {
					value = "'" + b.admin.ID + "'"
				}
				try(audit.FaultRecord, column, "UPDATE "+table+" SET "+column+" = "+value+where, args...)
			}
			if table != "tenants" {
				try(audit.FaultMissing, "", "DELETE FROM "+table+where)
			}
			if other := insertCopy[table]; other != nil {
				var names, values []string
				for _, c := range schemaOf(t, d, table) {
					names, values = append(names, c.name), append(values, c.name)
					if sql := other[c.name]; sql != "" {
						values[len(values)-1] = sql
					}
				}
				try(audit.FaultNew, "", "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") SELECT "+
					strings.Join(values, ", ")+" FROM "+table+" r"+where)
			}
			require.Empty(t, quickFaults(t, b.Store, of[table]), "all is undone")
		})
	}
	must(t, d, "UPDATE users SET password = 'mine' WHERE id = ?", stranger.ID)
	require.Empty(t, recordFaults(t, b.Store, b.tenant.ID), "this tenant does not record the people of another")
	require.Len(t, recordFaults(t, b.Store, b.other.ID), 1)
	must(t, d, "UPDATE users SET password = 'mine' WHERE id = ?", b.approver.ID)
	require.Len(t, recordFaults(t, b.Store, b.tenant.ID), 1)
	require.Len(t, recordFaults(t, b.Store, b.other.ID), 2, "each tenant of a person names it")
	must(t, d, "DELETE FROM record_salts WHERE tbl = 'memberships'")
	require.NotEmpty(t, recordFaults(t, b.Store, b.tenant.ID))
}

// TestChangedRecordsAreNoted checks that a pass finds a role that was changed by SQL, that readiness says so, and that
// a later change by the store takes nothing of it over.
func TestChangedRecordsAreNoted(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "somebody", access.Viewer)
	boss := p.add(t, p.tenant, "boss", access.Admin)
	require.NoError(t, p.PassContents(p.ctx, noPause))
	require.NoError(t, p.Ready(p.ctx))
	must(t, dbtest.Raw(t, p.dir), "UPDATE memberships SET role = 'approver' WHERE user_id = ?", u.ID)
	want := []audit.ContentFault{{Tenant: p.tenant.ID, Table: "memberships", Object: u.ID, Kind: audit.FaultRecord,
		Field: "role"}}
	require.Equal(t, want, recordFaults(t, p.Store, p.tenant.ID))
	require.NoError(t, p.SetMemberDisabled(p.ctx, as(p.tenant, boss, access.Admin), u.ID, true))
	require.Equal(t, want, recordFaults(t, p.Store, p.tenant.ID))
	require.NoError(t, p.PassContents(p.ctx, noPause))
	pass := p.LastPass()
	require.Equal(t, []string{"table memberships, " + u.ID + ", role: it is not what the log's events recorded"},
		pass.Of(p.tenant.ID))
	require.ErrorContains(t, p.Ready(p.ctx), "memberships")
	require.NoError(t, p.SetRole(p.ctx, as(p.tenant, boss, access.Admin), u.ID, access.Reviewer))
	require.Empty(t, recordFaults(t, p.Store, p.tenant.ID), "the role is one that an administrator gave")
}

// withoutRowID returns the primary key of a table without rowid, "" of another one.
func withoutRowID(t testing.TB, d *sql.DB, table string) string {
	t.Helper()
	if len(textsOf(t, d, "SELECT name FROM sqlite_master WHERE name = ? AND sql LIKE '%WITHOUT ROWID%'", table)) == 0 {
		return ""
	}
	return strings.Join(primaryKey(t, d, table), ", ")
}

func primaryKey(t testing.TB, d *sql.DB, table string) []string {
	t.Helper()
	return textsOf(t, d, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
}
