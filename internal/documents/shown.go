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
	struckSign   = text.Struck
	standingSign = text.Standing
)

// shownText collects the text of a block as a reader sees it.
type shownText struct {
	b       strings.Builder
	last    rune // of the text that was written
	formula bool // that was a formula
}

// softHyphen is where a word may be parted at the end of a line; elsewhere nobody sees it.
const softHyphen = '\u00ad'

// write adds text of the file.
func (t *shownText) write(s string) {
	unread := func(r rune) bool { return isSign(r) || r == softHyphen }
	if strings.IndexFunc(s, unread) >= 0 {
		s = strings.Map(func(r rune) rune {
			if unread(r) {
				return -1
			}
			return r
		}, s)
	}
	if s == "" {
		return
	}
	if first, _ := utf8.DecodeRuneInString(s); t.formula && unicode.IsDigit(first) && unicode.IsDigit(t.last) {
		t.b.WriteByte(' ')
	}
	t.b.WriteString(s)
	t.formula = false
	t.last, _ = utf8.DecodeLastRuneInString(s)
}

// writeFormula adds a formula, which is no part of a number beside it: two and a half is "2 1/2".
func (t *shownText) writeFormula(s string) {
	t.formula = true
	t.write(s)
	t.formula = true
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
	*t = shownText{}
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
		if before := strings.TrimSpace(b.String()); before == "" || strings.ContainsAny(before[len(before)-1:], ".!?") {
			s = strings.TrimPrefix(strings.TrimPrefix(s, "."), "،") // the end of what is struck
		}
	}
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// hiddenRun is text that is not seen.
type hiddenRun struct {
	how  ledger.LeftOutHow
	text string
}
