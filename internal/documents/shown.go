package documents

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Signs that readers of files put around parts of a text until its block ends. They are noncharacters of Unicode, which
// no text may have.
const (
	raisedSign   = text.Raised
	markSign     = text.NoteMark
	loweredSign  = text.Lowered
	levelSign    = text.OnLine
	struckSign   = '\uFDD4' // begins struck text
	standingSign = '\uFDD5' // ends it
)

// shownText collects the text of a block as a reader sees it.
type shownText struct{ b strings.Builder }

// write adds text of the file.
func (t *shownText) write(s string) {
	if strings.IndexFunc(s, isSign) >= 0 {
		s = strings.Map(func(r rune) rune {
			if isSign(r) {
				return -1
			}
			return r
		}, s)
	}
	t.b.WriteString(s)
}

// between adds text between two signs.
func (t *shownText) between(begin, end rune, s string) {
	t.b.WriteRune(begin)
	t.write(s)
	t.b.WriteRune(end)
}

func (t *shownText) sign(r rune) { t.b.WriteRune(r) }

func isSign(r rune) bool { return r >= raisedSign && r <= standingSign }

// take returns the text that stands, and, if something in it is struck, the text with ledger.StruckMark around that. It
// empties t.
func (t *shownText) take() (standing, marked string) {
	s := t.b.String()
	t.b.Reset()
	if !strings.ContainsFunc(s, isSign) {
		return s, ""
	}
	s = text.Apart(s)
	if !strings.ContainsRune(s, struckSign) {
		return s, ""
	}
	return standingOnly(s), strings.NewReplacer(ledger.StruckMark, "", string([]rune{standingSign, struckSign}), "",
		string(struckSign), ledger.StruckMark, string(standingSign), ledger.StruckMark).Replace(s)
}

// standingOnly leaves out what is struck.
func standingOnly(s string) string {
	var b strings.Builder
	for {
		from := strings.IndexRune(s, struckSign)
		if from < 0 {
			return b.String() + s
		}
		b.WriteString(s[:from])
		end := strings.IndexRune(s[from:], standingSign)
		if end < 0 {
			return b.String()
		}
		s = s[from+end+utf8.RuneLen(standingSign):]
	}
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
