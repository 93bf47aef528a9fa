package webpage

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Markdown returns a Markdown text as its reader sees it, and what it leaves out (rule L-38): comments, what is
// struck out, and HTML that is hidden. Marks stay as they are written; so does code.
func Markdown(s string) (string, []ledger.LeftOut) {
	if !strings.ContainsAny(s, "<~") && !strings.Contains(s, "[//]:") && !strings.Contains(s, "[comment]:") {
		return s, nil
	}
	m := markdownReader{}
	fence := ""
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		switch mark := fencePattern.FindString(trimmed); {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			m.keep(line)
		case mark != "" && !m.inside():
			fence = mark
			m.keep(line)
		default:
			m.line(line)
		}
	}
	m.leaveHidden()
	return m.out.String(), m.left
}

var (
	fencePattern     = regexp.MustCompile("^(`{3,}|~{3,})")
	codePattern      = regexp.MustCompile("`+[^`]*`+")
	referencePattern = regexp.MustCompile(`^ {0,3}\[(?://|comment)\]: *(?:#|<>|<#>) *[("'](.*)[)"'] *$`)
)

// markdownReader reads the lines of a Markdown text.
type markdownReader struct {
	out     strings.Builder
	runes   int
	left    []ledger.LeftOut
	comment *strings.Builder // an open one
	hidden  *strings.Builder // text of an open element that is hidden
	tags    []string         // open elements from that one
	how     ledger.LeftOutHow
}

func (m *markdownReader) inside() bool { return m.comment != nil || m.hidden != nil }

func (m *markdownReader) keep(s string) {
	m.out.WriteString(s)
	m.runes += text.Len(s)
}

func (m *markdownReader) leave(kind ledger.LeftOutKind, how ledger.LeftOutHow, s string) {
	m.left = ledger.AddLeftOut(m.left, ledger.LeftOut{Kind: kind, How: how, Text: s, At: m.runes})
}

// line reads a line that is no code.
func (m *markdownReader) line(s string) {
	if c := referencePattern.FindStringSubmatch(strings.TrimRight(s, "\r\n")); c != nil && !m.inside() {
		m.leave(ledger.Hidden, ledger.InComment, c[1])
		m.keep(lineEnd(s))
		return
	}
	var shown block.ShownText
	codes := codePattern.FindAllStringIndex(s, -1)
	for i := 0; i < len(s); {
		if at := slices.IndexFunc(codes, func(c []int) bool { return c[0] == i }); at >= 0 && !m.inside() {
			shown.Write(s[i:codes[at][1]])
			i = codes[at][1]
			continue
		}
		i += m.next(&shown, s[i:])
	}
	standing, marked := shown.Take()
	if marked != "" {
		m.leave(ledger.Struck, ledger.StruckOut, marked)
	}
	m.keep(standing)
}

func lineEnd(s string) string { return s[len(strings.TrimRight(s, "\r\n")):] }

// next reads a comment, a tag, a mark of struck text, or a letter, and returns its length.
func (m *markdownReader) next(shown *block.ShownText, s string) int {
	if m.comment != nil {
		before, _, closed := strings.Cut(s, "-->")
		m.comment.WriteString(before)
		if !closed {
			return len(s)
		}
		m.leave(ledger.Hidden, ledger.InComment, m.comment.String())
		m.comment = nil
		return len(before) + len("-->")
	}
	switch {
	case strings.HasPrefix(s, "<!--"):
		m.comment = &strings.Builder{}
		return len("<!--")
	case strings.HasPrefix(s, ledger.StruckMark) && m.hidden == nil:
		inner, _, closed := strings.Cut(s[2:], ledger.StruckMark)
		if closed && strings.TrimSpace(inner) == inner && inner != "" {
			shown.Between(block.StruckSign, block.StandingSign, inner)
			return len(inner) + 2*len(ledger.StruckMark)
		}
	case s[0] == '<':
		if n := m.tag(shown, s); n > 0 {
			return n
		}
	}
	n := 1
	for n < len(s) && !strings.ContainsRune("<~`", rune(s[n])) {
		n++
	}
	if m.hidden != nil {
		m.hidden.WriteString(s[:n])
	} else {
		shown.Write(s[:n])
	}
	return n
}

// tagSigns are what tags of struck, raised and lowered text begin and end.
var tagSigns = map[atom.Atom][2]rune{
	atom.Del: {block.StruckSign, block.StandingSign}, atom.S: {block.StruckSign, block.StandingSign},
	atom.Strike: {block.StruckSign, block.StandingSign}, atom.Sup: {block.RaisedSign, block.LevelSign},
	atom.Sub: {block.LoweredSign, block.LevelSign}}

// tag reads a tag of HTML that decides how text is seen, and returns its length, 0 if it is none.
func (m *markdownReader) tag(shown *block.ShownText, s string) int {
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return 0
	}
	z := html.NewTokenizer(strings.NewReader(s[:end+1]))
	kind := z.Next()
	t := z.Token()
	switch {
	case kind != html.StartTagToken && kind != html.EndTagToken:
		return 0
	case m.hidden != nil:
		m.insideHidden(kind, t.Data)
		return end + 1
	}
	if signs, ok := tagSigns[t.DataAtom]; ok {
		if kind == html.StartTagToken {
			shown.Sign(signs[0])
		} else {
			shown.Sign(signs[1])
		}
		return end + 1
	}
	if kind == html.EndTagToken {
		return 0
	}
	n := &html.Node{Type: html.ElementNode, Data: t.Data, DataAtom: t.DataAtom, Attr: t.Attr}
	l, err := (&looks{rules: &styleRules{}}).of(n, pageLook(false))
	if how := l.unseen(); err == nil && how != "" {
		m.hidden, m.how, m.tags = &strings.Builder{}, how, []string{t.Data}
		return end + 1
	}
	return 0
}

// insideHidden follows the tags in an element that is hidden, to its end.
func (m *markdownReader) insideHidden(kind html.TokenType, name string) {
	if kind == html.StartTagToken {
		m.tags = append(m.tags, name)
		return
	}
	at := len(m.tags) - 1
	for at >= 0 && m.tags[at] != name {
		at--
	}
	if at < 0 {
		return
	}
	if m.tags = m.tags[:at]; at == 0 {
		m.leaveHidden()
	}
}

// leaveHidden lists the text of an element that is hidden, and of a comment that nobody ended.
func (m *markdownReader) leaveHidden() {
	if m.hidden != nil {
		m.leave(ledger.Hidden, m.how, m.hidden.String())
		m.hidden = nil
	}
	if m.comment != nil {
		m.leave(ledger.Hidden, ledger.InComment, m.comment.String())
		m.comment = nil
	}
}
