package importers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Ragas rows (ragas src/ragas/dataset_schema.py, rule F-7): SingleTurnSample, the names of older versions (question,
// contexts, answer, ground_truth), and the last answer of multi-turn samples. Statements judged by a faithfulness run
// become the claims, with the run's verdicts as the upstream's.

type ragasRow struct {
	Input      json.RawMessage            `json:"user_input"` // a text, or messages
	Question   string                     `json:"question"`
	Retrieved  []string                   `json:"retrieved_contexts"`
	Contexts   []string                   `json:"contexts"`
	IDs        []json.RawMessage          `json:"retrieved_context_ids"`
	Response   string                     `json:"response"`
	Answer     string                     `json:"answer"`
	Statements []ragasStatement           `json:"statements"`
	Scores     map[string]json.RawMessage `json:"scores"`
}

type ragasStatement struct {
	Statement string `json:"statement"`
	Verdict   *int   `json:"verdict"`
	explanation
}

type ragasTurn struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

func readRagas(r row) (*draft, error) {
	var x ragasRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "response")
	d.say(x.Response, "")
	if x.Response == "" && x.Answer != "" {
		d.answerAt = joined(r.path, "answer")
		d.say(x.Answer, "")
	} else if !blank(x.Answer) && x.Answer != x.Response {
		d.leftOut(joined(r.path, "answer"), "response")
	}
	if err := d.ragasInput(joined(r.path, "user_input"), &x); err != nil {
		return nil, err
	}
	if !blank(x.Question) && x.Question != d.head.Query {
		d.leftOut(joined(r.path, "question"), "user_input")
	}
	list, field := x.Retrieved, "retrieved_contexts"
	switch {
	case list == nil || len(list) == 0 && len(x.Contexts) > 0:
		list, field = x.Contexts, "contexts"
	case len(x.Contexts) > 0 && !slices.Equal(x.Contexts, list):
		d.leftOut(joined(r.path, "contexts"), "retrieved_contexts")
	}
	d.contexts(joined(r.path, field), list, x.IDs)
	for i, s := range x.Statements {
		path := joined(r.path, at("statements", i, ""))
		if blank(s.Statement) {
			d.skip(path, words.Msg("warning_statement_words"))
			continue
		}
		d.claims = append(d.claims, statement{path, s.Statement, s.upstream()})
	}
	if err := d.ragasMetrics(r); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(x.Scores)) {
		d.score(name, x.Scores[name])
	}
	return d, nil
}

// ragasInput reads the question and, if the row has no response, the last answer of a conversation.
func (d *draft) ragasInput(path string, x *ragasRow) error {
	d.head.Query = x.Question
	switch begins(x.Input) {
	case '"':
		return sub(path, x.Input, &d.head.Query)
	case '[':
	default:
		return nil
	}
	var turns []ragasTurn
	if err := sub(path, x.Input, &turns); err != nil {
		return err
	}
	last := ""
	for i, t := range turns {
		switch t.Type {
		case "human":
			d.head.Query = t.Content
		case "ai":
			last = t.Content
		case "tool":
			d.passage(at(path, i, "content"), fmt.Sprintf("tool %d", i+1), "", t.Content)
		}
	}
	if d.length == 0 {
		d.answerAt = path
		d.say(last, "")
	}
	return nil
}

// contexts reads retrieved passages, each as its own source with its id, if there are ids.
func (d *draft) contexts(path string, list []string, ids []json.RawMessage) {
	if len(list) == 0 {
		d.skip(path, words.Msg("warning_contexts"))
	}
	for i, said := range list {
		id, title := "", fmt.Sprintf("Context %d", i+1)
		if i < len(ids) {
			id, _ = rowID(ids[i])
		}
		if blank(said) {
			d.skip(at(path, i, ""), words.Msg("warning_passage_words"))
			continue
		}
		if id != "" {
			title = id
		}
		d.passage(at(path, i, ""), id, title, said)
	}
}

// upstream returns Ragas' verdict on a statement: 1 means that it follows from the contexts, 0 that it does not.
func (s *ragasStatement) upstream() *upstreamVerdict {
	v := &upstreamVerdict{Reason: s.words()}
	if s.Verdict == nil {
		return v
	}
	v.Label = fmt.Sprint(*s.Verdict)
	switch *s.Verdict {
	case 1:
		v.Verdict = ledger.Supported
	case 0:
		v.Verdict = ledger.NotFound
	}
	return v
}

// ragasMetrics keeps the scores that stand beside the sample: what is a number there is the value of a metric.
func (d *draft) ragasMetrics(r row) error {
	var all attributes
	if err := r.into(&all); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if raw := all[name]; begins(raw) != 0 && !ragasTexts[name] && isNumber(plainJSONText(raw)) {
			d.score(name, json.RawMessage(plainJSONText(raw)))
		}
	}
	return nil
}

// ragasTexts are the fields of a sample that may read like a number and are none.
var ragasTexts = map[string]bool{
	"user_input": true, "question": true, "response": true, "answer": true, "reference": true, "ground_truth": true,
	"ground_truths": true, "id": true,
}

// isNumber reports whether a text is a number of JSON.
func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}

// score stores a number or text about the whole answer.
func (d *draft) score(name string, raw json.RawMessage) {
	if value := short(raw); value != nil {
		d.scores = append(d.scores, upstreamScore{Name: clipped(strings.TrimSpace(name), 200), Value: value})
	}
}
