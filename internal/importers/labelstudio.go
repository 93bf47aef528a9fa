package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sanad/internal/words"
)

// Label Studio's exports (label-studio docs/source/guide/task_format.md, rule F-7): a task's data has the question, the
// answer and its documents under names of the project. Labels of parts of a text are kept as the upstream's, choices
// and ratings as scores. JSON has the annotations apart; JSON_MIN, CSV and TSV have one row for each annotation, with
// its results beside the data.

type labelTask struct {
	ID          json.RawMessage   `json:"id"`
	Data        attributes        `json:"data"`
	Annotations []json.RawMessage `json:"annotations"` // some may be ids alone
	Completions []json.RawMessage `json:"completions"` // as old versions name them
	Predictions []json.RawMessage `json:"predictions"`
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
		list []json.RawMessage
	}{{"annotations", x.Annotations}, {"completions", x.Completions}, {"predictions", x.Predictions}} {
		for i, raw := range of.list {
			path := joined(r.path, at(of.name, i, ""))
			var a labelAnnotation
			if begins(raw) != '{' {
				continue
			}
			if err := sub(path, raw, &a); err != nil {
				return nil, err
			}
			if !a.Cancelled {
				d.annotated(path, a.Result)
			}
		}
	}
	return d, nil
}

// annotated takes the results of an annotation: a conversation that the annotator had, an answer that they wrote,
// labels and scores.
func (d *draft) annotated(path string, list []labelResult) {
	chat, chatAt := conversation{d: d}, ""
	for i := range list {
		x, here := &list[i], at(joined(path, "result"), i, "")
		if message := objectOf(x.Value["chatmessage"]); message != nil {
			chat.message(here, message)
			chatAt = here
			continue
		}
		_, written := attributes{x.From: x.Value["text"]}.field(answerFields)
		if x.Type == "textarea" && written != nil {
			if d.length == 0 {
				d.answerAt = joined(here, "value.text")
				d.say(answered(written), "")
			} else {
				d.skip(here, words.Msg("warning_first_choice"))
			}
			continue
		}
		d.labelResult(here, x)
	}
	if chat.answer != "" && d.length == 0 {
		d.head.Query, d.answerAt = cmp.Or(d.head.Query, chat.asked), chatAt
		d.say(chat.answer, "")
	}
}

// labelColumns are the columns of a row that say something of the annotation.
var labelColumns = []string{"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement",
	"history", "comments"}

// maxChoice is how long a text of a row may be that counts as a choice.
const maxChoice = 100

// readLabelRow reads a row of JSON_MIN, CSV or TSV.
func readLabelRow(r row) (*draft, error) {
	var a attributes
	if err := r.into(&a); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "")
	d.head.ExternalID, _ = rowID(a["id"])
	d.namedFields(r.path, a)
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if _, raw := (attributes{key: a[key]}).field(slices.Concat(questionFields, answerFields, documentFields,
			dialogueFields, labelColumns)); raw != nil || begins(a[key]) == 0 {
			continue
		}
		path := joined(r.path, key)
		switch raw := unpacked(a[key]); begins(raw) {
		case '{':
			d.labelResult(path, &labelResult{From: key, Value: objectOf(raw)})
		case '[':
			for i, item := range listOf(raw) {
				if value := objectOf(item); value != nil {
					d.labelResult(at(path, i, ""), &labelResult{Type: "labels", From: key, Value: value})
				}
			}
		default:
			if said := plainJSONText(raw); len(said) <= maxChoice && !blank(said) {
				d.scores = append(d.scores, upstreamScore{Name: clipped(key, 200), Value: number(raw), Label: label(raw)})
			}
		}
	}
	return d, nil
}

// number returns a value that is no text, and label one that is.
func number(raw json.RawMessage) json.RawMessage {
	if begins(raw) == '"' {
		return nil
	}
	return short(raw)
}

func label(raw json.RawMessage) string {
	if begins(raw) != '"' {
		return ""
	}
	return clipped(plainJSONText(raw), 200)
}

// labelResult keeps what an annotator said.
func (d *draft) labelResult(path string, x *labelResult) {
	var all []string
	for _, raw := range listOf(x.Value.first("labels", "hypertextlabels", "paragraphlabels", "choices", "text")) {
		all = append(all, plainJSONText(raw))
	}
	said := strings.Join(all, ", ")
	if part := x.Value["text"]; begins(part) == '"' && strings.HasSuffix(x.Type, "labels") {
		d.labelled(path, &spanLabel{Text: plainJSONText(part), Label: said})
		return
	}
	if value := short(x.Value.first("rating", "number", "selected")); said != "" || value != nil {
		d.scores = append(d.scores, upstreamScore{Name: clipped(x.From, 200), Value: value, Label: clipped(said, 200)})
	}
}
