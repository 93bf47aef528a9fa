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
	if dump := objectOf(fields["kwargs"]); fields["lc"] != nil && dump != nil { // as LangChain's dumps() writes it
		d.foundOne(path, dump)
		return
	}
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
	for _, key := range passageKeys {
		if blank(words) {
			words = known[key]
		}
	}
	id := known["id"]
	if id == "" {
		id = known["source"]
	}
	if id == "" && d.held[words] {
		return
	}
	s := d.passage(path, id, known["title"], words)
	if s.uri == "" {
		s.uri = cmp.Or(known["url"]+known["uri"], known["doc_uri"])
	}
}

// passageKeys are the fields of a passage that have its words.
var passageKeys = []string{"text", "content", "page_content", "pageContent", "snippet", "chunk", "passage", "body"}

// holdsDocuments reports whether a value is a list of documents, or an object with one under a retriever's name for it.
func holdsDocuments(raw json.RawMessage) bool {
	raw = unpacked(raw)
	if m := objectOf(raw); m != nil {
		_, raw = m.named("documents", "chunks", "nodes", "contexts")
	}
	list := listOf(raw)
	for _, item := range list {
		m := objectOf(unpacked(item))
		for _, key := range []string{"kwargs", "document", "node"} {
			if inner := objectOf(m[key]); inner != nil && m.first(passageKeys...) == nil {
				m = inner
			}
		}
		if m.first(passageKeys...) == nil || roleOf(m) != "" {
			return false
		}
	}
	return len(list) > 0
}

// contextFields are the names under which an application gives out, or takes, the passages of an answer. A text under
// another name, such as source, may be anything.
var contextFields = []string{"retrieved_contexts", "retrieval_context", "contexts", "context", "source_documents",
	"documents", "docs", "passages", "chunks", "search_results"}

// rootDocuments takes the passages that the root gives out beside the answer, or takes beside the question, where no
// span says what was retrieved: a list of roots has no others.
func (d *draft) rootDocuments(spans []span) {
	for i := range spans {
		for _, key := range []string{"output.value", "input.value"} {
			if s := &spans[i]; s.root && len(d.sources) == 0 {
				d.contextsIn(s.where(key), s.attrs[key], 0)
			}
		}
	}
}

func (d *draft) contextsIn(path string, raw json.RawMessage, depth int) {
	m := objectOf(unpacked(raw))
	for _, key := range contextFields {
		if value := unpacked(m[key]); begins(value) == '[' || begins(value) == '"' {
			d.found(joined(path, key), value)
		}
	}
	if depth > deepMessages || len(d.sources) > 0 {
		return
	}
	for _, key := range []string{"outputs", "output", "inputs", "input", "kwargs"} {
		d.contextsIn(joined(path, key), m[key], depth+1)
	}
}
