package prose

import (
	"regexp"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldtext "github.com/yuin/goldmark/text"

	"sanad/internal/exporters/typeset"
)

// Reference is the colour of a memo's references; nothing else in a memo is coloured.
const Reference typeset.Color = 0x2f3f8f

// referenceNode is a memo's [E1]. With a backslash before it, [E1] is text, as in pack.References.
type referenceNode struct {
	ast.BaseInline
	text string
}

var referenceKind = ast.NewNodeKind("PackReference")

// Kind implements ast.Node.
func (n *referenceNode) Kind() ast.NodeKind { return referenceKind }

// Dump implements ast.Node.
func (n *referenceNode) Dump(src []byte, level int) {
	ast.DumpHelper(n, src, level, map[string]string{"Text": n.text}, nil)
}

var referenceText = regexp.MustCompile(`^\[E([0-9]{1,4})\]`)

// referenceParser parses references before other parsers could turn them into links.
type referenceParser struct{}

// Trigger implements parser.InlineParser.
func (referenceParser) Trigger() []byte { return []byte{'['} }

// Parse implements parser.InlineParser.
func (referenceParser) Parse(_ ast.Node, block goldtext.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	found := referenceText.Find(line)
	if found == nil {
		return nil
	}
	block.Advance(len(found))
	return &referenceNode{text: string(found)}
}

// Referred returns the position of the source that a reference names; ok is false if there is no such source.
func Referred(text string, n int) (position int, ok bool) {
	m := referenceText.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	position, err := strconv.Atoi(m[1])
	return position - 1, err == nil && position > 0 && position <= n
}
