package say

import "sanad/internal/domain/agreement"

// ShareRange returns the 95 % interval of a share, "" if the whole is too small for it to say anything.
func (r *Reader) ShareRange(s agreement.Share) string {
	if s.Of < agreement.MinShare {
		return ""
	}
	low, high := s.Interval()
	return r.T("share_range", "Low", r.Percent(low), "High", r.Percent(high))
}

// LanguageName names a language by its code, which is shown itself if there is no word for it.
func (r *Reader) LanguageName(code string) string {
	if code == agreement.UnknownLanguage {
		return r.T("lang_unknown")
	}
	if s := r.Known("lang_", code); s != code {
		return s
	}
	return Isolated(code)
}
