package sqldb

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// notCommitted is true if the server has answered with an error and is not shutting down. A server that ends may have
// committed before: if there is no room left in the write-ahead log after the commit's record, the commit is kept, and
// the answer to it is the server's PANIC.
func (*postgresEngine) notCommitted(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && postgresFault(err) != unavailableFault
}

// postgresFault classifies the errors of a server and of the way to it.
func postgresFault(err error) Fault {
	if errors.Is(err, errOpenElsewhere) {
		return LockedFault
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		var connect *pgconn.ConnectError
		var network *net.OpError
		// a pooler that loses its server may close our connection without a word, in the middle of a statement or
		// before it
		if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, sql.ErrConnDone) ||
			errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err,
			io.ErrUnexpectedEOF) {
			return unavailableFault
		}
		return otherFault
	}
	switch {
	case e.SeverityUnlocalized == "PANIC": // the server ends, as when there is no room for its write-ahead log
		return unavailableFault
	case e.Code == "23505": // unique_violation
		return takenFault
	case e.Code == "53100": // disk_full
		return fullFault
	case e.Code == "22021" || e.Code == "22P05": // character_not_in_repertoire, untranslatable_character
		return badTextFault
	case e.Code == "40001" || e.Code == "40P01": // serialization_failure, deadlock_detected
		return conflictFault
	case e.Code == "55P03" || e.Code == "57014": // lock_not_available; query_canceled, also by statement_timeout
		return LockedFault
	// too_many_connections; connection exceptions; shutting down; a standby, while the way to the primary is not yet
	// changed
	case e.Code == "53300" || e.Code == "25006" || strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P"):
		return unavailableFault
	case strings.HasPrefix(e.Code, "XX"): // data_corrupted, index_corrupted
		return DamagedFault
	}
	return otherFault
}
