package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

// openPostgres opens a pool whose connections send what can go together in one round trip.
func openPostgres(c *pgx.ConnConfig) *sql.DB {
	return sql.OpenDB(postgresConnector{stdlib.GetConnector(*c)})
}

type postgresConnector struct{ driver.Connector }

func (c postgresConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &postgresConn{Conn: conn.(*stdlib.Conn)}, nil //nolint:forcetypeassert // what stdlib connects
}

// postgresConn sends BEGIN with the first statement of a transaction, and several queries in one batch.
type postgresConn struct {
	*stdlib.Conn

	begin   string           // BEGIN to send with the next statement, "" if none
	reads   bool             // whether that transaction is read only
	pending []batchQuery     // queries that were sent and whose answers were not read yet, in their order
	answers pgx.BatchResults // of these and of one that is being read; nil if none
}

// batchQuery is a query of a batch.
type batchQuery struct {
	query string
	args  []any
}

func (c *postgresConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx sends nothing yet.
func (c *postgresConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if c.Conn.Conn().IsClosed() {
		return nil, driver.ErrBadConn
	}
	c.begin, c.reads = "begin", o.ReadOnly
	switch sql.IsolationLevel(o.Isolation) {
	case sql.LevelDefault:
	case sql.LevelRepeatableRead:
		c.begin += " isolation level repeatable read"
	default:
		return nil, fmt.Errorf("transactions of isolation level %d are not used", o.Isolation)
	}
	if o.ReadOnly {
		c.begin += " read only"
	}
	return postgresTx{ctx, c}, nil
}

// pageSettings is a statement for transactions that read pages. A server that expects many rows would first compile the
// query and start parallel workers, which takes a hundred times as long as reading a page.
const pageSettings = "SELECT set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)"

// sendBatch sends queries together, after BEGIN if that was not sent yet. Their answers are read by QueryContext, in
// their order.
func (c *postgresConn) sendBatch(ctx context.Context, queries []batchQuery) error {
	if c.Conn.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	var b pgx.Batch
	if c.begin != "" {
		b.Queue(c.begin)
		if c.reads {
			b.Queue(pageSettings)
		}
	}
	for _, q := range queries {
		b.Queue(q.query, q.args...)
	}
	c.answers, c.pending = c.Conn.Conn().SendBatch(ctx, &b), queries
	if c.begin == "" {
		return nil
	}
	c.begin = ""
	_, err := c.answers.Exec()
	if err == nil && c.reads {
		_, err = c.answers.Exec()
	}
	if err == nil {
		return nil
	}
	_ = c.settle() // has the same error
	if pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}

// skip discards the answers to the next n queries of the batch.
func (c *postgresConn) skip(n int) {
	for ; n > 0 && len(c.pending) > 0; n-- {
		c.pending = c.pending[1:]
		_, _ = c.answers.Exec() // the answer is not needed
	}
	if len(c.pending) == 0 {
		_ = c.settle() // likewise
	}
}

// settle closes the batch; the connection then takes other statements.
func (c *postgresConn) settle() error {
	if c.answers == nil {
		return nil
	}
	err := c.answers.Close()
	c.answers, c.pending = nil, nil
	return err
}

func (c *postgresConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.begin != "" {
		if err := c.sendBatch(ctx, []batchQuery{{query, valuesOf(args)}}); err != nil {
			return nil, err
		}
	}
	if c.answers == nil {
		return c.Conn.QueryContext(ctx, query, args)
	}
	if len(c.pending) == 0 || c.pending[0].query != query {
		return nil, errors.New("a query that is not the next of those that were sent together")
	}
	c.pending = c.pending[1:]
	rows, err := c.answers.Query()
	out := &postgresRows{c: c, rows: rows}
	if err == nil { // the first row is read now: only then are the columns known
		out.ahead, err = rows.Next(), rows.Err()
	}
	if err != nil {
		_ = out.Close() // has the same error
		return nil, err
	}
	return out, nil
}

func (c *postgresConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	switch {
	case c.begin == "":
	case len(args) == 0: // perhaps several statements, which can't be part of a batch
		begin := c.begin
		c.begin = ""
		if _, err := c.Conn.ExecContext(ctx, begin, nil); err != nil {
			return nil, err
		}
	default:
		if err := c.sendBatch(ctx, []batchQuery{{query, valuesOf(args)}}); err != nil {
			return nil, err
		}
		tag, err := c.answers.Exec()
		return driver.RowsAffected(tag.RowsAffected()), errors.Join(err, c.settle())
	}
	return c.Conn.ExecContext(ctx, query, args)
}

// ResetSession forgets what the last user of the connection has left.
func (c *postgresConn) ResetSession(ctx context.Context) error {
	c.begin = ""
	if c.settle() != nil {
		return driver.ErrBadConn
	}
	return c.Conn.ResetSession(ctx)
}

func valuesOf(args []driver.NamedValue) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}

// postgresTx ends a transaction; one whose BEGIN was never sent has nothing to end.
type postgresTx struct {
	ctx context.Context
	c   *postgresConn
}

func (x postgresTx) Commit() error {
	if x.c.begin != "" {
		x.c.begin = ""
		return nil
	}
	if err := x.c.settle(); err != nil {
		return err
	}
	conn := x.c.Conn.Conn()
	tag, err := conn.Exec(x.ctx, "commit")
	switch {
	case err != nil:
		if conn.PgConn().TxStatus() != 'I' {
			_ = conn.Close(x.ctx) // the error is known
		}
		return err
	case tag.String() == "ROLLBACK":
		return pgx.ErrTxCommitRollback
	}
	return nil
}

func (x postgresTx) Rollback() error {
	conn := x.c.Conn.Conn()
	if x.c.begin != "" || conn.IsClosed() {
		x.c.begin = ""
		return nil
	}
	_ = x.c.settle() // its error ends the transaction too
	if conn.PgConn().TxStatus() == 'I' {
		return nil
	}
	_, err := conn.Exec(x.ctx, "rollback")
	if err != nil {
		_ = conn.Close(x.ctx) // nobody knows in which state it is
	}
	return err
}

// postgresRows are the rows of a query that was sent with others, as values of the types that stdlib returns.
type postgresRows struct {
	c     *postgresConn
	rows  pgx.Rows
	ahead bool // the next row is read already
	read  []func(raw []byte) (driver.Value, error)
}

func (r *postgresRows) Columns() []string {
	fields := r.rows.FieldDescriptions()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func (r *postgresRows) Close() error {
	r.rows.Close()
	if len(r.c.pending) > 0 {
		return nil
	}
	return r.c.settle()
}

func (r *postgresRows) Next(dest []driver.Value) error {
	if !r.ahead && !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	r.ahead = false
	if r.read == nil {
		for _, f := range r.rows.FieldDescriptions() {
			r.read = append(r.read, valueReader(r.c.Conn.Conn().TypeMap(), &f))
		}
	}
	for i, raw := range r.rows.RawValues() {
		dest[i] = nil
		if raw == nil {
			continue
		}
		var err error
		if dest[i], err = r.read[i](raw); err != nil {
			return err
		}
	}
	return nil
}

// valueReader returns the function that reads a column's values: all but numbers, booleans and bytes are texts.
func valueReader(types *pgtype.Map, f *pgconn.FieldDescription) func([]byte) (driver.Value, error) {
	switch f.DataTypeOID {
	case pgtype.BoolOID:
		return scannedAs[bool](types, f)
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID:
		return scannedAs[int64](types, f)
	case pgtype.Float4OID, pgtype.Float8OID:
		return scannedAs[float64](types, f)
	case pgtype.ByteaOID, pgtype.JSONOID:
		return scannedAs[[]byte](types, f)
	}
	if f.Format == pgtype.TextFormatCode {
		return func(raw []byte) (driver.Value, error) { return string(raw), nil }
	}
	return scannedAs[string](types, f)
}

func scannedAs[T any](types *pgtype.Map, f *pgconn.FieldDescription) func([]byte) (driver.Value, error) {
	plan := types.PlanScan(f.DataTypeOID, f.Format, new(T))
	return func(raw []byte) (driver.Value, error) {
		v := new(T)
		err := plan.Scan(raw, v)
		return *v, err
	}
}

func (*postgresEngine) sendBatch(t *tx, queries []batchQuery) error {
	return t.conn.Raw(func(conn any) error {
		return conn.(*postgresConn).sendBatch(t.ctx, queries) //nolint:forcetypeassert // openPostgres
	})
}

func (*postgresEngine) skip(t *tx, n int) {
	_ = t.conn.Raw(func(conn any) error {
		conn.(*postgresConn).skip(n) //nolint:forcetypeassert // openPostgres
		return nil
	})
}
