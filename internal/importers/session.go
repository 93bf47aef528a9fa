package importers

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// own builds a session from our own format.
func (b *builder) own(f *sessionFile) (*Result, error) {
	if err := b.ownParts(f); err != nil {
		return nil, err
	}
	return b.ownResult(), nil
}

// ownParts sets the session's own fields, its documents and its claims.
func (b *builder) ownParts(f *sessionFile) error {
	if err := b.checkUnknown(); err != nil {
		return err
	}
	if err := b.head(&f.Session); err != nil {
		return err
	}
	b.s.Format = SessionFormat
	if strings.TrimSpace(f.Session.Answer) == "" && len(f.Claims) == 0 && !b.opt.Claimless {
		return domain.Refuse(domain.Invalid, "session.answer", "refused_in_neither")
	}
	if err := b.documents(f.Documents); err != nil {
		return err
	}
	return b.ownClaims(f.Claims)
}

func (b *builder) ownResult() *Result {
	b.s.Title = titleOf(&b.s)
	return b.result(SessionFormat)
}

// head sets the session's own fields.
func (b *builder) head(w *sessionWire) error {
	lang, err := language("session.lang", w.Lang)
	if err != nil {
		return err
	}
	b.s.ExternalID, b.s.Query, b.s.Answer, b.s.Lang = w.ExternalID, w.Query, w.Answer, lang
	b.s.Title = b.clean("session.title", w.Title)
	b.s.Model, b.s.ModelVersion, b.s.TraceID = w.Model, w.ModelVersion, w.TraceID
	b.s.DecisionID, b.s.BundleID = w.DecisionID, w.BundleID
	if b.s.Mode = w.Mode; w.Mode == "" {
		b.s.Mode = "answer"
	}
	return nil
}

// clean puts a name on one line and removes what can disguise it: control and bidi characters.
func (b *builder) clean(path, name string) string {
	if text.HasControl(text.OneLine(name)) {
		b.warn(path, words.Msg("warning_control"))
	}
	return text.CleanName(name)
}

var tagPattern = regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$`)

// language checks a language tag and returns it with hyphens.
func language(path, tag string) (string, error) {
	if tag != "" && !tagPattern.MatchString(tag) {
		return "", domain.Refuse(domain.Invalid, path, "refused_in_lang", "Name", words.Quoted(tag))
	}
	return strings.ReplaceAll(tag, "_", "-"), nil
}

// titleLength is the approximate length of a generated title, in code points.
const titleLength = 80

// titleOf returns the title, or one generated from the query, the answer's first line or the first claim.
func titleOf(s *ledger.Session) string {
	if t := strings.TrimSpace(s.Title); t != "" {
		return t
	}
	for _, from := range []string{s.Query, firstLine(withoutAnchors(firstBytes(s.Answer)))} {
		if t := shortened(from); t != "" {
			return t
		}
	}
	for _, c := range s.Claims {
		return shortened(c.Text)
	}
	return "Untitled"
}

// withoutAnchors returns s without its citation anchors.
func withoutAnchors(s string) string {
	var b strings.Builder
	r, from := text.NewRuler(s), 0
	for _, a := range ledger.Anchors(s) {
		b.WriteString(s[from:r.Byte(a.Span.Start)])
		from = r.Byte(a.Span.End)
	}
	return b.String() + s[from:]
}

// firstLine returns the first line of s that has letters or digits.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return line
		}
	}
	return s
}

// firstBytes returns as much of s as a title needs.
func firstBytes(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), 16*titleLength)], "")
}

// shortened returns s on one line, without Markdown marks at its beginning, cut between words.
func shortened(s string) string {
	s = strings.TrimLeft(text.CleanControls(firstBytes(s)), "#*->_` \t\r\n")
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= titleLength {
		return s
	}
	cut := text.Slice(s, text.Span{Start: 0, End: titleLength})
	if i := strings.LastIndexFunc(cut, unicode.IsSpace); i > titleLength/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}
