package importers

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

func (d *draft) cohereDocuments(path string, list []json.RawMessage) error {
	for i, raw := range list {
		if _, err := d.cohereDocument(at(path, i, ""), "", raw); err != nil {
			return err
		}
	}
	return nil
}

// cohereDocument reads a document, which is a text or an object of arbitrary fields; v2 nests them under data.
func (d *draft) cohereDocument(path, id string, raw json.RawMessage) (*source, error) {
	switch begins(raw) {
	case '"':
		var s string
		err := sub(path, raw, &s)
		return d.passage(path, id, "", s), err
	case 0:
		return d.source(path, id), nil
	}
	var fields map[string]json.RawMessage
	if err := sub(path, raw, &fields); err != nil {
		return nil, err
	}
	flat := texts(fields)
	if data := fields["data"]; begins(data) == '{' || begins(data) == '"' {
		if id == "" {
			id = flat["id"]
		}
		return d.cohereDocument(path+".data", id, data)
	}
	if id == "" {
		id = flat["id"]
	}
	s := d.passage(path, id, flat["title"], passageOf(flat))
	if s.uri == "" {
		s.uri = flat["url"]
	}
	return s, nil
}

// texts returns the fields whose value is a text.
func texts(fields map[string]json.RawMessage) map[string]string {
	out := map[string]string{}
	for key, raw := range fields {
		var s string
		if begins(raw) == '"' && sub("", raw, &s) == nil {
			out[key] = s
		}
	}
	return out
}

// passageOf returns the text of a document with arbitrary fields: the usual field, else all fields that don't name it.
func passageOf(fields map[string]string) string {
	for _, key := range []string{"snippet", "text", "content", "page_content", "passage", "body"} {
		if !blank(fields[key]) {
			return fields[key]
		}
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key != "id" && key != "title" && key != "url" && !blank(fields[key]) {
			all = append(all, fields[key])
		}
	}
	return strings.Join(all, "\n")
}
