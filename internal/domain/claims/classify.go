package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

var (
	defining = text.FoldAll(`is defined as`, `are defined as`, `means`, `refers to`, `refer to`, `stands for`,
		`is the term for`, `shall mean`, `denotes`,
		`هو عباره عن`, `هي عباره عن`, `عباره عن`, `يقصد`, `المقصود`, `يعرف بانه`, `تعرف بانها`, `يعني`, `تعني`,
		`يعرف ب`)
	concluding = text.FoldAll(`this means`, `that means`, `which means`, `means that`, `by means`, `means of`, `all means`,
		`هذا يعني`, `مما يعني`, `ما يعني`)
	obliging = text.FoldAll(`must`, `shall`, `required`, `require`, `requires`, `entitled`, `prohibited`, `prohibits`,
		`forbidden`, `forbids`, `mandatory`, `obliged`, `obligated`, `obligation`, `have to`, `has to`, `need to`,
		`needs to`,
		`must not`, `not allowed`, `not permitted`, `cannot be`, `can not be`, `may not`, `may only`, `is eligible`,
		`are eligible`, `eligible for`, `ineligible`, `subject to approval`, `responsible for`, `should`, `banned`,
		`يجب`, `يلزم`, `تلزم`, `ملزم`, `ملزمه`, `يحق`, `تحق`, `لا يجوز`, `لا تجوز`, `لا يحق`, `يحظر`, `تحظر`, `محظور`,
		`يمنع`, `تمنع`, `ممنوع`, `لا يسمح`, `ينبغي`, `يتعين`, `يتوجب`, `على الموظف ان`, `يشترط`, `تشترط`, `يستحق`,
		`تستحق`, `يستحقون`,
		`مطلوب`, `الزامي`, `لا يمكن`, `الزام`)
	permitting = text.FoldAll(`allowed`, `permitted`, `allows`, `permits`, `can be`, `can only`, `may`, `is authorised`,
		`is authorized`, `are authorised`, `are authorized`,
		`يجوز`, `تجوز`, `يسمح`, `تسمح`, `مسموح`, `يمكن`, `بامكان`)
	guessing = text.FoldAll(`may include`, `may cause`, `may vary`, `may have`, `may lead`, `may occur`, `may result`,
		`may help`, `may contain`, `may indicate`, `may also`, `may differ`, `may depend`, `may affect`, `may take`)
	hedging = text.FoldAll(`generally`, `typically`, `usually`, `often`, `normally`, `commonly`, `probably`, `possibly`,
		`perhaps`, `likely`, `might`, `could`, `in general`, `it seems`, `appears to`, `sometimes`, `tends to`,
		`in most cases`,
		`قد`, `ربما`, `عاده`, `غالبا`, `عموما`, `احيانا`, `من المحتمل`, `من الممكن`, `بشكل عام`, `في الغالب`, `يبدو`,
		`لعل`, `في العاده`)
	introducing = text.FoldAll(`this document`, `this policy describes`, `the document describes`, `this answer`,
		`in summary`, `to summarize`, `to summarise`, `overall`, `in conclusion`, `according to the documents provided`,
		`باختصار`, `خلاصه القول`, `في الختام`, `بشكل مختصر`, `هذا المستند`, `هذه الوثيقه`, `يوضح هذا`)
	limiting = text.FoldAll(`maximum`, `minimum`, `at least`, `at most`, `up to`, `no more than`, `not exceed`,
		`no less than`, `limit`, `limited to`, `within`, `total of`, `more than`, `less than`,
		`الحد الاقصى`, `الحد الادنى`, `بحد اقصى`, `بحد ادنى`, `حد اقصى`, `لا يتجاوز`, `لا تتجاوز`, `لا يزيد`,
		`لا تزيد`, `لا يقل`, `لا تقل`, `خلال`, `اكثر من`, `اقل من`, `على الاقل`, `على الاكثر`)
	labels = text.FoldAll(`article`, `articles`, `section`, `clause`, `paragraph`, `chapter`, `part`, `page`, `phase`,
		`stage`, `step`, `level`, `grade`, `class`, `type`, `version`, `table`, `figure`, `annex`, `appendix`,
		`schedule`,
		`form`, `item`, `rule`, `law`, `decree`, `resolution`, `regulation`, `no`, `number`, `route`, `road`, `berth`,
		`terminal`, `gate`, `pier`, `block`, `room`, `zone`, `line`, `group`, `category`, `question`,
		`الماده`, `ماده`, `الفقره`, `البند`, `الفصل`, `الباب`, `القسم`, `الجزء`, `الصفحه`, `المرحله`, `الخطوه`,
		`المستوى`, `الدرجه`, `الفئه`, `النوع`, `الاصدار`, `الجدول`, `الشكل`, `الملحق`, `النموذج`, `القاعده`, `القانون`,
		`المرسوم`, `القرار`,
		`اللائحه`, `رقم`, `الطريق`, `الرصيف`, `المحطه`, `البوابه`, `الغرفه`, `المنطقه`, `الخط`, `المجموعه`)
	nearly = text.FoldAll(`about`, `around`, `over`, `nearly`, `almost`, `roughly`, `approximately`, `some`, `exactly`,
		`only`, `under`, `above`, `below`, `all`, `another`, `currently`, `today`, `now`)
)

// Classify returns a claim's type and default importance by its words, as for the claims of an answer (rule J-6).
func Classify(claim string) (ledger.ClaimType, ledger.Importance) {
	kind := classify(claim)
	return kind, weigh(claim, kind, false)
}

// classify returns a claim's type. A definition outweighs an obligation or permission, which outweighs a number (rule
// J-6).
func classify(s string) ledger.ClaimType {
	words := text.Spaced(s)
	switch {
	case has(words, defining) && !has(words, concluding):
		return ledger.Definition
	case has(words, obliging), has(words, permitting) && !has(words, guessing):
		return ledger.Policy
	case turnsOnNumber(s, words):
		return ledger.Numeric
	}
	return ledger.Fact
}

// weigh returns a claim's default importance (rule J-6). intro is set where the sentence
// ended with a colon.
func weigh(s string, kind ledger.ClaimType, intro bool) ledger.Importance {
	words := text.Spaced(s)
	switch {
	case intro, has(words, hedging), has(words, guessing), opens(words, introducing):
		return ledger.Minor
	case kind == ledger.Policy && (has(words, obliging) || turnsOnNumber(s, words)):
		return ledger.Critical
	case kind == ledger.Numeric && (measured(s) || counts(s) || has(words, limiting)):
		return ledger.Critical
	}
	return ledger.Material
}

// turnsOnNumber reports whether a claim states an amount: a number with a unit or a limit, a number of something, or
// several that are not years and no name's part.
func turnsOnNumber(s, words string) bool {
	if measured(s) || counts(s) {
		return true
	}
	numbers := 0
	for _, q := range quantity.Read(s) {
		if isBare(&q) && !isWrittenYear(&q) {
			numbers++
		}
	}
	return numbers > 1 || numbers == 1 && has(words, limiting)
}

// measured reports whether s has a number with a unit.
func measured(s string) bool {
	for _, q := range quantity.Read(s) {
		if q.Unit != "" && !q.Implied {
			return true
		}
	}
	return false
}

// isBare reports whether a figure is a number without a unit.
func isBare(q *quantity.Quantity) bool { return q.Kind == quantity.Amount && q.Unit == "" }

// isWrittenYear reports whether a number is written the way years are; 1,350 is not.
func isWrittenYear(q *quantity.Quantity) bool {
	return text.IsYear(q.Value.Float()) && utf8.RuneCountInString(q.Raw) == 4
}

// counts reports whether s says in figures how many there are of something: "1,350 people", "72 kilometres", "4.2
// million containers". A figure after a name or a label is its part: "Article 5 requires", "phase 2 works", "Boeing
// 747 jets".
func counts(s string) bool {
	quantities := quantity.Read(s)
	for i := range quantities {
		q := &quantities[i]
		if !isBare(q) || q.Of == "" || isWrittenYear(q) || !strings.ContainsFunc(q.Raw, unicode.IsDigit) {
			continue
		}
		if strings.ContainsFunc(q.Raw, isGrouping) || !isNumberOf(text.Slice(s, text.Span{End: q.Start})) {
			return true
		}
	}
	return false
}

// isGrouping reports whether r is what no number of a name has: a mark between thousands, or a word such as million.
func isGrouping(r rune) bool { return r == ',' || r == '٬' || unicode.IsLetter(r) }

// isNumberOf reports whether the last word of head has the number after it for a part: it is a label, or a name with a
// capital letter.
func isNumberOf(head string) bool {
	tokens := text.Tokens(head)
	if len(tokens) == 0 {
		return false
	}
	t := &tokens[len(tokens)-1]
	if !strings.HasSuffix(strings.TrimRightFunc(head,
		func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '.' }), t.Text) {
		return false // a mark parts them
	}
	first, _ := utf8.DecodeRuneInString(t.Text)
	return has(text.Spaced(t.Text), labels) || unicode.IsUpper(first) && !t.Stop && !has(text.Spaced(t.Text), nearly)
}
