package prose

import (
	"bufio"
	"bytes"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	goldtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"sanad/internal/exporters/typeset"
)

// Spans returns Markdown as flat text: emphasis is bold, list items keep their marker, a link is its text and
// address, HTML is shown as text. Nothing is active.
func Spans(s string) []typeset.Span {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	f := flattener{src: []byte(s)}
	_ = ast.Walk(goldmark.DefaultParser().Parse(goldtext.NewReader(f.src)), f.visit) // visit never fails
	// nothing but link definitions or the like
	if len(f.out) == 0 {
		return typeset.Text(s)
	}
	return joined(f.out)
}

// flattener collects the spans of a Markdown tree.
type flattener struct {
	src   []byte
	out   []typeset.Span
	bold  int
	fresh bool   // preceded by a list item's marker
	marks *Marks // the claims in the text, nil if it has none
}

// text appends a text in the current style.
func (f *flattener) text(s string) {
	if s == "" {
		return
	}
	f.fresh = false
	f.out = append(f.out, typeset.Span{Text: s, Bold: f.bold > 0})
}

// joined returns the spans with neighbours of one style made one, code apart. Joining them once at the end takes time
// linear in the text.
func joined(spans []typeset.Span) []typeset.Span {
	var out []typeset.Span
	for i := 0; i < len(spans); {
		first, j := spans[i], i+1
		var text strings.Builder
		text.WriteString(first.Text)
		for j < len(spans) && !first.Code && alike(first, spans[j]) {
			text.WriteString(spans[j].Text)
			j++
		}
		first.Text = text.String()
		out, i = append(out, first), j
	}
	return out
}

// alike reports whether two spans differ in their text only.
func alike(a, b typeset.Span) bool {
	a.Text, b.Text = "", ""
	return a == b
}

func (f *flattener) code(s string) {
	if s = strings.TrimRight(s, "\n"); s != "" {
		f.out, f.fresh = append(f.out, typeset.Span{Text: s, Code: true}), false
	}
}

// line starts a new line, unless the text is empty so far or the line has only an item's marker.
func (f *flattener) line() {
	if len(f.out) > 0 && !f.fresh {
		f.text("\n")
	}
}

func (f *flattener) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	switch n := n.(type) {
	case *ast.Text:
		if entering {
			f.said(n)
		}
	case *ast.String:
		if entering {
			f.text(string(n.Value))
		}
	case *ast.CodeSpan:
		if entering && f.marks != nil {
			f.markedCode(n)
		} else if entering {
			f.code(inlineText(n, f.src))
		}
		return ast.WalkSkipChildren, nil
	case *ast.AutoLink:
		if entering {
			f.text(string(n.Label(f.src)))
		}
	case *ast.RawHTML:
		if entering {
			f.text(string(n.Segments.Value(f.src)))
		}
	case *ast.Link:
		f.address(string(n.Destination), entering)
	case *ast.Image:
		f.address(string(n.Destination), entering)
	case *ast.Emphasis:
		f.embolden(entering)
	default:
		return f.block(n, entering)
	}
	return ast.WalkContinue, nil
}

// said appends a text without its backslashes and entities, and the line break after it.
func (f *flattener) said(n *ast.Text) {
	if f.marks != nil {
		f.marked(n.Segment.Start, n.Segment.Stop, false)
	} else {
		f.text(unescaped(n.Value(f.src)))
	}
	switch {
	case n.HardLineBreak():
		f.text("\n")
	case n.SoftLineBreak():
		f.text(" ")
	}
}

// unescaped returns Markdown text without its backslashes and entities.
func unescaped(s []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	goldhtml.DefaultWriter.Write(w, s)
	_ = w.Flush() // to a buffer
	return html.UnescapeString(b.String())
}

// address appends a link's target after its text.
func (f *flattener) address(to string, entering bool) {
	if !entering && to != "" {
		f.text(" (" + string(util.UnescapePunctuations([]byte(to))) + ")")
	}
}

func (f *flattener) embolden(entering bool) {
	if entering {
		f.bold++
	} else {
		f.bold--
	}
}

func (f *flattener) block(n ast.Node, entering bool) (ast.WalkStatus, error) {
	switch n := n.(type) {
	case *ast.Heading:
		if entering {
			f.line()
		}
		f.embolden(entering)
	case *ast.Paragraph, *ast.TextBlock:
		if entering {
			f.line()
			if _, quoted := n.Parent().(*ast.Blockquote); quoted {
				f.text("› ")
			}
		}
	case *ast.ListItem:
		if entering {
			f.line()
			f.text(itemMark(n))
			f.fresh = true
		}
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		if entering {
			f.line()
			f.raw(n)
		}
		return ast.WalkSkipChildren, nil
	case *ast.ThematicBreak:
		if entering {
			f.line()
			f.text("—")
		}
	}
	return ast.WalkContinue, nil
}

// raw appends a block's lines unchanged.
func (f *flattener) raw(n ast.Node) {
	if f.marks != nil {
		f.markedLines(n)
		return
	}
	s := string(n.Lines().Value(f.src))
	if h, ok := n.(*ast.HTMLBlock); ok {
		if h.HasClosure() {
			s += string(h.ClosureLine.Value(f.src))
		}
		f.text(strings.TrimRight(s, "\n"))
		return
	}
	for i, line := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		if i > 0 {
			f.text("\n")
		}
		f.code(line)
	}
}

// itemMark returns a bullet or the item's number.
func itemMark(item *ast.ListItem) string {
	list, ok := item.Parent().(*ast.List)
	if !ok || !list.IsOrdered() {
		return "• "
	}
	n := list.Start
	for s := item.PreviousSibling(); s != nil; s = s.PreviousSibling() {
		n++
	}
	return strconv.Itoa(n) + ". "
}

// inlineText returns the text of a code span.
func inlineText(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(src))
		}
	}
	return b.String()
}
