package dbtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/keys"
)

func open(t testing.TB, dir string) *db.Store {
	t.Helper()
	box, err := keys.New([]byte("abcdefghijklmnopqrstuvwxyz012345"))
	require.NoError(t, err)
	s, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: dbtest.Database(dir), Now: time.Now, NewID: uuid.NewString, Keys: box})
	require.NoError(t, err)
	return s
}

// TestDirIsAsNew checks that a copied folder equals one made by opening an empty folder: the same migrations, ready for
// the first tenant.
func TestDirIsAsNew(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	copied, fresh := open(t, dbtest.Dir(t)), open(t, t.TempDir())
	defer func() { require.NoError(t, copied.Close()); require.NoError(t, fresh.Close()) }()
	want, err := fresh.Migrations(ctx)
	require.NoError(t, err)
	got, err := copied.Migrations(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, got)
	for i := range got {
		got[i].AppliedAt, want[i].AppliedAt = "", ""
	}
	require.Equal(t, want, got)
	_, err = copied.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
}
