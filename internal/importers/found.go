package importers

import (
	"cmp"
	"encoding/json"
	"fmt"

	"sanad/internal/words"
)

// found reads passages in any of the usual forms of a retriever's output: texts, or objects with a text and a name, in
// a list or in a list under a name.
func (d *draft) found(path string, raw json.RawMessage) {
	var fields map[string]json.RawMessage
	if begins(raw) == '{' && sub("", raw, &fields) == nil {
		for _, key := range []string{"documents", "contexts", "context", "chunks", "results", "nodes", "output"} {
			if begins(fields[key]) == '[' {
				d.found(joined(path, key), fields[key])
				return
			}
		}
		d.foundOne(path, fields)
		return
	}
	var list []json.RawMessage
	switch begins(raw) {
	case '"':
		d.passage(path, "", fmt.Sprintf("Passage %d", len(d.sources)+1), plainJSONText(raw))
		return
	case '[':
		_ = sub("", raw, &list) // parsed before
	}
	for i, x := range list {
		x = unpacked(x)
		if here := at(path, i, ""); begins(x) == '"' {
			d.passage(here, "", fmt.Sprintf("Passage %d", len(d.sources)+1), plainJSONText(x))
		} else if fields = nil; begins(x) == '{' && sub("", x, &fields) == nil {
			d.foundOne(here, fields)
		}
	}
	if len(list) == 0 {
		d.skip(path, words.Msg("warning_retrieved"))
	}
}

func (d *draft) foundOne(path string, fields map[string]json.RawMessage) {
	known := texts(fields)
	var inner map[string]json.RawMessage
	for _, key := range []string{"metadata", "document", "node"} {
		if begins(fields[key]) == '{' && sub("", fields[key], &inner) == nil {
			for name, value := range texts(inner) {
				if known[name] == "" {
					known[name] = value
				}
			}
		}
	}
	words := ""
	for _, key := range []string{"text", "content", "page_content", "pageContent", "snippet", "chunk", "passage", "body"} {
		if blank(words) {
			words = known[key]
		}
	}
	id := known["id"]
	if id == "" {
		id = known["source"]
	}
	s := d.passage(path, id, known["title"], words)
	if s.uri == "" {
		s.uri = cmp.Or(known["url"]+known["uri"], known["doc_uri"])
	}
}
