package claims

import (
	"regexp"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// shortAnswer is the most words of an answer that is a figure, a name or a phrase rather than a statement.
const shortAnswer = 8

// noAnswers are answers of which nothing can be looked for: the question alone says what they state.
var noAnswers = text.FoldAll(`yes`, `no`, `yeah`, `nope`, `true`, `false`, `maybe`, `correct`, `incorrect`, `unknown`,
	`none`, `n/a`, `unanswerable`, `unclear`, `ok`, `okay`, `sure`, `نعم`, `لا`, `كلا`, `اجل`, `ربما`, `صحيح`, `خطا`,
	`غير معروف`, `لا اعلم`, `لا ادري`, `لا يوجد`)

// Short reports whether an answer only fills in what its question asks: "1889", "Amman.", "in the third quarter".
func Short(answer string) bool {
	words := text.Spaced(answer)
	tokens := text.Tokens(answer)
	if len(tokens) == 0 || len(tokens) > shortAnswer || strings.ContainsAny(strings.TrimSpace(answer), "\n:") ||
		questionPattern.MatchString(answer) || opens(words, chatter) || opens(words, presenting) || has(words, verbs) ||
		has(words, arabicVerbs) {
		return false
	}
	for _, no := range noAnswers {
		if words == " "+no+" " {
			return false
		}
	}
	for _, t := range tokens {
		if !t.Stop || t.Kind == text.Number {
			return true
		}
	}
	return false
}

// OfAnswer is Of for the answer to a question. A short answer, of which Of makes nothing, is one claim; WithQuestion
// says what it states.
func OfAnswer(question, answer string) []ledger.Claim {
	out := Of(answer)
	if len(out) > 0 || strings.TrimSpace(question) == "" || !Short(text.WithoutThoughts(answer)) {
		return out
	}
	s := splitter{ruler: text.NewRuler(answer), src: []byte(text.WithoutThoughts(answer))}
	whole := &plain{}
	whole.add(s.src, 0, len(s.src))
	p := whole.clean(0, len(whole.text)).closed()
	if p.s == "" {
		return nil
	}
	s.claim(whole, p, false)
	s.out[0].Key = "clm_001"
	return s.out
}

// The verbs that stand behind the word that asks.
const (
	copulas = `(is|are|was|were)`
	helpers = `(?:is|are|was|were|do|does|did|can|must|may|has|have|had|will|should)`
	asked   = `(?:what|who|which(?: \S+){1,3}?)`
	measure = `how (?:long|old|far|tall|high|large|big|deep|wide|fast|heavy|often|soon)`
)

// askings are the ways in which questions ask, with what the answer stands in: $1 … are of the question, "\x00" is the
// answer. The first that fits is taken.
var askings = []struct {
	pattern *regexp.Regexp
	states  string
}{
	{regexp.MustCompile(`(?i)^(?:in|on|at|by|from|to|for|since|until|during) (?:what|which) \S+ ` + helpers + ` (.+)$`),
		"$1 \x00"},
	{regexp.MustCompile(`(?i)^` + asked + ` ` + copulas + ` (.+)$`), "\x00 $1 $2"},
	{regexp.MustCompile(`(?i)^how (?:many|much) ((?:\S+ ){0,4}?)` + helpers + ` (.+)$`), "$2 \x00 $1"},
	{regexp.MustCompile(`(?i)^(?:` + measure + `|when|where) ` + copulas + ` (.+)$`), "$2 $1 \x00"},
	{regexp.MustCompile(`(?i)^(?:` + measure + `|when|where|` + asked + `) ` + helpers + ` (.+)$`), "$1 \x00"},
	{regexp.MustCompile(`(?i)^` + asked + ` (.+)$`), "\x00 $1"},
	{regexp.MustCompile(`^(?:ما هو|ما هي|من هو|من هي|ما|من|متى|أين|اين|كم|[فب]ي [أا]ي (?:عام|سنة|شهر|يوم)) (.+)$`),
		"$1 \x00"},
}

// WithQuestion returns what a short answer states, as a sentence that a source may have: "Amman" to "What is the
// capital of Jordan?" states "Amman is the capital of Jordan".
func WithQuestion(question, answer string) string {
	question = strings.Join(strings.Fields(strings.TrimRight(strings.TrimSpace(question), "?؟ .")), " ")
	answer = strings.TrimRight(strings.TrimSpace(answer), ".")
	for _, a := range askings {
		if m := a.pattern.FindStringSubmatchIndex(question); m != nil {
			states := string(a.pattern.ExpandString(nil, a.states, question, m))
			return strings.Join(strings.Fields(strings.Replace(states, "\x00", answer, 1)), " ")
		}
	}
	return question + " " + answer
}
