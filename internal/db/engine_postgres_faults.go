package db

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// refused: the server has answered, and is not ending, which it may do after it has committed: where the room for the
// write-ahead log ends behind a commit, that is kept, and its answer is the PANIC of the server.
func (*postgresEngine) refused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && postgresFault(err) != awayFault
}

// postgresFault classifies the errors of a server and of the way to it.
func postgresFault(err error) fault {
	if errors.Is(err, errOpenElsewhere) {
		return lockedFault
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		var connect *pgconn.ConnectError
		var network *net.OpError
		if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, sql.ErrConnDone) ||
			errors.Is(err, driver.ErrBadConn) {
			return awayFault
		}
		return otherFault
	}
	switch {
	case e.SeverityUnlocalized == "PANIC": // the server ends, as when there is no room for its write-ahead log
		return awayFault
	case e.Code == "23505": // unique_violation
		return takenFault
	case e.Code == "53100": // disk_full
		return fullFault
	case e.Code == "22021" || e.Code == "22P05": // character_not_in_repertoire, untranslatable_character
		return badTextFault
	case e.Code == "40001" || e.Code == "40P01": // serialization_failure, deadlock_detected
		return againFault
	case e.Code == "55P03" || e.Code == "57014": // lock_not_available; query_canceled, also by statement_timeout
		return lockedFault
	case e.Code == "53300" || strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P"): // too many connections; shut down
		return awayFault
	case strings.HasPrefix(e.Code, "XX"): // data_corrupted, index_corrupted
		return damagedFault
	}
	return otherFault
}
