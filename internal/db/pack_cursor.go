package db

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"sanad/internal/domain"
)

// newestOrder is the order of a list by time and id, the newest first, and the name that its cursors carry.
type newestOrder struct{ name, at, id string }

func newestFirst(name, at, id string) newestOrder { return newestOrder{name, at, id} }

// next makes the place behind a row.
func (o newestOrder) next(at time.Time, id string) (string, error) {
	data, err := json.Marshal(cursor{Sort: o.name, Desc: true, Value: stamp(at), ID: id})
	return base64.RawURLEncoding.EncodeToString(data), fail("next", err)
}

// after narrows to what stands behind a place that next made, "" for the beginning; anything else is Invalid.
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
