package db

import (
	"database/sql"
	"errors"
	"fmt"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"sanad/internal/domain"
)

// errNotFound is the one answer for an id that is unknown, malformed or another tenant's.
func errNotFound() error { return domain.NotFoundf("There is nothing at this address.") }

// fail makes what leaves this package a domain.Error: one that is there already stays as it is, a missing row is
// NotFound, anything else is Internal with the driver's words for the log only.
func fail(op string, err error) error {
	var ours *domain.Error
	switch {
	case err == nil, errors.As(err, &ours):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return errNotFound()
	case full(err):
		return &domain.Error{Kind: domain.Unavailable, Op: "db." + op, Msg: "There is no room left to store this; nothing was stored. Tell your operator.", Err: err}
	}
	return &domain.Error{Kind: domain.Internal, Op: "db." + op, Msg: "The store could not do this; try again.", Err: err}
}

// full tells whether err says that the disk is full.
func full(err error) bool {
	return code(err) == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// code is SQLite's primary code of an error, 0 for another error.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// at names the place of a fault that an operator must mend, and the mend where it is known.
func at(place string, err error) error {
	var ours *domain.Error
	if errors.As(err, &ours) && ours.Kind == domain.Internal && ours.Err != nil {
		err = ours.Err
	}
	mend := ""
	if c := code(err); c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB {
		mend = "; the database is damaged: stop everything that uses it and put a backup in its place (sanad restore)"
	}
	return fmt.Errorf("%s: %w%s", place, err, mend)
}

// taken tells whether err says that a row with this key is there already.
func taken(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}
