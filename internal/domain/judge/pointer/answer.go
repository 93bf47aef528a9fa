package pointer

import (
	"regexp"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/strictjson"
)

// MaxAnswer is the longest text of a model that is read, in bytes.
const MaxAnswer = 64 << 10

// answer is what a model says of one claim.
type answer struct {
	Claim       *string   `json:"claim"`
	Verdict     *string   `json:"verdict"`
	EvidenceIDs *[]string `json:"evidence_ids"`
	Differs     string    `json:"differs"`
	Confidence  *float64  `json:"confidence"`
}

// parse reads the one answer in a model's text, which may stand in a code fence or in prose. It guesses nothing: an
// error says in plain words why there is no answer.
func parse(said string) (answer, error) {
	said = withoutThoughts(said)
	switch {
	case strings.TrimSpace(said) == "":
		return answer{}, unjudged("cause_model_nothing")
	case len(said) > MaxAnswer:
		return answer{}, unjudged("cause_model_long")
	}
	found := objects(said)
	switch {
	case len(found) > 1:
		return answer{}, unjudged("cause_model_several")
	case len(found) == 0 && refusal.MatchString(said):
		return answer{}, unjudged("cause_model_declined")
	case len(found) == 0:
		return answer{}, unjudged("cause_model_verdict")
	}
	var out answer
	err := strictjson.DecodeText(found[0], &out, strictjson.Options{Ignore: true, Copy: true})
	if err != nil || out.Claim == nil || out.Verdict == nil || out.EvidenceIDs == nil {
		return answer{}, unjudged("cause_model_form")
	}
	if !ledger.Verdict(*out.Verdict).Valid() {
		return answer{}, unjudged("cause_model_unknown")
	}
	return out, nil
}

// maxTries bounds how many braces of a text are tried as the beginning of an object.
const maxTries = 200

// objects returns the JSON objects of a text that have a verdict, each as it is written.
func objects(s string) (out []string) {
	for from, tries := 0, 0; tries < maxTries; tries++ {
		i := strings.IndexByte(s[from:], '{')
		if i < 0 {
			return out
		}
		from += i
		c := strictjson.NewCursor(s, from)
		value, err := c.Value()
		if err != nil {
			from++
			continue
		}
		from = c.Pos()
		if hasVerdict(value) {
			out = append(out, value)
		}
	}
	return out
}

func hasVerdict(object string) (found bool) {
	c := strictjson.NewCursor(object, 0)
	c.Peek()
	_ = c.Members(func(key string) error { // it is known to be well-formed, or is no answer
		found = found || key == "verdict"
		return nil
	})
	return found
}

// withoutThoughts cuts what a reasoning model thinks aloud before its answer, which may hold drafts of it.
func withoutThoughts(s string) string {
	trimmed := strings.TrimSpace(s)
	if !strings.HasPrefix(trimmed, "<think>") {
		return s
	}
	if i := strings.LastIndex(trimmed, "</think>"); i >= 0 {
		return trimmed[i+len("</think>"):]
	}
	return ""
}

// refusal tells a model that declines from one that answers in another form.
var refusal = regexp.MustCompile(`(?i)\bI(?: am|'m|’m)? (?:sorry|unable|afraid)\b|\bI (?:can ?not|can['’]t|won['’]t|must decline)\b|` +
	`عذر[ًا]|أعتذر|لا (?:أستطيع|يمكنني)|غير قادر`)
