package importers

import (
	"encoding/json"

	"sanad/internal/words"
)

// OpenAI Chat Completions, whose annotations nest the page, and messages of the old Assistants API, whose annotations
// name the marker in the text (openai-openapi issue 263, rule F-7).

type chatFile struct {
	ID       string         `json:"id"`
	Model    string         `json:"model"`
	Request  *openaiRequest `json:"request"`
	Response *chatResponse  `json:"response"`
	Choices  []chatChoice   `json:"choices"`
	openaiMessage
}

type chatResponse struct {
	ID      string       `json:"id"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
}

type chatChoice struct {
	Message openaiMessage `json:"message"`
}

type openaiMessage struct {
	Role        string             `json:"role"`
	Content     json.RawMessage    `json:"content"` // a text or parts
	Annotations []openaiAnnotation `json:"annotations"`
}

func readOpenAIChat(r row) (*draft, error) {
	var f chatFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	resp, path := &chatResponse{f.ID, f.Model, f.Choices}, "choices"
	if f.Response != nil {
		resp, path = f.Response, "response.choices"
	}
	d, m, here := newDraft(r.path, path), &f.openaiMessage, r.path
	if n := len(resp.Choices); n > 0 {
		m, here = &resp.Choices[0].Message, joined(r.path, at(path, 0, "message"))
		if n > 1 {
			d.skip(joined(r.path, at(path, 1, "")), words.Msg("warning_first_choice"))
		}
	}
	d.answerAt = joined(here, "content")
	d.head.ExternalID, d.head.Model = resp.ID, resp.Model
	if f.Request != nil {
		c := conversation{d: d}
		c.messages(joined(r.path, "request.messages"), f.Request.Messages)
		d.head.Query = c.asked
	}
	d.openaiText(here, &openaiText{Text: wholeContent(m.Content), Annotations: m.Annotations})
	return d, nil
}

type assistantsFile struct {
	assistantsMessage
	Data []assistantsMessage `json:"data"`
}

type assistantsMessage struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content []struct {
		Type string      `json:"type"`
		Text *assistText `json:"text"`
	} `json:"content"`
}

type assistText struct {
	Value       string             `json:"value"`
	Annotations []openaiAnnotation `json:"annotations"`
}

// readAssistants reads a message or a list of messages, newest first; it uses the first answer.
func readAssistants(r row) (*draft, error) {
	var f assistantsFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d, m, path := newDraft(r.path, "content"), &f.assistantsMessage, "content"
	for i := len(f.Data) - 1; i >= 0; i-- {
		if x := &f.Data[i]; x.Role == "assistant" {
			m, path = x, at("data", i, "content")
		} else if t := x.text(); t != "" {
			d.head.Query = t
		}
	}
	d.answerAt, d.head.ExternalID = joined(r.path, path), m.ID
	for i := range m.Content {
		if t := m.Content[i].Text; t != nil {
			d.openaiText(at(d.answerAt, i, "text"), &openaiText{Text: t.Value, Annotations: t.Annotations})
		}
	}
	return d, nil
}

func (m *assistantsMessage) text() (s string) {
	for i := range m.Content {
		if t := m.Content[i].Text; t != nil {
			s += t.Value
		}
	}
	return s
}
