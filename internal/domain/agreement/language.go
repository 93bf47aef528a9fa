package agreement

import (
	"strings"

	"sanad/internal/domain/text"
)

// UnknownLanguage stands for a text whose language neither its tag nor its letters tell.
const UnknownLanguage = "und"

// arabicScript are the languages written in Arabic letters whose tags are believed; other tags are not.
var arabicScript = map[string]bool{"ar": true, "fa": true, "ur": true, "ps": true, "ckb": true, "ku": true}

// Language returns the primary language of a text for comparisons: what its letters say where they tell, refined by
// the BCP 47 tag of its session. Latin letters without a tag count as English, Arabic ones as Arabic.
func Language(tag, words string) string {
	primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	switch text.Script(words) {
	case "ar":
		if arabicScript[primary] {
			return primary
		}
		return "ar"
	case "latin":
		if primary == "" || primary == UnknownLanguage || arabicScript[primary] {
			return "en"
		}
		return primary
	}
	if primary == "" {
		return UnknownLanguage
	}
	return primary
}
