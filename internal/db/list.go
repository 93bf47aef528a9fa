package db

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
)

// conditions is a WHERE clause being built.
type conditions struct {
	sql  []string
	args []any
}

func (c *conditions) add(sql string, args ...any) {
	c.sql = append(c.sql, sql)
	c.args = append(c.args, args...)
}

// clone returns a copy to which more can be added.
func (c *conditions) clone() conditions {
	return conditions{sql: slices.Clone(c.sql), args: slices.Clone(c.args)}
}

func (c *conditions) String() string { return strings.Join(c.sql, " AND ") }

// listOrder is the order of a list that is read page by page: by a column, and rows of the same value by their number,
// so in the order in which they were stored (rule DB-11).
type listOrder struct {
	name   string // as cursors carry it
	column string
	desc   bool // both keys descend
	fits   func(value any) bool

	table, alias string
	id, number   string // columns of the table
	uuids        bool   // ids are UUIDs
	mismatch     string // id of what is said of a place in another list
}

// newestFirst is the order by the time of creation, the newest first.
func newestFirst(name, table, alias, id, number string) listOrder {
	return listOrder{
		name: name, column: alias + ".created_at", desc: true, fits: isTime, table: table, alias: alias, id: id,
		number: number, mismatch: "refused_next_list",
	}
}

// orderBy is the ORDER BY clause.
func (o listOrder) orderBy() string {
	direction := ""
	if o.desc {
		direction = " DESC"
	}
	return " ORDER BY " + o.column + direction + ", " + o.tie() + direction
}

func (o listOrder) tie() string { return o.alias + "." + o.number }

// cursor is the place behind a row: its value, its id, and what the list was sorted by. The row's number is looked up
// by the id: numbers count the rows of all tenants, so they are shown to nobody.
type cursor struct {
	Sort  string `json:"s"`
	Desc  bool   `json:"d,omitempty"`
	Value any    `json:"v"`
	ID    string `json:"i"`
}

// next makes the place behind a row: the opaque text that a reader hands back.
func (o listOrder) next(value any, id string) (string, error) {
	data, err := json.Marshal(cursor{Sort: o.name, Desc: o.desc, Value: value, ID: id})
	return base64.RawURLEncoding.EncodeToString(data), sqldb.Fail("next", err)
}

// after narrows to what stands behind a place that next made, "" for the beginning. Any other text is Invalid.
func (o listOrder) after(w *conditions, tenant, text string) error {
	if text == "" {
		return nil
	}
	var c cursor
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Sort != o.name || c.Desc != o.desc || !o.fits(c.Value) ||
		o.uuids && uuid.Validate(c.ID) != nil {
		return domain.Refuse(domain.Invalid, "after", o.mismatch)
	}
	behind, all := " > ", int64(-1)
	if o.desc {
		behind, all = " < ", math.MaxInt64
	}
	// where the row is gone, those of its value are shown once more: none is left out
	w.add("("+o.column+", "+o.tie()+")"+behind+"(?, coalesce((SELECT x."+o.number+" FROM "+o.table+
		" x WHERE x.tenant_id = ? AND x."+o.id+" = ?), ?))", c.Value, tenant, c.ID, all)
	return nil
}

// list is one page of a list that is read page by page.
type list[T any] struct {
	columns, from string
	where         conditions
	order         listOrder
	after         string // the next of the page before, "" for the first page
	limit         int
	scan          func(sqldb.Scanner, *T) error
	place         func(*T) (value any, id string) // what a row is sorted by, and its id
}

// read returns up to limit rows; next is the after of the following page, "" after the last one.
func (l *list[T]) read(ctx context.Context, d *sqldb.DB, op, tenant string) (rows []T, next string, err error) {
	if err = l.order.after(&l.where, tenant, l.after); err != nil {
		return nil, "", err
	}
	limit := max(1, l.limit)
	err = d.Read(ctx, op, func(t *sqldb.Tx) (err error) {
		rows, err = sqldb.Collect(t, "SELECT "+l.columns+" FROM "+l.from+" WHERE "+l.where.String()+l.order.orderBy()+" LIMIT ?",
			append(l.where.args, limit+1), l.scan)
		return err
	})
	if err != nil || len(rows) <= limit {
		return rows, "", err
	}
	rows = rows[:limit]
	next, err = l.order.next(l.place(&rows[limit-1]))
	return rows, next, err
}

func isNumber(v any) bool {
	_, ok := v.(float64)
	return ok
}

func isText(v any) bool {
	s, ok := v.(string)
	return ok && utf8.ValidString(s)
}

func isTime(v any) bool {
	s, _ := v.(string)
	_, err := time.Parse(sqldb.StampLayout, s)
	return err == nil
}
