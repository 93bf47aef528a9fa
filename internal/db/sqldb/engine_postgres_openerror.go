package sqldb

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrNotOpened is the error of a database whose server cannot be reached or refuses this program. Its text says what to
// do.
var ErrNotOpened = errors.New("cannot be opened")

// Place names the database and its server, without a secret.
func (engine *postgresEngine) Place() string {
	return fmt.Sprintf("the database %q at %s", engine.config.Database, engine.where())
}

// openError is an ErrNotOpened in one line, with a hint.
type openError struct{ text string }

func (e openError) Error() string { return e.text }

func (openError) Is(target error) bool { return target == ErrNotOpened }

// cannotOpen says why a database cannot be opened and what to do. It doesn't wrap err, so that postgresFault does not
// take it for a fault of a running server.
func (engine *postgresEngine) cannotOpen(err error) error {
	return openError{engine.Place() + " cannot be opened: " + engine.reason(err)}
}

// reason says in one line what the server answered, or why it was not reached, with a hint if there is one. pgx lists
// every attempt, with TLS and without; the server's own answer is that of one of them.
func (engine *postgresEngine) reason(err error) string {
	why, hint := oneLine(err), ""
	var said *pgconn.PgError
	var name *net.DNSError
	var invalid *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var slow net.Error
	switch {
	case errors.As(err, &said):
		if engine.oneServer() {
			why = fmt.Sprintf("%s (SQLSTATE %s)", oneLine(errors.New(said.Message)), said.Code)
		}
		hint = engine.hint(said)
	case errors.As(err, &name):
		if engine.oneServer() {
			why = name.Error()
		}
		hint = "see the host in the address"
	case errors.As(err, &invalid), errors.As(err, &authority):
		hint = "see sslmode and sslrootcert in the address, and the names in the server's certificate"
	case errors.Is(err, syscall.ECONNREFUSED):
		if engine.oneServer() {
			why = "connection refused"
		}
		hint = "see host and port, and that the server runs and listens there (listen_addresses)"
	case errors.As(err, &slow) && slow.Timeout():
		if engine.oneServer() {
			why = "no answer in " + engine.config.ConnectTimeout.String()
		}
		hint = "see host and port, and the firewalls on the way"
	case strings.Contains(why, "server refused TLS connection"):
		if engine.oneServer() {
			why = "the server does not speak TLS"
		}
		hint = "turn it on there (ssl = on), or give sslmode=disable where you trust the network"
	}
	if hint != "" {
		why += "; " + hint
	}
	return why
}

// oneServer reports whether the address names one server, so that its answer is the only one.
func (engine *postgresEngine) oneServer() bool {
	for _, f := range engine.config.Fallbacks {
		if f.Host != engine.config.Host || f.Port != engine.config.Port {
			return false
		}
	}
	return true
}

// hint says what to do about the server's answer to a connection; "" if that is not known.
func (engine *postgresEngine) hint(said *pgconn.PgError) string {
	switch said.Code {
	case "28P01": // invalid_password
		return engine.passwordHint()
	case "28000": // invalid_authorization_specification: no such role, or no line in pg_hba.conf
		return "see the user in the address, and pg_hba.conf at the server"
	case "3D000": // invalid_catalog_name
		return fmt.Sprintf("see the name in the address, or make it: "+
			"createdb --encoding UTF8 --template template0 --owner %s %s", engine.config.User, engine.config.Database)
	case "42501": // insufficient_privilege
		return fmt.Sprintf("GRANT CONNECT ON DATABASE %s TO %s, or make it the owner", engine.config.Database,
			engine.config.User)
	case "53300": // too_many_connections
		return "raise max_connections at the server, or end what else is connected"
	case "57P03": // cannot_connect_now
		return "wait until the server has started"
	case "08P01": // protocol_violation, of a pooler
		if strings.Contains(said.Message, "startup parameter") {
			return "PgBouncer needs ignore_startup_parameters = " +
				"statement_timeout,lock_timeout,idle_in_transaction_session_timeout,jit,max_parallel_workers_per_gather"
		}
		if strings.Contains(said.Message, "authentication") {
			return "see also auth_file of PgBouncer; " + engine.passwordHint()
		}
	}
	return ""
}

func (engine *postgresEngine) passwordHint() string {
	if engine.config.Password == "" {
		return "no password was given: set PGPASSWORD, or name a file of passwords in PGPASSFILE"
	}
	return "see the user in the address, and the password in PGPASSWORD or the file of passwords"
}

// otherConnections describes the other connections of programs with our application_name.
func (engine *postgresEngine) otherConnections(ctx context.Context, d *sql.DB) (out []string, err error) {
	rows, err := d.QueryContext(ctx, `SELECT coalesce(host(client_addr) || ':' || client_port, 'a socket') ||
		', pid ' || pid || ', ' || coalesce(state, 'unknown') FROM pg_stat_activity WHERE datname = current_database()
		AND application_name = current_setting('application_name') AND pid <> pg_backend_pid() ORDER BY pid`)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // only read
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, rows.Err()
}

// OpenElsewhere is an errOpenElsewhere that lists the connections.
type OpenElsewhere struct{ who []string }

func (openElsewhere OpenElsewhere) Error() string {
	const shown = 5
	who := slices.Clone(openElsewhere.who[:min(shown, len(openElsewhere.who))])
	if more := len(openElsewhere.who) - len(who); more > 0 {
		who = append(who, fmt.Sprintf("%d more", more))
	}
	return errOpenElsewhere.Error() + ": connected are " + strings.Join(who, "; ") +
		". PgBouncer keeps connections for a while after who asked through it has ended: stop it too"
}

func (OpenElsewhere) Is(target error) bool { return target == errOpenElsewhere }

// oneLine returns the text of an error that lists its causes below each other.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// where names the server without a secret.
func (engine *postgresEngine) where() string {
	return net.JoinHostPort(engine.config.Host, strconv.Itoa(int(engine.config.Port)))
}
