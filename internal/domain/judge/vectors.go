package judge

import "strings"

// Sample is what the model reads of one row: the figures of each passage that was read, in the order of Figures.
type Sample struct {
	Passages [][]float64
	Vetoes   [][]bool
	Kind     []string // "" where nothing in the core can be named
	Rule     []bool
}

// Figures names the figures of a Sample and says which way each may move the likelihood of support.
func Figures() (names []string, signs []int) {
	for _, f := range featureTable {
		names, signs = append(names, f.name), append(signs, f.sign)
	}
	return names, signs
}

// Samples computes what the model reads of a row; an error says why the row is unjudged.
func Samples(row Row) (Sample, error) {
	s := rowSession(row)
	x := NewIndex(s)
	readings, err := x.readAll(strings.TrimSpace(row.Claim))
	var out Sample
	best := 0
	closest := (*window)(nil)
	for i := range readings {
		readings[i].opposing = readings[i].contradicts()
	}
	closest = closestOpposing(readings)
	for i := range readings {
		readings[i].outweigh(closest)
		if readings[i].rank() > readings[best].rank() {
			best = i
		}
	}
	for i := range readings {
		r := &readings[i]
		out.Passages = append(out.Passages, r.figures[:])
		c, _, _ := r.core().difference()
		out.Kind, out.Rule = append(out.Kind, c.Kind), append(out.Rule, r.opposing != nil)
		content, found, _ := r.content()
		rest, _ := r.core().rest(func(*term) bool { return false })
		out.Vetoes = append(out.Vetoes, []bool{!r.sameSense() && rest >= closeMark, r.qualified != "", found < content && content <= shortClaim, r.opposing != nil, r.outweighed, r.lacksNumber(), !r.hasNumbers()})
	}
	if len(readings) > 0 {
		out.Passages[0], out.Passages[best] = out.Passages[best], out.Passages[0]
		out.Kind[0], out.Kind[best] = out.Kind[best], out.Kind[0]
		out.Rule[0], out.Rule[best] = out.Rule[best], out.Rule[0]
		out.Vetoes[0], out.Vetoes[best] = out.Vetoes[best], out.Vetoes[0]
	}
	return out, err
}
