package packs_test

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
)

// TestNoPathChangesASignedPack tries direct SQL on every table of packs: each statement is refused, and every byte of
// the signed pack is unchanged after each of them, after everything the methods can do, and after a restart.
func TestNoPathChangesASignedPack(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Held(t, "dec_1")
	id := v.Life.PackID
	waiting := b.Submit(t, b.Draft(t, "dec_2", "A2"))
	draft := b.Draft(t, "dec_3", "A2")
	files := func() map[string][]byte {
		f, err := b.PackFiles(b.Ctx, b.Tenant.ID, id)
		require.NoError(t, err)
		return f
	}
	before := files()
	require.Len(t, before, 10)
	d := dbtest.Raw(t, b.Dir)
	fill := strings.NewReplacer("{S}", "'"+id+"'", "{W}", "'"+waiting.Life.PackID+"'", "{D}",
		"'"+draft.Life.PackID+"'", "{T}", "'"+b.Tenant.ID+"'")
	for _, statement := range directStatements(t, d) {
		_, err := d.Exec(fill.Replace(statement))
		require.Error(t, err, statement)
		require.NotContains(t, err.Error(), "syntax", statement)
		require.NotContains(t, err.Error(), "no such", statement)
	}
	require.Equal(t, before, files())

	_, err := b.UpdatePack(b.Ctx, b.Drafter, id, v.Life.Revision, db.Answering{}, dbtest.Retell("x"))
	require.Error(t, err)
	_, err = b.LiftLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, "over")
	require.NoError(t, err)
	_, err = b.SubmitPack(b.Ctx, b.Drafter, id, v.Life.Revision, db.Answering{})
	require.Error(t, err)
	_, err = b.ReturnPack(b.Ctx, b.Second, id, v.Life.Revision, "x", db.Answering{})
	require.Error(t, err)
	_, err = b.ApprovePack(b.Ctx, b.Second, dbtest.Approval(v), db.Answering{}, dbtest.Render)
	require.Error(t, err)
	next, err := b.NewVersion(b.Ctx, b.Drafter, id, db.Answering{})
	require.NoError(t, err)
	b.Approve(t, b.Second, b.Submit(t, next))
	_, err = b.RotateKey(b.Ctx, b.Admin, "sign")
	require.NoError(t, err)
	require.Equal(t, before, files())
	b.VerifiedPack(t, id)

	require.NoError(t, b.Close())
	b.Store = dbtest.Open(t, b.Dir)
	require.Empty(t, b.Frozen())
	require.Equal(t, before, files())
	got, err := b.Pack(context.Background(), b.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, pack.Superseded, got.Life.State)
	b.VerifiedPack(t, next.Life.PackID)
	b.LogHolds(t)
}

// directStatements returns what somebody with a shell might try on the signed pack {S}, the one in review {W} and the
// draft {D}.
func directStatements(t testing.TB, d *sql.DB) []string {
	out := []string{
		"DELETE FROM evidence_packs WHERE pack_id = {S}", "DELETE FROM evidence_packs WHERE pack_id = {W}",
		"DELETE FROM evidence_packs WHERE pack_id = {D}",
		"DELETE FROM decisions", "DELETE FROM pack_files", "DELETE FROM pack_approvals", "DELETE FROM pack_makers",
		"UPDATE pack_files SET data = x'00'", "UPDATE pack_files SET name = 'x'",
		"UPDATE pack_approvals SET actor = 'x'", "UPDATE pack_makers SET actor = 'x'",
		"UPDATE pack_makers SET own = 0", "UPDATE pack_files SET pack_id = {W} WHERE pack_id = {S}",
		"INSERT INTO pack_files SELECT tenant_id, pack_id, 'more', media_type, size, sha256, data FROM pack_files",
		"INSERT OR REPLACE INTO pack_files SELECT tenant_id, pack_id, name, media_type, 1, sha256, x'00' FROM pack_files",
		"INSERT OR REPLACE INTO pack_approvals SELECT tenant_id, pack_id, n, 'x', name, title, role, at, digest, log_index, for_id, for_name, for_from, for_until, for_log, comment, acknowledged, since FROM pack_approvals",
		// by its maker
		"INSERT INTO pack_approvals SELECT tenant_id, {W}, 0, made_by, '', '', 'approver', '', digest, 0, '', '', '', '', 0, '', '[]', NULL FROM evidence_packs WHERE pack_id = {W}",
		"INSERT INTO pack_makers VALUES ({T}, {S}, 'x', 1, 1)",
		"INSERT OR REPLACE INTO pack_makers SELECT tenant_id, pack_id, actor, 1, n FROM pack_makers",
		"UPDATE evidence_packs SET state = 'draft', revision = revision + 1 WHERE pack_id = {S}",
		"UPDATE evidence_packs SET state = 'draft', revision = revision + 1 WHERE pack_id = {W}",
		// without an approval
		"UPDATE evidence_packs SET state = 'signed_off', signed_at = 'x', revision = revision + 1 WHERE pack_id = {W}",
		"UPDATE evidence_packs SET state = 'signed_off', signed_at = 'x', revision = revision + 1 WHERE pack_id = {D}",
		"UPDATE evidence_packs SET revision = revision - 1 WHERE pack_id = {S}",
		"UPDATE evidence_packs SET session_id = 'x', revision = revision + 1 WHERE pack_id = {W}",
		"UPDATE evidence_packs SET rowid = 99 WHERE pack_id = {S}",
		"UPDATE OR REPLACE evidence_packs SET pack_id = {S}, revision = revision + 1 WHERE pack_id = {D}",
		"UPDATE OR REPLACE evidence_packs SET rowid = (SELECT no FROM evidence_packs WHERE pack_id = {S}), revision = revision + 1 WHERE pack_id = {D}",
		"DELETE FROM pack_holds", "UPDATE pack_holds SET reason = 'x'",
		"INSERT OR REPLACE INTO pack_holds SELECT tenant_id, pack_id, n, 0, actor, at, reason FROM pack_holds",
		"UPDATE decisions SET data = '{}'",
		"UPDATE OR REPLACE decisions SET decision_id = 'dec_1' WHERE decision_id = 'dec_3'",
		"INSERT OR REPLACE INTO decisions SELECT * FROM decisions",
		"INSERT INTO pack_tombstones SELECT tenant_id, pack_id, decision_id, digest, created_at, retain_until, '2099', 'a', 'b' FROM evidence_packs WHERE pack_id = {S}",
	}
	// columns that may change; the statements above test their rules
	changeable := []string{"state", "revision", "updated_at", "on_hold"}
	columns := dbtest.TextsOf(t, d, "SELECT name FROM pragma_table_info(?)", "evidence_packs")
	for _, column := range dbtest.SchemaOf(t, d, "evidence_packs") {
		if c := column.Name; !slices.Contains(changeable, c) {
			value := map[string]string{"INTEGER": c + " + 1", "BLOB": "x'00'", "TEXT": "'x'"}[column.Kind]
			set := map[string]string{c: value}
			if c != "revision" {
				set["revision"] = "revision + 1"
			}
			out = append(out, "UPDATE evidence_packs SET "+assignments(set)+" WHERE pack_id = {S}")
		}
	}
	list := strings.Join(columns, ", ")
	next := "NULL"
	if dbtest.OnPostgres() {
		next = "(SELECT max(x.no) + 9 FROM evidence_packs x)"
	}
	fresh := map[string]string{"pack_id": "'pack_ffffffffffffffff'", "no": next,
		"supersedes": "'pack_eeeeeeeeeeeeeeee'"}
	for _, change := range []map[string]string{fresh, {"content": "'{}'"}, {"no": next},
		{"pack_id": "'pack_ffffffffffffffff'"}, {"pack_id": "'pack_ffffffffffffffff'", "no": next}} {
		values := slices.Clone(columns)
		for i, c := range values {
			if v, ok := change[c]; ok {
				values[i] = v
			}
		}
		for _, from := range []string{"{S}", "{W}", "{D}"} {
			if change["supersedes"] != "" && from == "{D}" {
				continue // another draft does no harm
			}
			out = append(out, "INSERT OR REPLACE INTO evidence_packs ("+list+") SELECT "+strings.Join(values, ", ")+
				" FROM evidence_packs WHERE pack_id = "+from)
		}
	}
	return out
}

func assignments(set map[string]string) string {
	var out []string
	for _, c := range slices.Sorted(maps.Keys(set)) {
		out = append(out, c+" = "+set[c])
	}
	return strings.Join(out, ", ")
}

// TestSessionsOfPacksCannotBeDeleted checks that a session with its documents and texts cannot be deleted while a pack
// refers to it.
func TestSessionsOfPacksCannotBeDeleted(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.FullSession()
	b.AddSession(t, s)
	free := dbtest.SizedSession(2)
	b.AddSession(t, free)
	dec := dbtest.DecisionOf("dec_1", "A2", 2)
	dec.LedgerSessionID = s.ID
	b.Decide(t, dec)
	_, err := b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	d := dbtest.Raw(t, b.Dir)
	_, err = d.Exec("PRAGMA foreign_keys = OFF") // only the triggers protect it
	require.NoError(t, err)
	d.SetMaxOpenConns(1)
	for _, x := range []struct{ statement, id string }{
		{"DELETE FROM chunks WHERE session_no = (SELECT no FROM sessions WHERE id = ?)", s.ID},
		{"UPDATE documents SET status = 'deleted' WHERE session_no = (SELECT no FROM sessions WHERE id = ?)", s.ID},
		{"UPDATE documents SET blob = 'x' WHERE session_no = (SELECT no FROM sessions WHERE id = ?)", s.ID},
		{"DELETE FROM documents WHERE session_no = (SELECT no FROM sessions WHERE id = ?)", s.ID},
		{"DELETE FROM sessions WHERE id = ?", s.ID},
	} {
		_, err := d.Exec(x.statement, x.id)
		require.ErrorContains(t, err, "an evidence pack refers to this", x.statement)
		_, err = d.Exec(x.statement, free.ID)
		require.NotContains(t, errText(err), "an evidence pack", x.statement)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
