package importers

import (
	"encoding/json"
	"fmt"
	"strings"

	"sanad/internal/domain/ledger"
)

// RefChecker and SAFE (spec page 7 "Evaluation rows"): claims that a tool took out of an answer and judged. The claims
// are taken over with its verdicts beside ours.

type refcheckerRow struct {
	ID        json.RawMessage   `json:"id"`
	Question  string            `json:"question"`
	Response  string            `json:"response"`
	Reference json.RawMessage   `json:"reference"` // a text or texts
	Claims    []json.RawMessage `json:"claims"`    // [head, relation, tail] or a text
	Labels    []json.RawMessage `json:"ys"`        // a label, or one for each reference
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
		words, err := oneOrMore(path, raw)
		if err != nil {
			return nil, err
		}
		c := statement{path: path, text: strings.Join(words, " ")}
		if blank(c.text) {
			d.skip(path, "This claim has no words; it was left out.")
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
	d.score("Y", x.Overall)
	return d, nil
}

// entailment maps the labels that one claim got, one for each reference: any that bears it out counts, as in RefChecker.
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
}

type safeFact struct {
	Sentence   string          `json:"sentence"`
	Fact       string          `json:"atomic_fact"`
	Contained  string          `json:"self_contained_atomic_fact"`
	Rate       json.RawMessage `json:"rate_data"`
	Annotation string          `json:"annotation"`
}

// readSAFE reads the facts of one response: an object with checked_statements, or the facts as rows.
func readSAFE(rows []row) ([]*draft, error) {
	var out []*draft
	facts := newDraft("", "sentence")
	for _, r := range rows {
		var f safeFile
		if err := r.into(&f); err != nil {
			out = append(out, &draft{path: r.path, fault: err})
			continue
		}
		if f.Checked == nil {
			facts.safeFact(r.path, &f.safeFact, true)
			continue
		}
		d := newDraft(r.path, "response")
		d.head.Query = f.Prompt
		d.say(f.Response, "")
		for i := range f.Checked {
			d.safeFact(joined(r.path, at("checked_statements", i, "")), &f.Checked[i], f.Response == "")
		}
		out = append(out, d)
	}
	if len(facts.claims) > 0 || len(out) == 0 {
		out = append(out, facts)
	}
	return out, nil
}

// safeFact takes a fact; with say also its sentence, once.
func (d *draft) safeFact(path string, f *safeFact, say bool) {
	if say && !strings.HasSuffix(d.head.Answer, f.Sentence) {
		d.say(f.Sentence, " ")
	}
	words := f.Contained
	if blank(words) {
		words = f.Fact
	}
	if blank(words) {
		d.skip(path, "This fact has no words; it was left out.")
		return
	}
	v := &upstreamVerdict{Label: clipped(f.Annotation, 200)}
	switch strings.ToLower(strings.ReplaceAll(f.Annotation, "_", " ")) {
	case "supported":
		v.Verdict = ledger.Supported
	case "not supported":
		v.Verdict = ledger.NotFound
	case "irrelevant":
		v.Reason = "SAFE found this fact irrelevant to the question."
	}
	d.claims = append(d.claims, statement{path, words, v})
}

type lokiFile struct {
	Raw     string      `json:"raw_text"`
	Details []lokiClaim `json:"claim_detail"`
}

type lokiClaim struct {
	Claim     string          `json:"claim"`
	Worthy    *bool           `json:"checkworthy"`
	Origin    json.RawMessage `json:"origin_text"`
	Start     *int            `json:"start"`
	End       *int            `json:"end"`
	Evidences []lokiEvidence  `json:"evidences"`
	Factual   json.RawMessage `json:"factuality"` // 0 to 1, or words
}

type lokiEvidence struct {
	Text         string `json:"text"`
	URL          string `json:"url"`
	Reasoning    string `json:"reasoning"`
	Relationship string `json:"relationship"`
}

// readLoki reads a report of Loki: its claims with the pages that it found for them.
func readLoki(r row) (*draft, error) {
	var f lokiFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "raw_text")
	d.say(f.Raw, "")
	for i := range f.Details {
		c, path := &f.Details[i], joined(r.path, at("claim_detail", i, ""))
		if blank(c.Claim) || c.Worthy != nil && !*c.Worthy {
			d.skip(path, "Loki found this not worth checking; it was left out.")
			continue
		}
		d.claims = append(d.claims, statement{path, c.Claim, c.upstream()})
		for j := range c.Evidences {
			e, here := &c.Evidences[j], at(path+".evidences", j, "")
			id := e.URL
			if id == "" {
				id = fmt.Sprintf("evidence %d", len(d.sources)+1)
			}
			s := d.passage(here, id, "", e.Text)
			s.uri = e.URL
			m := mark{path: here, kind: "evidence: " + clipped(e.Relationship, 40), claim: len(d.claims), said: quoted{words: plainJSONText(c.Origin), from: c.Start, to: c.End}}
			m.cite(s, e.Text)
			d.marks = append(d.marks, m)
		}
	}
	return d, nil
}

// upstream maps Loki's factuality, the share of evidence that supports the claim.
func (c *lokiClaim) upstream() *upstreamVerdict {
	v := &upstreamVerdict{Label: clipped(plainJSONText(c.Factual), 200)}
	var share float64
	if b := begins(c.Factual); b == 0 || b == '"' || sub("", c.Factual, &share) != nil {
		if strings.HasPrefix(v.Label, "No evidence") {
			v.Verdict = ledger.NotFound
		}
		return v
	}
	v.Score = &share
	switch {
	case share >= 1:
		v.Verdict = ledger.Supported
	case share <= 0:
		v.Verdict = ledger.Contradicted
	default:
		v.Verdict = ledger.Weak
	}
	return v
}
