package claims

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/text"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))

// plain is the readable text of one Markdown block. Each byte knows which bytes of the answer it stands for.
type plain struct {
	text   []byte
	starts []int
	ends   []int
}

// phrase is a part of a plain text with marks taken out: s[i] is the plain text's byte at[i].
type phrase struct {
	s  string
	at []int
}

// slice returns the part of a phrase between two bytes, trimmed.
func (p phrase) slice(from, to int) phrase {
	for from < to && strings.ContainsRune(" \n\t", rune(p.s[from])) {
		from++
	}
	for to > from && strings.ContainsRune(" \n\t", rune(p.s[to-1])) {
		to--
	}
	return phrase{p.s[from:to], p.at[from:to]}
}

// span is where a phrase is in the answer that r measures; the plain text's stretch begins there at byte base.
func (t *plain) span(p phrase, base int, r text.Ruler) text.Span {
	if len(p.at) == 0 {
		return text.Span{}
	}
	first, last := t.starts[p.at[0]], t.ends[p.at[len(p.at)-1]]
	for _, i := range p.at { // parts of a table row may be in any order
		first, last = min(first, t.starts[i]), max(last, t.ends[i])
	}
	return text.Span{Start: r.Offset(base + first), End: r.Offset(base + last)}
}

// add appends source bytes as they are.
func (t *plain) add(src []byte, from, to int) {
	for i := from; i < to && i < len(src); {
		_, w := utf8.DecodeRune(src[i:])
		for k := range w { // all bytes of a character stand for the whole character
			t.text = append(t.text, src[i+k])
			t.starts, t.ends = append(t.starts, i), append(t.ends, i+w)
		}
		i += w
	}
}

// put appends one ASCII byte that stands for src[from:to].
func (t *plain) put(b byte, from, to int) {
	t.text, t.starts, t.ends = append(t.text, b), append(t.starts, from), append(t.ends, to)
}

// entities that answers use; any other stays as it is written.
var entities = map[string]byte{"&amp;": '&', "&lt;": '<', "&gt;": '>', "&quot;": '"', "&#39;": '\'', "&nbsp;": ' '}

var entityPattern = regexp.MustCompile(`^&(amp|lt|gt|quot|#39|nbsp);`)

// addText appends Markdown text with its backslash escapes and entities resolved.
func (t *plain) addText(src []byte, from, to int) {
	for i := from; i < to; {
		c := src[i]
		switch {
		case c == '\\' && i+1 < to && isPunctuation(src[i+1]):
			t.put(src[i+1], i, i+2)
			i += 2
		case c == '&' && entityPattern.Match(src[i:to]):
			e := string(entityPattern.Find(src[i:to]))
			t.put(entities[e], i, i+len(e))
			i += len(e)
		default:
			_, w := utf8.DecodeRune(src[i:to])
			t.add(src, i, i+w)
			i += w
		}
	}
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// plainOf gathers the inline content of a block.
func plainOf(block ast.Node, src []byte) *plain {
	t := &plain{}
	t.children(block, src)
	return t
}

func (t *plain) children(n ast.Node, src []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if end := struckEnd(c, src); end != nil {
			c = end
			continue
		}
		if end := t.leveled(c, src); end != nil {
			c = end
			continue
		}
		t.inline(c, src)
	}
}

var (
	struckOpens  = regexp.MustCompile(`(?i)^<(del|s|strike)[ >]`)
	struckCloses = regexp.MustCompile(`(?i)^</(del|s|strike) *>`)
)

// struckEnd returns the last node of what an answer strikes out from n on, nil if it strikes out nothing there. What is
// struck is taken back, and claims nothing.
func struckEnd(n ast.Node, src []byte) ast.Node {
	switch n := n.(type) {
	case *extast.Strikethrough:
		first, ok := n.FirstChild().(*ast.Text)
		if ok && first.Segment.Start > 1 && src[first.Segment.Start-2] != '~' { // "~5" is about five
			return nil
		}
		return n
	case *ast.RawHTML:
		if !struckOpens.Match(rawOf(n, src)) {
			return nil
		}
		for end := n.NextSibling(); end != nil; end = end.NextSibling() {
			if raw, ok := end.(*ast.RawHTML); ok && struckCloses.Match(rawOf(raw, src)) {
				return end
			}
		}
	}
	return nil
}

var (
	levelOpens  = regexp.MustCompile(`(?i)^<(sup|sub)[ >]`)
	levelCloses = regexp.MustCompile(`(?i)^</(sup|sub) *>`)
)

// leveled appends what stands raised or lowered between two tags from n on, apart from the number before it, and
// returns the closing tag; nil if n opens none.
func (t *plain) leveled(n ast.Node, src []byte) ast.Node {
	open, ok := n.(*ast.RawHTML)
	if !ok {
		return nil
	}
	tag := levelOpens.FindSubmatch(rawOf(open, src))
	if tag == nil {
		return nil
	}
	inner := &plain{}
	for c := n.NextSibling(); c != nil; c = c.NextSibling() {
		if raw, ok := c.(*ast.RawHTML); !ok || !levelCloses.Match(rawOf(raw, src)) {
			inner.inline(c, src)
			continue
		}
		sign := text.Raised
		if strings.EqualFold(string(tag[1]), "sub") {
			sign = text.Lowered
		}
		before := string(t.text[max(0, len(t.text)-levelReach):])
		after := afterLevel(c, src)
		said := text.Apart(before + string(sign) + string(inner.text) + string(text.OnLine) + after)
		said, _ = strings.CutPrefix(said, before)
		said, _ = strings.CutSuffix(said, text.Apart(after))
		from, to := open.Segments.At(0).Start, c.(*ast.RawHTML).Segments.At(0).Stop
		for i := range len(said) {
			t.put(said[i], from, to)
		}
		return c
	}
	return nil
}

// afterLevel returns the text behind a closing tag, and what is lowered behind that: 1/2 may be written so.
func afterLevel(n ast.Node, src []byte) string {
	next, ok := n.NextSibling().(*ast.Text)
	if !ok {
		return ""
	}
	out := string(next.Segment.Value(src))
	open, ok := next.NextSibling().(*ast.RawHTML)
	if !ok || !levelOpens.Match(rawOf(open, src)) {
		return out
	}
	if low, ok := open.NextSibling().(*ast.Text); ok {
		out += string(text.Lowered) + string(low.Segment.Value(src)) + string(text.OnLine)
	}
	return out
}

// levelReach is how many bytes before a raised figure tell what it is.
const levelReach = 40

// rawOf returns a tag as it is written.
func rawOf(n *ast.RawHTML, src []byte) []byte {
	if n.Segments.Len() == 0 {
		return nil
	}
	at := n.Segments.At(0)
	return src[at.Start:at.Stop]
}

// inline appends what a reader sees of one inline node. Code keeps its backticks until the sentences are known, for
// they don't split inside.
func (t *plain) inline(n ast.Node, src []byte) {
	switch n := n.(type) {
	case *ast.Text:
		t.addText(src, n.Segment.Start, n.Segment.Stop)
		if n.SoftLineBreak() || n.HardLineBreak() {
			t.put('\n', n.Segment.Stop, n.Segment.Stop)
		}
	case *ast.CodeSpan:
		t.code(n, src)
	case *ast.AutoLink:
		t.autoLink(n, src)
	case *ast.RawHTML: // a line break or a mark: no words run together over it
		for i := range n.Segments.Len() {
			t.put(' ', n.Segments.At(i).Start, n.Segments.At(i).Start)
		}
	case *ast.Image, *extast.TaskCheckBox:
	default:
		first := len(t.text)
		t.children(n, src)
		t.widen(first, src)
	}
}

// widen lets the first and last byte from first on stand for the Markdown marks around them too, so that a span holds
// whole marks.
func (t *plain) widen(first int, src []byte) {
	if first == len(t.text) {
		return
	}
	last := len(t.text) - 1
	start, end := t.starts[first], t.ends[last]
	for start > 0 && end < len(src) && src[start-1] == src[end] && strings.IndexByte("*_~`", src[end]) >= 0 {
		start, end = start-1, end+1
	}
	if start > 0 && src[start-1] == '[' && end+1 < len(src) && src[end] == ']' && src[end+1] == '(' {
		if i := bytes.IndexAny(src[end:], ")\n"); i >= 0 && src[end+i] == ')' {
			start, end = start-1, end+i+1
		}
	}
	t.starts[first], t.ends[last] = start, end
}

func (t *plain) code(n *ast.CodeSpan, src []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if s, ok := c.(*ast.Text); ok && s.Segment.Len() > 0 {
			t.put('`', s.Segment.Start, s.Segment.Start)
			first := len(t.text)
			t.add(src, s.Segment.Start, s.Segment.Stop)
			t.widen(first, src)
			t.put('`', s.Segment.Stop, s.Segment.Stop)
		}
	}
}

// autoLink appends a link's address, which is looked for after what was read so far.
func (t *plain) autoLink(n *ast.AutoLink, src []byte) {
	from := 0
	if len(t.ends) > 0 {
		from = t.ends[len(t.ends)-1]
	}
	label := string(n.Label(src))
	if i := strings.Index(string(src[from:]), label); i >= 0 {
		t.add(src, from+i, from+i+len(label))
	}
}

// parse reads an answer's Markdown.
func parse(src []byte) ast.Node { return markdown.Parser().Parse(goldtext.NewReader(src)) }
