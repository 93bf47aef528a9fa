package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// NotFound is the same answer for an id that is unknown, malformed or another tenant's.
func NotFound() error { return domain.Refuse(domain.NotFound, "", "refused_nothing_address") }

// refusal is an error of a function that the caller passed in; it leaves this package as the caller returned it.
type refusal struct{ error }

// AsIs has an error leave this package as it is; nil stays nil.
func AsIs(err error) error {
	if err == nil {
		return nil
	}
	return &refusal{err}
}

// Fail converts an error that leaves this package to a domain.Error. A refusal or domain.Error stays as it is; for
// other errors the kind comes from refusals, and the driver's message is for the log only.
func Fail(op string, err error) error {
	var refused *refusal
	if errors.As(err, &refused) {
		return refused.error
	}
	var ours *domain.Error
	if err == nil || errors.As(err, &ours) {
		return err
	}
	for _, r := range refusals {
		if r.when(err) {
			return r.answer("db."+op, err)
		}
	}
	return &domain.Error{Kind: domain.Internal, Op: "db." + op, Message: words.Msg("refused_store_could_do"),
		Err: err}
}

// refusals are the faults that every method answers alike; any other is Internal. For a row that exists
// already, see RefuseTaken.
var refusals = []struct {
	when   func(error) bool
	answer func(op string, err error) error
}{
	{NoRow, func(string, error) error { return NotFound() }},
	{NoRoom, func(op string, err error) error {
		return &domain.Error{Kind: domain.Unavailable, Op: op, Message: words.Msg("refused_room_left_store"), Err: err}
	}},
	{badText, func(op string, err error) error {
		return &domain.Error{Kind: domain.Invalid, Op: op, Message: words.Msg("refused_character_cannot_stored"),
			Err: err}
	}},
	{OutcomeUnknown, func(op string, err error) error {
		return &domain.Error{Kind: domain.Unavailable, Op: op, Message: words.Msg("refused_database_did_answer"),
			Err: err}
	}},
	{away, func(op string, err error) error {
		return &domain.Error{Kind: domain.Unavailable, Op: op, Message: words.Msg("refused_database_cannot_reached"),
			Err: err}
	}},
	{tooBusy, func(op string, err error) error {
		return &domain.Error{Kind: domain.Unavailable, Op: op, Message: words.Msg("refused_database_too_busy"),
			Err: err}
	}},
}

// RefuseTaken returns refusal if err says that a row with this key exists already, else err.
func RefuseTaken(err, refusal error) error {
	if taken(err) {
		return refusal
	}
	return err
}

// RefuseUnlessOne returns err if it isn't nil, and refusal if a statement did not change exactly one row.
func RefuseUnlessOne(changed int64, err, refusal error) error {
	if err == nil && changed != 1 {
		return refusal
	}
	return err
}

// First returns the first of the rows that a query found; sql.ErrNoRows if none.
func First[T any](found []T, err error) (T, error) {
	if err == nil && len(found) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// NoRow reports whether err says that the row asked for does not exist.
func NoRow(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// At adds the place of a fault that an operator must repair, and how, if that is known.
func At(place string, err error) error {
	var ours *domain.Error
	if errors.As(err, &ours) && ours.Kind == domain.Internal && ours.Err != nil {
		err = ours.Err
	}
	repair := ""
	if IsFault(err, DamagedFault) {
		repair = "; the database is damaged: stop everything that uses it and put a backup in its place (sanad restore)"
	}
	return fmt.Errorf("%s: %w%s", place, err, repair)
}

// taken reports whether err says that a row with this key exists already.
func taken(err error) bool { return IsFault(err, takenFault) }

// NoRoom reports whether err says that there is no room left.
func NoRoom(err error) bool { return IsFault(err, fullFault) }

// badText reports whether err says that a text cannot be stored.
func badText(err error) bool { return IsFault(err, badTextFault) }

// away reports whether err says that the database's server cannot be reached.
func away(err error) bool { return IsFault(err, unavailableFault) }

// tooBusy reports whether err says that somebody gave up waiting: the database for a lock or for a statement to end, or
// we for the end of a transaction.
func tooBusy(err error) bool {
	return IsFault(err, LockedFault) || IsFault(err, conflictFault) || errors.Is(err, context.DeadlineExceeded)
}

// ReadyWait bounds the wait for a bucket, because whoever asks whether a server is ready has a short timeout too.
const ReadyWait = 3 * time.Second

// Unready returns an Unavailable error that says why, nil if there is no reason.
func Unready(why domain.Message, err error) error {
	if why.IsZero() {
		return nil
	}
	return &domain.Error{Kind: domain.Unavailable, Op: "db.Ready", Message: why, Err: err}
}
