package db_test

import (
	"context"
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

// TestPacksInABackup checks that a restored store has every byte of every pack, and that a draft can be continued.
func TestPacksInABackup(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is opened as a data folder")
	b := newBoard(t)
	v := b.signed(t, "dec_1")
	draft := b.draft(t, "dec_2", "A2")
	before, err := b.PackFiles(b.ctx, b.tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	from, _ := b.backup(t)
	require.NoError(t, b.Close())
	target := filepath.Join(t.TempDir(), "data")
	_, err = backup.Restore(context.Background(), from, "test",
		db.Options{Dir: target, Database: dbtest.Database(target), Now: func() time.Time { return now }, NewID: uuid.NewString, Keys: masterKey(t, 1)})
	require.NoError(t, err)
	b.Store, b.dir = openIn(t, target), target
	after, err := b.PackFiles(b.ctx, b.tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, before, after)
	b.verified(t, v.Life.PackID)
	_, err = dbtest.Raw(t, target).Exec("UPDATE pack_files SET data = x'00'")
	require.Error(t, err) // the triggers are restored too
	draft = b.approve(t, b.approver, b.submit(t, draft))
	require.Equal(t, pack.SignedOff, draft.Life.State)
	b.verified(t, draft.Life.PackID)
	b.logHolds(t)
}

// TestAChangedPackIsNotBackedUp checks that no backup is made of a pack that was changed after dropping the triggers.
func TestAChangedPackIsNotBackedUp(t *testing.T) {
	for name, steps := range map[string][]string{
		pack.FileJSON: {"DROP TRIGGER evidence_packs_frozen",
			"UPDATE evidence_packs SET content = replace(content, 'Riyadh', 'Jeddah'), revision = revision + 1"},
		pack.FilePDF: {"DROP TRIGGER pack_files_keep", "UPDATE pack_files SET data = x'00' WHERE name = 'pack.pdf'"},
	} {
		b := newBoard(t)
		b.signed(t, "dec_1")
		d := dbtest.Raw(t, b.dir)
		for _, step := range steps {
			_, err := d.Exec(step)
			require.NoError(t, err)
		}
		_, err := backup.Backup(context.Background(), filepath.Join(t.TempDir(), "b"), "test", b.options(t))
		require.ErrorContains(t, err, name+" of the evidence pack ")
	}
}
