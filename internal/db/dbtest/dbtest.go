// Package dbtest makes data folders for tests. Applying every migration is most of what opening a new store costs, so
// it is done once per test binary and the database that results is copied.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/keys"
)

// Dir returns a new data folder with an empty database of the newest schema; it is removed when the test ends. Tests
// that need a fresh folder (migrations, file modes) open an empty one instead.
func Dir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if OnPostgres() {
		newDatabase(t, dir)
		return dir
	}
	database, err := migrated()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, db.DatabaseFile), database, 0o600))
	return dir
}

// migrated returns the bytes of a migrated, empty database.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sanad-template-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	box, err := keys.New(make([]byte, keys.MasterSize))
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	store, err := db.Open(context.Background(), db.Options{Dir: data, Now: time.Now, NewID: uuid.NewString, Keys: box})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(data, db.DatabaseFile))
})
