package exporters

import (
	"slices"
	"sort"
	"strconv"

	"github.com/yuin/goldmark/ast"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// The claims in an answer: underlined in the form of their verdict, each followed by its number (rule PDF-1).

// pdfUnderlines are the lines below claims, by verdict. A claim without a verdict has its number only.
var pdfUnderlines = map[ledger.Verdict]typeset.Underline{
	ledger.Supported: typeset.SolidLine, ledger.Weak: typeset.DashedLine, ledger.Contradicted: typeset.DoubleLine,
	ledger.NotFound: typeset.DottedLine,
}

// pdfLineColors are the colours of these lines and of the numbers.
var pdfLineColors = map[ledger.Verdict]typeset.Color{
	ledger.Supported: 0x1b6638, ledger.Weak: 0x7a4b00, ledger.Contradicted: pdfAlarm, ledger.NotFound: 0x57544c,
	ledger.Unjudged: 0x57544c,
}

// answerMark is a claim in the answer; its place is in bytes.
type answerMark struct {
	start, end int
	number     int
	verdict    ledger.Verdict
}

// answerMarks tell which stretch of an answer belongs to which claim.
type answerMarks struct {
	cuts    []int // where claims and anchors begin and end, and where numbers stand; sorted
	owners  []int // of the stretch that begins at each cut: the index of its mark, -1 for none
	marks   []answerMark
	numbers map[int][]int // the marks whose number stands before a byte
	anchors []answerAnchor
	lost    []int                          // numbers of the claims that aren't seen in the answer
	cite    func(hash string) typeset.Span // the mark of an anchor
}

type answerAnchor struct {
	start, end int
	hash       string
}

// newAnswerMarks returns the marks of a ledger's claims in its answer, which was parsed into root.
func newAnswerMarks(l *ledger.Ledger, root ast.Node, cite func(hash string) typeset.Span) *answerMarks {
	m := &answerMarks{numbers: map[int][]int{}, cite: cite}
	ruler, shown := text.NewRuler(l.Session.Answer), shownText(root)
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Claim.Span == nil {
			m.lost = append(m.lost, e.Claim.Number())
			continue
		}
		x := answerMark{start: ruler.Byte(e.Claim.Span.Start), end: ruler.Byte(e.Claim.Span.End),
			number: e.Claim.Number(), verdict: e.Verdict}
		// the last stretch that the claim reaches into
		last := sort.Search(len(shown), func(i int) bool { return shown[i].Start >= x.end }) - 1
		if last < 0 || shown[last].End <= x.start {
			m.lost = append(m.lost, x.number)
			continue
		}
		at := min(x.end, shown[last].End)
		m.numbers[at] = append(m.numbers[at], len(m.marks))
		m.cuts = append(m.cuts, x.start, x.end, at)
		m.marks = append(m.marks, x)
	}
	for _, a := range ledger.Anchors(l.Session.Answer) {
		x := answerAnchor{ruler.Byte(a.Span.Start), ruler.Byte(a.Span.End), a.Hash}
		m.anchors, m.cuts = append(m.anchors, x), append(m.cuts, x.start, x.end)
	}
	m.own()
	return m
}

// shownText returns the stretches of source that are shown as text, in order.
func shownText(root ast.Node) []text.Span {
	var out []text.Span
	add := func(start, stop int) { out = append(out, text.Span{Start: start, End: stop}) }
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			add(n.Segment.Start, n.Segment.Stop)
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				add(s.Start, s.Stop)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	}) // never fails
	return out
}

// own assigns each stretch between two cuts to the shortest claim that covers it.
func (m *answerMarks) own() {
	slices.Sort(m.cuts)
	m.cuts = slices.Compact(m.cuts)
	m.owners = make([]int, len(m.cuts))
	for i := range m.owners {
		m.owners[i] = -1
	}
	order := make([]int, len(m.marks))
	for i := range order {
		order[i] = i
	}
	length := func(i int) int { return m.marks[i].end - m.marks[i].start }
	slices.SortStableFunc(order, func(a, b int) int { return length(b) - length(a) })
	for _, o := range order { // the longest first, so that shorter ones override it
		i, _ := slices.BinarySearch(m.cuts, m.marks[o].start)
		for ; m.cuts[i] < m.marks[o].end; i++ {
			m.owners[i] = o
		}
	}
}

// ownerAt returns the claim that a stretch belongs to, nil for none.
func (m *answerMarks) ownerAt(at int) *answerMark {
	i, found := slices.BinarySearch(m.cuts, at)
	if !found {
		i--
	}
	if i < 0 || m.owners[i] < 0 {
		return nil
	}
	return &m.marks[m.owners[i]]
}

// anchorAt returns the anchor that covers byte at, nil if none.
func (m *answerMarks) anchorAt(at int) *answerAnchor {
	i := sort.Search(len(m.anchors), func(i int) bool { return m.anchors[i].end > at })
	if i < len(m.anchors) && m.anchors[i].start <= at {
		return &m.anchors[i]
	}
	return nil
}

// marked appends a stretch of source, with its claims underlined, their numbers after them, and the mark of a footnote
// for each citation anchor.
func (f *flattener) marked(from, stop int, code bool) {
	m := f.marks
	for from < stop {
		next := stop
		if i, _ := slices.BinarySearch(m.cuts, from+1); i < len(m.cuts) {
			next = min(next, m.cuts[i])
		}
		if a := m.anchorAt(from); a != nil {
			if a.start == from {
				f.out = append(f.out, m.cite(a.hash))
			}
			f.fresh = false
		} else {
			s := typeset.Span{Text: string(f.src[from:next]), Bold: f.bold > 0, Code: code}
			if !code {
				s.Text = unescaped(f.src[from:next])
			}
			if o := m.ownerAt(from); o != nil {
				s.Under, s.UnderColor = pdfUnderlines[o.verdict], pdfLineColors[o.verdict]
			}
			f.out, f.fresh = append(f.out, s), false
		}
		for _, i := range m.numbers[next] {
			f.out = append(f.out, claimNumber(&m.marks[i]))
		}
		from = next
	}
}

// claimNumber is the number after a claim. The space before it doesn't break.
func claimNumber(m *answerMark) typeset.Span {
	return typeset.Span{Text: "\u00a0[" + strconv.Itoa(m.number) + "]", Bold: true, Isolate: true,
		Color: pdfLineColors[m.verdict]}
}

// markedCode appends a code span.
func (f *flattener) markedCode(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			f.marked(t.Segment.Start, t.Segment.Stop, true)
		}
	}
}

// markedLines appends the lines of a block of code or HTML.
func (f *flattener) markedLines(n ast.Node) {
	_, isHTML := n.(*ast.HTMLBlock)
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		stop := s.Stop
		for stop > s.Start && (f.src[stop-1] == '\n' || f.src[stop-1] == '\r') {
			stop--
		}
		if i > 0 {
			f.text("\n")
		}
		f.marked(s.Start, stop, !isHTML)
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		f.text("\n" + string(h.ClosureLine.Value(f.src)))
	}
}
