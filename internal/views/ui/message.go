package ui

import (
	"fmt"

	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Said returns a message in the reader's language and digits. Words of somebody else keep their own direction.
func (c *Chrome) Said(m words.Message) string { return c.words.Say(m, c.shown) }

// shown writes a value of a message.
func (c *Chrome) shown(value any) string {
	switch v := value.(type) {
	case int:
		return c.Num(v)
	case float64:
		return c.InDigits(fmt.Sprint(v))
	}
	s := fmt.Sprint(value)
	if c.Lang == "en" && !text.HasRightToLeft(s) {
		return s
	}
	return Isolated(s)
}
