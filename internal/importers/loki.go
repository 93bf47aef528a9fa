package importers

import (
	"encoding/json"
	"fmt"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Loki reports (rule F-7): claims with the pages that were found for them.

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
	Factual   json.RawMessage `json:"factuality"` // 0 to 1, or a text
}

type lokiEvidence struct {
	Text         string `json:"text"`
	URL          string `json:"url"`
	Reasoning    string `json:"reasoning"`
	Relationship string `json:"relationship"`
}

// readLoki reads a Loki report.
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
			d.skip(path, words.Msg("warning_loki"))
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
			m := mark{path: here, kind: "evidence: " + clipped(e.Relationship, 40), claim: len(d.claims),
				said: quoted{words: plainJSONText(c.Origin), from: c.Start, to: c.End}}
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
