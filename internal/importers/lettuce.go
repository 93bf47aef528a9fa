package importers

import (
	"encoding/json"
)

// LettuceDetect rows (rule F-7), with labels given or predicted.

type lettuceRow struct {
	Prompt   string          `json:"prompt"`
	Context  json.RawMessage `json:"context"` // a text or texts
	Question string          `json:"question"`
	Answer   string          `json:"answer"`
	Labels   []spanLabel     `json:"labels"`
	Found    []spanLabel     `json:"predictions"`
	Lang     string          `json:"language"`
}

func readLettuce(r row) (*draft, error) {
	var x lettuceRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "answer")
	d.say(x.Answer, "")
	d.head.Query, d.head.Lang = x.Question, x.Lang
	list, err := oneOrMore(joined(r.path, "context"), x.Context)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 || x.Prompt == "" {
		d.contexts(joined(r.path, "context"), list, nil)
	} else {
		d.passage(joined(r.path, "prompt"), "prompt", "Prompt", x.Prompt)
	}
	for i := range x.Labels {
		d.labelled(joined(r.path, at("labels", i, "")), &x.Labels[i])
	}
	for i := range x.Found {
		d.labelled(joined(r.path, at("predictions", i, "")), &x.Found[i])
	}
	return d, nil
}

// oneOrMore reads a text or a list of texts.
func oneOrMore(path string, raw json.RawMessage) (out []string, err error) {
	switch begins(raw) {
	case 0:
		return nil, nil
	case '"':
		out = make([]string, 1)
		return out, sub(path, raw, &out[0])
	}
	return out, sub(path, raw, &out)
}
