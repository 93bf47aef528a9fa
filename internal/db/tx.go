package db

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// readTimeout bounds a read transaction: an open reader keeps the write-ahead log growing (spec page 6 "Storage").
const readTimeout = 10 * time.Second

// tx is one transaction with its context; helpers take it, exported methods make it.
type tx struct {
	ctx  context.Context
	sql  *sql.Tx
	sent func(query string, args []any) // is told of every statement
}

// read runs do in one read transaction: everything it sees is of one moment.
func (s *Store) read(ctx context.Context, op string, do func(*tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return fail(op, s.within(ctx, s.reader, do))
}

// write runs do in one transaction that holds the write lock from its beginning. An error of do rolls it back.
func (s *Store) write(ctx context.Context, op string, do func(*tx) error) error {
	return fail(op, s.within(ctx, s.writer, do))
}

func (s *Store) within(ctx context.Context, pool *sql.DB, do func(*tx) error) error {
	t, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if err := do(&tx{ctx, t, s.sent}); err != nil {
		return err
	}
	return t.Commit()
}

// scanner is a row that can be read.
type scanner interface{ Scan(dest ...any) error }

// exec runs a statement that gives no rows and tells how many it changed.
func (t *tx) exec(query string, args ...any) (int64, error) {
	t.sent(query, args)
	r, err := t.sql.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row reads one row; sql.ErrNoRows where there is none.
func (t *tx) row(query string, args []any, dest ...any) error {
	t.sent(query, args)
	return t.sql.QueryRowContext(t.ctx, query, args...).Scan(dest...)
}

// each reads all rows.
func (t *tx) each(query string, args []any, scan func(scanner) error) error {
	t.sent(query, args)
	rows, err := t.sql.QueryContext(t.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what went wrong
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// collect reads all rows of a query into a slice, nil where there are none.
func collect[T any](t *tx, query string, args []any, scan func(scanner, *T) error) ([]T, error) {
	var out []T
	err := t.each(query, args, func(r scanner) error {
		var v T
		err := scan(r, &v)
		out = append(out, v)
		return err
	})
	return out, err
}

// marks is a list of n parameter marks for an IN or VALUES list; for none it is NULL, which nothing is in.
func marks(n int) string {
	if n == 0 {
		return "NULL"
	}
	return "?" + strings.Repeat(", ?", n-1)
}

// qualified puts a table's name before each column of a list.
func qualified(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}
