package sqldb

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// stampLayout is the layout of stored times: UTC with fixed width, so that text order is time order.
const stampLayout = "2006-01-02T15:04:05.000000000Z"

// Stamp returns a time as it is stored. Every time that SQL compares is written by it, since another layout or zone
// would sort elsewhere.
func Stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// StampOrNone formats a stored time that may be missing.
func StampOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return Stamp(t)
}

// timeColumn reads a stored time.
type timeColumn struct{ t *time.Time }

// Scan implements sql.Scanner.
func (c timeColumn) Scan(v any) error {
	s, _ := v.(string)
	t, err := time.Parse(stampLayout, s)
	*c.t = t
	return err
}

// timeOrNone reads a stored time that may be missing (empty or NULL), which is the zero time.
type timeOrNone struct{ t *time.Time }

// Scan implements sql.Scanner.
func (c timeOrNone) Scan(v any) error {
	if s, _ := v.(string); s == "" {
		*c.t = time.Time{}
		return nil
	}
	return timeColumn(c).Scan(v)
}

// setColumn reads whether a text column, such as disabled_at, is not empty.
type setColumn struct{ is *bool }

// Scan implements sql.Scanner.
func (c setColumn) Scan(v any) error {
	s, _ := v.(string)
	*c.is = s != ""
	return nil
}

// TimeInto reads a stored time.
func TimeInto(t *time.Time) sql.Scanner { return timeColumn{t} }

// TimeOrNoneInto reads a stored time that may be missing (empty or NULL), which is the zero time.
func TimeOrNoneInto(t *time.Time) sql.Scanner { return timeOrNone{t} }

// SetInto reads whether a text column, such as disabled_at, is not empty.
func SetInto(is *bool) sql.Scanner { return setColumn{is} }

// JSONInto decodes a JSON column into the value that v points to; NULL leaves it unchanged.
func JSONInto(v any) sql.Scanner { return jsonColumn{v} }

// JSONText returns v for a JSON column: nil if v is a nil slice or map, so that it is loaded as nil.
func JSONText(v any) (any, error) {
	if r := reflect.ValueOf(v); (r.Kind() == reflect.Slice || r.Kind() == reflect.Map) && r.IsNil() {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// SaidText returns a message for a JSON column, nil for none.
func SaidText(m domain.Message) (any, error) {
	if m.IsZero() {
		return nil, nil
	}
	return JSONText(m)
}

// jsonColumn decodes a JSON column into the value that v points to; NULL leaves it unchanged.
type jsonColumn struct{ v any }

// Scan implements sql.Scanner.
func (c jsonColumn) Scan(v any) error {
	switch s := v.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(s), c.v)
	case []byte:
		return json.Unmarshal(s, c.v)
	}
	return fmt.Errorf("a JSON column has a value of the type %T", v)
}

// SpanOf reads an optional span.
func SpanOf(start, end sql.NullInt64) *text.Span {
	if !start.Valid || !end.Valid {
		return nil
	}
	return &text.Span{Start: int(start.Int64), End: int(end.Int64)}
}

// NoCondition is the fault of a filter that was declared and has no SQL: each list's tests would show it.
func NoCondition(filter string) string { return "no condition is known for the filter " + filter }
