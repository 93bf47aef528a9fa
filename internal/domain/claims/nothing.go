package claims

import (
	"regexp"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// Phrases that open a greeting, an offer, a closing, or a remark about the answer itself, folded.
var (
	chatter = text.FoldAll(
		`hello`, `hi`, `dear`, `good morning`, `good afternoon`, `good evening`, `welcome`, `greetings`, `thank you`,
		`thanks`, `best regards`, `kind regards`, `regards`, `sincerely`,
		`you are welcome`, `you're welcome`, `i hope`, `hope this`, `hope that helps`, `let me`, `please let me know`,
		`let us know`, `feel free`, `please feel free`, `don't hesitate`, `do not hesitate`, `please don't hesitate`,
		`please do not hesitate`, `if you have any`, `if you need`, `if you would like`, `if you'd like`,
		`should you have any`, `i'd be happy`, `i would be happy`, `i'm happy`, `i am happy`, `i'll`, `i will`,
		`i can help`,
		`as an ai`, `i'm an ai`, `i am an ai`, `i'm sorry`, `i am sorry`, `i apologize`, `i apologise`, `sorry`,
		`great question`, `good question`, `that's a great question`, `sure here`, `certainly here`, `of course here`,
		`here is what`, `here's what`, `this is what i found`, `i found the following`, `i have found the following`,
		`اليك ما`, `اليكم ما`, `هذا ما وجدته`, `وجدت ما يلي`,
		`sure i`, `certainly i`, `of course i`, `sure let`, `absolutely here`, `i cannot find`, `i could not find`,
		`i couldn't find`, `i don't know`, `i do not know`, `is there anything`, `happy to help`, `glad to help`,
		`مرحبا`, `اهلا`, `اهلا وسهلا`, `السلام عليكم`, `تحيه طيبه`, `صباح الخير`, `مساء الخير`, `عزيزي`, `عزيزتي`,
		`شكرا`, `شكرا لك`, `مع التحيه`, `مع تحياتي`, `تحياتي`, `آمل ان`, `نامل ان`, `اتمنى ان`, `نتمنى ان`, `ارجو ان`,
		`لا تتردد`, `لا تترددي`, `اذا كان لديك`, `اذا كانت لديك`, `ان كان لديك`, `اذا احتجت`, `يسعدني`, `يسرني`,
		`بكل سرور`, `سؤال رائع`, `سؤال جيد`, `عذرا`, `آسف`, `اعتذر عن`, `اعتذر لك`, `اعتذر لكم`, `اعتذر لعدم`,
		`اعتذر لاني`, `اعتذر لكن`, `اعتذر ولكن`, `بالتاكيد اليك`, `بالطبع اليك`, `تفضل`, `بالتوفيق`,
		`بصفتي نموذجا`, `كنموذج لغوي`, `لا اعلم`, `لا ادري`, `لا اعرف`,
	)
	presenting = text.FoldAll(`here is`, `here are`, `here's`, `below is`, `below are`, `the following is`, `اليك`, `اليكم`,
		`فيما يلي`, `في ما يلي`, `هذه هي`, `هذا هو`)
	pointing = text.FoldAll(`following`, `below`, `as follows`, `here is`, `here are`, `these`, `التالي`, `التاليه`,
		`الاتي`, `الاتيه`, `يلي`, `كالتالي`, `كالاتي`, `ادناه`)
	// unfinished ends a sentence that a list goes on with: "The key points are:"
	unfinished = text.FoldAll(`is`, `are`, `was`, `were`, `include`, `includes`, `included`, `namely`, `هي`, `هو`,
		`تشمل`, `يشمل`, `كانت`, `ومنها`)
	about = text.FoldAll(`summary`, `overview`, `answer`, `breakdown`, `list`, `information`, `details`, `explanation`,
		`response`, `ملخص`, `اجابه`, `الاجابه`, `قائمه`, `شرح`, `تفاصيل`, `نظره`)
)

// has reports whether one of the phrases is in words, in Arabic also after an attached و or ف.
func has(words string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(words, " "+p+" ") || p[0] >= 0x80 && (strings.Contains(words, " و"+p+" ") ||
			strings.Contains(words, " ف"+p+" ")) {
			return true
		}
	}
	return false
}

// opens reports whether words begin with one of the phrases.
func opens(words string, phrases []string) bool {
	for _, p := range phrases {
		if strings.HasPrefix(words, " "+p+" ") {
			return true
		}
	}
	return false
}

var articles = text.FoldAll(`a`, `an`)

// quotedQuestion is a statement that ends with a quoted question: it was called "Who?".
var quotedQuestion = regexp.MustCompile(`[?؟？]["'»”’)\]*_]+[.。۔]$`)

var questionPattern = regexp.MustCompile(`[?؟？]["'»”’)\]*_ !]*$`)

// saysNothing reports whether a sentence states nothing to check: a question, chatter, words that only announce a list
// or the answer, or too few words. intro is set where it ended with a colon.
func saysNothing(s string, intro bool) bool {
	if questionPattern.MatchString(s) {
		return true
	}
	words := text.Spaced(s)
	if opens(words, chatter) || intro && has(words, pointing) {
		return true
	}
	ends := func(word string) bool { return strings.HasSuffix(words, " "+word+" ") }
	if intro && slices.ContainsFunc(unfinished, ends) {
		return true
	}
	if opens(words, presenting) && (intro || has(words, about)) {
		return true
	}
	content, number := 0, false
	tokens := text.Tokens(s)
	for _, t := range tokens {
		if !t.Stop {
			content++
		}
		number = number || t.Kind == text.Number
	}
	if content == 1 && has(words, verbs) && has(words, articles) {
		return false // "He is an actor."
	}
	return content < 2 && !(number && len(tokens) > 1)
}
