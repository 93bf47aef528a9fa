package importers

import (
	"cmp"
	"encoding/json"
)

// Amazon Bedrock Converse (botocore bedrock-runtime service-2.json, rule F-7): the request's messages, and the answer's
// parts, of which citationsContent has texts with citations that quote their sources.

type converseFile struct {
	Model    string           `json:"modelId"`
	Request  *converseRequest `json:"request"`
	Response *converseAnswer  `json:"response"`
	Messages json.RawMessage  `json:"messages"`
	converseAnswer
}

type converseRequest struct {
	Model    string          `json:"modelId"`
	Messages json.RawMessage `json:"messages"`
}

type converseAnswer struct {
	Output struct {
		Message struct {
			Content []json.RawMessage `json:"content"`
		} `json:"message"`
	} `json:"output"`
}

// conversePart is a text with what it cites.
type conversePart struct {
	Text  string `json:"text"`
	Cited *struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		Citations []converseCitation `json:"citations"`
	} `json:"citationsContent"`
}

type converseCitation struct {
	Title    string `json:"title"`
	Source   string `json:"source"`
	Contents []struct {
		Text string `json:"text"`
	} `json:"sourceContent"`
	Location struct {
		Web struct {
			URL string `json:"url"`
		} `json:"web"`
		Page struct {
			Start int `json:"start"`
		} `json:"documentPage"`
	} `json:"location"`
}

func readConverse(r row) (*draft, error) {
	var f converseFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	answer, path, messages, given := &f.converseAnswer, "output", f.Messages, "messages"
	if f.Response != nil {
		answer, path = f.Response, "response.output"
	}
	d := newDraft(r.path, path+".message.content")
	d.head.Model = f.Model
	if f.Request != nil {
		messages, given = f.Request.Messages, "request.messages"
		d.head.Model = cmp.Or(f.Request.Model, f.Model)
	}
	c := conversation{d: d}
	c.messages(joined(r.path, given), messages)
	d.head.Query = c.asked
	for i, raw := range answer.Output.Message.Content {
		here := at(d.answerAt, i, "")
		var p conversePart
		if err := sub(here, raw, &p); err != nil {
			return nil, err
		}
		switch {
		case p.Cited != nil:
			d.converseCited(here+".citationsContent", &p)
		case p.Text != "":
			d.say(p.Text, "")
		default:
			d.apart = true
			c.part(here, objectOf(raw), &said{}, "")
		}
	}
	return d, nil
}

// converseCited reads a text with its citations.
func (d *draft) converseCited(path string, p *conversePart) {
	words := ""
	for _, x := range p.Cited.Content {
		words += x.Text
	}
	sp := d.say(words, "")
	for i := range p.Cited.Citations {
		x := &p.Cited.Citations[i]
		place := at(path+".citations", i, "")
		m := mark{path: place, kind: "converse", said: here(words, sp), page: x.Location.Page.Start}
		uri := cmp.Or(x.Location.Web.URL, x.Source)
		m.source = d.source(place, cmp.Or(uri, x.Title))
		m.source.uri, m.source.title = uri, cmp.Or(m.source.title, x.Title)
		for _, c := range x.Contents {
			m.shown.words += c.Text
		}
		d.marks = append(d.marks, m)
	}
}
