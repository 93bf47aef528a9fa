package importers

import (
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// draftedClaims builds the claims: those of the file, the parts that are one claim each, or those that splitting the
// answer gives.
func (b *builder) draftedClaims(d *draft) error {
	claims, err := d.statements(b.s.Answer, b.opt.Claimless)
	if err != nil {
		return err
	}
	if len(claims) > b.opt.Claims {
		return domain.Refuse(domain.TooLarge, d.answerAt, "refused_in_claims", "N", b.opt.Claims)
	}
	for i := range claims {
		claims[i].Position, claims[i].Key = i, fmt.Sprintf("clm_%03d", i+1)
	}
	b.s.Claims = claims
	find := newLocator(b.s.Answer)
	for i, c := range d.claims {
		b.locate(c.path, &b.s.Claims[i], find)
	}
	return nil
}

// statements returns one claim per statement of the file or, if none, splits the answer; none says whether
// that may give none.
func (d *draft) statements(answer string, none bool) ([]ledger.Claim, error) {
	var out []ledger.Claim
	for _, c := range d.claims {
		kind, weight := claims.Classify(c.text)
		out = append(out, ledger.Claim{Text: c.text, Type: kind, Importance: weight, RequiresCitation: true})
	}
	if len(d.claims) > 0 {
		return out, nil
	}
	split := claims.OfAnswer(d.head.Query, d.unmarked(answer))
	if out = withUnits(split, newFinder(answer, d.spend), d.units); len(out) == 0 && !none {
		return nil, domain.Refuse(domain.Invalid, d.answerAt, "refused_in_stated")
	}
	return out, nil
}

// unmarked returns the answer with citation markers replaced by spaces, one per code point, so that they are not part
// of claims and don't join sentences. A marker at the start of a line stays, because spaces there would make code.
func (d *draft) unmarked(answer string) string {
	if len(d.markers) == 0 {
		return answer
	}
	out, r := []byte(nil), text.NewRuler(answer)
	from := 0
	slices.SortFunc(d.markers, func(a, b text.Span) int { return a.Start - b.Start })
	for _, sp := range d.markers {
		start, end := r.Byte(sp.Start), r.Byte(sp.End)
		before := strings.TrimRight(answer[:start], " \t")
		if start < from || before == "" || strings.HasSuffix(before, "\n") {
			continue
		}
		out = append(out, answer[from:start]...)
		out = append(out, strings.Repeat(" ", sp.Len())...)
		from = end
	}
	return string(append(out, answer[from:]...))
}

// withUnits replaces the claims that the split found within units by the units themselves.
func withUnits(split []ledger.Claim, w *finder, units []text.Span) []ledger.Claim {
	var out []ledger.Claim
	next := 0
	for _, sp := range units {
		sp = w.trimmed(sp)
		if sp.Len() == 0 {
			continue
		}
		for ; next < len(split) && split[next].Span.Start < sp.End; next++ {
			if split[next].Span.End <= sp.Start {
				out = append(out, split[next])
			}
		}
		words := w.ruler.Slice(sp)
		kind, weight := claims.Classify(words)
		span := sp
		out = append(out, ledger.Claim{Text: words, Type: kind, Importance: weight, RequiresCitation: true,
			Span: &span})
	}
	return append(out, split[next:]...)
}
