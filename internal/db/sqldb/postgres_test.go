package sqldb_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// TestPostgresIsRefusedClearly checks that a server or database which cannot hold a store is named at the start, with
// what to do, and that no secret of its address is.
func TestPostgresIsRefusedClearly(t *testing.T) {
	open := func(address string) error {
		s, err := db.Open(context.Background(),
			db.Options{Dir: t.TempDir(), Database: address, Now: time.Now, NewID: uuid.NewString,
				Keys: dbtest.MasterKey(t, 1)})
		if err == nil {
			require.NoError(t, s.Close())
		}
		return err
	}
	for address, want := range map[string]string{
		"sanad.db":                                "the form postgres://USER@HOST:5432/NAME",
		"mysql://root:very-secret@127.0.0.1/x":    "the form postgres://USER@HOST:5432/NAME",
		"postgres://sanad:very-secret@[::1]:x/db": "the form postgres://USER@HOST:5432/NAME",
		"postgres://sanad:very-secret@127.0.0.1:1/store?connect_timeout=2": `the database "store" at 127.0.0.1:1 cannot be opened: ` +
			"connection refused; see host and port",
	} {
		err := open(address)
		require.ErrorContains(t, err, want, address)
		require.NotContains(t, err.Error(), "very-secret")
		require.NotContains(t, err.Error(), "\n")
	}
	if !dbtest.OnPostgres() {
		return // the rest asks a server: make postgres
	}
	dir := t.TempDir()
	own := dbtest.Database(dir)
	d := dbtest.Raw(t, dir)
	dbtest.Exec(t, d, "CREATE TABLE others (a integer)")
	err := open(own)
	require.ErrorContains(t, err, "belongs to another program")
	require.ErrorContains(t, err, dbtest.DatabaseOf(t, own))
	require.ErrorIs(t, err, db.ErrNotOpened)
	require.NotContains(t, err.Error(), dir)
	dbtest.Exec(t, d, "DROP TABLE others")
	dbtest.Exec(t, d, "CREATE DATABASE ascii_"+uuid.NewString()[:8]+" TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'")
	name := dbtest.TextsOf(t, d, "SELECT datname FROM pg_database WHERE datname LIKE 'ascii\\_%' ORDER BY oid DESC LIMIT 1")[0]
	require.ErrorContains(t, open(strings.Replace(own, dbtest.DatabaseOf(t, own), name, 1)), "ENCODING 'UTF8'")
	dbtest.Exec(t, d, "DROP DATABASE "+name)
	require.ErrorContains(t, open(strings.Replace(own, dbtest.DatabaseOf(t, own), "no_such_database", 1)),
		"does not exist (SQLSTATE 3D000); see the name")

	require.NoError(t, open(own))
	dbtest.Exec(t, d, "INSERT INTO schema_migrations VALUES (9999, '9999_later.sql', 'x', 'x', 9999)")
	require.ErrorContains(t, open(own), "newer version")
	dbtest.Exec(t, d, "DELETE FROM schema_migrations WHERE version = 9999")
	require.NoError(t, open(own))

	dbtest.Exec(t, d, "CREATE COLLATION other (provider = libc, locale = 'C.UTF-8')")
	dbtest.Exec(t, d, "ALTER TABLE notifications ALTER COLUMN key TYPE text COLLATE other")
	require.ErrorContains(t, open(own), `column notifications.key compares its texts by the collation "other"`)
	dbtest.Exec(t, d, `ALTER TABLE notifications ALTER COLUMN key TYPE text COLLATE "C"`)
	require.NoError(t, open(own))
}

// TestServerEndsConnections ends every connection of a store's server again and again: what begins after that is done,
// since the transaction is begun again.
func TestServerEndsConnections(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	h := dbtest.New(t)
	d := dbtest.Raw(t, h.Dir)
	for range 5 {
		dbtest.Exec(t, d, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
			AND pid <> pg_backend_pid()`)
		h.AddSession(t, dbtest.SizedSession(2))
		_, _, err := h.Sessions(context.Background(), h.Tenant.ID, ledger.SessionQuery{Limit: 5})
		require.NoError(t, err)
	}
	report := h.CheckLog(t)
	require.True(t, report.OK(), report.Faults)
}

// TestCommitIsNotCancelled ends a request while the server commits its import: the import succeeds, and its original is
// there. If the connection is lost meanwhile, the answer doesn't say that nothing was stored, and the original stays.
func TestCommitIsNotCancelled(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	h := dbtest.New(t)
	d := dbtest.Raw(t, h.Dir)
	dbtest.Exec(t, d, `CREATE FUNCTION lingers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711) LOOP PERFORM pg_sleep(0.02);
		END LOOP; RETURN NULL; END $$`)
	dbtest.Exec(t, d, `CREATE CONSTRAINT TRIGGER lingers AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION lingers()`)
	const commits = "FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND lower(query) = 'commit'"
	during := func(what func(end context.CancelFunc)) (string, error) {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		done, s := make(chan error), dbtest.Identify(dbtest.SizedSession(1))
		go func() {
			_, _, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(s),
				[]db.Original{{Document: 0, Data: []byte("the original")}}, nil)
			done <- err
		}()
		require.Eventually(t, func() bool { return dbtest.TextsOf(t, d, "SELECT count(*)::text "+commits)[0] == "1" },
			time.Minute,
			10*time.Millisecond)
		what(end)
		return s.ID, <-done
	}
	one, err := d.Conn(context.Background())
	require.NoError(t, err)
	defer one.Close() //nolint:errcheck // only read
	locked := func(function string) {
		_, err := one.ExecContext(context.Background(), "SELECT "+function+"(4711)")
		require.NoError(t, err)
	}

	id, err := during(func(end context.CancelFunc) { end(); locked("pg_advisory_lock") })
	require.NoError(t, err)
	found, err := h.Session(context.Background(), h.Tenant.ID, id)
	require.NoError(t, err)
	r, _, err := h.Original(context.Background(), h.Tenant.ID, found.Documents[0].ID)
	require.NoError(t, err)
	kept, err := io.ReadAll(r)
	require.NoError(t, errors.Join(err, r.Close()))
	require.Equal(t, "the original", string(kept))

	locked("pg_advisory_unlock")
	_, err = during(func(context.CancelFunc) { dbtest.Exec(t, d, "SELECT pg_terminate_backend(pid) "+commits) })
	require.ErrorContains(t, err, "did not answer whether this was stored")
	dbtest.Exec(t, d, "DROP TRIGGER lingers")
}
