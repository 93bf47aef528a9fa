package db_test

import (
	"context"

	"sanad/internal/db/backup"
)

// lockStore locks the store in a folder against all other processes.
func lockStore(ctx context.Context, dir string) (release func(), err error) {
	l, err := backup.LockStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	return l.Release, nil
}

// cutMoves has moves fail after a table when cut says so, until undo is called.
func cutMoves(cut func(name string) error) (undo func()) {
	backup.AfterMoveStep = cut
	return func() { backup.AfterMoveStep = nil }
}
