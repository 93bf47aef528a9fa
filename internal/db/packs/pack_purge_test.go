package packs_test

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
	b := dbtest.NewBoard(t)
	v := b.Signed(t, "dec_1")
	id := v.Life.PackID
	_, err := b.MakePackExport(b.Ctx, b.Second, id, "pdf", "", db.HashToken("s"))
	require.NoError(t, err)
	_, err = b.AskPurge(b.Ctx, b.Drafter, id)
	require.ErrorContains(t, err, "The pack is kept until 2033-03-01T12:30:45Z. Only an administrator may purge a pack.")
	b.At = pack.RetainUntil(dbtest.Now).Truncate(time.Second).Add(-1)
	_, err = b.AskPurge(b.Ctx, b.Admin, id)
	dbtest.RequireKind(t, domain.Conflict, err)
	b.Pass(1)
	candidates, err := b.PurgeCandidates(b.Ctx, b.Tenant.ID, 9)
	require.NoError(t, err)
	require.Len(t, candidates, 1)

	v, err = b.SetLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, "Reason-of-hold")
	require.NoError(t, err)
	_, err = b.AskPurge(b.Ctx, b.Admin, id)
	require.ErrorContains(t, err, "legal hold")
	_, err = b.LiftLegalHold(b.Ctx, b.Approver, id, v.Life.Revision, "r")
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = b.LiftLegalHold(b.Ctx, b.Admin, id, v.Life.Revision-1, "r")
	dbtest.RequireKind(t, domain.Conflict, err)
	v, err = b.LiftLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, "Reason-of-lift")
	require.NoError(t, err)
	require.Len(t, v.Holds, 2)
	require.Nil(t, v.Life.Hold)

	g, err := b.AskPurge(b.Ctx, b.Admin, id)
	require.NoError(t, err)
	require.Equal(t, len(v.Files), g.Files)
	require.True(t, g.Decision)
	again, err := b.AskPurge(b.Ctx, b.Admin, id)
	require.NoError(t, err)
	require.Equal(t, g, again)
	for _, who := range []access.Actor{b.Admin, b.Drafter, b.Machine} {
		_, err = b.ConfirmPurge(b.Ctx, who, g.ID)
		dbtest.RequireKind(t, domain.Denied, err)
	}
	// the person who asked is no longer an administrator
	b.AddPerson(t, b.Tenant, "another", access.Admin)
	require.NoError(t, b.SetRole(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Admin.ID, access.Approver))
	_, err = b.ConfirmPurge(b.Ctx, b.Second, g.ID)
	dbtest.RequireKind(t, domain.Denied, err)
	require.NoError(t, b.SetRole(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.Admin.ID, access.Admin))
	waiting, err := b.Purges(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []pack.Purge{g}, waiting)

	stone, err := b.ConfirmPurge(b.Ctx, b.Second, g.ID)
	require.NoError(t, err)
	require.Equal(t, pack.Tombstone{
		PackID: id, DecisionID: "dec_1", Digest: v.Life.Digest, CreatedAt: "2026-03-01T12:30:45Z",
		RetainUntil: "2033-03-01T12:30:45Z",
		PurgedAt:    "2033-03-01T12:30:45Z", PurgedBy: b.Admin.ID, SecondBy: b.Second.ID,
	}, stone)
	kept, err := b.Tombstone(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, stone, kept)
	all, err := b.Tombstones(b.Ctx, b.Tenant.ID, 9)
	require.NoError(t, err)
	require.Equal(t, []pack.Tombstone{stone}, all)
	_, err = b.Pack(b.Ctx, b.Tenant.ID, id)
	dbtest.RequireNotFound(t, err)
	_, err = b.Decision(b.Ctx, b.Tenant.ID, "dec_1")
	dbtest.RequireNotFound(t, err)
	_, err = b.PackExport(b.Ctx, b.Second, db.HashToken("s"))
	dbtest.RequireNotFound(t, err)
	d := dbtest.Raw(t, b.Dir)
	for _, table := range []string{"decisions", "evidence_packs", "pack_files", "pack_attachments", "pack_makers",
		"pack_approvals", "pack_holds", "pack_exports"} {
		require.Zero(t, dbtest.Count(t, d, table), table)
	}
	rows, _, err := b.Packs(b.Ctx, b.Tenant.ID, pack.Query{Text: "hospital"})
	require.NoError(t, err)
	require.Empty(t, rows)
	_, _, err = b.AddDecision(b.Ctx, b.Machine, dbtest.DecisionOf("dec_1", "A2", 1), nil)
	dbtest.RequireKind(t, domain.Conflict, err) // what was purged does not come back
	actions := b.Actions(t, b.Tenant.ID)
	require.Equal(t, "pack.purged", actions[len(actions)-1])
	b.LogHolds(t)
	for _, statement := range []string{"DELETE FROM pack_tombstones", "UPDATE pack_tombstones SET digest = ''",
		"INSERT OR REPLACE INTO pack_tombstones SELECT * FROM pack_tombstones"} {
		_, err := d.Exec(statement)
		require.Error(t, err, statement)
	}
}

// TestPurgeOfAChain checks that an older version is purged after the newer one that names it, and the decision with the
// last version.
func TestPurgeOfAChain(t *testing.T) {
	b := dbtest.NewBoard(t)
	old := b.Signed(t, "dec_1")
	v, err := b.NewVersion(b.Ctx, b.Drafter, old.Life.PackID, db.Answering{})
	require.NoError(t, err)
	v = b.Approve(t, b.Approver, b.Submit(t, v))
	b.Pass(8 * 365 * 24 * time.Hour)
	_, err = b.AskPurge(b.Ctx, b.Admin, old.Life.PackID)
	require.ErrorContains(t, err, v.Life.PackID)
	refused, err := b.AskPurge(b.Ctx, b.Admin, v.Life.PackID)
	require.NoError(t, err)
	dbtest.RequireKind(t, domain.Denied, b.RefusePurge(b.Ctx, b.Drafter, refused.ID))
	require.NoError(t, b.RefusePurge(b.Ctx, b.Second, refused.ID))
	_, err = b.ConfirmPurge(b.Ctx, b.Second, refused.ID)
	dbtest.RequireNotFound(t, err)
	for i, id := range []string{v.Life.PackID, old.Life.PackID} {
		g, err := b.AskPurge(b.Ctx, b.Admin, id)
		require.NoError(t, err)
		require.Equal(t, i == 1, g.Decision)
		_, err = b.ConfirmPurge(b.Ctx, b.Second, g.ID)
		require.NoError(t, err)
		_, err = b.Decision(b.Ctx, b.Tenant.ID, "dec_1")
		require.Equal(t, i == 1, err != nil)
	}
	b.LogHolds(t)
}

// TestDirectTombstonesAreRefused checks that inserting a tombstone with SQL does not allow deleting a pack that
// is not due.
func TestDirectTombstonesAreRefused(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Signed(t, "dec_1")
	d := dbtest.Raw(t, b.Dir)
	_, err := d.Exec(`INSERT INTO pack_purges SELECT 'p', tenant_id, pack_id, 'asked', 'a', '', '', 0, 0, 0, '', '' FROM evidence_packs`)
	require.NoError(t, err)
	insert := "INSERT INTO pack_tombstones SELECT tenant_id, pack_id, decision_id, digest, created_at, retain_until, ?, ?, ? FROM evidence_packs"
	due, early := "2033-03-01T12:30:45.000000000Z", "2033-03-01T12:30:44.999999999Z"
	for name, args := range map[string][]any{"too early": {early, "a", "b"}, "one person": {due, "a", "a"},
		"never asked": {due, "x", "b"}} {
		_, err := d.Exec(insert, args...)
		require.ErrorContains(t, err, "may not be purged", name)
	}
	_, err = b.SetLegalHold(b.Ctx, b.Admin, v.Life.PackID, v.Life.Revision, "r")
	require.NoError(t, err)
	_, err = d.Exec(insert, due, "a", "b")
	require.ErrorContains(t, err, "may not be purged")
}

// TestTheLogNamesNobodyOfAPack checks that no name, reason, comment or title of a pack's life is in the log.
func TestTheLogNamesNobodyOfAPack(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	v, err := b.UpdatePack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{},
		dbtest.Retell("Memo-of-drafter"))
	require.NoError(t, err)
	v = b.Submit(t, v)
	v, err = b.ReturnPack(b.Ctx, b.Approver, v.Life.PackID, v.Life.Revision, "Reason-of-approver", db.Answering{})
	require.NoError(t, err)
	v, err = b.NewVersion(b.Ctx, b.Drafter, v.Life.PackID, db.Answering{})
	require.NoError(t, err)
	v = b.Approve(t, b.Approver, b.Submit(t, b.Mend(t, v)))
	e, err := b.RequestExport(b.Ctx, b.Viewer, v.Life.PackID, "zip", "Reason-of-viewer")
	require.NoError(t, err)
	_, err = b.RefuseExport(b.Ctx, b.Second, e.ID, "Reason-of-second")
	require.NoError(t, err)
	_, err = b.SetLegalHold(b.Ctx, b.Admin, v.Life.PackID, v.Life.Revision, "Reason-of-hold")
	require.NoError(t, err)
	events, err := b.Events(b.Ctx, b.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	require.Greater(t, len(events), 15)
	for _, e := range events {
		for _, word := range []string{"name-of", "reason-of", "comment-of", "memo-of", "hospital"} {
			require.NotContains(t, strings.ToLower(string(e.Bytes)), word, e.Action)
		}
	}
}
