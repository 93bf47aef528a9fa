package importers

import (
	"encoding/json"
	"fmt"
	"strings"
)

// spanAnswer uses the root's output if it is plain text, else the last answer of a model.
func (d *draft) spanAnswer(spans []span) {
	for i := range spans {
		s := &spans[i]
		if kind := s.attrs.text("openinference.span.kind"); s.root && kind != "RETRIEVER" && kind != "RERANKER" {
			if words := answerIn(s.attrs["output.value"]); words != "" {
				d.say(words, "")
				d.answerAt = s.path + `.attributes["output.value"]`
				return
			}
		}
	}
	for i := len(spans) - 1; i >= 0; i-- {
		s := &spans[i]
		if words := s.modelAnswer(); words != "" {
			d.say(words, "")
			d.answerAt = s.path + ".attributes"
			return
		}
	}
}

// answerIn returns the answer in an output that is a text, or JSON with one of the usual fields.
func answerIn(raw json.RawMessage) string {
	if begins(raw) == 0 {
		return ""
	}
	words := raw
	if begins(raw) == '"' {
		s := plainJSONText(raw)
		if trimmed := strings.TrimSpace(s); !strings.HasPrefix(trimmed, "{") || !json.Valid([]byte(trimmed)) {
			return s
		}
		words = json.RawMessage(strings.TrimSpace(s))
	}
	var fields map[string]json.RawMessage
	if begins(words) != '{' || sub("", words, &fields) != nil {
		return ""
	}
	known := texts(fields)
	for _, key := range []string{"answer", "output", "result", "response", "text", "content"} {
		if !blank(known[key]) {
			return known[key]
		}
	}
	return ""
}

// modelAnswer returns the assistant's text in a model's span.
func (s *span) modelAnswer() string {
	var all []string
	for i := 0; ; i++ {
		prefix := fmt.Sprintf("llm.output_messages.%d.message.", i)
		if _, ok := s.attrs[prefix+"role"]; !ok && !s.attrs.under(prefix) {
			break
		}
		words := s.attrs.text(prefix + "content")
		for j := 0; words == ""; j++ {
			part, ok := s.attrs[fmt.Sprintf("%scontents.%d.message_content.text", prefix, j)]
			if !ok {
				break
			}
			words = plainJSONText(part)
		}
		all = append(all, words)
	}
	if words := strings.TrimSpace(strings.Join(all, "\n\n")); words != "" {
		return words
	}
	if words := genaiText(s.attrs[outputMessages], "assistant"); words != "" {
		return words
	}
	for _, e := range s.events {
		if words := genaiText(e.attrs[outputMessages], "assistant"); words != "" {
			return words
		}
	}
	if s.attrs.text("openinference.span.kind") == "LLM" {
		return answerIn(s.attrs["output.value"])
	}
	if words := s.attrs.text("ai.response.text"); words != "" { // of the AI SDK
		return words
	}
	return s.attrs.text("gen_ai.completion.0.content") // of OpenLLMetry
}

// under reports whether a key begins with prefix.
func (a attributes) under(prefix string) bool {
	for key := range a {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

func (s *span) question() string {
	if q := s.attrs.text("gen_ai.retrieval.query.text"); q != "" {
		return q
	}
	if q := genaiText(s.attrs[inputMessages], "user"); q != "" {
		return q
	}
	if q := s.asked(); q != "" {
		return q
	}
	raw := s.attrs["input.value"]
	if q := plainJSONText(raw); begins(raw) == '"' && !strings.HasPrefix(strings.TrimSpace(q), "{") &&
		!strings.HasPrefix(strings.TrimSpace(q), "[") {
		return q
	} else if begins(raw) == '"' && json.Valid([]byte(q)) {
		var fields map[string]json.RawMessage
		if sub("", json.RawMessage(strings.TrimSpace(q)), &fields) == nil {
			known := texts(fields)
			for _, key := range []string{"question", "query", "input"} {
				if known[key] != "" {
					return known[key]
				}
			}
		}
	}
	return ""
}

// asked returns the question in the attributes of the AI SDK (ai.prompt, ai.prompt.messages) and of OpenLLMetry.
func (s *span) asked() string {
	for i := 0; i < 1000; i++ {
		prefix := fmt.Sprintf("gen_ai.prompt.%d.", i)
		if !s.attrs.under(prefix) {
			break
		}
		if s.attrs.text(prefix+"role") == "user" {
			return s.attrs.text(prefix + "content")
		}
	}
	var prompt struct {
		Prompt   json.RawMessage `json:"prompt"`
		Messages []aiMessage     `json:"messages"`
	}
	if words := s.attrs.text("ai.prompt"); json.Valid([]byte(words)) && strings.HasPrefix(words, "{") &&
		sub("", json.RawMessage(words), &prompt) == nil {
		if begins(prompt.Prompt) == '"' {
			return plainJSONText(prompt.Prompt)
		}
		return lastAsked(prompt.Messages)
	}
	var list []aiMessage
	if words := s.attrs.text("ai.prompt.messages"); json.Valid([]byte(words)) && strings.HasPrefix(words, "[") &&
		sub("", json.RawMessage(words), &list) == nil {
		return lastAsked(list)
	}
	return ""
}

// aiMessage is a message of the AI SDK; its content is a text or a list of parts.
type aiMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

func lastAsked(list []aiMessage) (words string) {
	for _, m := range list {
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		switch {
		case m.Role != "user":
		case begins(m.Content) == '"':
			words = plainJSONText(m.Content)
		case begins(m.Content) == '[' && sub("", m.Content, &parts) == nil:
			var all []string
			for _, p := range parts {
				if p.Type == "text" {
					all = append(all, p.Text)
				}
			}
			words = strings.Join(all, "\n")
		}
	}
	return words
}
