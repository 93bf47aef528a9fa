package importers

import (
	"encoding/json"
	"fmt"
	"strings"

	"sanad/internal/words"
)

// Langfuse traces (langfuse fern/apis/server/definition/commons.yml, rule F-7): input and output of the trace are the
// question and the answer, the output of retrievers the passages; scores are kept as the upstream's.

type langfuseTrace struct {
	ID           string                `json:"id"`
	Name         string                `json:"name"`
	Input        json.RawMessage       `json:"input"`
	Output       json.RawMessage       `json:"output"`
	Observations []langfuseObservation `json:"observations"`
	Scores       []langfuseScore       `json:"scores"`
}

type langfuseObservation struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Model  string          `json:"model"`
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
}

type langfuseScore struct {
	Name    string          `json:"name"`
	Value   json.RawMessage `json:"value"`
	Text    string          `json:"stringValue"`
	Comment string          `json:"comment"`
}

func readLangfuse(r row) (*draft, error) {
	var f langfuseTrace
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "output")
	d.head.TraceID, d.head.ExternalID = f.ID, f.ID
	d.head.Query = langfuseWords(f.Input)
	d.say(langfuseWords(f.Output), "")
	for i := range f.Observations {
		o, path := &f.Observations[i], joined(r.path, at("observations", i, ""))
		if o.Model != "" {
			d.head.Model = o.Model
		}
		switch name := strings.ToLower(o.Type + " " + o.Name); {
		case strings.Contains(name, "retriev"), strings.Contains(name, "rerank"):
			d.found(path+".output", o.Output)
		case o.Type == "GENERATION" && d.length == 0:
			d.answerAt = path + ".output"
			d.say(langfuseWords(o.Output), "")
		}
	}
	for _, s := range f.Scores {
		d.scores = append(d.scores,
			upstreamScore{Name: clipped(s.Name, 200), Value: short(s.Value), Label: clipped(s.Text, 200),
				Note: clipped(s.Comment, 2000)})
	}
	return d, nil
}

// langfuseWords returns the text of an input or output, which may be any JSON.
func langfuseWords(raw json.RawMessage) string {
	if begins(raw) == '"' {
		return plainJSONText(raw)
	}
	if words := answerIn(raw); words != "" {
		return words
	}
	var fields map[string]json.RawMessage
	if begins(raw) == '{' && sub("", raw, &fields) == nil {
		known := texts(fields)
		for _, key := range []string{"question", "query", "input", "prompt"} {
			if known[key] != "" {
				return known[key]
			}
		}
		raw = fields["messages"]
	}
	var list []openaiMessage
	if begins(raw) == '[' && sub("", raw, &list) == nil && len(list) > 0 {
		return plainContent(list[len(list)-1].Content)
	}
	return ""
}

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
	for _, key := range []string{"text", "content", "page_content", "pageContent", "snippet", "chunk", "passage"} {
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
		s.uri = known["url"] + known["uri"]
	}
}
