package importers

import (
	"fmt"
	"strings"
)

// spanAnswer uses the root's output, else the last answer of a model.
func (d *draft) spanAnswer(spans []span) {
	for i := range spans {
		s := &spans[i]
		if kind := s.kind(); s.root && kind != "RETRIEVER" && kind != "RERANKER" && kind != "TOOL" {
			if words := answered(s.attrs["output.value"]); words != "" {
				d.say(words, "")
				d.answerAt = s.where("output.value")
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
	if s.kind() == "LLM" {
		if words := answered(s.attrs["output.value"]); words != "" {
			return words
		}
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
	if q := s.prompted(); q != "" {
		return q
	}
	return asked(s.attrs.first("ai.prompt", "ai.prompt.messages", "input.value"))
}

// prompted returns the question in the attributes of OpenLLMetry, one for each message.
func (s *span) prompted() string {
	for i := 0; i < 1000; i++ {
		prefix := fmt.Sprintf("gen_ai.prompt.%d.", i)
		if !s.attrs.under(prefix) {
			break
		}
		if s.attrs.text(prefix+"role") == "user" {
			return s.attrs.text(prefix + "content")
		}
	}
	return ""
}
