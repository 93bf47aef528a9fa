package claims

import (
	"regexp"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

var (
	jointPattern = regexp.MustCompile(`, and |; (?:and )?|،? و|؛ ?`)
	verbs        = text.FoldAll(`is`, `are`, `was`, `were`, `has`, `have`, `had`, `can`, `cannot`, `may`, `must`, `shall`,
		`will`, `should`, `does`, `receives`, `receive`, `received`, `gets`, `get`, `requires`, `require`, `applies`,
		`apply`,
		`provides`, `includes`, `include`, `begins`, `ends`, `expires`, `expire`, `costs`, `cost`, `lasts`, `carry`,
		`carries`, `takes`, `take`, `needs`, `need`, `allows`, `earns`, `earn`, `accrue`, `accrues`, `remains`,
		`became`, `rose`, `fell`, `grew`)
	arabicVerbs = text.FoldAll(`يجب`, `يحق`, `يمكن`, `يجوز`, `يبلغ`, `تبلغ`, `يستحق`, `تستحق`, `يحصل`, `تحصل`, `هو`, `هي`,
		`كان`, `كانت`, `ينتهي`, `تنتهي`, `يبدا`, `تبدا`, `يلزم`, `تحتاج`, `يحتاج`, `تستغرق`, `يستغرق`, `تشمل`, `يشمل`)
	subordinates = text.FoldAll(`if`, `when`, `while`, `unless`, `although`, `though`, `because`, `since`, `after`, `before`,
		`until`, `where`, `whether`, `both`, `either`, `neither`, `اذا`, `لو`, `عندما`, `حين`, `بعد`, `قبل`, `ما لم`,
		`كل من`, `سواء`)
	dependents = text.FoldAll(`they`, `it`, `he`, `she`, `this`, `that`, `these`, `those`, `which`, `who`, `then`,
		`therefore`, `thus`, `so`, `only`, `not`, `also`, `their`, `its`, `his`, `her`)
)

// maxJoint is the greatest length, in bytes, of a sentence that is cut: a longer one is a list, or no sentence at all.
const maxJoint = 800

// coordinated cuts a sentence where two facts are joined and each stands alone: "X has 15 days, and Y has 5". Where
// that isn't plain the sentence stays whole; half a claim misleads more than a double one.
func coordinated(p phrase) []phrase {
	if len(p.s) > maxJoint || opens(text.Spaced(p.s), subordinates) || framed(p.s) {
		return []phrase{p}
	}
	for _, m := range jointPattern.FindAllStringIndex(p.s, -1) {
		joint := p.s[m[0]:m[1]]
		left, right := p.slice(0, m[0]), p.slice(m[1], len(p.s))
		if strings.HasPrefix(joint, "؛") {
			if !arabicSentence(left.s) || !arabicSentence(right.s) {
				continue
			}
		} else if strings.HasSuffix(joint, "و") {
			if joint == " و" { // an attached "and" without a comma joins anything
				continue
			}
			if !arabicAlone(left.s) || !arabicAlone(right.s) {
				continue
			}
		} else if !englishAlone(left.s) || !englishAlone(right.s) || joint == ", and " && listed(left.s) {
			continue
		}
		return append([]phrase{left}, coordinated(right)...)
	}
	return []phrase{p}
}

// framing are the words that open a phrase which says of what or when all of a sentence holds.
var framing = text.FoldAll(`in`, `on`, `at`, `for`, `under`, `during`, `by`, `with`, `within`, `from`, `as of`,
	`according to`, `to`, `per`, `of`, `among`, `outside`, `without`, `في`, `خلال`, `بموجب`, `وفقا ل`, `حسب`, `منذ`,
	`لدى`, `عند`)

// framed reports whether a sentence opens with such a phrase and a comma: "In 2020, X rose, and Y fell".
func framed(s string) bool {
	head, _, ok := strings.Cut(strings.ReplaceAll(s, "،", ","), ",")
	words := text.Spaced(head)
	return ok && opens(words, framing) && !has(words, verbs) && !has(words, arabicVerbs)
}

// listedWords is the most words of an item of a list.
const listedWords = 3

// listed reports whether a part ends in a short item after a comma, so that "and" goes on with the list: "quality,
// speed, and …".
func listed(left string) bool {
	at := strings.LastIndex(left, ", ")
	return at >= 0 && len(strings.Fields(left[at:]))-1 <= listedWords && !has(text.Spaced(left[at:]), verbs)
}

// englishAlone reports whether a part has a subject of its own, that is not a pronoun, before a finite verb.
func englishAlone(s string) bool {
	words := text.Spaced(s)
	if opens(words, dependents) || opens(words, subordinates) || opens(words, verbs) {
		return false
	}
	return strings.Count(words, " ") > 3 && has(words, verbs)
}

// arabicSentence reports whether what is next to a semicolon is a sentence: at least three words with a known verb.
func arabicSentence(s string) bool {
	words := text.Spaced(s)
	return !opens(words, subordinates) && has(words, arabicVerbs) && strings.Count(words, " ") > 3
}

// arabicAlone reports whether a part has a number, a known verb or copula, and a definite noun: Arabic verbs carry
// their subject, so that a part without a noun of its own depends on the other.
func arabicAlone(s string) bool {
	words := text.Spaced(s)
	if opens(words, subordinates) || !has(words, arabicVerbs) {
		return false
	}
	noun, number := false, quantity.HasNumber(s)
	for i, t := range text.Tokens(s) {
		number = number || t.Kind == text.Number
		noun = noun || i < 3 && (strings.HasPrefix(t.Norm, "ال") || strings.HasPrefix(t.Norm, "لل"))
	}
	return noun && number
}
