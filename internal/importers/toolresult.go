package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/recode"
	"sanad/internal/words"
)

// toolReturned takes what a tool returned as a source, titled with the tool and what it was given. A page that the tool
// fetched is the source itself.
func (d *draft) toolReturned(path string, t *toolCall) {
	t.output = withoutFrame(t.output)
	if d.fetched(path, t.output) {
		return
	}
	said := unescaped(resultText(t.output))
	if blank(said) || said == "null" || said == "[]" || said == "{}" {
		d.skip(path, words.Msg("warning_tool_result"))
		return
	}
	id := ""
	if t.id != "" {
		id = clipped(toolPrefix+t.id, maxToolID)
	}
	if d.byID[id] == nil && d.held[said] { // a message repeats what the span of the call has
		return
	}
	given := strings.Join(strings.Fields(plainJSONText(argumentsOf(t.input))), " ")
	title := strings.TrimSpace(cmp.Or(t.name, "tool") + " " + given)
	if text.Len(title) > maxTitle {
		title = clipped(title, maxTitle-1) + "…"
	}
	d.passage(path, id, title, said)
}

// withoutFrame returns a tool's result without the frames in which LangChain and its tracers put it: the dump of a
// message, and that beside what else the run was given.
func withoutFrame(raw json.RawMessage) json.RawMessage {
	for range deepResults {
		m := objectOf(unpacked(raw))
		switch {
		case m.text("type") == "constructor" && begins(m["kwargs"]) == '{':
			raw = m["kwargs"]
		case m.text("type") == "tool" && begins(m["data"]) == '{':
			raw = m["data"]
		case len(m) == 2 && begins(m["output"]) != 0 && begins(m["kwargs"]) == '{':
			raw = m["output"]
		default:
			return raw
		}
	}
	return raw
}

// argumentsOf returns what a call was given, without the frame in which OpenLLMetry puts the arguments of a function.
func argumentsOf(raw json.RawMessage) json.RawMessage {
	m := objectOf(unpacked(raw))
	if given := m.first("inputs", "input_str"); m["input_str"] != nil && given != nil { // of LangChain
		return recode.Encode(unpacked(given))
	}
	if m["args"] == nil || m["kwargs"] == nil || len(m) != 2 {
		return raw
	}
	if string(m["args"]) == "[]" {
		return m["kwargs"]
	}
	if string(m["kwargs"]) == "{}" {
		return m["args"]
	}
	return raw
}

// fetched reads pages that a tool of Anthropic's fetched or found; false if the result is something else.
func (d *draft) fetched(path string, raw json.RawMessage) bool {
	list := listOf(raw)
	if begins(raw) == '{' {
		list = []json.RawMessage{raw}
	}
	some := false
	for i, item := range list {
		b := objectOf(item)
		switch b.text("type") {
		case "web_fetch_result":
			page := objectOf(b["content"])
			s := d.passage(path, b.text("url"), page.text("title"), objectOf(page["source"]).text("data"))
			s.uri, some = b.text("url"), true
		case "web_search_result": // its text is encrypted
			s := d.source(at(path, i, ""), b.text("url"))
			s.uri, s.title, some = b.text("url"), b.text("title"), true
		}
	}
	return some
}

// resultText returns what a tool gave out as a text: the texts within what merely wraps them, else the JSON as it is.
func resultText(raw json.RawMessage) string {
	if said, ok := unwrapped(raw, 0); ok {
		return said
	}
	return plainJSONText(raw)
}

// wrappers are the fields that hold a result, besides are those that say something about it.
var (
	wrappers = []string{"content", "text", "result", "output", "value", "stdout", "logs"}
	besides  = map[string]bool{
		"type": true, "is_error": true, "isError": true, "return_code": true, "stderr": true, "status": true,
		"exit_code": true, "exitCode": true, "outcome": true, "role": true, "name": true, "id": true, "tool_call_id": true,
		"tool_use_id": true, "call_id": true, "additional_kwargs": true, "response_metadata": true,
		"artifact": true, "annotations": true,
		"_meta": true, "mimeType": true, "structuredContent": true, "created_at": true, "retrieved_at": true,
		"file_type": true, "num_lines": true, "start_line": true, "total_lines": true, "numLines": true, "startLine": true,
		"totalLines": true, "is_file_update": true,
	}
)

// deepResults is how deeply results are wrapped at most.
const deepResults = 6

func unwrapped(raw json.RawMessage, depth int) (said string, ok bool) {
	if depth > deepResults {
		return "", false
	}
	switch begins(raw) {
	case '"':
		said = plainJSONText(raw)
		if inner := unpacked(raw); begins(inner) != 0 {
			if words, ok := unwrapped(inner, depth+1); ok && begins(inner) != '"' {
				return words, true
			}
			if begins(inner) == '"' {
				said = plainJSONText(inner)
			}
		}
		return said, true
	case '[':
		var all []string
		for _, item := range listOf(raw) {
			if begins(item) != '{' {
				return "", false
			}
			words, ok := unwrapped(item, depth+1)
			if !ok {
				return "", false
			}
			all = append(all, words)
		}
		return strings.Join(all, "\n"), len(all) > 0
	case '{':
		return unwrappedObject(objectOf(raw), depth)
	}
	return "", false
}

// unwrappedObject is unwrapped for an object: one that has a single field that counts, and that is one of the wrappers.
func unwrappedObject(b attributes, depth int) (said string, ok bool) {
	if inner := b["json"]; len(b) == 1 && begins(inner) != 0 { // of Bedrock
		return plainJSONText(inner), true
	}
	if out := b.text("stdout"); !blank(out) { // beside which there may be files and errors
		return strings.TrimSpace(out + "\n" + b.text("stderr")), true
	}
	only := ""
	for _, key := range slices.Sorted(maps.Keys(b)) {
		switch raw := string(b[key]); {
		case besides[key] || raw == "null" || raw == `""` || raw == "[]" || raw == "{}":
		case only != "" || !slices.Contains(wrappers, key):
			return "", false
		default:
			only = key
		}
	}
	if only == "" {
		return "", strings.HasSuffix(b.text("type"), "_result")
	}
	return unwrapped(b[only], depth+1)
}
