package db

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"github.com/google/uuid"

	"sanad/internal/domain"
)

// sorting is a way to sort sessions: by a column and then the id, so that no two rows are equal.
type sorting struct {
	name   string
	column string
	number bool // the column holds numbers, else text
}

var sortings = []sorting{
	{"created", "s.created_at", false},
	{"title", "s.title_key", false},
	{"coverage", "s.coverage", true},
	{"claims", "s.total", true},
}

// sortBy returns a sorting by its name; "" means the first.
func sortBy(name string) (sorting, error) {
	for _, s := range sortings {
		if s.name == name || name == "" {
			return s, nil
		}
	}
	return sorting{}, domain.Invalidf("sort", "Choose one of created, title, coverage, claims.")
}

// cursor is the position after a row: the row's id and the value it was sorted by.
type cursor struct {
	Sort  string `json:"s"`
	Desc  bool   `json:"d,omitempty"`
	Value any    `json:"v"`
	ID    string `json:"i"`
}

// encode returns the opaque text that a client sends back.
func (s sorting) encode(value any, id string, desc bool) (string, error) {
	data, err := json.Marshal(cursor{Sort: s.name, Desc: desc, Value: value, ID: id})
	return base64.RawURLEncoding.EncodeToString(data), err
}

// decode reads what encode returned for the same sorting; anything else is Invalid.
func (s sorting) decode(text string, desc bool) (cursor, error) {
	var c cursor
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Sort != s.name || c.Desc != desc || uuid.Validate(c.ID) != nil || !s.fits(c.Value) {
		return cursor{}, domain.Invalidf("after",
			"This is not the next of a page sorted like this one; begin at the first page.")
	}
	return c, nil
}

// fits reports whether v is a valid value for the column.
func (s sorting) fits(v any) bool {
	if s.number {
		_, ok := v.(float64)
		return ok
	}
	t, ok := v.(string)
	return ok && utf8.ValidString(t)
}
