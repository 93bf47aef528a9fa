package prose

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	goldtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"sanad/internal/exporters/typeset"
)

// MemoParser returns a parser for memos with references but without link definitions: "[E1]: x" would turn references
// into links and disappear.
func MemoParser() parser.Parser {
	inline := append(parser.DefaultInlineParsers(), util.Prioritized(referenceParser{}, 150)) // before links
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(inline...))
}

// AnswerParser returns a parser for answers. It too reads no link definitions: "[1]: HR_Policy.pdf" in a list of
// references would disappear.
func AnswerParser() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), tablePriority)))
}

// tablePriority is the table transformer's place, as in goldmark's own extension.
const tablePriority = 200

// Block is a part of a text: a heading (level > 0), a list, or else a paragraph.
type Block struct {
	Level    int
	List     bool
	Numbered bool
	Items    [][]typeset.Span // one entry, except for a list
	Table    *Table           // nil for all others
}

// Blocks parses a text. Nothing in it is active: a link becomes its text and address, and HTML is shown as
// text.
func Blocks(reader parser.Parser, markdown string) []Block {
	src := []byte(markdown)
	return BlocksOf(reader.Parse(goldtext.NewReader(src)), src, nil)
}

// BlocksOf returns the blocks of a parsed text, with the claims of marks marked.
func BlocksOf(root ast.Node, src []byte, marks *Marks) []Block {
	var out []Block
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*extast.Table); ok {
			out = append(out, Block{Table: tableOf(t, src, marks)})
			continue
		}
		b := Block{Items: [][]typeset.Span{flat(n, src, marks)}}
		switch n := n.(type) {
		case *ast.Heading:
			b.Level = n.Level
		case *ast.List:
			if items, ok := listItems(n, src, marks); ok {
				b.List, b.Numbered, b.Items = true, n.IsOrdered(), items
			}
		}
		out = append(out, b)
	}
	return out
}

// flat returns a node as one stretch of text, with each reference as its own span.
func flat(n ast.Node, src []byte, marks *Marks) []typeset.Span {
	f := flattener{src: src, marks: marks}
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		ref, ok := n.(*referenceNode)
		if !ok {
			return f.visit(n, entering)
		}
		if entering {
			f.reference(ref.text)
		}
		return ast.WalkContinue, nil
	}) // neither fails
	return slices.DeleteFunc(joined(f.out), func(s typeset.Span) bool { return s.Text == "" })
}

// reference appends a reference, and an empty span for the text after it.
func (f *flattener) reference(text string) {
	bold := f.bold > 0
	f.out = append(f.out, typeset.Span{Text: text, Bold: bold, Color: Reference}, typeset.Span{Bold: bold})
	f.fresh = false
}

// listItems returns the items of a simple list, with one paragraph each and numbered from 1. ok is false for any other
// list, which is drawn flat.
func listItems(l *ast.List, src []byte, marks *Marks) (items [][]typeset.Span, ok bool) {
	if l.IsOrdered() && l.Start != 1 {
		return nil, false
	}
	for n := l.FirstChild(); n != nil; n = n.NextSibling() {
		only := n.FirstChild()
		if only == nil || only.NextSibling() != nil || (only.Kind() != ast.KindTextBlock &&
			only.Kind() != ast.KindParagraph) {
			return nil, false
		}
		items = append(items, flat(only, src, marks))
	}
	return items, len(items) > 0
}

// Table is a table in a text.
type Table struct {
	Head []string
	End  []bool // columns that are aligned to the right
	Rows [][][]typeset.Span
}

func tableOf(t *extast.Table, src []byte, marks *Marks) *Table {
	out := &Table{}
	for _, a := range t.Alignments {
		out.End = append(out.End, a == extast.AlignRight)
	}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]typeset.Span
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, flat(c, src, marks))
		}
		if _, is := row.(*extast.TableHeader); !is {
			out.Rows = append(out.Rows, cells)
			continue
		}
		for _, c := range cells {
			out.Head = append(out.Head, PlainText(c))
		}
	}
	return out
}
