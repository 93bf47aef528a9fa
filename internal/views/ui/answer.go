package ui

import (
	"bufio"
	"bytes"
	"fmt"
	stdhtml "html"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// AnswerBlock is one block of the answer's Markdown: a paragraph, heading, list item, table row or code.
type AnswerBlock struct {
	Kind   string // p, h, li, row, code, quote
	Marker string // a list item's bullet or number
	Dir    string // of its column, or its own; "" for "ltr"
	Own    bool   // Dir is its own, and the page says it
	Runs   []AnswerRun
}

// AnswerRun is a stretch of text that belongs to one claim or to none, or a citation.
type AnswerRun struct {
	Text   string
	Bold   bool
	Code   bool
	Claim  *AnswerClaim
	Cite   *AnswerCite
	Repeat bool // the claim was linked before: this link is not in the tab order again
}

// AnswerClaim links a stretch to its claim.
type AnswerClaim struct {
	Number int
	Class  string
	Href   string // of the claim in its ledger
	Label  string // its number and verdict
	Lang   string // of the label
}

// AnswerCite is a citation anchor, shown as a small number.
type AnswerCite struct {
	Label  string
	Href   string // "" if it does not resolve
	Title  string
	Lang   string // of the title
	Broken bool
}

var answerMarkdown = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

// answerWriter turns a part of the answer into blocks; all positions are bytes of source.
type answerWriter struct {
	source []byte
	text   string         // source, of which the runs are parts
	cuts   []int          // where claims begin and end, sorted
	owners []*AnswerClaim // of the stretch that begins at each cut, nil if none
	cites  []AnchorPlace  // in order
	seen   map[int]bool
	blocks []AnswerBlock
}

type byteMark struct {
	start, end int
	claim      *AnswerClaim
}

// AnchorPlace is where an anchor stands in a Markdown text, in bytes, and what is shown there.
type AnchorPlace struct {
	Start, End int
	Cite       *AnswerCite
}

// ParsedAnswer is a part of an answer as Markdown, to be laid out for one claim or for many.
type ParsedAnswer struct {
	text    string
	source  []byte
	doc     ast.Node
	anchors []ledger.Citation
	ruler   text.Ruler
}

// ParseAnswer parses a part of an answer.
func ParseAnswer(part string) *ParsedAnswer {
	a := &ParsedAnswer{text: part, source: []byte(part), anchors: ledger.Anchors(part), ruler: text.NewRuler(part)}
	a.doc = answerMarkdown.Parse(gmtext.NewReader(a.source))
	return a
}

// Blocks lays out the part, which starts at code point start of the answer, with claims underlined and citation anchors
// as links. No word of the answer is left out; Markdown syntax is rendered, not shown.
func (a *ParsedAnswer) Blocks(start int, marks []ledger.AnswerMark, claim func(ledger.AnswerMark) *AnswerClaim,
	cite func(hash string) *AnswerCite) []AnswerBlock {
	w := &answerWriter{source: a.source, text: a.text, seen: make(map[int]bool, len(marks))}
	spans := make([]byteMark, 0, len(marks))
	for _, m := range marks {
		from, to := a.ruler.Byte(max(m.Span.Start-start, 0)), a.ruler.Byte(max(m.Span.End-start, 0))
		if from < to {
			spans = append(spans, byteMark{from, to, claim(m)})
		}
	}
	w.index(spans)
	for _, x := range a.anchors {
		w.cites = append(w.cites, AnchorPlace{a.ruler.Byte(x.Span.Start), a.ruler.Byte(x.Span.End), cite(x.Hash)})
	}
	w.children(a.doc, "p", "")
	return w.blocks
}

// CitedBlocks lays out Markdown that has no claims, with its anchors, which are in order, as links.
func CitedBlocks(markdown string, anchors []AnchorPlace) []AnswerBlock {
	w := &answerWriter{source: []byte(markdown), text: markdown, cites: anchors, seen: map[int]bool{}}
	w.children(answerMarkdown.Parse(gmtext.NewReader(w.source)), "p", "")
	return w.blocks
}

// children walks the blocks below n; kind is the kind of a paragraph below it.
func (w *answerWriter) children(n ast.Node, kind, marker string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, kind, marker)
		marker = ""
	}
}

func (w *answerWriter) block(n ast.Node, kind, marker string) {
	switch n := n.(type) {
	case *ast.List:
		w.list(n)
	case *ast.Heading:
		w.leaf("h", "", n)
	case *ast.Blockquote:
		w.children(n, "quote", "")
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		w.lines(n)
	case *extast.Table:
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			w.leaf("row", "", row)
		}
	case *ast.ThematicBreak:
	default:
		if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
			w.children(n, kind, marker)
			return
		}
		w.leaf(kind, marker, n)
	}
}

func (w *answerWriter) list(l *ast.List) {
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "•"
		if l.IsOrdered() {
			marker = fmt.Sprintf("%d%c", number, l.Marker)
			number++
		}
		w.children(item, "li", marker)
	}
}

// leaf writes a block of inline text.
func (w *answerWriter) leaf(kind, marker string, n ast.Node) {
	w.blocks = append(w.blocks, AnswerBlock{Kind: kind, Marker: marker})
	w.inline(n, false, false)
}

// lines writes code verbatim.
func (w *answerWriter) lines(n ast.Node) {
	w.blocks = append(w.blocks, AnswerBlock{Kind: "code"})
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		w.add(seg.Start, seg.Stop, false, true)
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		w.add(h.ClosureLine.Start, h.ClosureLine.Stop, false, true)
	}
}

func (w *answerWriter) inline(n ast.Node, bold, code bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			w.add(c.Segment.Start, c.Segment.Stop, bold, code)
			if c.SoftLineBreak() || c.HardLineBreak() {
				w.plain(" ")
			}
		case *ast.String:
			w.plain(string(c.Value))
		case *ast.Emphasis:
			w.inline(c, bold || c.Level == 2, code)
		case *ast.CodeSpan:
			w.inline(c, bold, true)
		case *ast.Link: // user text never becomes a live link; its address stays readable
			w.inline(c, bold, code)
			w.plain(" (" + string(c.Destination) + ")")
		case *ast.AutoLink:
			w.plain(string(c.URL(w.source)))
		case *ast.RawHTML:
			for i := range c.Segments.Len() {
				w.add(c.Segments.At(i).Start, c.Segments.At(i).Stop, bold, true)
			}
		case *extast.TableCell:
			if c.PreviousSibling() != nil {
				w.between(" · ")
			}
			w.inline(c, bold, code)
		default:
			w.inline(c, bold, code)
		}
	}
}

// plain appends text that has no position in the source to the preceding run.
func (w *answerWriter) plain(s string) {
	runs := &w.blocks[len(w.blocks)-1].Runs
	if n := len(*runs); n > 0 && (*runs)[n-1].Cite == nil {
		(*runs)[n-1].Text += s
		return
	}
	*runs = append(*runs, AnswerRun{Text: s})
}

// between appends text that stands between two parts of the source, of which no claim is.
func (w *answerWriter) between(s string) {
	runs := &w.blocks[len(w.blocks)-1].Runs
	if n := len(*runs); n > 0 && (*runs)[n-1].Claim != nil {
		*runs = append(*runs, AnswerRun{Text: s})
		return
	}
	w.plain(s)
}

// add writes source[from:to], cut where claims and anchors begin and end.
func (w *answerWriter) add(from, to int, bold, code bool) {
	for from < to {
		if c := w.citeAt(from); c != nil {
			if c.Start >= from { // its first part; later parts of one anchor are skipped
				w.run(AnswerRun{Cite: c.Cite})
			}
			from = min(c.End, to)
			continue
		}
		next := w.nextCut(from, to)
		words := w.text[from:next]
		if !code {
			words = unescaped(words)
		}
		w.run(AnswerRun{Text: words, Bold: bold, Code: code, Claim: w.claimAt(from)})
		from = next
	}
}

// unescaped returns a stretch of Markdown text without its backslash escapes and entities.
func unescaped(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	goldhtml.DefaultWriter.Write(w, []byte(s))
	_ = w.Flush() // to a buffer
	return stdhtml.UnescapeString(b.String())
}

// run appends a run, or joins it to the preceding one if both have the same style and link.
func (w *answerWriter) run(r AnswerRun) {
	runs := &w.blocks[len(w.blocks)-1].Runs
	if n := len(*runs); n > 0 && r.Cite == nil {
		last := &(*runs)[n-1]
		if last.Cite == nil && last.Claim == r.Claim && last.Bold == r.Bold && last.Code == r.Code {
			last.Text += r.Text
			return
		}
	}
	if r.Claim != nil {
		r.Repeat = w.seen[r.Claim.Number]
		w.seen[r.Claim.Number] = true
	}
	*runs = append(*runs, r)
}

// citeAt returns the anchor that covers byte at.
func (w *answerWriter) citeAt(at int) *AnchorPlace {
	i := sort.Search(len(w.cites), func(i int) bool { return w.cites[i].End > at })
	if i < len(w.cites) && w.cites[i].Start <= at {
		return &w.cites[i]
	}
	return nil
}

// index splits the source at the starts and ends of claims, and assigns each stretch to the shortest claim that covers
// it.
func (w *answerWriter) index(marks []byteMark) {
	w.cuts = make([]int, 0, 2*len(marks))
	for _, m := range marks {
		w.cuts = append(w.cuts, m.start, m.end)
	}
	slices.Sort(w.cuts)
	w.cuts = slices.Compact(w.cuts)
	w.owners = make([]*AnswerClaim, len(w.cuts))
	slices.SortStableFunc(marks, func(a, b byteMark) int { return (b.end - b.start) - (a.end - a.start) })
	for _, m := range marks { // the longest first, so that shorter ones override it
		i, _ := slices.BinarySearch(w.cuts, m.start)
		for ; w.cuts[i] < m.end; i++ {
			w.owners[i] = m.claim
		}
	}
}

// claimAt returns the shortest claim that covers byte at.
func (w *answerWriter) claimAt(at int) *AnswerClaim {
	i, found := slices.BinarySearch(w.cuts, at)
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	return w.owners[i]
}

// nextCut returns the next byte after at where a claim or an anchor begins or ends.
func (w *answerWriter) nextCut(at, to int) int {
	if i, _ := slices.BinarySearch(w.cuts, at+1); i < len(w.cuts) {
		to = min(to, w.cuts[i])
	}
	i := sort.Search(len(w.cites), func(i int) bool { return w.cites[i].Start > at })
	if i < len(w.cites) {
		to = min(to, w.cites[i].Start)
	}
	return to
}
