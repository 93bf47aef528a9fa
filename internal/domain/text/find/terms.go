package find

import "sanad/internal/domain/text"

// Term is what a text must have to be found: a word in any inflection, or a figure in any notation.
type Term struct {
	Stem string
	Norm string   // folded, as it was typed; of a figure in several words its decimal
	Also []string // other stems that stand for it
}

// Terms returns what a query searches for, each once. Stop words count only if there are no others.
func Terms(query string) []Term {
	tokens := text.Tokens(query)
	found := figures(query, tokens)
	var out, stops []Term
	seen := map[string]bool{}
	add := func(t Term, stop bool) {
		switch {
		case seen[t.Stem]:
			return
		case stop:
			stops = append(stops, t)
		default:
			out = append(out, t)
		}
		seen[t.Stem] = true
	}
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		for len(found) > 0 && found[0].End <= t.Start {
			found = found[1:]
		}
		if len(found) == 0 || found[0].Start > t.Start {
			add(Term{Stem: t.Stem, Norm: t.Norm}, t.Stop)
			i++
			continue
		}
		first := i
		for i++; i < len(tokens) && tokens[i].Start < found[0].End; {
			i++
		}
		if f := &found[0]; i == first+1 && !f.whole && !arabicWord(t) {
			add(Term{Stem: t.Stem, Norm: t.Norm, Also: others(f.parts[0], t.Stem)}, false)
		} else {
			for _, forms := range f.parts {
				add(Term{Stem: forms[0], Norm: forms[0], Also: forms[1:]}, false)
			}
		}
	}
	if len(out) == 0 {
		return stops
	}
	return out
}

// arabicWord reports whether a token is a word in Arabic. Different numbers may share a stem there, such as ثلاثون and
// ثلاثة, so such a number is searched for by its decimal alone.
func arabicWord(t *text.Token) bool { return t.Kind == text.Word && text.Script(t.Text) == "ar" }

// others returns the forms that are not one.
func others(forms []string, one string) (out []string) {
	for _, form := range forms {
		if form != one {
			out = append(out, form)
		}
	}
	return out
}
