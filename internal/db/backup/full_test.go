package backup_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// TestFullDisk checks that a write without space is reported, leaves nothing behind, and works when there is space
// again (rule DB-8). cmd/web has the same test with a file system that is really full.
func TestFullDisk(t *testing.T) {
	dbtest.SQLiteOnly(t, "the limit of pages is a pragma")
	ctx := context.Background()
	h := dbtest.New(t)
	first := h.WithOriginal(t, "before")
	require.NoError(t, limitPages(ctx, h.Store, 12))
	stored := 1
	var err error
	for range 200 {
		if _, _, err = h.InsertSession(ctx, h.Actor, dbtest.Assess(dbtest.FullSession()),
			[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte("x")}}, nil); err != nil {
			break
		}
		stored++
	}
	dbtest.RequireUnavailable(t, err)
	require.ErrorContains(t, err, "no space left")
	for err = nil; err == nil; { // until not even a single row fits
		_, err = h.ReviewClaim(first.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
	}
	dbtest.RequireUnavailable(t, err)
	require.Contains(t, h.Full(), "no room was left")
	_, err = backup.Backup(ctx, t.TempDir(), "test", options(t, h))
	require.NoError(t, err, "a full database can be backed up elsewhere")

	check := func() {
		require.Equal(t, stored, dbtest.Count(t, dbtest.Raw(t, h.Dir), "sessions"), "no partial backup is left")
		require.Len(t, dbtest.OriginalFiles(t, h.Dir), stored)
		requireWellTenant(t, h)
	}
	check()
	require.NoError(t, limitPages(ctx, h.Store, -1))
	h.WithOriginal(t, "after")
	stored++
	require.Empty(t, h.Full())
	check()
	h.Reopen(t, nil)
	check()
	requireWellTenant(t, h)
}

// TestMissingOriginal checks that a missing original is an internal fault of its document only.
func TestMissingOriginal(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	s := h.WithOriginal(t, "x")
	require.NoError(t, removeAll(dbtest.OriginalFiles(t, h.Dir)))
	_, _, err := h.Original(ctx, h.Tenant.ID, s.Documents[0].ID)
	require.Error(t, err)
	require.NotContains(t, safe(err), h.Dir, "no path is shown")
	_, err = h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
}

func removeAll(files []string) (err error) {
	for _, f := range files {
		err = errors.Join(err, os.Remove(f))
	}
	return err
}

// safe returns the part of an error that a client may see.
func safe(err error) string {
	var e *domain.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	return e.Safe()
}

// limitPages limits the database to n pages more than it has, like a full disk; n < 0 removes the limit.
func limitPages(ctx context.Context, s *db.Store, n int) error {
	return s.WriteAlone(ctx, func(t *sqldb.Tx) error {
		var pages, limit int
		if err := t.Row("PRAGMA page_count", nil, &pages); err != nil {
			return err
		}
		if limit = pages + n; n < 0 {
			limit = 1 << 30
		}
		return t.Row(fmt.Sprintf("PRAGMA max_page_count = %d", limit), nil, &limit)
	})
}
