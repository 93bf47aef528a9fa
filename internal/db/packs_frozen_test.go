package db_test

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
	b := newBoard(t)
	v := b.held(t, "dec_1")
	id := v.Life.PackID
	waiting := b.submit(t, b.draft(t, "dec_2", "A2"))
	draft := b.draft(t, "dec_3", "A2")
	files := func() map[string][]byte {
		f, err := b.PackFiles(b.ctx, b.tenant.ID, id)
		require.NoError(t, err)
		return f
	}
	before := files()
	require.Len(t, before, 10)
	d := dbtest.Raw(t, b.dir)
	fill := strings.NewReplacer("{S}", "'"+id+"'", "{W}", "'"+waiting.Life.PackID+"'", "{D}",
		"'"+draft.Life.PackID+"'", "{T}", "'"+b.tenant.ID+"'")
	for _, statement := range directStatements(t, d) {
		_, err := d.Exec(fill.Replace(statement))
		require.Error(t, err, statement)
		require.NotContains(t, err.Error(), "syntax", statement)
		require.NotContains(t, err.Error(), "no such", statement)
	}
	require.Equal(t, before, files())

	_, err := b.UpdatePack(b.ctx, b.drafter, id, v.Life.Revision, db.Answering{}, retell("x"))
	require.Error(t, err)
	_, err = b.LiftLegalHold(b.ctx, b.admin, id, v.Life.Revision, "over")
	require.NoError(t, err)
	_, err = b.SubmitPack(b.ctx, b.drafter, id, v.Life.Revision, db.Answering{})
	require.Error(t, err)
	_, err = b.ReturnPack(b.ctx, b.second, id, v.Life.Revision, "x", db.Answering{})
	require.Error(t, err)
	_, err = b.ApprovePack(b.ctx, b.second, approval(v), db.Answering{}, render)
	require.Error(t, err)
	next, err := b.NewVersion(b.ctx, b.drafter, id, db.Answering{})
	require.NoError(t, err)
	b.approve(t, b.second, b.submit(t, next))
	_, err = b.RotateKey(b.ctx, b.admin, "sign")
	require.NoError(t, err)
	require.Equal(t, before, files())
	b.verified(t, id)

	require.NoError(t, b.Close())
	b.Store = openIn(t, b.dir)
	require.Empty(t, b.Frozen())
	require.Equal(t, before, files())
	got, err := b.Pack(context.Background(), b.tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, pack.Superseded, got.Life.State)
	b.verified(t, next.Life.PackID)
	b.logHolds(t)
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
		"INSERT OR REPLACE INTO pack_approvals SELECT tenant_id, pack_id, n, 'x', name, role, at, digest, log_index, comment, acknowledged, since FROM pack_approvals",
		// by its maker
		"INSERT INTO pack_approvals SELECT tenant_id, {W}, 0, made_by, '', 'approver', '', digest, 0, '', '[]' FROM evidence_packs WHERE pack_id = {W}",
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
	columns := textsOf(t, d, "SELECT name FROM pragma_table_info(?)", "evidence_packs")
	for _, column := range schemaOf(t, d, "evidence_packs") {
		if c := column.name; !slices.Contains(changeable, c) {
			value := map[string]string{"INTEGER": c + " + 1", "BLOB": "x'00'", "TEXT": "'x'"}[column.kind]
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
	b := newBoard(t)
	s := fullSession()
	b.insert(t, s)
	free := sizedSession(2)
	b.insert(t, free)
	dec := decisionOf("dec_1", "A2", 2)
	dec.LedgerSessionID = s.ID
	b.decide(t, dec)
	_, err := b.CreatePack(b.ctx, b.drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	d := dbtest.Raw(t, b.dir)
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
