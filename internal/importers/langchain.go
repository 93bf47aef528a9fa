package importers

import (
	"encoding/json"
	"fmt"

	"sanad/internal/words"
)

// LangChain (langchain_core/documents/base.py and messages/content.py, rule F-7): the output of a retrieval chain, an
// answer with the documents it was given, and messages whose content blocks have citations. The offsets of a citation
// refer to the answer, its cited_text to the source.

type langchainFile struct {
	Query     string            `json:"query"`
	Question  string            `json:"question"`
	Input     json.RawMessage   `json:"input"`  // a text, or an object that the chain takes
	Answer    json.RawMessage   `json:"answer"` // a text, or a message
	Result    json.RawMessage   `json:"result"`
	Output    json.RawMessage   `json:"output"`
	Message   json.RawMessage   `json:"message"`
	Content   json.RawMessage   `json:"content"`
	Documents []json.RawMessage `json:"documents"`
	Context   json.RawMessage   `json:"context"`
	Sources   []json.RawMessage `json:"source_documents"`
	Page      *string           `json:"page_content"`
}

type langchainDocument struct {
	ID       json.RawMessage            `json:"id"`
	Page     string                     `json:"page_content"`
	Metadata map[string]json.RawMessage `json:"metadata"`
	Kwargs   *langchainDocument         `json:"kwargs"` // as dumps() writes it
}

type langchainBlock struct {
	Type        string                `json:"type"`
	Text        string                `json:"text"`
	Annotations []langchainAnnotation `json:"annotations"`
}

type langchainAnnotation struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	URL   string `json:"url"`
	Title string `json:"title"`
	From  *int   `json:"start_index"`
	To    *int   `json:"end_index"`
	Cited string `json:"cited_text"`
}

// readLangChain reads the rows; a list of bare documents is one session.
func readLangChain(rows []row) ([]*draft, error) {
	var out []*draft
	var bare []json.RawMessage
	for _, r := range rows {
		var f langchainFile
		if err := r.into(&f); err != nil {
			out = append(out, &draft{path: r.path, fault: err})
			continue
		}
		if f.Page != nil && f.answer() == nil {
			bare = append(bare, json.RawMessage(r.src))
			continue
		}
		d, err := f.draft(r.path)
		if err != nil {
			d = &draft{path: r.path, fault: err}
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		out = append(out, newDraft("", "answer")) // documents only; the answer is missing
	}
	if len(out) == 1 && out[0].fault == nil {
		return out, out[0].langchainDocuments("", bare)
	}
	return out, nil
}

func (f *langchainFile) answer() json.RawMessage {
	for _, raw := range []json.RawMessage{f.Answer, f.Result, f.Output, f.Message, f.Content} {
		if begins(raw) != 0 {
			return raw
		}
	}
	return nil
}

func (f *langchainFile) draft(path string) (*draft, error) {
	d := newDraft(path, "answer")
	if d.head.Query = f.Query + f.Question; d.head.Query == "" {
		d.head.Query = asked(f.Input)
	}
	var context []json.RawMessage
	if begins(f.Context) == '[' {
		if err := sub(joined(path, "context"), f.Context, &context); err != nil {
			return nil, err
		}
	}
	for _, x := range []struct {
		field string
		list  []json.RawMessage
	}{{"context", context}, {"source_documents", f.Sources}, {"documents", f.Documents}} {
		if err := d.langchainDocuments(joined(path, x.field), x.list); err != nil {
			return nil, err
		}
	}
	for _, x := range []struct {
		field string
		raw   json.RawMessage
	}{{"answer", f.Answer}, {"result", f.Result}, {"output", f.Output}, {"message", f.Message},
		{"content", f.Content}} {
		if begins(x.raw) != 0 {
			d.answerAt = joined(path, x.field)
			return d, d.langchainAnswer(d.answerAt, x.raw)
		}
	}
	return d, nil
}

func (d *draft) langchainDocuments(path string, list []json.RawMessage) error {
	for i, raw := range list {
		here := at(path, i, "")
		var x langchainDocument
		if begins(raw) == '"' {
			if err := sub(here, raw, &x.Page); err != nil {
				return err
			}
		} else if err := sub(here, raw, &x); err != nil {
			return err
		}
		if x.Kwargs != nil {
			x = *x.Kwargs
		}
		d.langchainDocument(here, &x)
	}
	return nil
}

// langchainDocument reads a passage. Passages of one source are one document; a passage keeps its page number.
func (d *draft) langchainDocument(path string, x *langchainDocument) {
	known := texts(x.Metadata)
	id := known["source"]
	if id == "" {
		id, _ = rowID(x.ID)
	}
	if id == "" {
		id = fmt.Sprintf("document %d", len(d.sources)+1)
	}
	if blank(x.Page) {
		d.skip(joined(path, "page_content"), words.Msg("warning_document_words"))
		return
	}
	s := d.source(path, id)
	if s.title == "" {
		s.title = known["title"]
	}
	s.uri, s.date = known["source"], known["date"]
	s.add(part{path: path, text: x.Page, page: pageOf(x.Metadata)})
}

// pageOf returns the printed page: page_label if it is a number, else page, which loaders count from 0.
func pageOf(metadata map[string]json.RawMessage) int {
	var n int
	if sub("", metadata["page_label"], &n) == nil && n > 0 {
		return n
	}
	var label string
	if sub("", metadata["page_label"], &label) == nil && label != "" {
		if _, err := fmt.Sscanf(label, "%d", &n); err == nil && n > 0 {
			return n
		}
	}
	if raw := metadata["page"]; begins(raw) != 0 && sub("", raw, &n) == nil && n >= 0 {
		return n + 1
	}
	return 0
}
