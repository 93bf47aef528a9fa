package db_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// TestPurge checks that a purge needs seven years, no hold, an administrator and a second person, and that a tombstone
// and an event remain.
func TestPurge(t *testing.T) {
	b := newBoard(t)
	v := b.signed(t, "dec_1")
	id := v.Life.PackID
	_, err := b.MakePackExport(b.ctx, b.second, id, "pdf", db.HashToken("s"))
	require.NoError(t, err)
	_, err = b.AskPurge(b.ctx, b.drafter, id)
	require.ErrorContains(t, err, "The pack is kept until 2033-03-01T12:30:45Z. Only an administrator may purge a pack.")
	b.now = pack.RetainUntil(now).Truncate(time.Second).Add(-1)
	_, err = b.AskPurge(b.ctx, b.admin, id)
	is(t, domain.Conflict, err)
	b.pass(1)
	candidates, err := b.PurgeCandidates(b.ctx, b.tenant.ID, 9)
	require.NoError(t, err)
	require.Len(t, candidates, 1)

	v, err = b.SetLegalHold(b.ctx, b.admin, id, v.Life.Revision, "Reason-of-hold")
	require.NoError(t, err)
	_, err = b.AskPurge(b.ctx, b.admin, id)
	require.ErrorContains(t, err, "legal hold")
	_, err = b.LiftLegalHold(b.ctx, b.approver, id, v.Life.Revision, "r")
	is(t, domain.Denied, err)
	_, err = b.LiftLegalHold(b.ctx, b.admin, id, v.Life.Revision-1, "r")
	is(t, domain.Conflict, err)
	v, err = b.LiftLegalHold(b.ctx, b.admin, id, v.Life.Revision, "Reason-of-lift")
	require.NoError(t, err)
	require.Len(t, v.Holds, 2)
	require.Nil(t, v.Life.Hold)

	g, err := b.AskPurge(b.ctx, b.admin, id)
	require.NoError(t, err)
	require.Equal(t, len(v.Files), g.Files)
	require.True(t, g.Decision)
	again, err := b.AskPurge(b.ctx, b.admin, id)
	require.NoError(t, err)
	require.Equal(t, g, again)
	for _, who := range []access.Actor{b.admin, b.drafter, b.machine} {
		_, err = b.ConfirmPurge(b.ctx, who, g.ID)
		is(t, domain.Denied, err)
	}
	// the person who asked is no longer an administrator
	b.add(t, b.tenant, "another", access.Admin)
	require.NoError(t, b.SetRole(b.ctx, access.AtCommandLine(b.tenant.ID), b.admin.ID, access.Approver))
	_, err = b.ConfirmPurge(b.ctx, b.second, g.ID)
	is(t, domain.Denied, err)
	require.NoError(t, b.SetRole(b.ctx, access.AtCommandLine(b.tenant.ID), b.admin.ID, access.Admin))
	waiting, err := b.Purges(b.ctx, b.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []pack.Purge{g}, waiting)

	stone, err := b.ConfirmPurge(b.ctx, b.second, g.ID)
	require.NoError(t, err)
	require.Equal(t, pack.Tombstone{
		PackID: id, DecisionID: "dec_1", Digest: v.Life.Digest, CreatedAt: "2026-03-01T12:30:45Z",
		RetainUntil: "2033-03-01T12:30:45Z",
		PurgedAt:    "2033-03-01T12:30:45Z", PurgedBy: b.admin.ID, SecondBy: b.second.ID,
	}, stone)
	kept, err := b.Tombstone(b.ctx, b.tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, stone, kept)
	all, err := b.Tombstones(b.ctx, b.tenant.ID, 9)
	require.NoError(t, err)
	require.Equal(t, []pack.Tombstone{stone}, all)
	_, err = b.Pack(b.ctx, b.tenant.ID, id)
	isNotFound(t, err)
	_, err = b.Decision(b.ctx, b.tenant.ID, "dec_1")
	isNotFound(t, err)
	_, err = b.PackExport(b.ctx, b.second, db.HashToken("s"))
	isNotFound(t, err)
	d := dbtest.Raw(t, b.dir)
	for _, table := range []string{"decisions", "evidence_packs", "pack_files", "pack_attachments", "pack_makers",
		"pack_approvals", "pack_holds", "pack_exports"} {
		require.Zero(t, count(t, d, table), table)
	}
	rows, _, err := b.Packs(b.ctx, b.tenant.ID, pack.Query{Text: "hospital"})
	require.NoError(t, err)
	require.Empty(t, rows)
	_, _, err = b.AddDecision(b.ctx, b.machine, decisionOf("dec_1", "A2", 1), nil)
	is(t, domain.Conflict, err) // what was purged does not come back
	actions := b.actions(t, b.tenant.ID)
	require.Equal(t, "pack.purged", actions[len(actions)-1])
	b.logHolds(t)
	for _, statement := range []string{"DELETE FROM pack_tombstones", "UPDATE pack_tombstones SET digest = ''",
		"INSERT OR REPLACE INTO pack_tombstones SELECT * FROM pack_tombstones"} {
		_, err := d.Exec(statement)
		require.Error(t, err, statement)
	}
}

// TestPurgeOfAChain checks that an older version is purged after the newer one that names it, and the decision with the
// last version.
func TestPurgeOfAChain(t *testing.T) {
	b := newBoard(t)
	old := b.signed(t, "dec_1")
	v, err := b.NewVersion(b.ctx, b.drafter, old.Life.PackID, db.Answering{})
	require.NoError(t, err)
	v = b.approve(t, b.approver, b.submit(t, v))
	b.pass(8 * 365 * 24 * time.Hour)
	_, err = b.AskPurge(b.ctx, b.admin, old.Life.PackID)
	require.ErrorContains(t, err, v.Life.PackID)
	refused, err := b.AskPurge(b.ctx, b.admin, v.Life.PackID)
	require.NoError(t, err)
	is(t, domain.Denied, b.RefusePurge(b.ctx, b.drafter, refused.ID))
	require.NoError(t, b.RefusePurge(b.ctx, b.second, refused.ID))
	_, err = b.ConfirmPurge(b.ctx, b.second, refused.ID)
	isNotFound(t, err)
	for i, id := range []string{v.Life.PackID, old.Life.PackID} {
		g, err := b.AskPurge(b.ctx, b.admin, id)
		require.NoError(t, err)
		require.Equal(t, i == 1, g.Decision)
		_, err = b.ConfirmPurge(b.ctx, b.second, g.ID)
		require.NoError(t, err)
		_, err = b.Decision(b.ctx, b.tenant.ID, "dec_1")
		require.Equal(t, i == 1, err != nil)
	}
	b.logHolds(t)
}

// TestDirectTombstonesAreRefused checks that inserting a tombstone with SQL does not allow deleting a pack that
// is not due.
func TestDirectTombstonesAreRefused(t *testing.T) {
	b := newBoard(t)
	v := b.signed(t, "dec_1")
	d := dbtest.Raw(t, b.dir)
	_, err := d.Exec(`INSERT INTO pack_purges SELECT 'p', tenant_id, pack_id, 'asked', 'a', '', '', 0, 0, 0, '', '' FROM evidence_packs`)
	require.NoError(t, err)
	insert := "INSERT INTO pack_tombstones SELECT tenant_id, pack_id, decision_id, digest, created_at, retain_until, ?, ?, ? FROM evidence_packs"
	due, early := "2033-03-01T12:30:45.000000000Z", "2033-03-01T12:30:44.999999999Z"
	for name, args := range map[string][]any{"too early": {early, "a", "b"}, "one person": {due, "a", "a"},
		"never asked": {due, "x", "b"}} {
		_, err := d.Exec(insert, args...)
		require.ErrorContains(t, err, "may not be purged", name)
	}
	_, err = b.SetLegalHold(b.ctx, b.admin, v.Life.PackID, v.Life.Revision, "r")
	require.NoError(t, err)
	_, err = d.Exec(insert, due, "a", "b")
	require.ErrorContains(t, err, "may not be purged")
}

// TestTheLogNamesNobodyOfAPack checks that no name, reason, comment or title of a pack's life is in the log.
func TestTheLogNamesNobodyOfAPack(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A2")
	v, err := b.UpdatePack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision, db.Answering{}, retell("Memo-of-drafter"))
	require.NoError(t, err)
	v = b.submit(t, v)
	v, err = b.ReturnPack(b.ctx, b.approver, v.Life.PackID, v.Life.Revision, "Reason-of-approver", db.Answering{})
	require.NoError(t, err)
	v, err = b.NewVersion(b.ctx, b.drafter, v.Life.PackID, db.Answering{})
	require.NoError(t, err)
	v = b.approve(t, b.approver, b.submit(t, v))
	e, err := b.RequestExport(b.ctx, b.viewer, v.Life.PackID, "zip", "Reason-of-viewer")
	require.NoError(t, err)
	_, err = b.RefuseExport(b.ctx, b.second, e.ID, "Reason-of-second")
	require.NoError(t, err)
	_, err = b.SetLegalHold(b.ctx, b.admin, v.Life.PackID, v.Life.Revision, "Reason-of-hold")
	require.NoError(t, err)
	events, err := b.Events(b.ctx, b.tenant.ID, 0, 1000)
	require.NoError(t, err)
	require.Greater(t, len(events), 15)
	for _, e := range events {
		for _, word := range []string{"name-of", "reason-of", "comment-of", "memo-of", "hospital"} {
			require.NotContains(t, strings.ToLower(string(e.Bytes)), word, e.Action)
		}
	}
}
