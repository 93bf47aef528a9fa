package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// sqliteError runs statements in a new database and returns the error of the last one.
func sqliteError(t *testing.T, statements ...string) error {
	t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "errors.db"))
	require.NoError(t, err)
	defer database.Close() //nolint:errcheck // only a test's
	database.SetMaxOpenConns(1)
	last := len(statements) - 1
	for _, statement := range statements[:last] {
		_, err := database.Exec(statement)
		require.NoError(t, err)
	}
	_, err = database.Exec(statements[last])
	require.Error(t, err)
	return err
}

// endedRead returns the error of a query that takes longer than its transaction may.
func endedRead(t *testing.T) error {
	t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "long.db"))
	require.NoError(t, err)
	defer database.Close() //nolint:errcheck // only a test's
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	n := 0
	err = database.QueryRowContext(ctx, `WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1e12)
		SELECT count(*) FROM c`).Scan(&n)
	require.Error(t, err)
	return err
}

// TestFail checks the answer to each kind of database fault.
func TestFail(t *testing.T) {
	conflict := domain.Refuse(domain.Conflict, "", "fault_login_taken")
	const filled = "INSERT INTO a SELECT randomblob(100000)"
	for name, c := range map[string]struct {
		err  error
		kind domain.Kind
	}{
		"a domain error stays":    {fmt.Errorf("revision 3: %w", conflict), domain.Conflict},
		"no row":                  {fmt.Errorf("a query: %w", sql.ErrNoRows), domain.NotFound},
		"disk full by the system": {fmt.Errorf("write: %w", syscall.ENOSPC), domain.Unavailable},
		"quota used up":           {syscall.EDQUOT, domain.Unavailable},
		"disk full by SQLite": {sqliteError(t, "PRAGMA max_page_count = 3", "CREATE TABLE a (b)", filled),
			domain.Unavailable},
		"a value out of bounds": {sqliteError(t, "CREATE TABLE a (b CHECK (b > 0))", "INSERT INTO a VALUES (0)"),
			domain.Internal},
		"a read that was ended":          {endedRead(t), domain.Unavailable},
		"waited too long for a lock":     {&pgconn.PgError{Code: "55P03"}, domain.Unavailable},
		"a statement that took too long": {&pgconn.PgError{Code: "57014"}, domain.Unavailable},
		"no connection is left":          {&pgconn.PgError{Code: "53300"}, domain.Unavailable},
		"disk full at the server":        {&pgconn.PgError{Code: "53100"}, domain.Unavailable},
		"a standby, which only reads":    {&pgconn.PgError{Code: "25006"}, domain.Unavailable},
		"closed in the middle":           {io.ErrUnexpectedEOF, domain.Unavailable},
		"closed before":                  {fmt.Errorf("lock: %w", pgconn.ErrConnClosed), domain.Unavailable},
		"anything else":                  {errors.New("driver: bad connection"), domain.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			err := Fail("Op", c.err)
			require.Equal(t, c.kind, domain.KindOf(err))
			var ours *domain.Error
			require.ErrorAs(t, err, &ours)
			require.NotContains(t, ours.Text(), "driver", "the driver's words are for the log")
		})
	}
	require.NoError(t, Fail("Op", nil))
}

// TestUnknownWhetherStored: a commit that a server answers as it ends may have been stored, whatever made it end.
func TestUnknownWhetherStored(t *testing.T) {
	var e postgresEngine
	for name, c := range map[string]struct {
		err     *pgconn.PgError
		refused bool
	}{
		"no room for a row":                 {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "53100"}, true},
		"no room for the write-ahead log":   {&pgconn.PgError{SeverityUnlocalized: "PANIC", Code: "53100"}, false},
		"the write-ahead log is not synced": {&pgconn.PgError{SeverityUnlocalized: "PANIC", Code: "58030"}, false},
		"shut down":                         {&pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}, false},
	} {
		require.Equal(t, c.refused, e.notCommitted(c.err), name)
		if c.refused {
			require.ErrorContains(t, Fail("Op", c.err), "nothing was stored", name)
			continue
		}
		require.ErrorContains(t, Fail("Op", unknownOutcome{c.err}), "did not answer whether this was stored", name)
		require.ErrorContains(t, Fail("Op", c.err), "cannot be reached", name)
	}
}

func TestRefuseTaken(t *testing.T) {
	refusal := errors.New("refusal")
	for name, c := range map[string]struct {
		statements []string
		refused    bool
	}{
		"primary key": {[]string{"CREATE TABLE a (b TEXT PRIMARY KEY)", "INSERT INTO a VALUES ('x')",
			"INSERT INTO a VALUES ('x')"}, true},
		"unique column": {[]string{"CREATE TABLE a (b UNIQUE)", "INSERT INTO a VALUES (1)",
			"INSERT INTO a VALUES (1)"}, true},
		"not null": {[]string{"CREATE TABLE a (b NOT NULL)", "INSERT INTO a VALUES (NULL)"}, false},
		"check":    {[]string{"CREATE TABLE a (b CHECK (b > 0))", "INSERT INTO a VALUES (0)"}, false},
		"no table": {[]string{"INSERT INTO a VALUES (0)"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := sqliteError(t, c.statements...)
			require.Equal(t, c.refused, RefuseTaken(err, refusal) == refusal) //nolint:errorlint // the same value
			if !c.refused {
				require.ErrorIs(t, RefuseTaken(err, refusal), err)
			}
		})
	}
	require.NoError(t, RefuseTaken(nil, refusal))
}

func TestRefuseUnlessOne(t *testing.T) {
	refusal, other := errors.New("refusal"), errors.New("other")
	require.NoError(t, RefuseUnlessOne(1, nil, refusal))
	require.Equal(t, refusal, RefuseUnlessOne(0, nil, refusal))
	require.Equal(t, refusal, RefuseUnlessOne(2, nil, refusal))
	require.Equal(t, other, RefuseUnlessOne(0, other, refusal))
}

func TestFirst(t *testing.T) {
	row, err := First([]string{"a", "b"}, nil)
	require.NoError(t, err)
	require.Equal(t, "a", row)
	_, err = First([]string{}, nil)
	require.ErrorIs(t, err, sql.ErrNoRows)
	broken := errors.New("broken")
	row, err = First([]string{"a"}, broken)
	require.Equal(t, broken, err)
	require.Empty(t, row, "no value besides an error")
}
