package judge

import (
	"sanad/internal/domain/text"
)

var (
	mustWords = text.FoldAll(`must`, `shall`, `required`, `mandatory`, `has to`, `have to`, `obliged`, `always`,
		`guaranteed`, `automatically`, `يجب`, `يلزم`, `يتعين`, `الزامي`, `يلتزم`, `ملزم`, `لا بد`)
	mayWords = text.FoldAll(`may`, `can`, `might`, `could`, `optional`, `sometimes`, `encouraged`, `يجوز`, `يمكن`, `قد`,
		`اختياري`, `له ان`, `يحق`)
	allWords  = text.FoldAll(`all`, `every`, `each`, `always`, `جميع`, `كل`, `كافه`, `دائما`)
	someWords = text.FoldAll(`some`, `certain`, `most`, `many`, `several`, `few`, `sometimes`, `usually`, `بعض`, `معظم`,
		`اغلب`, `احيانا`)
	conditionals = text.FoldAll(`at the discretion`, `discretion of`, `at its discretion`, `sole discretion`, `case by case`,
		`subject to approval`, `subject to availability`, `subject to operational`,
		`وفقا لتقدير`, `حسب تقدير`, `بناء على تقدير`, `رهنا بموافقه`, `بشرط موافقه`)
)

// exceptions are weaker: they are in most rules without touching what a claim says of them.
var exceptions = text.FoldAll(`subject to`, `provided that`, `only if`, `unless`, `except`, `excluding`, `with the approval`,
	`with prior approval`, `بشرط`, `شريطه`, `ما لم`, `الا اذا`, `باستثناء`, `بموافقه`)

// qualification returns the id of how the evidence says less than the claim: it permits what the claim requires, speaks
// of some where the claim speaks of all, or makes a condition that the claim leaves out. "" when it doesn't.
func (w *window) qualification() string {
	claim, evidence := w.query.marks, w.marks()
	switch {
	case claim&saysMust != 0 && evidence&saysMay != 0 && evidence&saysMust == 0:
		return "note_must"
	case claim&saysAll != 0 && evidence&saysSome != 0 && evidence&saysAll == 0:
		return "note_all"
	case evidence&saysCondition != 0 && claim&saysCondition == 0:
		return "note_condition"
	}
	return ""
}

// marks are those of the window's sentences.
func (w *window) marks() marks {
	var out marks
	for _, s := range w.chunk.sentences[w.first : w.last+1] {
		out |= s.marks
	}
	return out
}

var (
	extremes = text.FoldAll(`only`, `first`, `last`, `never`, `always`, `all`, `every`, `most`, `best`, `largest`, `biggest`,
		`highest`, `oldest`, `youngest`, `longest`, `sole`, `solely`, `exclusively`, `entirely`, `completely`, `none`,
		`فقط`, `اول`, `اخر`, `ابدا`, `دائما`, `كل`, `جميع`, `اكبر`, `اعلى`, `افضل`)
	hedges = text.FoldAll(`may`, `might`, `could`, `alleged`, `allegedly`, `reportedly`, `rumored`, `rumoured`, `claimed`,
		`claims`, `possible`, `possibly`, `probably`, `likely`, `believed`, `thought`, `planned`, `plans`, `proposed`,
		`considered`, `if`, `قد`, `ربما`, `يحتمل`, `يزعم`, `يعتزم`)
)

// modalityFeatures describes how the window says less than the claim.
func modalityFeatures(v *vector, r *reading) {
	claim, evidence := r.best.query.marks, r.best.marks()
	set := func(f feature, on bool) {
		if on {
			v[f] = 1
		}
	}
	set(modalityLess, claim&saysMust != 0 && evidence&saysMay != 0 && evidence&saysMust == 0)
	set(quantifierLess, claim&saysAll != 0 && evidence&saysSome != 0 && evidence&saysAll == 0)
	set(conditionLess, evidence&saysCondition != 0 && claim&saysCondition == 0)
	set(exceptionLess, claim&saysException == 0 && evidence&saysException != 0)
	set(hedgeLess, evidence&saysHedge != 0 && claim&saysHedge == 0)
	set(extremeLost, claim&extremeMarks&^evidence != 0)
}

// modalities compares what must, should and may be, and whether it is said as a fact.
func (c *comparer) modalities() {
	a, b := c.claim, c.source
	may := func(m *meaning) bool { return m.any(opAllow) || m.any(opMaybe) }
	c.out.modality = a.any(opMust) && !b.any(opMust) && (may(b) || b.any(opShould))
	for _, op := range [...]operator{opSays, opPlan, opMaybe} {
		if b.any(op) && !a.any(opSays) && !a.any(opPlan) && !a.any(opMaybe) && !(op == opMaybe && a.any(opAllow)) {
			c.out.hedged, c.out.planned = true, c.out.planned || op == opPlan && !a.any(opMust)
		}
	}
}
