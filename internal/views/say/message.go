package say

import (
	"fmt"

	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Said returns a message in the reader's language and digits. Words of somebody else keep their own direction.
func (r *Reader) Said(m words.Message) string {
	return r.words.Say(m, r.shown)
}

// shown writes a value of a message.
func (r *Reader) shown(value any) string {
	switch v := value.(type) {
	case int:
		return r.Num(v)
	case float64:
		return r.InDigits(fmt.Sprint(v))
	}
	s := fmt.Sprint(value)
	if r.Lang == "en" && !text.HasRightToLeft(s) {
		return s
	}
	return Isolated(s)
}
