package db

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"sanad/internal/domain"
)

// newestOrder is the order of a list by time and id, newest first, and the name that its cursors contain.
type newestOrder struct{ name, at, id string }

func newestFirst(name, at, id string) newestOrder { return newestOrder{name, at, id} }

// next returns the cursor after a row.
func (o newestOrder) next(at time.Time, id string) (string, error) {
	data, err := json.Marshal(cursor{Sort: o.name, Desc: true, Value: stamp(at), ID: id})
	return base64.RawURLEncoding.EncodeToString(data), fail("next", err)
}

// after restricts the query to rows after a cursor from next, "" for the beginning; anything else is Invalid.
func (o newestOrder) after(w *conditions, text string) error {
	if text == "" {
		return nil
	}
	var c cursor
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	value, _ := c.Value.(string)
	if _, wrong := time.Parse(stampLayout, value); err != nil || wrong != nil || c.Sort != o.name || !c.Desc {
		return domain.Invalidf("after", "This is not the next of a page of this list; begin at the first page.")
	}
	w.add("("+o.at+", "+o.id+") < (?, ?)", value, c.ID)
	return nil
}
