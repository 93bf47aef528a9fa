package dbtest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// Committed returns what the log holds of a text of an object: its HMAC with the salt that is stored.
func Committed(t testing.TB, dir, kind, id, text string) string {
	t.Helper()
	var salt []byte
	require.NoError(t, Raw(t, dir).QueryRowContext(context.Background(),
		"SELECT salt FROM text_salts WHERE kind = ? AND object_id = ?", kind, id).
		Scan(&salt), "%s %s", kind, id)
	m := hmac.New(sha256.New, salt)
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil))
}

// AddEvents appends n events and returns the tenant's checkpoint after them.
func (fixture *Fixture) AddEvents(t testing.TB, n int) string {
	t.Helper()
	for i := range n {
		require.NoError(t, fixture.LogEvent(context.Background(), fixture.Actor,
			db.Event{Action: "test.done", Kind: "test", ObjectID: fmt.Sprint(i), Details: map[string]any{"n": i}}))
	}
	text, err := fixture.Checkpoint(context.Background(), fixture.Tenant.ID)
	require.NoError(t, err)
	return text
}

// CheckLog verifies the log of the fixture's tenant.
func (fixture *Fixture) CheckLog(t testing.TB) audit.Report {
	t.Helper()
	r, err := fixture.VerifyLog(context.Background(), fixture.Tenant.ID)
	require.NoError(t, err)
	return r
}

// Reopen closes the store, runs f on the folder, and opens the store again.
func (fixture *Fixture) Reopen(t testing.TB, f func()) {
	t.Helper()
	require.NoError(t, fixture.Close())
	if f != nil {
		f()
	}
	fixture.Store = Open(t, fixture.Dir)
}

// CheckpointFile is where the tenant's checkpoint lies outside the database.
func (fixture *Fixture) CheckpointFile() string {
	return filepath.Join(fixture.Dir+"-checkpoints", fixture.Tenant.ID+".checkpoint")
}

// CopyFolder copies a data folder of a closed store.
func CopyFolder(t testing.TB, from, to string) {
	t.Helper()
	Copy(t, from, to)
}

// Unguarded opens the database without triggers, like somebody who drops them first.
func Unguarded(t testing.TB, dir string) *sql.DB {
	t.Helper()
	d := Raw(t, dir)
	d.SetMaxOpenConns(1)
	for _, trigger := range []string{"events_next", "events_keep", "events_stay"} {
		Exec(t, d, "DROP TRIGGER IF EXISTS "+trigger)
	}
	Exec(t, d, "PRAGMA foreign_keys = 0")
	return d
}

// Exec runs a statement beside the store.
func Exec(t testing.TB, d *sql.DB, query string, args ...any) {
	t.Helper()
	_, err := d.ExecContext(context.Background(), query, args...)
	require.NoError(t, err, query)
}

// RequireUnavailable fails unless the error says that the store may only read.
func RequireUnavailable(t testing.TB, err error) {
	t.Helper()
	require.Equal(t, domain.Unavailable, domain.KindOf(err), "%v", err)
}

// RecordFaults returns what is wrong with a tenant's rows outside of sessions.
func RecordFaults(t testing.TB, s *db.Store, tenant string) (out []audit.ContentFault) {
	t.Helper()
	_, err := s.VerifyContents(context.Background(), tenant, func(f audit.ContentFault) {
		if f.Table != "" {
			out = append(out, f)
		}
	})
	require.NoError(t, err)
	return out
}

// ContentsHold checks, when a test ends, that verifying finds nothing wrong with what the store has stored, for every
// tenant. Tests that open the database themselves are left out.
func ContentsHold(t testing.TB, s *db.Store, dir string) {
	t.Helper()
	_, opened := openedRaw.Load(dir)
	if _, test := t.(*testing.T); !test || opened || t.Failed() { // benchmarks store sessions without digests
		return
	}
	tenants, err := s.Tenants(context.Background())
	if err != nil {
		return // the test has closed the store
	}
	for _, tenant := range tenants {
		_, err := s.VerifyContents(context.Background(), tenant.ID, func(f audit.ContentFault) {
			if f.Kind != audit.FaultFile { // some tests have no originals, or delete one
				t.Errorf("stored by the store itself: %s", f.String())
			}
		})
		require.NoError(t, err)
	}
}

// RequireWell checks that the store can be written, and that every log verifies.
func (fixture *Fixture) RequireWell(t testing.TB) {
	t.Helper()
	require.Empty(t, fixture.Frozen())
	require.NoError(t, fixture.Ready(context.Background()))
	for _, tenant := range []string{fixture.Tenant.ID, db.SystemTenant} {
		report, err := fixture.VerifyLog(context.Background(), tenant)
		require.NoError(t, err)
		require.True(t, report.OK(), report.Faults)
		require.Contains(t, []string{"agrees"}, report.CheckpointFile)
	}
}

// RequireContents checks that the digests of all sessions of a tenant are right.
func (fixture *Fixture) RequireContents(t testing.TB, sessions int) {
	t.Helper()
	checked, err := fixture.VerifyContents(context.Background(), fixture.Tenant.ID, func(f audit.ContentFault) {
		t.Errorf("%s", f.String())
	})
	require.NoError(t, err)
	require.Equal(t, sessions, checked)
}

// NoPause is for passes that work without a pause.
func NoPause(time.Duration) error { return nil }

// TextsOf returns the texts that a query finds.
func TextsOf(t testing.TB, d *sql.DB, query string, args ...any) (out []string) {
	t.Helper()
	rows, err := d.QueryContext(context.Background(), query, args...)
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // only read
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		out = append(out, name)
	}
	require.NoError(t, rows.Err())
	return out
}

type schemaColumn struct {
	Name, Kind string
	Nullable   bool
}

// SchemaOf returns the columns of a table.
func SchemaOf(t testing.TB, d *sql.DB, table string) (out []schemaColumn) {
	t.Helper()
	rows, err := d.QueryContext(context.Background(),
		"SELECT name, type, \"notnull\" = 0 AND pk = 0 FROM pragma_table_info(?)", table)
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // only read
	for rows.Next() {
		var c schemaColumn
		require.NoError(t, rows.Scan(&c.Name, &c.Kind, &c.Nullable))
		out = append(out, c)
	}
	require.NoError(t, rows.Err())
	return out
}
