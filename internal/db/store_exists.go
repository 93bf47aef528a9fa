package db

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"sanad/internal/db/sqldb"
)

// Inspecting returns a store for reading only. Its DB is nil if there is no database yet.
func Inspecting(ctx context.Context, o Options) (s *Store, source sqldb.Engine, err error) {
	path, err := filepath.Abs(filepath.Join(o.Dir, DatabaseFile))
	if err != nil {
		return nil, nil, err
	}
	s = NewStore(Options{Keys: o.Keys})
	if source, err = sqldb.EngineOf(o.Database, path, Schema); err != nil {
		return nil, nil, err
	}
	s.DB, err = sqldb.Inspect(ctx, sqldb.Config{Engine: source, Now: time.Now})
	return s, source, err
}

// ErrNoStore means that there is no store yet.
var ErrNoStore = errors.New("there is no store yet")

func mustExist(ctx context.Context, o Options) error {
	s, _, err := Inspecting(ctx, o)
	if err != nil {
		return err
	}
	if s.DB == nil {
		return ErrNoStore
	}
	return s.DB.Close()
}

// MovingTable is in a database that a move is filling: a row for each table, or index of words, that has been copied.
// It is made before the first row is copied, and goes when all is verified.
const MovingTable = "moving"

// errFilling says that a move into the database has not ended.
var errFilling = errors.New("a move into this database was cut off, so it lacks a part: run sanad move again, with the same " +
	"places, to go on; or empty the database")

// NotFilled returns errFilling in a database that a move is filling.
func NotFilled(t *sqldb.Tx) error {
	there, err := t.Engine.HasTable(t, MovingTable)
	if err == nil && there {
		err = errFilling
	}
	return err
}
