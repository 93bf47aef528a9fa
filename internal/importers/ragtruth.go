package importers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// RAGTruth (rule F-7): parts of an answer that its source does not support, with labels. Its two files, response.jsonl
// and source_info.jsonl, are read either concatenated or as rows that contain both.

type ragtruthRow struct {
	ID       json.RawMessage `json:"id"`
	SourceID json.RawMessage `json:"source_id"`
	Model    string          `json:"model"`
	Response *string         `json:"response"`
	Labels   []spanLabel     `json:"labels"`
	Task     string          `json:"task_type"`
	Source   string          `json:"source"`
	Info     json.RawMessage `json:"source_info"` // a text, {question, passages} or any object
	Prompt   string          `json:"prompt"`
}

// spanLabel is a labelled part of an answer, in either format.
type spanLabel struct {
	Start      *int     `json:"start"`
	End        *int     `json:"end"`
	Text       string   `json:"text"`
	Meta       string   `json:"meta"`
	LabelType  string   `json:"label_type"` // RAGTruth
	Implicit   bool     `json:"implicit_true"`
	Label      string   `json:"label"` // LettuceDetect
	Category   string   `json:"category"`
	Sub        string   `json:"subcategory"`
	Confidence *float64 `json:"confidence"`
	explanation
}

// readRAGTruth reads the rows more than once: for the sources, which may come before or after the answers, and for the
// answers. It keeps in memory the sources of answers whose row doesn't contain them.
func readRAGTruth(rows rowSource, give func(*draft) error) error {
	apart, err := sourcesApart(rows)
	if err != nil {
		return err
	}
	return rows.each(func(r row) error {
		var x ragtruthRow
		err := r.into(&x)
		if err == nil && x.Response == nil {
			return nil
		}
		var d *draft
		if err == nil {
			d, err = x.draft(r.path, apart)
		}
		if err != nil {
			d = &draft{path: r.path, fault: err}
		}
		return give(d)
	})
}

// sourcesApart returns the sources that answers refer to by id.
func sourcesApart(rows rowSource) (map[string]json.RawMessage, error) {
	apart := map[string]json.RawMessage{}
	look := func(note func(id string, x *ragtruthRow)) error {
		return rows.each(func(r row) error {
			var x ragtruthRow
			if r.into(&x) == nil { // errors are reported when the answers are read
				if id, ok := rowID(x.SourceID); ok {
					note(id, &x)
				}
			}
			return nil
		})
	}
	err := look(func(id string, x *ragtruthRow) {
		if x.Response != nil && begins(x.Info) == 0 {
			apart[strings.Clone(id)] = nil
		}
	})
	if err != nil || len(apart) == 0 {
		return nil, err
	}
	return apart, look(func(id string, x *ragtruthRow) {
		if _, wanted := apart[id]; wanted && begins(x.Info) != 0 {
			apart[id] = bytes.Clone(x.Info)
		}
	})
}

// draft reads a row with an answer. Its source is in the row, or in apart under the source's id.
func (x *ragtruthRow) draft(path string, apart map[string]json.RawMessage) (*draft, error) {
	d := newDraft(path, "response")
	d.head.ExternalID, _ = rowID(x.ID)
	d.head.Model = x.Model
	d.say(*x.Response, "")
	id, _ := rowID(x.SourceID)
	info := x.Info
	if begins(info) == 0 {
		info = apart[id]
	}
	if begins(info) == 0 {
		return nil, domain.Refuse(domain.Invalid, joined(path, "source_info"), "refused_in_ragtruth",
			"Name", words.Quoted(strictjson.Clip(id)))
	}
	if err := d.sourceInfo(joined(path, "source_info"), "source "+id, info); err != nil {
		return nil, err
	}
	for i := range x.Labels {
		d.labelled(joined(path, at("labels", i, "")), &x.Labels[i])
	}
	return d, nil
}

// sourceInfo reads the source of a task: a text to summarise, a question with passages, or a record.
func (d *draft) sourceInfo(path, id string, raw json.RawMessage) error {
	switch begins(raw) {
	case '"':
		var s string
		if err := sub(path, raw, &s); err != nil {
			return err
		}
		d.passage(path, id, id, s)
		return nil
	case '{':
	default:
		return domain.Refuse(domain.Invalid, path, "json_is", "What", strictjson.TypeName(raw[0]),
			"Wanted", words.Msg("noun_text_object"))
	}
	var fields map[string]json.RawMessage
	if err := sub(path, raw, &fields); err != nil {
		return err
	}
	known := texts(fields)
	if p := known["passages"]; p != "" {
		d.head.Query = known["question"]
		for i, words := range strings.Split(p, "\n\n") {
			if !blank(words) {
				d.passage(path+".passages", fmt.Sprintf("%s/%d", id, i+1), fmt.Sprintf("Passage %d", i+1), words)
			}
		}
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) { // a record: each field is a passage
		d.passage(joined(path, key), id, id, key+": "+plainJSONText(fields[key]))
	}
	return nil
}

// labelled reads one labelled part.
func (d *draft) labelled(path string, l *spanLabel) {
	d.marks = append(d.marks, mark{
		path: path, kind: "label", said: quoted{words: l.Text, from: l.Start, to: l.End}, label: l.upstream(),
	})
}

// upstream maps a label of RAGTruth's taxonomy (rule F-7): a conflict contradicts, a baseless part was not found, and a
// part that is true but not in the source is weak.
func (l *spanLabel) upstream() *upstreamVerdict {
	v := &upstreamVerdict{Label: l.LabelType, Score: l.Confidence, Reason: clipped(cmp.Or(l.Meta, l.words()), maxReason)}
	for _, s := range []string{l.Category, l.Sub, l.Label} {
		if s != "" && v.Label == "" {
			v.Label = s
		}
	}
	name := strings.ToLower(l.LabelType + " " + l.Category + " " + l.Sub + " " + l.Label)
	switch {
	case l.Implicit:
		v.Verdict = ledger.Weak
	case strings.Contains(name, "conflict"), strings.Contains(name, "contradict"):
		v.Verdict = ledger.Contradicted
	case strings.Contains(name, "baseless"), strings.Contains(name, "hallucinat"), strings.Contains(name,
		"unsupported"), strings.Contains(name, "fabricat"):
		v.Verdict = ledger.NotFound
	}
	return v
}
