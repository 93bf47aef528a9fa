package block

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
	RaisedSign   = text.Raised
	MarkSign     = text.NoteMark
	LoweredSign  = text.Lowered
	LevelSign    = text.OnLine
	StruckSign   = text.Struck
	StandingSign = text.Standing
)

// ShownText collects the text of a block as a reader sees it.
type ShownText struct {
	B       strings.Builder
	last    rune // of the text that was written
	Formula bool // that was a formula
}

// softHyphen is where a word may be parted at the end of a line; elsewhere nobody sees it.
const softHyphen = '\u00ad'

// Write adds text of the file.
func (t *ShownText) Write(s string) {
	unread := func(r rune) bool { return IsSign(r) || r == softHyphen }
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
	if first, _ := utf8.DecodeRuneInString(s); t.Formula && unicode.IsDigit(first) && unicode.IsDigit(t.last) {
		t.B.WriteByte(' ')
	}
	t.B.WriteString(s)
	t.Formula = false
	t.last, _ = utf8.DecodeLastRuneInString(s)
}

// WriteFormula adds a formula, which is no part of a number beside it: two and a half is "2 1/2".
func (t *ShownText) WriteFormula(s string) {
	t.Formula = true
	t.Write(s)
	t.Formula = true
}

// Between adds text between two signs.
func (t *ShownText) Between(begin, end rune, s string) {
	t.B.WriteRune(begin)
	t.Write(s)
	t.B.WriteRune(end)
}

// Sign adds one of the signs above.
func (t *ShownText) Sign(r rune) { t.B.WriteRune(r) }

// IsSign reports whether a rune is one of the signs above.
func IsSign(r rune) bool { return r >= RaisedSign && r <= StandingSign }

// Take returns the text that stands, and, if something in it is struck, the text with ledger.StruckMark around that. It
// empties t.
func (t *ShownText) Take() (standing, marked string) {
	s := t.B.String()
	*t = ShownText{}
	if !strings.ContainsFunc(s, IsSign) {
		return s, ""
	}
	s = text.Apart(s)
	if !strings.ContainsRune(s, StruckSign) {
		return s, ""
	}
	return standingOnly(s), strings.NewReplacer(ledger.StruckMark, "", string([]rune{StandingSign, StruckSign}), "",
		string(StruckSign), ledger.StruckMark, string(StandingSign), ledger.StruckMark).Replace(s)
}

// standingOnly leaves out what is struck.
func standingOnly(s string) string {
	var b strings.Builder
	for {
		from := strings.IndexRune(s, StruckSign)
		if from < 0 {
			return b.String() + s
		}
		b.WriteString(s[:from])
		end := strings.IndexRune(s[from:], StandingSign)
		if end < 0 {
			return b.String()
		}
		s = s[from+end+utf8.RuneLen(StandingSign):]
		if before := strings.TrimSpace(b.String()); before == "" || strings.ContainsAny(before[len(before)-1:], ".!?") {
			s = strings.TrimPrefix(strings.TrimPrefix(s, "."), "،") // the end of what is struck
		}
	}
}

// IsLetterOrDigit reports whether a rune is part of a word or number, in any script.
func IsLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// HiddenRun is text that is not seen.
type HiddenRun struct {
	How  ledger.LeftOutHow
	Text string
}
