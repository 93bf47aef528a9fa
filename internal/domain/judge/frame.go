package judge

import (
	"regexp"
	"strings"
)

// Answers say where they have a thing from: "(Passage 2)", "According to document 1, …", "As noted in source 3, …". That is
// no part of what they claim. An article or a section with its number is: laws have them.
var (
	sourceNames     = `(?:passages?|documents?|sources?|contexts?|excerpts?|snippets?|المقطع|المستند|المصدر)`
	numbersPattern  = `(?:\s*(?:#|no\.?|number|رقم)?\s*\d{1,2}(?:\s*(?:,|،|and|&|or|و)\s*\d{1,2})*)`
	bracketedSource = regexp.MustCompile(`(?i)[(\[]\s*(?:see |from |in |as per |according to |راجع |انظر )?` + sourceNames + numbersPattern + `\s*[)\]]`)
	numberedSource  = regexp.MustCompile(`(?i)(?:\b|^)(?:(?:according to|as (?:noted|mentioned|stated|suggested|described|explained|discussed|shown) (?:in|by)|based on|as per|from|in|وفقا ل|بحسب|حسب)\s+)?(?:the\s+)?` + sourceNames + numbersPattern + `(?:\s+(?:states?|suggests?|mentions?|notes?|says?|explains?|describes?|highlights?|indicates?|adds?|provides?)(?:\s+that)?)?\s*,?`)
	givenSource     = regexp.MustCompile(`(?i)(?:according to|based on|as (?:noted|mentioned|stated|described) in|from)\s+(?:the\s+)?(?:given|provided|above|following)?\s*(?:passages?|documents?|sources?|context|texts?|information)(?:\s+(?:given|provided|above))?\s*,`)
	opening         = regexp.MustCompile(`(?i)^\s*(?:(?:however|therefore|thus|hence|additionally|furthermore|moreover|overall|in addition|in conclusion|in summary|finally|also|for example|for instance|similarly|consequently|ومع ذلك|لذلك|بالإضافة إلى ذلك|علاوة على ذلك|أخيرا|وأخيرا)\s*[,،]\s*)+`)
	label           = regexp.MustCompile(`(?i)^\s*(?:(?:option|step|tip|method|reason|point|item|الخطوة|الخيار)\s*\d{1,2}|\d{1,2}[.)])\s*[:.–-]?\s+`)
)

// longestOpening is how many bytes an opening like "in addition" may have.
const longestOpening = 60

// plainClaim takes out of a claim what an answer says about itself and its sources, unless nothing would be left.
func plainClaim(claim string) string {
	out := answerPattern.ReplaceAllString(claim, "")
	if strings.ContainsAny(out[:min(len(out), longestOpening)], "0123456789") {
		out = label.ReplaceAllString(out, "")
	}
	if namesSource(out) {
		out = bracketedSource.ReplaceAllString(out, "")
		out = numberedSource.ReplaceAllString(out, " ")
		out = givenSource.ReplaceAllString(out, " ")
	}
	if at := strings.IndexAny(out, ",،"); at >= 0 && at < longestOpening {
		out = opening.ReplaceAllString(out, "")
	}
	if len(strings.Fields(out)) < 2 {
		return claim
	}
	return out
}

// sourceHints are parts of the words by which answers name their sources, without their first letter's case.
var sourceHints = []string{"assage", "ocument", "ource", "ontext", "ext", "xcerpt", "nippet", "nformation", "المقطع", "المستند", "المصدر"}

// namesSource tells cheaply whether a claim may speak of its sources.
func namesSource(claim string) bool {
	for _, h := range sourceHints {
		if strings.Contains(claim, h) {
			return true
		}
	}
	return false
}
