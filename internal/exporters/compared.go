package exporters

import (
	"strings"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/exporters/prose"
)

// comparedJSON is a figure, limit or date of a claim beside what the passage that decides says of it (rule L-41).
type comparedJSON struct {
	About  judge.About    `json:"about"`
	Kind   judge.MarkKind `json:"relation"`
	Claim  *string        `json:"claim"`  // null if the passage alone has it
	Source *string        `json:"source"` // null if the passage has nothing of the kind, or there is none
}

// compared sets the figures, limits and dates of a claim beside those of the passage that decides, in the claim's order;
// all of them stand alone if no passage was found. Of a claim that no judge could judge, nothing was compared.
func compared(e *ledger.Entry) []judge.Pair {
	if e.Claim.Unjudged != "" || len(quantity.Read(e.Claim.Text)) == 0 {
		return nil
	}
	if e.Best == nil {
		return judge.NewContrast(e.Claim.Text, "", &ledger.Match{}).Figures
	}
	list := judge.NewContrast(e.Claim.Text, passageOf(e), e.Best).Figures
	for i := range list {
		list[i].Source = e.Document.Shown(list[i].Source)
	}
	return list
}

// newComparedJSON is compared for the API.
func newComparedJSON(e *ledger.Entry) []comparedJSON {
	out := []comparedJSON{}
	for _, p := range compared(e) {
		x := comparedJSON{About: p.About, Kind: p.Kind}
		if p.Claim != "" {
			x.Claim = &p.Claim
		}
		if p.Source != "" {
			x.Source = &p.Source
		}
		out = append(out, x)
	}
	return out
}

// figures are what claims and their passages say of the same thing, side by side.
func figures() claimLines {
	s := &section{heading: "## Figures Side by Side"}
	return claimLines{s, func(e *ledger.Entry) {
		var said []string
		for _, p := range compared(e) {
			said = append(said, exportTexts.Text("exported.compared", "Claim", orNone(p.Claim), "Source", orNone(p.Source),
				"Relation", exportTexts.Text("exported.compared_"+string(p.Kind))))
		}
		if len(said) > 0 {
			s.item("#%d: %s", e.Claim.Number(), strings.Join(said, "; "))
		}
	}}
}

// orNone returns words on one line, or that there are none.
func orNone(words string) string {
	if words == "" {
		return exportTexts.Text("exported.compared_none")
	}
	return prose.Inline(words)
}
