package importers

import (
	"encoding/json"
	"strings"
)

// OpenAI Responses (openai-python src/openai/types/responses, rule F-7): the output's messages with their annotations,
// and the results of file searches, which are included only if the request asked for them.

type openaiFile struct {
	openaiResponse
	Request  *openaiRequest  `json:"request"`
	Response *openaiResponse `json:"response"`
}

type openaiRequest struct {
	Model    string          `json:"model"`
	Input    json.RawMessage `json:"input"` // a text or messages
	Messages json.RawMessage `json:"messages"`
}

type openaiResponse struct {
	ID     string            `json:"id"`
	Model  string            `json:"model"`
	Input  json.RawMessage   `json:"input"`
	Output []json.RawMessage `json:"output"`
}

type openaiItem struct {
	Type    string         `json:"type"`
	Role    string         `json:"role"`
	Content []openaiText   `json:"content"`
	Queries []string       `json:"queries"`
	Results []openaiResult `json:"results"`
}

type openaiResult struct {
	FileID   string `json:"file_id"`
	Filename string `json:"filename"`
	Text     string `json:"text"`
}

type openaiText struct {
	Type        string             `json:"type"`
	Text        string             `json:"text"`
	Refusal     string             `json:"refusal"`
	Annotations []openaiAnnotation `json:"annotations"`
}

// openaiAnnotation is an annotation in any of the three APIs; the older ones nest the url or file.
type openaiAnnotation struct {
	Type     string        `json:"type"`
	Text     string        `json:"text"` // old Assistants API: the marker in the answer
	URL      string        `json:"url"`
	Title    string        `json:"title"`
	FileID   string        `json:"file_id"`
	Filename string        `json:"filename"`
	Quote    string        `json:"quote"`
	Index    *int          `json:"index"`
	From     *int          `json:"start_index"`
	To       *int          `json:"end_index"`
	Site     *openaiNested `json:"url_citation"`
	File     *openaiNested `json:"file_citation"`
}

type openaiNested struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	FileID string `json:"file_id"`
	Quote  string `json:"quote"`
	From   *int   `json:"start_index"`
	To     *int   `json:"end_index"`
}

func readOpenAI(r row) (*draft, error) {
	var f openaiFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d, resp, path := newDraft(r.path, "output"), &f.openaiResponse, "output"
	if f.Response != nil {
		resp, path = f.Response, "response.output"
	}
	d.answerAt = joined(r.path, path)
	d.head.ExternalID, d.head.Model = resp.ID, resp.Model
	input, inputAt := resp.Input, strings.TrimSuffix(path, "output")+"input"
	if f.Request != nil {
		input, inputAt = f.Request.Input, "request.input"
	}
	c := conversation{d: d}
	c.messages(joined(r.path, inputAt), input)
	d.head.Query = asked(input)
	for i, raw := range resp.Output {
		here := joined(r.path, at(path, i, ""))
		var item openaiItem
		if err := sub(here, raw, &item); err != nil {
			return nil, err
		}
		for j := range item.Results {
			x := &item.Results[j]
			d.passage(at(here+".results", j, ""), x.FileID, x.Filename, x.Text)
		}
		if partKinds[item.Type].call || partKinds[item.Type].result {
			c.part(here, objectOf(raw), &said{}, "")
		}
		if item.Type == "message" || item.Type == "" {
			for j := range item.Content {
				d.openaiText(at(here+".content", j, ""), &item.Content[j])
			}
		}
	}
	return d, nil
}

// plainContent returns the text of a content that is a text or a list of parts with texts.
func plainContent(raw json.RawMessage) string { return strings.TrimSpace(wholeContent(raw)) }

// wholeContent is plainContent without trimming, since offsets count the white space.
func wholeContent(raw json.RawMessage) string {
	var s string
	var parts []struct {
		Text    string `json:"text"`
		Content string `json:"content"`
	}
	switch begins(raw) {
	case '"':
		_ = sub("", raw, &s)
	case '[':
		_ = sub("", raw, &parts)
		var all []string
		for _, p := range parts {
			all = append(all, p.Text+p.Content)
		}
		s = strings.Join(all, "\n")
	}
	return s
}
