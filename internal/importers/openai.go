package importers

import (
	"encoding/json"
	"strings"
)

// OpenAI Responses (openai-python src/openai/types/responses, spec page 7): the output's messages with their annotations,
// and the results of file searches, which are there where the request asked for them.

type openaiFile struct {
	openaiResponse
	Request  *openaiRequest  `json:"request"`
	Response *openaiResponse `json:"response"`
}

type openaiRequest struct {
	Model    string          `json:"model"`
	Input    json.RawMessage `json:"input"` // a text or messages
	Messages []openaiMessage `json:"messages"`
}

type openaiResponse struct {
	ID     string          `json:"id"`
	Model  string          `json:"model"`
	Input  json.RawMessage `json:"input"`
	Output []openaiItem    `json:"output"`
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

// openaiAnnotation is one of any of the three APIs; the older ones nest the url or file.
type openaiAnnotation struct {
	Type     string        `json:"type"`
	Text     string        `json:"text"` // of old Assistants: the marker in the answer
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
	d.head.Query = plainInput(resp.Input)
	if f.Request != nil {
		d.head.Query = plainInput(f.Request.Input)
	}
	for i := range resp.Output {
		item, here := &resp.Output[i], joined(r.path, at(path, i, ""))
		for j := range item.Results {
			x := &item.Results[j]
			d.passage(at(here+".results", j, ""), x.FileID, x.Filename, x.Text)
		}
		if item.Type == "message" || item.Type == "" {
			for j := range item.Content {
				d.openaiText(at(here+".content", j, ""), &item.Content[j])
			}
		}
	}
	return d, nil
}

// plainInput gives a question that is a text, or the last text of its messages.
func plainInput(raw json.RawMessage) string {
	var s string
	var list []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	switch begins(raw) {
	case '"':
		_ = sub("", raw, &s) // a question is a help, nothing more
	case '[':
		_ = sub("", raw, &list)
		for _, m := range list {
			if t := plainContent(m.Content); m.Role == "user" && t != "" {
				s = t
			}
		}
	}
	return s
}

// plainContent gives the words of a content that is a text or a list of parts with texts.
func plainContent(raw json.RawMessage) string { return strings.TrimSpace(wholeContent(raw)) }

// wholeContent is plainContent with the white space at its ends, since offsets count it.
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

// openaiText takes one piece of the answer with its annotations, whose offsets count in this piece.
func (d *draft) openaiText(path string, t *openaiText) {
	if t.Refusal != "" {
		d.skip(joined(path, "refusal"), "The model refused here; there is nothing to check in it.")
	}
	sp, w := d.say(t.Text, "\n\n"), newWords(t.Text, newSpend())
	for i := range t.Annotations {
		d.annotation(at(joined(path, "annotations"), i, ""), &t.Annotations[i], w, sp.Start)
	}
}

// annotation takes one annotation of a text that begins at base of the answer.
func (d *draft) annotation(path string, a *openaiAnnotation, w *words, base int) {
	m := mark{path: path, kind: a.Type}
	if n := a.Site; n != nil {
		a.URL, a.Title, a.From, a.To = n.URL, n.Title, n.From, n.To
	}
	if n := a.File; n != nil {
		a.FileID, a.Quote = n.FileID, n.Quote
	}
	switch a.Type {
	case "url_citation":
		m.source = d.source(path, a.URL)
		m.source.uri, m.source.title = a.URL, a.Title
		m.said = markerOf(w, a, base)
	case "file_citation", "container_file_citation":
		m.source = d.source(path, a.FileID)
		if m.source.title == "" {
			m.source.title = a.Filename
		}
		m.whole, m.shown.words, m.said.words = true, a.Quote, a.Text
		if m.said.from, m.said.to = shifted(a.From, base), shifted(a.To, base); a.From == nil {
			m.said.from = shifted(a.Index, base)
		}
	case "file_path":
		d.skip(path, "This names a file that the model made, no source; it was left out.")
		return
	default:
		d.skip(path, "This kind of annotation is not known here; it was left out.")
		return
	}
	d.marks = append(d.marks, m)
}

// markerOf gives the words of a url citation that can be compared: the marker at its offsets, where it names the page.
func markerOf(w *words, a *openaiAnnotation, base int) quoted {
	q := quoted{from: shifted(a.From, base), to: shifted(a.To, base)}
	if a.From != nil && a.To != nil {
		for _, in := range []unit{codePoints, utf16Units, utf8Bytes} {
			for _, more := range []int{0, 1} {
				sp, ok := w.span(*a.From, *a.To+more, in)
				if there := w.ruler.Slice(sp); ok && names(there, a) {
					q.words, q.from, q.to = there, shifted(&sp.Start, base), shifted(&sp.End, base)
					return q
				}
			}
		}
	}
	if w.spend.exact -= len(w.text); w.spend.exact > 0 && a.URL != "" && strings.Contains(w.text, a.URL) {
		q.words = a.URL
	}
	return q
}

// names tells whether a stretch of the answer names the page that it cites.
func names(there string, a *openaiAnnotation) bool {
	return len(there) < 4000 && (a.URL != "" && strings.Contains(there, a.URL) || len(a.Title) > 3 && strings.Contains(there, a.Title))
}

// shifted moves an offset of a piece into the whole answer.
func shifted(n *int, base int) *int {
	if n == nil {
		return nil
	}
	moved := *n + base
	return &moved
}
