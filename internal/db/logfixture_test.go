package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// log appends n events and returns the tenant's checkpoint after them.
func (h *fixture) log(t testing.TB, n int) string {
	t.Helper()
	for i := range n {
		require.NoError(t, h.LogEvent(context.Background(), h.actor,
			db.Event{Action: "test.done", Kind: "test", ObjectID: fmt.Sprint(i), Details: map[string]any{"n": i}}))
	}
	text, err := h.Checkpoint(context.Background(), h.tenant.ID)
	require.NoError(t, err)
	return text
}

func (h *fixture) verify(t testing.TB) audit.Report {
	t.Helper()
	r, err := h.VerifyLog(context.Background(), h.tenant.ID)
	require.NoError(t, err)
	return r
}

// reopen closes the store, runs f on the folder, and opens the store again.
func (h *fixture) reopen(t testing.TB, f func()) {
	t.Helper()
	require.NoError(t, h.Close())
	if f != nil {
		f()
	}
	h.Store = openIn(t, h.dir)
}

func (h *fixture) checkpointFile() string {
	return filepath.Join(h.dir+"-checkpoints", h.tenant.ID+".checkpoint")
}

// copyFolder copies a data folder of a closed store.
func copyFolder(t testing.TB, from, to string) {
	t.Helper()
	dbtest.Copy(t, from, to)
}

// unguarded opens the database without triggers, like somebody who drops them first.
func unguarded(t testing.TB, dir string) *sql.DB {
	t.Helper()
	d := dbtest.Raw(t, dir)
	d.SetMaxOpenConns(1)
	for _, trigger := range []string{"events_next", "events_keep", "events_stay"} {
		must(t, d, "DROP TRIGGER IF EXISTS "+trigger)
	}
	must(t, d, "PRAGMA foreign_keys = 0")
	return d
}

func must(t testing.TB, d *sql.DB, query string, args ...any) {
	t.Helper()
	_, err := d.Exec(query, args...)
	require.NoError(t, err, query)
}

// changeOne runs a statement that is to change one row.
func changeOne(t testing.TB, d *sql.DB, query string, args ...any) {
	t.Helper()
	result, err := d.Exec(query, args...)
	require.NoError(t, err, query)
	n, err := result.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, n, "%s: there is no such row", query)
}

// logKeys returns the public keys that may have signed a tenant's checkpoints.
func (h *fixture) logKeys(t testing.TB) (out []audit.Key) {
	t.Helper()
	all, err := h.Keys(context.Background(), h.tenant.ID)
	require.NoError(t, err)
	for _, k := range all {
		if k.Purpose == "log" {
			out = append(out, audit.Key{ID: k.ID, Public: k.Public})
		}
	}
	return out
}

func requireUnavailable(t testing.TB, err error) {
	t.Helper()
	require.Equal(t, domain.Unavailable, domain.KindOf(err), "%v", err)
}
