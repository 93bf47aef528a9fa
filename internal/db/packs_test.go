package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
)

// TestPackLife goes through the whole life cycle with four people: draft, edit, submit, return, new version, two
// approvals, a third version.
func TestPackLife(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A3")
	require.Equal(t, pack.Draft, v.Life.State)
	require.Equal(t, 2, v.Life.Need)
	require.Nil(t, v.JSON)

	v, err := b.UpdatePack(b.ctx, b.editor, v.Life.PackID, v.Life.Revision, db.Answering{}, retell("Short."))
	require.NoError(t, err)
	require.Equal(t, []string{b.drafter.ID, b.editor.ID}, v.Life.Authors)
	first := b.submit(t, v)
	require.Equal(t, pack.InReview, first.Life.State)
	require.Equal(t, pack.Digest(first.JSON), first.Life.Digest)
	require.Equal(t, "Short.", first.Content.Memo.ExecutiveSummaryEN)

	_, err = b.ApprovePack(b.ctx, b.editor, approval(first), db.Answering{}, render) // an admin, and one of its makers
	is(t, domain.Denied, err)
	_, err = b.ApprovePack(b.ctx, b.machine, approval(first), db.Answering{}, render)
	is(t, domain.Denied, err)
	first, err = b.ReturnPack(b.ctx, b.approver, first.Life.PackID, first.Life.Revision, "Reason-of-approver",
		db.Answering{})
	require.NoError(t, err)
	require.Equal(t, "Reason-of-approver", first.Life.Return.Reason)

	b.pass(time.Hour)
	v, err = b.NewVersion(b.ctx, b.drafter, first.Life.PackID, db.Answering{})
	require.NoError(t, err)
	require.Equal(t, 2, v.Content.Version)
	require.Equal(t, first.Life.PackID, v.Content.Supersedes)
	_, err = b.NewVersion(b.ctx, b.drafter, first.Life.PackID, db.Answering{})
	is(t, domain.Conflict, err)
	v = b.submit(t, v)
	_, err = b.ApprovePack(b.ctx, b.editor, approval(v), db.Answering{}, render) // edited the previous version
	is(t, domain.Denied, err)
	v = b.approve(t, b.approver, v)
	require.Equal(t, pack.InReview, v.Life.State)
	_, err = b.ApprovePack(b.ctx, b.approver, approval(v), db.Answering{}, render)
	is(t, domain.Conflict, err)
	stale := approval(v)
	stale.Digest = first.Life.Digest
	_, err = b.ApprovePack(b.ctx, b.second, stale, db.Answering{}, render)
	is(t, domain.Conflict, err)
	v = b.approve(t, b.second, v)
	require.Equal(t, pack.SignedOff, v.Life.State)
	require.Len(t, v.Life.Approvals, 2)
	require.Equal(t, b.now, v.SignedAt)
	r := b.verified(t, v.Life.PackID)
	require.Equal(t, v.Life.Digest, r.Digest)

	old, err := b.Pack(b.ctx, b.tenant.ID, first.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, pack.Superseded, old.Life.State)
	require.Equal(t, v.Life.PackID, old.Life.SupersededBy)
	require.Equal(t, first.JSON, old.JSON)
	require.Len(t, old.Versions, 2)
	require.Equal(t, []string{"pack.created", "pack.edited", "pack.submitted", "pack.returned", "pack.superseded"},
		acts(old.Events))
	require.Equal(t, []string{"pack.version_made", "pack.submitted", "pack.approved", "pack.approved",
		"pack.signed_off"}, acts(v.Events))
	for i, x := range v.Life.Approvals {
		require.Equal(t, v.Events[2+i].Seq-1, x.LogIndex)
	}
	b.logHolds(t)
}

func acts(events []audit.StoredEvent) (out []string) {
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}
