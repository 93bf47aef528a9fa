package exporters

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"sanad/internal/exporters/typeset"
)

// memoParser reads a memo's Markdown with its references, but for link definitions: "[E1]: x" would make links of
// references, and vanish.
func memoParser() parser.Parser {
	inline := append(parser.DefaultInlineParsers(), util.Prioritized(referenceParser{}, 150)) // before links
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(inline...))
}

// memoBlock is a piece of a memo: a heading (level > 0), a list, or else a paragraph.
type memoBlock struct {
	level    int
	list     bool
	numbered bool
	items    [][]typeset.Span // one, but in a list
}

// memoBlocks reads a memo. Nothing in it is live: links are their text and address, HTML is the text that it is.
func memoBlocks(markdown string) []memoBlock {
	src := []byte(markdown)
	root := memoParser().Parse(goldtext.NewReader(src))
	var out []memoBlock
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		b := memoBlock{items: [][]typeset.Span{flat(n, src)}}
		switch n := n.(type) {
		case *ast.Heading:
			b.level = n.Level
		case *ast.List:
			if items, ok := listItems(n, src); ok {
				b.list, b.numbered, b.items = true, n.IsOrdered(), items
			}
		}
		out = append(out, b)
	}
	return out
}

// flat draws a node as one stretch of text, each reference a span of its own.
func flat(n ast.Node, src []byte) []typeset.Span {
	f := flattener{src: src}
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
	return slices.DeleteFunc(f.out, func(s typeset.Span) bool { return s.Text == "" })
}

// reference appends a reference; the empty span behind it takes what follows.
func (f *flattener) reference(text string) {
	bold := f.bold > 0
	f.out = append(f.out, typeset.Span{Text: text, Bold: bold, Color: packReference}, typeset.Span{Bold: bold})
	f.fresh = false
}

// listItems returns the items of a simple list: one paragraph each, numbered from 1. Other lists are drawn flat.
func listItems(l *ast.List, src []byte) (items [][]typeset.Span, ok bool) {
	if l.IsOrdered() && l.Start != 1 {
		return nil, false
	}
	for n := l.FirstChild(); n != nil; n = n.NextSibling() {
		only := n.FirstChild()
		if only == nil || only.NextSibling() != nil || (only.Kind() != ast.KindTextBlock &&
			only.Kind() != ast.KindParagraph) {
			return nil, false
		}
		items = append(items, flat(only, src))
	}
	return items, len(items) > 0
}
