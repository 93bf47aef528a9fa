package importers

import (
	"encoding/json"
	"slices"
	"strings"
)

// Anthropic Messages: the request with its documents and search results, and the response whose text blocks cite them
// (anthropic-sdk-python src/anthropic/types, rule F-7). Accepted are {"request","response"}, a conversation
// {"messages"}, and a response alone.

type anthropicFile struct {
	anthropicMessage
	Request  *anthropicRequest  `json:"request"`
	Response *anthropicMessage  `json:"response"`
	Messages []anthropicMessage `json:"messages"`
}

type anthropicRequest struct {
	Model    string             `json:"model"`
	Messages []anthropicMessage `json:"messages"`
}

type anthropicMessage struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a text or blocks
}

type anthropicBlock struct {
	Type      string              `json:"type"`
	Text      string              `json:"text"`
	Title     string              `json:"title"`
	Source    json.RawMessage     `json:"source"`  // an object in a document, a name in a search result
	Content   json.RawMessage     `json:"content"` // of a search result or tool result
	URL       string              `json:"url"`
	Citations json.RawMessage     `json:"citations"` // a list in an answer, a switch in a document
	cites     []anthropicCitation // Citations, if it is a list
}

type anthropicSource struct {
	Type    string          `json:"type"`
	Data    string          `json:"data"`
	Media   string          `json:"media_type"`
	URL     string          `json:"url"`
	FileID  string          `json:"file_id"`
	Content json.RawMessage `json:"content"` // a text or blocks
}

type anthropicCitation struct {
	Type     string `json:"type"`
	Cited    string `json:"cited_text"`
	Document *int   `json:"document_index"`
	Title    string `json:"document_title"`
	From     *int   `json:"start_char_index"`
	To       *int   `json:"end_char_index"`
	Page     *int   `json:"start_page_number"`
	FirstAt  *int   `json:"start_block_index"`
	LastAt   *int   `json:"end_block_index"`
	Search   *int   `json:"search_result_index"`
	Name     string `json:"title"`
	Source   string `json:"source"`
	URL      string `json:"url"`
}

// anthropicReader collects one session.
type anthropicReader struct {
	d         *draft
	tools     conversation
	documents []*source // by document_index
	searches  []*source // by search_result_index
}

func readAnthropic(r row) (*draft, error) {
	var f anthropicFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	a := &anthropicReader{d: newDraft(r.path, "content")}
	a.tools.d = a.d
	messages, path := f.Messages, "messages"
	if f.Request != nil {
		messages, path = f.Request.Messages, "request.messages"
		a.d.head.Model = f.Request.Model
	}
	answer, answerAt := &f.anthropicMessage, ""
	switch n := len(messages); {
	case f.Response != nil:
		answer, answerAt = f.Response, "response"
	case f.Content == nil && n > 0 && messages[n-1].Role == "assistant":
		answer, answerAt = &messages[n-1], at(path, n-1, "")
		messages = messages[:n-1]
	}
	for i := range messages {
		if err := a.given(joined(r.path, at(path, i, "content")), &messages[i]); err != nil {
			return nil, err
		}
	}
	a.d.answerAt = joined(joined(r.path, answerAt), "content")
	a.d.head.ExternalID = answer.ID
	if answer.Model != "" {
		a.d.head.Model = answer.Model
	}
	return a.d, a.answer(a.d.answerAt, answer.Content)
}

// blocksOf reads a content that is a text or a list of blocks.
func blocksOf(path string, raw json.RawMessage) ([]anthropicBlock, error) {
	if begins(raw) == '"' {
		var s string
		err := sub(path, raw, &s)
		return []anthropicBlock{{Type: "text", Text: s}}, err
	}
	var out []anthropicBlock
	if begins(raw) == 0 {
		return nil, nil
	}
	if err := sub(path, raw, &out); err != nil {
		return nil, err
	}
	for i := range out {
		if begins(out[i].Citations) == '[' {
			if err := sub(at(path, i, "citations"), out[i].Citations, &out[i].cites); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// given reads the sources of a message of the conversation and, if it is the user's, the question.
func (a *anthropicReader) given(path string, m *anthropicMessage) error {
	blocks, err := blocksOf(path, m.Content)
	if err != nil {
		return err
	}
	var question []string
	parts := listOf(m.Content)
	for i := range blocks {
		b, here := &blocks[i], at(path, i, "")
		switch b.Type {
		case "text":
			question = append(question, b.Text)
		case "document":
			err = a.document(here, b)
		case "search_result":
			err = a.search(here, b)
		case "tool_result":
			if hasSources(b.Content) {
				err = a.given(here+".content", &anthropicMessage{Content: b.Content})
				break
			}
			fallthrough
		default:
			a.tools.part(here, objectOf(parts[i]), &said{}, "")
		}
		if err != nil {
			return err
		}
	}
	if q := strings.TrimSpace(strings.Join(question, "\n")); m.Role == "user" && q != "" {
		a.d.head.Query = q
	}
	return nil
}

// hasSources reports whether what a tool returned has blocks that can be cited.
func hasSources(raw json.RawMessage) bool {
	return slices.ContainsFunc(listOf(raw), func(item json.RawMessage) bool {
		kind := objectOf(item).text("type")
		return kind == "document" || kind == "search_result"
	})
}

// document reads a document block: plain text, content blocks, or a file whose text is not in the request.
func (a *anthropicReader) document(path string, b *anthropicBlock) error {
	s := a.d.source(path, "")
	s.title = b.Title
	a.documents = append(a.documents, s)
	var src anthropicSource
	if err := sub(path+".source", b.Source, &src); err != nil {
		return err
	}
	s.uri = src.URL
	switch src.Type {
	case "text":
		s.parts = []part{{path: path + ".source.data", text: src.Data}}
	case "content":
		return a.passages(path+".source.content", src.Content, s)
	}
	return nil
}

func (a *anthropicReader) search(path string, b *anthropicBlock) error {
	s := a.d.source(path, "")
	s.title = b.Title
	if begins(b.Source) == '"' {
		if err := sub(path+".source", b.Source, &s.uri); err != nil {
			return err
		}
	}
	a.searches = append(a.searches, s)
	return a.passages(path+".content", b.Content, s)
}

// passages reads text blocks, one passage each. Blank ones are kept, as citations refer to blocks by index.
func (a *anthropicReader) passages(path string, raw json.RawMessage, s *source) error {
	blocks, err := blocksOf(path, raw)
	for i := range blocks {
		s.parts = append(s.parts, part{path: at(path, i, ""), text: blocks[i].Text})
	}
	return err
}
