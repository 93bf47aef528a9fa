package claims

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answers say where they have a thing from: "(Passage 2)", "According to document 1, …", "As noted in source 3, …".
// That is not part of what they claim. An article or a section with its number is: laws have them.
var (
	sourceNames     = `(?:passages?|documents?|sources?|contexts?|excerpts?|snippets?|المقطع|المستند|المصدر)`
	numbersPattern  = `(?:\s*(?:#|no\.?|number|رقم)?\s*\d{1,2}(?:\s*(?:,|،|and|&|or|و)\s*\d{1,2})*)`
	bracketedSource = regexp.MustCompile(`(?i)[(\[]\s*(?:see |from |in |as per |according to |راجع |انظر )?` +
		sourceNames + numbersPattern + `\s*[)\]]`)
	numberedSource = regexp.MustCompile(`(?i)(?:\b|^)(?:(?:according to|as (?:noted|mentioned|stated|suggested|described|explained|discussed|shown) (?:in|by)|based on|as per|from|in|وفقا ل|بحسب|حسب)\s+)?(?:the\s+)?` + sourceNames + numbersPattern + `(?:\s+(?:states?|suggests?|mentions?|notes?|says?|explains?|describes?|highlights?|indicates?|adds?|provides?)(?:\s+that)?)?\s*,?`)
	givenSource    = regexp.MustCompile(`(?i)(?:according to|based on|as (?:noted|mentioned|stated|described) in|from)\s+(?:the\s+)?(?:given|provided|above|following)?\s*(?:passages?|documents?|sources?|context|texts?|information)(?:\s+(?:given|provided|above))?\s*,`)
	// sayingSource: what a source is said to say is what it must say
	sayingSource = regexp.MustCompile(`(?i)^\s*(?:(?:the|this)\s+(?:web ?page|page|document|source|passage|excerpt|text|file|web ?site|context)\s+(?:clearly |explicitly |also )?(?:says|states|notes|mentions|explains|indicates|confirms|specifies|shows)\s+that\s+|` +
		`(?:[تي](?:قول|ذكر|نص|فيد|بين|وضح|ؤكد)|[تي]شير)\s+(?:هذه |هذا )?(?:الصفحة|الوثيقة|المستند|المصدر|المقطع|النص|الملف|الموقع)\s+(?:على |إلى )?(?:أن|إن|بأن)\s+)`)
	opening = regexp.MustCompile(`(?i)^\s*(?:(?:however|therefore|thus|hence|additionally|furthermore|moreover|overall|in addition|in conclusion|in summary|finally|also|for example|for instance|similarly|consequently|ومع ذلك|لذلك|بالإضافة إلى ذلك|علاوة على ذلك|أخيرا|وأخيرا)\s*[,،]\s*)+`)
	label   = regexp.MustCompile(`(?i)^\s*(?:(?:option|step|tip|method|reason|point|item|الخطوة|الخيار)\s*\d{1,2}|\d{1,2}[.)])\s*[:.–-]?\s+`)
)

// answerPattern is the answer to a question before the statement itself: "Yes, …". It is not a word of the claim.
var answerPattern = regexp.MustCompile(`(?i)^\s*(?:yes|no|نعم|لا|كلا|أجل)\s*[,،:.!–—]\s+`)

// longestOpening is the greatest length, in bytes, of an opening like "in addition".
const longestOpening = 60

// Statement takes out of a claim what an answer says about itself and its sources, unless nothing would be left.
func Statement(claim string) string {
	out := claim
	if begins(out, "yn") {
		out = answerPattern.ReplaceAllString(out, "")
	}
	if begins(out, "ostmrpi0123456789") && strings.ContainsAny(out[:min(len(out), longestOpening)], digits) {
		out = label.ReplaceAllString(out, "")
	}
	if namesSource(out) {
		if numbersSource(out) {
			out = bracketedSource.ReplaceAllString(out, "")
			out = numberedSource.ReplaceAllString(out, " ")
		}
		if strings.Contains(out, ",") {
			out = givenSource.ReplaceAllString(out, " ")
		}
	}
	if begins(out, "t") {
		out = sayingSource.ReplaceAllString(out, "")
	}
	if begins(out, "htafmoisc") && commaBefore(out, longestOpening) {
		out = opening.ReplaceAllString(out, "")
	}
	if strings.IndexFunc(strings.TrimSpace(out), unicode.IsSpace) < 0 {
		return claim
	}
	return out
}

const digits = "0123456789"

// sourceReach is the greatest distance, in bytes, from the start of a source's name to its number: "المستندات رقم" is
// longer than others.
const sourceReach = 32

// numbersSource is a cheap test of whether a claim may name a source by its number.
func numbersSource(claim string) bool {
	for i := range len(claim) {
		if c := claim[i]; c < '0' || c > '9' || i > 0 && strings.IndexByte(digits, claim[i-1]) >= 0 {
			continue
		}
		before := strings.ToLower(claim[max(0, i-sourceReach):i])
		for _, h := range sourceHints {
			if strings.Contains(before, h) {
				return true
			}
		}
	}
	return false
}

// begins is a cheap test of whether a pattern may match the beginning of a text: its first character is one of some
// ASCII letters of either case, or none of ASCII.
func begins(s, letters string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return true
		case c == ' ' || '\t' <= c && c <= '\r':
		default:
			return strings.IndexByte(letters, c) >= 0 || 'A' <= c && c <= 'Z' && strings.IndexByte(letters,
				c+'a'-'A') >= 0
		}
	}
	return false
}

// commaBefore reports whether the first comma is before byte n.
func commaBefore(s string, n int) bool {
	head := s[:min(len(s), n+1)] // an Arabic comma has two bytes
	return strings.IndexByte(head, ',') >= 0 && strings.IndexByte(head, ',') < n || strings.Contains(head, "،")
}

// sourceHints are parts of the words by which answers name their sources, without their first letter's case.
var sourceHints = []string{"assage", "ocument", "ource", "ontext", "ext", "xcerpt", "nippet", "nformation", "المقطع",
	"المستند", "المصدر"}

// namesSource is a cheap test of whether a claim may mention its sources.
func namesSource(claim string) bool {
	for _, h := range sourceHints {
		if strings.Contains(claim, h) {
			return true
		}
	}
	return false
}
