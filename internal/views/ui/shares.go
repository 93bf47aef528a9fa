package ui

import (
	"sanad/internal/domain/agreement"

	"sanad/internal/views/say"
)

// ShareRange returns the 95 % interval of a share, "" if the whole is too small for it to say anything.
func (c *Chrome) ShareRange(s agreement.Share) string {
	if s.Of < agreement.MinShare {
		return ""
	}
	low, high := s.Interval()
	return c.T("share_range", "Low", c.Percent(low), "High", c.Percent(high))
}

// LanguageName names a language by its code, which is shown itself if there is no word for it.
func (c *Chrome) LanguageName(code string) string {
	if code == agreement.UnknownLanguage {
		return c.T("lang_unknown")
	}
	if s := c.Known("lang_", code); s != code {
		return s
	}
	return say.Isolated(code)
}
