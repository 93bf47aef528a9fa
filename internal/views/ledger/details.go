package ledger

import (
	"math"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// maxNote bounds a remark of a judge, in code points: it repeats the words of the passage.
const maxNote = 600

// measures lists the judge's figures and the parts of the evidence strength, all as shares of a hundred.
func (v *ClaimView) measures(e *ledger.Entry) {
	if e.Best == nil {
		return
	}
	for _, f := range e.Best.Features {
		v.Features = append(v.Features, FeatureLine{
			Label: feature(v.c, f.Name), Value: f.Value, Shown: v.c.Percent(f.Value), Spoke: newWeight(v.c, f.Weight),
		})
		v.Weighed = v.Weighed || f.Weight != 0
	}
	st := e.Strength
	v.StrengthScore = e.Score
	line := func(id string, value float64) {
		v.Strength = append(v.Strength, FeatureLine{Label: v.c.T(id), Value: value, Shown: v.c.Percent(value)})
	}
	line("strength_similarity", st.SemanticSimilarity)
	v.Strength = append(v.Strength, FeatureLine{Label: v.c.T("strength_count"), Shown: v.c.Num(st.EvidenceCount),
		Count: true})
	line("strength_directness", st.Directness)
	line("strength_quality", st.SourceQuality)
}

// fullWeight is the weight, in log-odds, that fills its half of a bar: the scale is the same for every figure and
// claim.
const fullWeight = 2.0

// The weights, in log-odds, from which a figure is said to speak clearly and strongly.
const (
	clearWeight  = 0.3
	strongWeight = 1.0
)

// newWeight words the weight of a figure; nil for one that says nothing.
func newWeight(c *ui.Chrome, w float64) *Weight {
	shown := c.Decimal(math.Abs(w))
	if shown == c.Decimal(0) {
		return nil
	}
	degree := "little"
	switch {
	case math.Abs(w) >= strongWeight:
		degree = "strongly"
	case math.Abs(w) >= clearWeight:
		degree = "clearly"
	}
	width := ui.Hundredths(min(math.Abs(w)/fullWeight, 1) / 2)
	if w > 0 {
		return &Weight{Shown: "+" + shown, Word: c.T("spoke_for_" + degree), Kind: string(ledger.Supported), X: 50, W: width}
	}
	return &Weight{Shown: "−" + shown, Word: c.T("spoke_against_" + degree), Kind: string(ledger.Contradicted),
		X: 50 - width, W: width}
}

// feature returns the name of a judge's figure; one that the catalogue lacks shows its own name.
func feature(c *ui.Chrome, name string) string {
	id := "feature_" + name
	if s := c.T(id); s != id {
		return s
	}
	return name
}

// ids lists what programs know the claim and its passage by, and words the citation.
func (v *ClaimView) ids(s *ledger.Session, e *ledger.Entry) {
	add := func(id, value string) {
		if value != "" {
			v.IDs = append(v.IDs, ui.Option{Label: v.c.T(id), Value: value})
		}
	}
	add("details_claim", cut(e.Claim.Key, maxListed))
	if e.Document != nil {
		add("details_document", cut(e.Document.Key, maxListed))
	}
	if e.Chunk != nil {
		add("details_hash", e.Chunk.Hash)
	}
	add("details_rules", ruleSet(s))
	if ev := v.Evidence; ev != nil && ev.Hash != "" {
		v.Cited = v.c.Said(domain.Message{ID: "quoted", Args: []any{"Words", cut(e.ShownSnippet(), maxNote)}})
		v.CitedAt = " " + ev.File + ev.Place + " [cite:" + ev.Hash + "]"
		v.Citation = v.Cited + v.CitedAt
	}
}

// ruleSet is the number of the rule set that assessed the session, "" of one that states none.
func ruleSet(s *ledger.Session) string {
	if s.RuleSet == 0 {
		return ""
	}
	return strconv.Itoa(s.RuleSet)
}

// citationID is the element whose words the button copies.
func citationID(v *ClaimView) string { return "cite-" + strconv.Itoa(v.Number) }
