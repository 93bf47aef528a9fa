package sqldb

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
)

// copyBytes is how many bytes of rows are collected before they are sent.
const copyBytes = 1 << 20

// grownRows is how many rows of a table a transaction writes at least to have the planner's figures of it renewed:
// until then the server plans as if those rows weren't there.
const grownRows = 10_000

// copyStream sends rows to a table of PostgreSQL by COPY, in its text format: many rows in one round trip.
type copyStream struct {
	t     *Tx
	table string
	begin string // the statement
	held  bytes.Buffer
	rows  int // in held
	sent  int // before
}

func (*postgresEngine) stream(t *Tx, table, columns string) *copyStream {
	if t.conn == nil {
		return nil
	}
	return &copyStream{t: t, table: table, begin: "COPY " + table + " (" + columns + ") FROM STDIN"}
}

// add writes a row as COPY reads it.
func (c *copyStream) add(values []any) error {
	for i, v := range c.t.Engine.args(values, false) {
		if i > 0 {
			c.held.WriteByte('\t')
		}
		if err := c.value(v); err != nil {
			return err
		}
	}
	c.held.WriteByte('\n')
	c.rows++
	if c.held.Len() < copyBytes {
		return nil
	}
	return c.send()
}

// copyEscapes has the characters that have a meaning in the text format.
var copyEscapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (c *copyStream) value(v any) (err error) {
	if !driver.IsValue(v) {
		if v, err = driver.DefaultParameterConverter.ConvertValue(v); err != nil {
			return fmt.Errorf("%s: %w", c.table, err)
		}
	}
	switch v := v.(type) {
	case nil:
		c.held.WriteString(`\N`)
	case int64:
		c.held.Write(strconv.AppendInt(c.held.AvailableBuffer(), v, 10))
	case float64:
		c.held.Write(strconv.AppendFloat(c.held.AvailableBuffer(), v, 'g', -1, 64))
	case []byte:
		c.held.WriteString(`\\x`)
		c.held.Write(hex.AppendEncode(c.held.AvailableBuffer(), v))
	case string:
		_, err = copyEscapes.WriteString(&c.held, v)
	default:
		err = fmt.Errorf("%s: a value of type %T", c.table, v)
	}
	return err
}

// send sends the rows that are held.
func (c *copyStream) send() error {
	if c.rows == 0 {
		return nil
	}
	c.t.sent(c.table, nil)
	err := c.t.conn.Raw(func(conn any) error {
		// the transaction holds this connection, and nothing else of it runs meanwhile
		_, err := conn.(*stdlib.Conn).Conn().PgConn().CopyFrom(c.t.ctx, &c.held,
			c.begin) //nolint:forcetypeassert // the driver of the pool
		return err
	})
	c.sent += c.rows
	c.rows = 0
	c.held.Reset()
	if err == nil && c.sent >= grownRows {
		if c.t.grown == nil {
			c.t.grown = map[string]int{}
		}
		c.t.grown[c.table] = c.sent
	}
	return err
}

// analyse analyses the tables that the new rows have at least doubled. It samples every column of them, which takes as
// long as writing some 10,000 rows; of smaller growth the server's own autovacuum is aware within a minute.
func (*postgresEngine) analyse(ctx context.Context, pool *sql.DB, grown map[string]int) error {
	for _, table := range slices.Sorted(maps.Keys(grown)) {
		known := 0.0
		err := pool.QueryRowContext(ctx, "SELECT reltuples FROM pg_class WHERE oid = $1::text::regclass",
			table).Scan(&known)
		if err == nil && known < float64(2*grown[table]) {
			_, err = pool.ExecContext(ctx, "ANALYZE "+table)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
