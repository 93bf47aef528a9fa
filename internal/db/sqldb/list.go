package sqldb

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

	"sanad/internal/domain"
)

// Conditions is a WHERE clause being built.
type Conditions struct {
	sql  []string
	Args []any
}

// Add adds a condition that must hold besides the others.
func (c *Conditions) Add(sql string, args ...any) {
	c.sql = append(c.sql, sql)
	c.Args = append(c.Args, args...)
}

// Clone returns a copy to which more can be added.
func (c *Conditions) Clone() Conditions {
	return Conditions{sql: slices.Clone(c.sql), Args: slices.Clone(c.Args)}
}

// String returns the condition that all of them are.
func (c *Conditions) String() string { return strings.Join(c.sql, " AND ") }

// ListOrder is the order of a list that is read page by page: by a column, and rows of the same value by their number,
// so in the order in which they were stored (rule DB-11).
type ListOrder struct {
	Name   string // as cursors carry it
	Column string
	Desc   bool // both keys descend
	Fits   func(value any) bool

	Table, Alias string
	Id, Number   string // columns of the table
	Uuids        bool   // ids are UUIDs
	Mismatch     string // id of what is said of a place in another list
}

// NewestFirst is the order by the time of creation, the newest first.
func NewestFirst(name, table, alias, id, number string) ListOrder {
	return ListOrder{
		Name: name, Column: alias + ".created_at", Desc: true, Fits: isTime, Table: table, Alias: alias, Id: id,
		Number: number, Mismatch: "refused_next_list",
	}
}

// orderBy is the ORDER BY clause.
func (listOrder ListOrder) orderBy() string {
	direction := ""
	if listOrder.Desc {
		direction = " DESC"
	}
	return " ORDER BY " + listOrder.Column + direction + ", " + listOrder.tie() + direction
}

func (listOrder ListOrder) tie() string { return listOrder.Alias + "." + listOrder.Number }

// cursor is the place behind a row: its value, its id, and what the list was sorted by. The row's number is looked up
// by the id: numbers count the rows of all tenants, so they are shown to nobody.
type cursor struct {
	Sort  string `json:"s"`
	Desc  bool   `json:"d,omitempty"`
	Value any    `json:"v"`
	ID    string `json:"i"`
}

// next makes the place behind a row: the opaque text that a reader hands back.
func (listOrder ListOrder) next(value any, id string) (string, error) {
	data, err := json.Marshal(cursor{Sort: listOrder.Name, Desc: listOrder.Desc, Value: value, ID: id})
	return base64.RawURLEncoding.EncodeToString(data), Fail("next", err)
}

// after narrows to what stands behind a place that next made, "" for the beginning. Any other text is Invalid.
func (listOrder ListOrder) after(w *Conditions, tenant, text string) error {
	if text == "" {
		return nil
	}
	var c cursor
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Sort != listOrder.Name || c.Desc != listOrder.Desc || !listOrder.Fits(c.Value) ||
		listOrder.Uuids && uuid.Validate(c.ID) != nil {
		return domain.Refuse(domain.Invalid, "after", listOrder.Mismatch)
	}
	behind, all := " > ", int64(-1)
	if listOrder.Desc {
		behind, all = " < ", math.MaxInt64
	}
	// Where the row is gone, those of its value are shown once more: none is left out
	w.Add("("+listOrder.Column+", "+listOrder.tie()+")"+behind+"(?, coalesce((SELECT x."+listOrder.Number+" FROM "+listOrder.Table+
		" x WHERE x.tenant_id = ? AND x."+listOrder.Id+" = ?), ?))", c.Value, tenant, c.ID, all)
	return nil
}

// List is one page of a list that is read page by page.
type List[T any] struct {
	Columns, From string
	Where         Conditions
	Order         ListOrder
	After         string // the next of the page before, "" for the first page
	Limit         int
	Scan          func(Scanner, *T) error
	Place         func(*T) (value any, id string) // what a row is sorted by, and its id
}

// Read returns up to limit rows; next is the after of the following page, "" after the last one.
func (list *List[T]) Read(ctx context.Context, d *DB, op, tenant string) (rows []T, next string, err error) {
	if err = list.Order.after(&list.Where, tenant, list.After); err != nil {
		return nil, "", err
	}
	limit := max(1, list.Limit)
	err = d.Read(ctx, op, func(t *Tx) (err error) {
		rows, err = Collect(t, "SELECT "+list.Columns+" FROM "+list.From+" WHERE "+list.Where.String()+list.Order.orderBy()+" LIMIT ?",
			append(list.Where.Args, limit+1), list.Scan)
		return err
	})
	if err != nil || len(rows) <= limit {
		return rows, "", err
	}
	rows = rows[:limit]
	next, err = list.Order.next(list.Place(&rows[limit-1]))
	return rows, next, err
}

// IsNumber reports whether a cursor's value is one of a column of numbers.
func IsNumber(v any) bool {
	_, ok := v.(float64)
	return ok
}

// IsText reports whether a cursor's value is one of a column of text.
func IsText(v any) bool {
	s, ok := v.(string)
	return ok && utf8.ValidString(s)
}

func isTime(v any) bool {
	s, _ := v.(string)
	_, err := time.Parse(stampLayout, s)
	return err == nil
}
