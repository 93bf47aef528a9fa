package importers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sanad/internal/words"
)

// Amazon Bedrock: RetrieveAndGenerate, whose citations quote a part of the answer, and AgenticRetrieve, whose citations
// have offsets only (rule F-7; both from its tables, as no stored copy of the pages was found); and Converse, whose
// answer is a message with the results of tools before it.

type bedrockFile struct {
	SessionID string `json:"sessionId"`
	Request   *struct {
		Input struct {
			Text string `json:"text"`
		} `json:"input"`
	} `json:"request"`
	Response *bedrockResponse `json:"response"`
	bedrockResponse
}

type bedrockResponse struct {
	Output *struct {
		Text string `json:"text"`
	} `json:"output"`
	Answer    string            `json:"answer"`
	Query     string            `json:"query"`
	Citations []bedrockCitation `json:"citations"`
}

type bedrockCitation struct {
	Part struct {
		Text struct {
			Text string `json:"text"`
			Span struct {
				Start *int `json:"start"`
				End   *int `json:"end"`
			} `json:"span"`
		} `json:"textResponsePart"`
	} `json:"generatedResponsePart"`
	Retrieved  []bedrockReference `json:"retrievedReferences"`
	Start      *int               `json:"startIndex"`
	End        *int               `json:"endIndex"`
	References []bedrockReference `json:"references"`
}

type bedrockReference struct {
	ID       string                     `json:"id"`
	Content  json.RawMessage            `json:"content"` // an object with a text, or a text
	Text     string                     `json:"text"`
	URI      string                     `json:"uri"`
	Title    string                     `json:"title"`
	Location map[string]json.RawMessage `json:"location"`
	Metadata map[string]json.RawMessage `json:"metadata"`
}

func readBedrock(r row) (*draft, error) {
	var f bedrockFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	resp, path := &f.bedrockResponse, r.path
	if f.Response != nil {
		resp, path = f.Response, joined(r.path, "response")
	}
	d := newDraft(path, "answer")
	d.head.ExternalID, d.head.Query = f.SessionID, resp.Query
	if f.Request != nil {
		d.head.Query = f.Request.Input.Text
	}
	answer := resp.Answer
	if resp.Output != nil {
		answer, d.answerAt = resp.Output.Text, joined(path, "output.text")
	}
	d.say(answer, "")
	for i := range resp.Citations {
		if err := d.bedrockCitation(joined(path, at("citations", i, "")), &resp.Citations[i]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *draft) bedrockCitation(path string, c *bedrockCitation) error {
	t := &c.Part.Text
	m := mark{path: path, kind: "bedrock", said: quoted{words: t.Text, from: t.Span.Start, to: t.Span.End}}
	list, field := c.Retrieved, "retrievedReferences"
	if len(list) == 0 {
		list, field = c.References, "references"
	}
	if m.said.from == nil {
		m.said.from, m.said.to = c.Start, c.End
	}
	for i := range list {
		if err := d.bedrockReference(&m, at(joined(path, field), i, ""), &list[i]); err != nil {
			return err
		}
		d.marks = append(d.marks, m)
	}
	if len(list) == 0 {
		d.skip(path, words.Msg("warning_cited_references"))
	}
	return nil
}

// bedrockReference reads a passage; passages from one location are one source.
func (d *draft) bedrockReference(m *mark, path string, x *bedrockReference) error {
	words := x.Text
	switch begins(x.Content) {
	case '"':
		if err := sub(path+".content", x.Content, &words); err != nil {
			return err
		}
	case '{':
		var c struct {
			Text string `json:"text"`
		}
		if err := sub(path+".content", x.Content, &c); err != nil {
			return err
		}
		words = c.Text
	}
	uri := x.URI
	for _, kind := range slices.Sorted(maps.Keys(x.Location)) { // one kind only: s3Location {uri}, webLocation {url}, …
		var place struct {
			URI string `json:"uri"`
			URL string `json:"url"`
		}
		if begins(x.Location[kind]) == '{' && sub(path, x.Location[kind], &place) == nil && uri == "" {
			uri = place.URI + place.URL
		}
	}
	known := texts(x.Metadata)
	if uri == "" {
		uri = known["x-amz-bedrock-kb-source-uri"]
	}
	id := x.ID
	if id == "" {
		id = uri
	}
	if id == "" {
		id = fmt.Sprintf("passage %d", len(d.sources)+1)
	}
	s := d.passage(path, id, x.Title, words)
	s.uri = uri
	m.cite(s, words)
	return nil
}
