package packs_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
)

// TestParallelApprovals checks that of 50 people who approve the same version concurrently exactly one succeeds, and
// the others get a Conflict.
func TestParallelApprovals(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "dec_1", "A2"))
	errs := make([]error, 50)
	require.Equal(t, 1, dbtest.Together(50, func(i int) bool {
		who := access.Actor{Tenant: b.Tenant.ID, ID: fmt.Sprintf("approver-%d", i), User: "x", Role: access.Approver,
			Human: true}
		_, errs[i] = b.ApprovePack(b.Ctx, who, dbtest.Approval(v), db.Answering{}, dbtest.Render)
		return errs[i] == nil
	}))
	for _, err := range errs {
		if err != nil {
			dbtest.RequireKind(t, domain.Conflict, err)
		}
	}
	got, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Len(t, got.Life.Approvals, 1)
	require.Equal(t, []string{"pack.created", "pack.submitted", "pack.approved", "pack.signed_off"}, acts(got.Events))
	b.VerifiedPack(t, v.Life.PackID)
	b.LogHolds(t)
}

// TestRenderingBlocksNoOtherWrite checks that another write succeeds while one pack is being rendered. If the same
// approver tries again meanwhile, that signs the pack and the slow attempt gets an error.
func TestRenderingBlocksNoOtherWrite(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "dec_1", "A2"))
	rendering, release, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		_, err := b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), db.Answering{},
			func(f *pack.Frozen, l *pack.Life) ([]byte, []byte, error) {
				close(rendering)
				<-release
				return dbtest.Render(f, l)
			})
		done <- err
	}()
	<-rendering
	b.Decide(t, dbtest.DecisionOf("dec_2", "A2", 1)) // would wait for ever if the write lock were held
	b.Approve(t, b.Second, v)
	close(release)
	dbtest.RequireKind(t, domain.Conflict, <-done)
	got, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, b.Second.ID, got.Life.Approvals[0].Actor)
}

func TestFailedRenderingChangesNothing(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "dec_1", "A2"))
	_, err := b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), db.Answering{},
		func(*pack.Frozen, *pack.Life) ([]byte, []byte, error) {
			return nil, nil, errors.New("no font")
		})
	dbtest.RequireKind(t, domain.Internal, err)
	got, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, v, got)
}

// TestRenderGetsTheNewApproval checks that the life passed to render has the approval being given, and that only the
// last approval renders.
func TestRenderGetsTheNewApproval(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Submit(t, b.Draft(t, "dec_1", "A3"))
	v, err := b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), db.Answering{}, nil)
	require.NoError(t, err)
	var seen *pack.Life
	v, err = b.ApprovePack(b.Ctx, b.Second, dbtest.Approval(v), db.Answering{},
		func(f *pack.Frozen, l *pack.Life) ([]byte, []byte, error) {
			require.Equal(t, v.JSON, f.Bytes)
			seen = l
			return dbtest.Render(f, l)
		})
	require.NoError(t, err)
	require.Equal(t, pack.SignedOff, seen.State)
	require.Len(t, seen.Approvals, 2)
	for i, x := range v.Life.Approvals {
		x.LogIndex = 0
		require.Equal(t, x, seen.Approvals[i])
	}
}

// TestPackHasThePublishedCheckpoint matters because it lets each recipient of a pack confirm the state of the log.
func TestPackHasThePublishedCheckpoint(t *testing.T) {
	b := dbtest.NewBoard(t)
	for i := range 3 { // the first creates the key
		v := b.Signed(t, fmt.Sprintf("dec_%d", i))
		published, err := b.Checkpoint(b.Ctx, b.Tenant.ID)
		require.NoError(t, err)
		inPack, row, err := b.PackFile(b.Ctx, b.Tenant.ID, v.Life.PackID, pack.FileCheckpoint)
		require.NoError(t, err)
		require.Equal(t, published, string(inPack))
		require.Equal(t, pack.Digest(inPack), row.SHA256)
		proof, _, err := b.PackFile(b.Ctx, b.Tenant.ID, v.Life.PackID, pack.FileLogProof)
		require.NoError(t, err)
		p, event, err := pack.ParseLogProof(string(proof))
		require.NoError(t, err)
		require.Equal(t, published, p.Checkpoint)
		e, err := audit.ParseEvent(event)
		require.NoError(t, err)
		require.Equal(t, pack.SignOffAction, e.Action)
		require.Equal(t, b.Approver.ID, e.Actor)
	}
}

// TestOldPacksVerifyWithTheirOldKey checks that a pack contains the key that signed it, and verifies after a rotation.
func TestOldPacksVerifyWithTheirOldKey(t *testing.T) {
	b := dbtest.NewBoard(t)
	old := b.Signed(t, "dec_1")
	key, err := b.RotateKey(b.Ctx, b.Admin, "sign")
	require.NoError(t, err)
	fresh := b.Signed(t, "dec_2")
	require.Equal(t, key.ID, b.VerifiedPack(t, fresh.Life.PackID).KeyID)
	require.NotEqual(t, key.ID, b.VerifiedPack(t, old.Life.PackID).KeyID)
}

// TestLogAgreesWithSignedPacks checks that the log is compared with the checkpoints in signed packs (rule LOG-12).
func TestLogAgreesWithSignedPacks(t *testing.T) {
	b := dbtest.NewBoard(t)
	first := b.Signed(t, "dec-1").Life.PackID
	second := b.Signed(t, "dec-2").Life.PackID
	b.LogHolds(t)
	d := dbtest.Unguarded(t, b.Dir)
	for _, trigger := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		dbtest.Exec(t, d, "DROP TRIGGER "+trigger)
	}
	other := dbtest.NewBoard(t)
	foreign := other.Signed(t, "dec-1").Life.PackID
	note, _, err := other.PackFile(b.Ctx, other.Tenant.ID, foreign, pack.FileCheckpoint)
	require.NoError(t, err)
	mine, _, err := b.PackFile(b.Ctx, b.Tenant.ID, first, pack.FileCheckpoint)
	require.NoError(t, err)
	report := func() string {
		r := b.CheckLog(t)
		return r.Words()
	}
	put := func(id string, data []byte) {
		dbtest.Exec(t, d, "UPDATE pack_files SET data = ? WHERE pack_id = ? AND name = ?", data, id,
			pack.FileCheckpoint)
	}
	require.Empty(t, report())
	put(second, note)
	require.Equal(t, "the checkpoint in the signed pack "+second+" is not signed by a key of this log", report())
	put(second, mine)
	require.Empty(t, report(), "an older checkpoint of this log")
	put(first, []byte{})
	require.Contains(t, report(), first)
	put(first, mine)
	dbtest.Exec(t, d, "UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), 'user', 'xser') AS BLOB) WHERE seq = 2 AND tenant_id = ?",
		b.Tenant.ID)
	require.Contains(t, report(), "event 2")
}
