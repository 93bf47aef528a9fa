package judge

import "strings"

var (
	mustWords    = folded(`must`, `shall`, `required`, `mandatory`, `has to`, `have to`, `obliged`, `always`, `guaranteed`, `automatically`, `يجب`, `يلزم`, `يتعين`, `الزامي`, `يلتزم`, `ملزم`, `لا بد`)
	mayWords     = folded(`may`, `can`, `might`, `could`, `optional`, `sometimes`, `encouraged`, `يجوز`, `يمكن`, `قد`, `اختياري`, `له ان`, `يحق`)
	allWords     = folded(`all`, `every`, `each`, `always`, `جميع`, `كل`, `كافه`, `دائما`)
	someWords    = folded(`some`, `certain`, `most`, `many`, `several`, `few`, `sometimes`, `usually`, `بعض`, `معظم`, `اغلب`, `احيانا`)
	conditionals = folded(`at the discretion`, `discretion of`, `at its discretion`, `sole discretion`, `case by case`, `subject to approval`, `subject to availability`, `subject to operational`,
		`وفقا لتقدير`, `حسب تقدير`, `بناء على تقدير`, `رهنا بموافقه`, `بشرط موافقه`)
)

// exceptions are weaker: they stand in most rules without touching what a claim says of them.
var exceptions = folded(`subject to`, `provided that`, `only if`, `unless`, `except`, `excluding`, `with the approval`, `with prior approval`, `بشرط`, `شريطه`, `ما لم`, `الا اذا`, `باستثناء`, `بموافقه`)

// excepts tells whether the evidence makes an exception that the claim leaves out.
func (w *window) excepts() bool {
	return !has(w.query.words, exceptions) && has(w.words(), exceptions)
}

// qualification names how the evidence says less than the claim: it permits what the claim requires, speaks of some
// where the claim speaks of all, or makes a condition that the claim leaves out. "" when it doesn't.
func (w *window) qualification() string {
	claim, evidence := w.query.words, w.words()
	switch {
	case has(claim, mustWords) && has(evidence, mayWords) && !has(evidence, mustWords):
		return "The claim requires what the source only permits."
	case has(claim, allWords) && has(evidence, someWords) && !has(evidence, allWords):
		return "The claim speaks of all, the source of some."
	case has(evidence, conditionals) && !has(claim, conditionals):
		return "The source makes a condition that the claim leaves out."
	}
	return ""
}

// words is the window's words as spaced gives them.
func (w *window) words() string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		b.WriteString(t.Norm)
		b.WriteByte(' ')
	}
	return b.String()
}
