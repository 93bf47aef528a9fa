// Package agreement compares verdicts on the same claims: those of several judges with each other and with people, and
// how often the models whose answers are reviewed were wrong (rules L-36, L-37). Pure: the caller loads the verdicts.
package agreement

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
)

// Rater is who gave verdicts: a judge in one version, or people, who are the zero value. A judge that asks a model is
// one rater for each model, and the embedded judge one for each reader, which is named by its digest.
type Rater struct{ Judge, Version, Model, Reader string }

// People are all reviewers: the verdict that stands once it is settled.
var People = Rater{}

// compare orders raters, people last.
func (r Rater) compare(o Rater) int {
	switch {
	case r == o:
		return 0
	case r == People:
		return 1
	case o == People:
		return -1
	}
	return cmp.Or(cmp.Compare(r.Judge, o.Judge), cmp.Compare(r.Model, o.Model), cmp.Compare(r.Version, o.Version),
		cmp.Compare(r.Reader, o.Reader))
}

// RaterOf returns who judged a claim of a run. A verdict that came with the claim has no version. A run of two judges,
// such as "lexical+openai", may state both versions in the same way; that of a judge that asks a model may begin with
// the model. The parameter "own" is the version of the embedded judge beside it.
func RaterOf(run *ledger.Run, judge string, given bool) Rater {
	own, reader := run.Parameters["own"], ""
	if judge == "embedded" {
		reader = run.Reader()
	}
	switch {
	case given:
		return Rater{Judge: judge}
	case (judge == "embedded" || judge == "lexical") && own != "":
		return Rater{Judge: judge, Version: own, Reader: reader}
	}
	version, model := run.Version, run.Parameters["model"]
	if first, _, several := strings.Cut(run.Judge, "+"); several && first != "given" {
		if one, other, both := strings.Cut(version, "+"); both {
			if version = other; judge == first {
				version = one
			}
		}
	}
	return Rater{Judge: judge, Version: strings.TrimPrefix(version, model+"/"), Model: model, Reader: reader}
}

// Claim is the verdicts of several raters on one claim.
type Claim struct {
	Position int
	Type     ledger.ClaimType
	Lang     string // as Language says
	verdicts []verdictOf
}

type verdictOf struct {
	by      Rater
	verdict ledger.Verdict
}

// Add notes a verdict, unless the rater has given one already: what comes first is what counts. Claims that a rater
// left unjudged are not compared.
func (c *Claim) Add(by Rater, v ledger.Verdict) {
	if !v.Valid() || slices.ContainsFunc(c.verdicts, func(x verdictOf) bool { return x.by == by }) {
		return
	}
	c.verdicts = append(c.verdicts, verdictOf{by, v})
}

// Of returns a rater's verdict, "" if none.
func (c *Claim) Of(by Rater) ledger.Verdict {
	for _, x := range c.verdicts {
		if x.by == by {
			return x.verdict
		}
	}
	return ledger.Unjudged
}

// Differs reports whether two of these raters gave different verdicts.
func (c *Claim) Differs(raters []Rater) bool {
	first := ledger.Unjudged
	for _, r := range raters {
		switch v := c.Of(r); {
		case v == ledger.Unjudged:
		case first == ledger.Unjudged:
			first = v
		case v != first:
			return true
		}
	}
	return false
}

// Pair compares two raters over the claims that both have judged. The verdicts of A are the rows of each table.
type Pair struct {
	A, B   Rater
	Table  ledger.Table
	ByType []Part // in the order of ledger.ClaimTypes, those with claims
	ByLang []Part // by language, those with claims
}

// Part is the claims of one type or language.
type Part struct {
	Name  string
	Table ledger.Table
}

// Raters returns who judged any of the claims: judges by name, model and version, people last.
func Raters(claims []Claim) []Rater {
	seen := map[Rater]bool{}
	var out []Rater
	for i := range claims {
		for _, x := range claims[i].verdicts {
			if !seen[x.by] {
				seen[x.by] = true
				out = append(out, x.by)
			}
		}
	}
	slices.SortFunc(out, Rater.compare)
	return out
}

// Compare compares each pair of raters, in their order. A pair that has no claim in common has an empty table.
func Compare(claims []Claim, raters []Rater) []Pair {
	var out []Pair
	for i := range raters {
		for j := i + 1; j < len(raters); j++ {
			out = append(out, pairOf(claims, raters[i], raters[j]))
		}
	}
	return out
}

func pairOf(claims []Claim, a, b Rater) Pair {
	p := Pair{A: a, B: b}
	types, langs := map[string]ledger.Table{}, map[string]ledger.Table{}
	for i := range claims {
		c := &claims[i]
		x, y := c.Of(a), c.Of(b)
		if !x.Valid() || !y.Valid() {
			continue
		}
		p.Table.Add(x, y, 1)
		addTo(types, string(c.Type), x, y)
		addTo(langs, c.Lang, x, y)
	}
	p.ByType, p.ByLang = parts(types, typeOrder), parts(langs, cmp.Compare[string])
	return p
}

func addTo(m map[string]ledger.Table, name string, x, y ledger.Verdict) {
	t := m[name]
	t.Add(x, y, 1)
	m[name] = t
}

func parts(m map[string]ledger.Table, order func(a, b string) int) []Part {
	var out []Part
	for name, t := range m {
		out = append(out, Part{name, t})
	}
	slices.SortFunc(out, func(a, b Part) int { return order(a.Name, b.Name) })
	return out
}

// typeOrder orders types as pages show them.
func typeOrder(a, b string) int {
	return cmp.Or(
		cmp.Compare(slices.Index(ledger.ClaimTypes, ledger.ClaimType(a)),
			slices.Index(ledger.ClaimTypes, ledger.ClaimType(b))), cmp.Compare(a, b))
}

// Share is a count of a whole. A share of few says little: Low and High are its 95 % interval.
type Share struct{ Part, Of int }

// MinShare is the smallest whole whose share is said as a percentage; below it only the counts are.
const MinShare = 10

// Rate returns the share, 0 if the whole is empty.
func (s Share) Rate() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Part) / float64(s.Of)
}

// Interval returns the bounds of the 95 % score interval (Wilson 1927), which stays within 0 and 1 and has a width for
// 0 of n and n of n too. Of an empty whole nothing is known: 0 and 1.
func (s Share) Interval() (low, high float64) {
	if s.Of <= 0 || s.Part < 0 || s.Part > s.Of {
		return 0, 1
	}
	const z = 1.959963984540054 // the 97.5 % quantile of the normal distribution
	n, p := float64(s.Of), s.Rate()
	middle := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}
