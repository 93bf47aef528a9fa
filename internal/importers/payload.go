package importers

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/recode"
)

// What tracers and evaluation tools keep as input and output of a step is JSON of any shape, often as a text, and that
// encoded twice. The question and the answer are found in it by the names that frameworks use.

// unpackings is how often JSON within a text is unpacked.
const unpackings = 4

// unpacked returns the JSON that a text holds, however often it was encoded; any other value as it is.
func unpacked(raw json.RawMessage) json.RawMessage {
	for range unpackings {
		inner, ok := json.RawMessage(nil), false
		if begins(raw) == '"' {
			inner, ok = recode.Value(plainJSONText(raw))
		}
		if !ok {
			break
		}
		raw = inner
	}
	return raw
}

// payloadKeys are the fields that hold a question or an answer, the most telling first.
var payloadKeys = map[string][]string{
	userRole: {"question", "query", "user_input", "userInput", "input", "inputs", "prompt", "messages", "contents",
		"new_message", "message", "content", "parts", "text", "args", "kwargs", "request"},
	assistantRole: {"answer", "output", "result", "response", "output_text", "final_output", "messages", "choices",
		"candidates", "generations", "message", "content", "parts", "text", "completion", "outputs", "return_value",
		"kwargs"},
}

// nothing are the texts that stand for no value, once it was made a text.
var nothing = map[string]bool{"null": true, "None": true, "undefined": true}

// deepPayload is how deeply words are looked for.
const deepPayload = 8

// asked and answered return the question and the answer in a value, "" if it has none.
func asked(raw json.RawMessage) string    { return wordsOf(raw, userRole, 0) }
func answered(raw json.RawMessage) string { return wordsOf(raw, assistantRole, 0) }

func wordsOf(raw json.RawMessage, role string, depth int) string {
	if depth > deepPayload {
		return ""
	}
	switch raw = unpacked(raw); begins(raw) {
	case '"':
		if said := strings.TrimSpace(plainJSONText(raw)); !nothing[said] {
			return said
		}
	case '[':
		return wordsInList(raw, role, depth)
	case '{':
		m := objectOf(raw)
		if is := roleOf(m); is != "" && is != role && begins(m.first("content", "parts")) != 0 {
			return ""
		}
		for _, key := range payloadKeys[role] {
			if words := wordsOf(m[key], role, depth+1); words != "" {
				return words
			}
		}
		for key, only := range m {
			if len(m) == 1 && !slices.Contains(payloadKeys[role], key) {
				return wordsOf(only, role, depth+1)
			}
		}
	}
	return ""
}

// wordsInList returns the last message of a role in a list, or the texts of a list of parts.
func wordsInList(raw json.RawMessage, role string, depth int) string {
	c := conversation{}
	c.messages("", raw)
	switch {
	case role == userRole && c.asked != "":
		return c.asked
	case role == assistantRole && c.answer != "":
		return structured(c.answer, depth)
	case c.bare.words() != "":
		return c.bare.words()
	}
	words := ""
	for _, item := range listOf(raw) {
		if m := objectOf(item); roleOf(m) == "" && len(m) > 0 {
			if found := wordsOf(item, role, depth+1); found != "" {
				words = found
			}
		}
	}
	return words
}

// structured returns the answer within one that is an object, as a model writes it that was asked for JSON; any other
// as it is.
func structured(answer string, depth int) string {
	if raw, ok := recode.Value(answer); ok && begins(raw) == '{' {
		return cmp.Or(wordsOf(raw, assistantRole, depth+1), answer)
	}
	return answer
}

// toolResults takes what tools returned in the messages of a value, wherever they stand in it.
func (d *draft) toolResults(path string, raw json.RawMessage) {
	d.resultsIn(&conversation{d: d}, path, raw, 0)
}

func (d *draft) resultsIn(c *conversation, path string, raw json.RawMessage, depth int) {
	switch raw = unpacked(raw); {
	case depth > deepPayload:
	case begins(raw) == '[':
		c.messages(path, raw)
	case begins(raw) == '{':
		m := objectOf(raw)
		for _, key := range []string{"messages", "contents", "input", "inputs", "output", "outputs", "request", "kwargs"} {
			if b := begins(m[key]); b == '{' || b == '[' || b == '"' {
				d.resultsIn(c, joined(path, key), m[key], depth+1)
			}
		}
	}
}
