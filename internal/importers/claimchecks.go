package importers

import (
	"encoding/json"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// RefChecker and SAFE (rule F-7): claims that a tool extracted from an answer and judged. The claims are imported with
// the tool's verdicts beside ours.

type refcheckerRow struct {
	ID        json.RawMessage   `json:"id"`
	Question  string            `json:"question"`
	Response  string            `json:"response"`
	Reference json.RawMessage   `json:"reference"` // a text or texts
	Claims    []json.RawMessage `json:"claims"`    // [head, relation, tail] or a text
	Labels    []json.RawMessage `json:"ys"`        // one label, or one per reference
	Overall   json.RawMessage   `json:"Y"`
}

func readRefChecker(r row) (*draft, error) {
	var x refcheckerRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "response")
	d.head.ExternalID, _ = rowID(x.ID)
	d.head.Query = x.Question
	d.say(x.Response, "")
	list, err := oneOrMore(joined(r.path, "reference"), x.Reference)
	if err != nil {
		return nil, err
	}
	d.contexts(joined(r.path, "reference"), list, nil)
	for i, raw := range x.Claims {
		path := joined(r.path, at("claims", i, ""))
		said, err := oneOrMore(path, raw)
		if err != nil {
			return nil, err
		}
		c := statement{path: path, text: strings.Join(said, " ")}
		if blank(c.text) {
			d.skip(path, words.Msg("warning_claim_words"))
			continue
		}
		if i < len(x.Labels) {
			labels, err := oneOrMore(joined(r.path, at("ys", i, "")), x.Labels[i])
			if err != nil {
				return nil, err
			}
			c.upstream = entailment(labels)
		}
		d.claims = append(d.claims, c)
	}
	if n := len(x.Labels); n > 0 && n != len(x.Claims) {
		d.skip(joined(r.path, "ys"), words.Msg("warning_labels_count", "Claims", len(x.Claims), "N", n))
	}
	d.score("Y", x.Overall)
	return d, nil
}

// entailment maps the labels of a claim, one per reference. As in RefChecker, one supporting reference is enough.
func entailment(labels []string) *upstreamVerdict {
	v := &upstreamVerdict{Label: clipped(strings.Join(labels, ", "), 200)}
	for _, l := range labels {
		switch {
		case strings.EqualFold(l, "Entailment"):
			v.Verdict = ledger.Supported
		case strings.EqualFold(l, "Contradiction") && v.Verdict != ledger.Supported:
			v.Verdict = ledger.Contradicted
		case strings.EqualFold(l, "Neutral") && v.Verdict == "":
			v.Verdict = ledger.NotFound
		}
	}
	return v
}

type safeFile struct {
	Prompt   string     `json:"prompt"`
	Response string     `json:"response"`
	Checked  []safeFact `json:"checked_statements"`
	safeFact
	Prompts []struct { // a whole run of up to two models
		First  *safeFile `json:"side1_posthoc_eval_data"`
		Second *safeFile `json:"side2_posthoc_eval_data"`
	} `json:"per_prompt_data"`
}

type safeFact struct {
	Sentence   string          `json:"sentence"`
	Fact       string          `json:"atomic_fact"`
	Contained  string          `json:"self_contained_atomic_fact"`
	Rate       json.RawMessage `json:"rate_data"`
	Annotation string          `json:"annotation"`
}

// readSAFE reads the facts of a response: an object with checked_statements, facts as rows, or a whole run.
func readSAFE(rows rowSource, give func(*draft) error) error {
	n, facts := 0, newDraft("", "sentence")
	next := func(d *draft) error {
		n++
		return give(d)
	}
	err := rows.each(func(r row) error {
		var f safeFile
		if err := r.into(&f); err != nil {
			return next(&draft{path: r.path, fault: err})
		}
		for i, p := range f.Prompts {
			for _, side := range []struct {
				of   *safeFile
				name string
			}{{p.First, "side1_posthoc_eval_data"}, {p.Second, "side2_posthoc_eval_data"}} {
				if side.of == nil {
					continue
				}
				if err := next(side.of.draft(joined(r.path, at("per_prompt_data", i, side.name)))); err != nil {
					return err
				}
			}
		}
		switch {
		case f.Prompts != nil:
		case f.Checked == nil:
			facts.safeFact(r.path, &f.safeFact, true)
		default:
			return next(f.draft(r.path))
		}
		return nil
	})
	if err == nil && (len(facts.claims) > 0 || n == 0) {
		err = give(facts)
	}
	return err
}

// draft returns the draft of a response whose facts were checked.
func (f *safeFile) draft(path string) *draft {
	d := newDraft(path, "response")
	d.head.Query = f.Prompt
	d.say(f.Response, "")
	for i := range f.Checked {
		d.safeFact(joined(path, at("checked_statements", i, "")), &f.Checked[i], f.Response == "")
	}
	return d
}

// safeFact adds a fact; with say also its sentence, once.
func (d *draft) safeFact(path string, f *safeFact, say bool) {
	if say && !strings.HasSuffix(d.text.String(), f.Sentence) {
		d.say(f.Sentence, " ")
	}
	said := f.Contained
	if blank(said) {
		said = f.Fact
	}
	if blank(said) {
		d.skip(path, words.Msg("warning_fact_words"))
		return
	}
	v := &upstreamVerdict{Label: clipped(f.Annotation, 200), Reason: f.reasoning()}
	switch strings.ToLower(strings.ReplaceAll(f.Annotation, "_", " ")) {
	case "supported":
		v.Verdict = ledger.Supported
	case "not supported":
		v.Verdict = ledger.NotFound
	case "irrelevant":
		if v.Reason == "" {
			v.Reason = "SAFE found this fact irrelevant to the question."
		}
	}
	d.claims = append(d.claims, statement{path, said, v})
}

// reasoning returns what the rater wrote before its annotation.
func (f *safeFact) reasoning() string {
	var rated struct {
		Response string `json:"response"`
		Answer   string `json:"answer"`
	}
	if begins(f.Rate) != '{' || sub("", f.Rate, &rated) != nil {
		return ""
	}
	return clipped(strings.TrimSpace(rated.Response), maxReason)
}
