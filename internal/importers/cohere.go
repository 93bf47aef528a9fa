package importers

import (
	"encoding/json"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Cohere chat, v1 and v2 (cohere-python src/cohere/types/{citation,source}.py, rule F-7): citations quote the answer,
// and in v1's example their end is inside the words; the passages are documents with arbitrary fields.

type cohereFile struct {
	ID       string          `json:"id"`
	Request  *cohereRequest  `json:"request"`
	Response *cohereResponse `json:"response"`
	cohereResponse
}

type cohereRequest struct {
	Model     string            `json:"model"`
	Message   string            `json:"message"` // v1
	Messages  []openaiMessage   `json:"messages"`
	Documents []json.RawMessage `json:"documents"`
}

type cohereResponse struct {
	GenerationID string            `json:"generation_id"`
	Text         string            `json:"text"`    // v1
	Message      json.RawMessage   `json:"message"` // v2: the answer; v1: a question
	Citations    []cohereCitation  `json:"citations"`
	Documents    []json.RawMessage `json:"documents"`
}

type cohereMessage struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Citations []cohereCitation `json:"citations"`
}

type cohereCitation struct {
	Start       *int           `json:"start"`
	End         *int           `json:"end"`
	Text        string         `json:"text"`
	Type        string         `json:"type"`
	Content     *int           `json:"content_index"`
	DocumentIDs []string       `json:"document_ids"`
	Sources     []cohereSource `json:"sources"`
}

type cohereSource struct {
	Type     string          `json:"type"`
	ID       string          `json:"id"`
	Document json.RawMessage `json:"document"`
	Output   json.RawMessage `json:"tool_output"`
}

func readCohere(r row) (*draft, error) {
	var f cohereFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d, resp, path := newDraft(r.path, "text"), &f.cohereResponse, r.path
	if f.Response != nil {
		resp, path = f.Response, joined(r.path, "response")
	}
	d.head.ExternalID = f.ID + resp.GenerationID
	if q := f.Request; q != nil {
		d.head.Model, d.head.Query = q.Model, q.Message
		for _, m := range q.Messages {
			if t := plainContent(m.Content); m.Role == "user" && t != "" {
				d.head.Query = t
			}
		}
		if !blank(q.Message) && q.Message != d.head.Query {
			d.leftOut(joined(r.path, "request.message"), "request.messages")
		}
		if err := d.cohereDocuments(joined(r.path, "request.documents"), q.Documents); err != nil {
			return nil, err
		}
	}
	if err := d.cohereDocuments(joined(path, "documents"), resp.Documents); err != nil {
		return nil, err
	}
	if begins(resp.Message) == '{' {
		if !blank(resp.Text) {
			d.leftOut(joined(path, "text"), "message")
		}
		for i := range resp.Citations {
			d.leftOut(joined(path, at("citations", i, "")), "message")
		}
		return d, d.cohereV2(joined(path, "message"), resp.Message)
	}
	d.answerAt = joined(path, "text")
	sp := d.say(resp.Text, "")
	return d, d.cohereCitations(joined(path, "citations"), resp.Citations, []contentStart{{sp.Start, true}})
}

// contentStart is where an entry of the answer's content begins, and whether it was read.
type contentStart struct {
	start int
	taken bool
}

func (d *draft) cohereV2(path string, raw json.RawMessage) error {
	var m cohereMessage
	if err := sub(path, raw, &m); err != nil {
		return err
	}
	d.answerAt = joined(path, "content")
	var begin []contentStart
	for _, c := range m.Content {
		if c.Type != "text" && c.Type != "" {
			begin = append(begin, contentStart{})
			continue
		}
		begin = append(begin, contentStart{d.say(c.Text, "\n\n").Start, true})
	}
	return d.cohereCitations(joined(path, "citations"), m.Citations, begin)
}

func (d *draft) cohereCitations(path string, list []cohereCitation, begin []contentStart) error {
	for i := range list {
		c, here := &list[i], at(path, i, "")
		if c.Type != "" && c.Type != "TEXT_CONTENT" {
			d.skip(here, words.Msg("warning_cited_thinking"))
			continue
		}
		n := 0
		if c.Content != nil {
			n = *c.Content
		}
		if n < 0 || n >= len(begin) || !begin[n].taken { //nolint:gosec // n is in range here
			n = slices.IndexFunc(begin, func(t contentStart) bool { return t.taken })
		}
		m := mark{path: here, kind: "cohere"}
		if m.said = (quoted{words: c.Text, from: c.Start, to: c.End}); n >= 0 {
			start := begin[n].start
			m.said.from, m.said.to = shifted(c.Start, start), shifted(c.End, start)
		}
		if err := d.cohereSources(here, c, m); err != nil {
			return err
		}
	}
	return nil
}

// cohereSources adds a mark for each source that a citation names.
func (d *draft) cohereSources(path string, c *cohereCitation, m mark) error {
	before := len(d.marks)
	for i := range c.Sources {
		x, here := &c.Sources[i], at(path+".sources", i, "")
		raw, field := x.Document, "document"
		if begins(raw) == 0 {
			raw, field = x.Output, "tool_output"
		}
		s, err := d.cohereDocument(joined(here, field), x.ID, raw)
		if err != nil {
			return err
		}
		m.source = s
		d.marks = append(d.marks, m)
	}
	for _, id := range c.DocumentIDs {
		m.why = domain.Message{}
		if m.source = d.byID[id]; m.source == nil {
			m.why = words.Msg("warning_cited_file")
		}
		d.marks = append(d.marks, m)
	}
	if len(d.marks) == before {
		m.why = words.Msg("warning_cited_nothing")
		d.marks = append(d.marks, m)
	}
	return nil
}
