package packs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
)

// TestPackLife goes through the whole life cycle with four people: draft, edit, submit, return, new version, two
// approvals, a third version.
func TestPackLife(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A3")
	require.Equal(t, pack.Draft, v.Life.State)
	require.Equal(t, 2, v.Life.Need)
	require.Nil(t, v.JSON)

	v, err := b.UpdatePack(b.Ctx, b.Editor, v.Life.PackID, v.Life.Revision, db.Answering{}, dbtest.Retell("Short."))
	require.NoError(t, err)
	require.Equal(t, []string{b.Drafter.ID, b.Editor.ID}, v.Life.Authors)
	first := b.Submit(t, v)
	require.Equal(t, pack.InReview, first.Life.State)
	require.Equal(t, pack.Digest(first.JSON), first.Life.Digest)
	require.Equal(t, "Short.", first.Content.Memo.ExecutiveSummaryEN)

	_, err = b.ApprovePack(b.Ctx, b.Editor, dbtest.Approval(first), db.Answering{},
		dbtest.Render) // an admin, and one of its makers
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = b.ApprovePack(b.Ctx, b.Machine, dbtest.Approval(first), db.Answering{}, dbtest.Render)
	dbtest.RequireKind(t, domain.Denied, err)
	first, err = b.ReturnPack(b.Ctx, b.Approver, first.Life.PackID, first.Life.Revision, "Reason-of-approver",
		db.Answering{})
	require.NoError(t, err)
	require.Equal(t, "Reason-of-approver", first.Life.Return.Reason)

	b.Pass(time.Hour)
	v, err = b.NewVersion(b.Ctx, b.Drafter, first.Life.PackID, db.Answering{})
	require.NoError(t, err)
	require.Equal(t, 2, v.Content.Version)
	require.Equal(t, first.Life.PackID, v.Content.Supersedes)
	_, err = b.NewVersion(b.Ctx, b.Drafter, first.Life.PackID, db.Answering{})
	dbtest.RequireKind(t, domain.Conflict, err)
	_, err = b.SubmitPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	dbtest.RequireKind(t, domain.Invalid, err)
	require.ErrorContains(t, err, "Nothing has changed since this pack was returned")
	v = b.Submit(t, b.Mend(t, v))
	_, err = b.ApprovePack(b.Ctx, b.Editor, dbtest.Approval(v), db.Answering{},
		dbtest.Render) // edited the previous version
	dbtest.RequireKind(t, domain.Denied, err)
	v = b.Approve(t, b.Approver, v)
	require.Equal(t, pack.InReview, v.Life.State)
	_, err = b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), db.Answering{}, dbtest.Render)
	dbtest.RequireKind(t, domain.Conflict, err)
	stale := dbtest.Approval(v)
	stale.Digest = first.Life.Digest
	_, err = b.ApprovePack(b.Ctx, b.Second, stale, db.Answering{}, dbtest.Render)
	dbtest.RequireKind(t, domain.Conflict, err)
	v = b.Approve(t, b.Second, v)
	require.Equal(t, pack.SignedOff, v.Life.State)
	require.Len(t, v.Life.Approvals, 2)
	require.Equal(t, b.At, v.SignedAt)
	r := b.VerifiedPack(t, v.Life.PackID)
	require.Equal(t, v.Life.Digest, r.Digest)

	old, err := b.Pack(b.Ctx, b.Tenant.ID, first.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, pack.Superseded, old.Life.State)
	require.Equal(t, v.Life.PackID, old.Life.SupersededBy)
	require.Equal(t, first.JSON, old.JSON)
	require.Len(t, old.Versions, 2)
	require.Equal(t, []string{"pack.created", "pack.edited", "pack.submitted", "pack.returned", "pack.superseded"},
		acts(old.Events))
	require.Equal(t, []string{"pack.version_made", "pack.edited", "pack.submitted", "pack.approved", "pack.approved",
		"pack.signed_off"}, acts(v.Events))
	for i, x := range v.Life.Approvals {
		require.Equal(t, v.Events[3+i].Seq-1, x.LogIndex)
	}
	b.LogHolds(t)
}

func acts(events []audit.StoredEvent) (out []string) {
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}
