package importers

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Calls of tools in spans: OpenInference (openinference.span.kind TOOL), OpenTelemetry GenAI (execute_tool) and the AI
// SDK (ai.toolCall). What a tool returned is a source of the answer, titled with the tool and what it was given.

// toolCall is what a span says of a call.
type toolCall struct {
	id, name      string
	input, output json.RawMessage
}

// toolCall returns the call that a span is, nil if it is none.
func (s *span) toolCall() *toolCall {
	a := s.attrs
	t := &toolCall{
		id:    a.text("gen_ai.tool.call.id", "tool.id", "tool_call.id", "ai.toolCall.id"),
		name:  a.text("gen_ai.tool.name", "tool.name", "ai.toolCall.name"),
		input: a.first("gen_ai.tool.call.arguments", "ai.toolCall.args", "tool.parameters"),
	}
	switch {
	case s.kind() == "TOOL":
		t.output = a.first("gen_ai.tool.call.result", "output.value")
		if t.input == nil {
			t.input = a["input.value"]
		}
	case a.text("gen_ai.operation.name") == "execute_tool", a.text("ai.operationId") == "ai.toolCall":
		t.output = a.first("gen_ai.tool.call.result", "ai.toolCall.result", "ai.toolCall.output")
	default:
		return nil
	}
	if t.id == "" {
		t.id = s.id
	}
	if t.name == "" {
		t.name = s.name
	}
	return t
}

// toolCalled reads what a tool returned as a source.
func (d *draft) toolCalled(s *span) {
	t := s.toolCall()
	if t == nil {
		return
	}
	path := s.path + ".attributes"
	if place := s.places["output.value"]; place != "" {
		path = place
	}
	d.toolReturned(path, t)
}

// unescaped returns JSON with its letters beyond ASCII as they are: who encodes with Python's defaults sends each of
// them as \uXXXX, in which no word could be found. All else, other texts too, stays as it is.
func unescaped(words string) string {
	if !strings.Contains(words, `\u`) || !json.Valid([]byte(words)) {
		return words
	}
	var out strings.Builder
	for i := 0; i < len(words); {
		r, size := escapedRune(words[i:])
		switch {
		case r >= utf8.RuneSelf && unicode.IsGraphic(r):
			out.WriteRune(r)
		default:
			out.WriteString(words[i : i+size])
		}
		i += size
	}
	return out.String()
}

// escapedRune reads one character of JSON: an escaped one as it is spelt, a letter beyond the basic plane in two
// halves.
func escapedRune(s string) (r rune, size int) {
	if s[0] != '\\' {
		return 0, 1
	}
	half := func(s string) rune {
		if len(s) < 6 || s[:2] != `\u` {
			return 0
		}
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return 0
		}
		return rune(n)
	}
	if r = half(s); r == 0 {
		return 0, 2
	}
	if utf16.IsSurrogate(r) {
		if whole := utf16.DecodeRune(r, half(s[6:])); whole != utf8.RuneError {
			return whole, 12
		}
		return 0, 6
	}
	return r, 6
}

// toolPrefix begins the ids of sources that tools returned.
const toolPrefix = "tool:"

// The limits of a document's title and id (documentWire).
const (
	maxTitle  = 500
	maxToolID = 200
)

// retrieves reports whether a span is a retrieval or a reranking.
func (s *span) retrieves() bool {
	kind := s.kind()
	return kind == "RETRIEVER" || kind == "RERANKER" || s.attrs.text("gen_ai.operation.name") == "retrieval" ||
		s.attrs.under("retrieval.documents.") || s.attrs.under("reranker.output_documents.") ||
		begins(s.attrs["gen_ai.retrieval.documents"]) != 0
}

// retrievals returns the ids of spans that a retrieval is a direct part of: what such a tool returned is what was
// retrieved, which is read there.
func retrievals(spans []span) map[string]bool {
	out := map[string]bool{}
	for i := range spans {
		if spans[i].parent != "" && spans[i].retrieves() {
			out[spans[i].parent] = true
		}
	}
	delete(out, "")
	return out
}
