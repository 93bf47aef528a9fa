package backup_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
)

// TestPacksInABackup checks that a restored store has every byte of every pack, also of a file that a person attached,
// and that a draft can be continued.
func TestPacksInABackup(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is opened as a data folder")
	b := dbtest.NewBoard(t)
	v := b.Signed(t, "dec_1")
	draft := b.Draft(t, "dec_2", "A2")
	draft, err := b.AttachToPack(b.Ctx, b.Drafter, draft.Life.PackID, draft.Life.Revision,
		[]db.NewFile{{Name: "a.txt", MediaType: "text/plain", Data: []byte("attached")}}, "asked for", db.Answering{})
	require.NoError(t, err)
	before, err := b.PackFiles(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	from, _ := backUp(t, b.Fixture)
	require.NoError(t, b.Close())
	target := filepath.Join(t.TempDir(), "data")
	_, err = backup.Restore(context.Background(), from, "test",
		db.Options{Dir: target, Database: dbtest.Database(target), Now: func() time.Time { return dbtest.Now },
			NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)})
	require.NoError(t, err)
	b.Store, b.Dir = dbtest.Open(t, target), target
	after, err := b.PackFiles(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, before, after)
	r, _, err := b.PackAttachment(b.Ctx, b.Tenant.ID, draft.Life.PackID, pack.Digest([]byte("attached")))
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, errors.Join(err, r.Close()))
	require.Equal(t, "attached", string(data))
	b.VerifiedPack(t, v.Life.PackID)
	_, err = dbtest.Raw(t, target).Exec("UPDATE pack_files SET data = x'00'")
	require.Error(t, err) // the triggers are restored too
	draft = b.Approve(t, b.Approver, b.Submit(t, draft))
	require.Equal(t, pack.SignedOff, draft.Life.State)
	b.VerifiedPack(t, draft.Life.PackID)
	b.LogHolds(t)
}

// TestAChangedPackIsNotBackedUp checks that no backup is made of a pack that was changed after dropping the triggers.
func TestAChangedPackIsNotBackedUp(t *testing.T) {
	for name, steps := range map[string][]string{
		pack.FileJSON: {"DROP TRIGGER evidence_packs_frozen",
			"UPDATE evidence_packs SET content = replace(content, 'Riyadh', 'Jeddah'), revision = revision + 1"},
		pack.FilePDF: {"DROP TRIGGER pack_files_keep", "UPDATE pack_files SET data = x'00' WHERE name = 'pack.pdf'"},
	} {
		b := dbtest.NewBoard(t)
		b.Signed(t, "dec_1")
		d := dbtest.Raw(t, b.Dir)
		for _, step := range steps {
			_, err := d.Exec(step)
			require.NoError(t, err)
		}
		_, err := backup.Backup(context.Background(), filepath.Join(t.TempDir(), "b"), "test", options(t, b.Fixture))
		require.ErrorContains(t, err, name+" of the evidence pack ")
	}
}
