package backup_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/thorough"
)

func moveOptions(t testing.TB, dir, database string) db.Options {
	t.Helper()
	return db.Options{Dir: dir, Database: database, Now: func() time.Time { return dbtest.Now }, NewID: uuid.NewString,
		Keys: dbtest.MasterKey(t, 1)}
}

// storeToMove makes a store in a file with rows in many tables, and returns its rows and what a search for the word
// السنة finds. The store is closed.
func storeToMove(t *testing.T) (f *dbtest.Fixture, rows, found []string) {
	t.Helper()
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "data")
	s, err := db.Open(ctx, moveOptions(t, dir, ""))
	require.NoError(t, err)
	tenant, err := s.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
	f = &dbtest.Fixture{Store: s, Dir: dir, Tenant: tenant,
		Actor: access.Actor{Tenant: tenant.ID, ID: "id-of-noura", User: "Noura",
			Role: access.Reviewer}}
	for range 3 {
		f.AddSession(t, dbtest.FullSession())
	}
	f.AddSession(t, dbtest.SizedSession(300))
	found = foundBy(t, f, "السنة")
	require.NotEmpty(t, found)
	require.NoError(t, s.Close())
	s, err = db.Open(ctx, moveOptions(t, dir, "")) // names the master key
	require.NoError(t, err)
	require.NoError(t, s.Close())
	return f, dbtest.RowsOfFile(t, dir), found
}

// TestMoveGoesOn cuts a move off after every twelfth table, there and back. What is half filled cannot be opened, moved
// or backed up; a source that was changed meanwhile is refused; in the end every row is the same.
func TestMoveGoesOn(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	ctx := context.Background()
	f, before, _ := storeToMove(t)
	dir := f.Dir
	there := dbtest.Database(filepath.Join(dir, "there"))
	errCut := errors.New("cut off")
	var copied []string
	defer cutMoves(func(name string) error {
		if slices.Contains(copied, name) {
			return nil
		}
		if copied = append(copied, name); len(copied)%12 == 3 {
			return errCut
		}
		return nil
	})()
	move := func(from, to db.Options) {
		t.Helper()
		copied = nil
		for {
			m, err := backup.Move(ctx, from, to)
			if err == nil {
				require.Equal(t, 2, m.Logs)
				require.Greater(t, len(copied), 60, "tables")
				return
			}
			require.ErrorIs(t, err, errCut)
			if len(copied) == 3 {
				_, err := db.Open(ctx, to)
				require.ErrorContains(t, err, "run sanad move again")
				_, err = backup.Move(ctx, to, from)
				require.ErrorContains(t, err, "run sanad move again")
			}
		}
	}
	move(moveOptions(t, dir, ""), moveOptions(t, dir, there))
	_, err := backup.Move(ctx, moveOptions(t, dir, ""), moveOptions(t, dir, there))
	require.ErrorContains(t, err, "is not empty")
	require.NoError(t, os.Rename(filepath.Join(dir, db.DatabaseFile), filepath.Join(dir, "old.db")))
	move(moveOptions(t, dir, there), moveOptions(t, dir, ""))
	require.Equal(t, before, dbtest.RowsOfFile(t, dir))

	again := dbtest.Database(filepath.Join(dir, "again"))
	copied = nil
	for !slices.Contains(copied, "sessions") {
		_, err := backup.Move(ctx, moveOptions(t, dir, ""), moveOptions(t, dir, again))
		require.ErrorIs(t, err, errCut)
	}
	change := func(query string) {
		t.Helper()
		d, err := sql.Open("sqlite", "file:"+filepath.Join(dir, db.DatabaseFile)+"?_pragma=foreign_keys(0)")
		require.NoError(t, err)
		_, err = d.ExecContext(ctx, query)
		require.NoError(t, err)
		require.NoError(t, d.Close())
	}
	change("UPDATE sessions SET query = query || '!'")
	_, err = backup.Move(ctx, moveOptions(t, dir, ""), moveOptions(t, dir, again))
	require.ErrorContains(t, err, "was changed since: sessions")
	change("UPDATE sessions SET query = substr(query, 1, length(query) - 1)")
	_, err = backup.Move(ctx, moveOptions(t, dir, ""), moveOptions(t, dir, again))
	if err != nil {
		require.ErrorIs(t, err, errCut)
	}
}

// TestMoveSurvivesKills kills a process that moves a store with kill -9 at moments taken by chance, there and back. The
// next one goes on, and in the end every row is the same.
func TestMoveSurvivesKills(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	if from := os.Getenv("SANAD_TEST_MOVE_FROM"); from != "" { // the process that is killed
		o := func(place string) db.Options {
			if place == "file" {
				place = ""
			}
			return moveOptions(t, ".", place)
		}
		_, err := backup.Move(context.Background(), o(from), o(os.Getenv("SANAD_TEST_MOVE_TO")))
		require.NoError(t, err)
		return
	}
	kills := thorough.Times(3, 20)
	f, before, _ := storeToMove(t)
	dir := f.Dir
	there := dbtest.Database(filepath.Join(dir, "there"))
	r := thorough.Random(t)
	run := func(from, to string, killAt int64) (ended bool, moved int64) {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMoveSurvivesKills$", "-test.v")
		c.Dir = dir
		c.Env = append(os.Environ(), "SANAD_TEST_MOVE_FROM="+from, "SANAD_TEST_MOVE_TO="+to)
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		moved, err := dbtest.RunUntil(t, c, killAt)
		if out := said.Bytes(); killAt == 0 {
			if bytes.Contains(out, []byte("is open")) { // the server has not noticed yet that the last one was killed
				return false, 0
			}
			if bytes.Contains(out, []byte("is not empty")) { // the last one was killed after its end
				return true, 0
			}
			require.NoError(t, err, "%s", out)
		}
		return err == nil, moved
	}
	_, whole := run("file", dbtest.Database(filepath.Join(dir, "measured")), 0)
	for _, way := range [][2]string{{"file", there}, {there, "file"}} {
		if way[1] == "file" {
			require.NoError(t, os.Rename(filepath.Join(dir, db.DatabaseFile), filepath.Join(dir, "old.db")))
		}
		ended := false
		for n := 0; n < kills && !ended; n++ {
			ended, _ = run(way[0], way[1], 1+r.Int64N(whole))
		}
		for !ended {
			ended, _ = run(way[0], way[1], 0)
		}
	}
	require.Equal(t, before, dbtest.RowsOfFile(t, dir))
}

// cutMoves has moves fail after a table when cut says so, until undo is called.
func cutMoves(cut func(name string) error) (undo func()) {
	backup.AfterMoveStep = cut
	return func() { backup.AfterMoveStep = nil }
}
