package importers

import (
	"encoding/json"
	"strings"
)

// Label Studio's JSON export (label-studio docs/source/guide/task_format.md, rule F-7): a task's data has the question,
// the answer and its documents under names of the project. Labels of parts of a text are kept as the upstream's,
// choices and ratings as scores.

type labelTask struct {
	ID          json.RawMessage   `json:"id"`
	Data        attributes        `json:"data"`
	Annotations []labelAnnotation `json:"annotations"`
	Completions []labelAnnotation `json:"completions"` // as old versions name them
	Predictions []labelAnnotation `json:"predictions"`
}

type labelAnnotation struct {
	Cancelled bool          `json:"was_cancelled"`
	Result    []labelResult `json:"result"`
}

type labelResult struct {
	Type  string     `json:"type"`
	From  string     `json:"from_name"`
	Value attributes `json:"value"`
}

func readLabelStudio(r row) (*draft, error) {
	var x labelTask
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "data")
	d.head.ExternalID, _ = rowID(x.ID)
	d.namedFields(joined(r.path, "data"), x.Data)
	for _, of := range []struct {
		name string
		list []labelAnnotation
	}{{"annotations", x.Annotations}, {"completions", x.Completions}, {"predictions", x.Predictions}} {
		for i := range of.list {
			for j := range of.list[i].Result {
				if !of.list[i].Cancelled {
					d.labelResult(joined(r.path, at(of.name, i, at("result", j, ""))), &of.list[i].Result[j])
				}
			}
		}
	}
	return d, nil
}

// labelResult keeps what an annotator said.
func (d *draft) labelResult(path string, x *labelResult) {
	var said []string
	for _, raw := range listOf(x.Value.first("labels", "hypertextlabels", "paragraphlabels", "choices", "text")) {
		said = append(said, plainJSONText(raw))
	}
	words := strings.Join(said, ", ")
	if part := x.Value["text"]; begins(part) == '"' && strings.HasSuffix(x.Type, "labels") {
		d.labelled(path, &spanLabel{Text: plainJSONText(part), Label: words})
		return
	}
	if value := short(x.Value.first("rating", "number")); words != "" || value != nil {
		d.scores = append(d.scores, upstreamScore{Name: clipped(x.From, 200), Value: value, Label: clipped(words, 200)})
	}
}
