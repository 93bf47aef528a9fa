package db

import (
	"database/sql"
	"errors"

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
	}
	return &domain.Error{Kind: domain.Internal, Op: "db." + op, Msg: "The store could not do this; try again.", Err: err}
}

// taken tells whether err says that a row with this key is there already.
func taken(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}
