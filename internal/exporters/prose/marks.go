package prose

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// The claims in an answer: underlined in the form of their verdict, each followed by its number (rule PDF-1).

// Underlines are the lines below claims, by verdict. A claim without a verdict has its number only.
var Underlines = map[ledger.Verdict]typeset.Underline{
	ledger.Supported: typeset.SolidLine, ledger.Weak: typeset.DashedLine, ledger.Contradicted: typeset.DoubleLine,
	ledger.NotFound: typeset.DottedLine,
}

// LineColors are the colours of these lines and of the numbers.
var LineColors = map[ledger.Verdict]typeset.Color{
	ledger.Supported: 0x1b6638, ledger.Weak: 0x7a4b00, ledger.Contradicted: Alarm, ledger.NotFound: 0x57544c,
	ledger.Unjudged: 0x57544c,
}

// Mark is a claim in the answer; its place is in bytes.
type Mark struct {
	start, end int
	number     int
	Verdict    ledger.Verdict
}

// Marks tell which stretch of an answer belongs to which claim.
type Marks struct {
	cuts    []int // where claims and anchors begin and end, and where numbers stand; sorted
	owners  []int // of the stretch that begins at each cut: the index of its mark, -1 for none
	Marks   []Mark
	Numbers map[int][]int // the marks whose number stands before a byte
	anchors []answerAnchor
	Lost    []int                          // numbers of the claims that aren't seen in the answer
	cite    func(hash string) typeset.Span // the mark of an anchor
}

type answerAnchor struct {
	start, end int
	hash       string
}

// NewMarks returns the marks of a ledger's claims in its answer, which was parsed into root.
func NewMarks(l *ledger.Ledger, root ast.Node, cite func(hash string) typeset.Span) *Marks {
	m := &Marks{Numbers: map[int][]int{}, cite: cite}
	ruler, shown := text.NewRuler(l.Session.Answer), shownText(root)
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Claim.Span == nil {
			m.Lost = append(m.Lost, e.Claim.Number())
			continue
		}
		x := Mark{start: ruler.Byte(e.Claim.Span.Start), end: ruler.Byte(e.Claim.Span.End),
			number: e.Claim.Number(), Verdict: e.Verdict}
		// the last stretch that the claim reaches into
		last := sort.Search(len(shown), func(i int) bool { return shown[i].Start >= x.end }) - 1
		if last < 0 || shown[last].End <= x.start {
			m.Lost = append(m.Lost, x.number)
			continue
		}
		at := min(x.end, shown[last].End)
		m.Numbers[at] = append(m.Numbers[at], len(m.Marks))
		m.cuts = append(m.cuts, x.start, x.end, at)
		m.Marks = append(m.Marks, x)
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
func (m *Marks) own() {
	slices.Sort(m.cuts)
	m.cuts = slices.Compact(m.cuts)
	m.owners = make([]int, len(m.cuts))
	for i := range m.owners {
		m.owners[i] = -1
	}
	order := make([]int, len(m.Marks))
	for i := range order {
		order[i] = i
	}
	length := func(i int) int { return m.Marks[i].end - m.Marks[i].start }
	slices.SortStableFunc(order, func(a, b int) int { return length(b) - length(a) })
	for _, o := range order { // the longest first, so that shorter ones override it
		i, _ := slices.BinarySearch(m.cuts, m.Marks[o].start)
		for ; m.cuts[i] < m.Marks[o].end; i++ {
			m.owners[i] = o
		}
	}
}

// ownerAt returns the claim that a stretch belongs to, nil for none.
func (m *Marks) ownerAt(at int) *Mark {
	i, found := slices.BinarySearch(m.cuts, at)
	if !found {
		i--
	}
	if i < 0 || m.owners[i] < 0 {
		return nil
	}
	return &m.Marks[m.owners[i]]
}

// anchorAt returns the anchor that covers byte at, nil if none.
func (m *Marks) anchorAt(at int) *answerAnchor {
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
				if f.afterNote() {
					f.out = append(f.out, typeset.Span{Text: "·", Bold: true, Color: Reference})
				}
				f.out = append(f.out, m.cite(a.hash))
			}
			f.fresh = false
		} else {
			s := typeset.Span{Text: string(f.src[from:next]), Bold: f.bold > 0, Code: code}
			if !code {
				s.Text = unescaped(f.src[from:next])
			}
			if o := m.ownerAt(from); o != nil {
				s.Under, s.UnderColor = Underlines[o.Verdict], LineColors[o.Verdict]
			}
			f.out, f.fresh = append(f.out, s), false
		}
		for _, i := range m.Numbers[next] {
			f.out = append(f.out, claimNumber(&m.Marks[i])...)
		}
		from = next
	}
}

// afterNote reports whether the last thing written is the mark of a footnote: two marks side by side read as one.
func (f *flattener) afterNote() bool {
	for i := len(f.out) - 1; i >= 0; i-- {
		if strings.TrimSpace(f.out[i].Text) != "" {
			return f.out[i].Note != nil
		}
	}
	return false
}

// claimNumber is the number after a claim. The space before it doesn't break; it is part of the sentence, so that it
// stands between claim and number in both directions.
func claimNumber(m *Mark) []typeset.Span {
	return []typeset.Span{{Text: "\u00a0"}, {Text: "[" + strconv.Itoa(m.number) + "]", Bold: true, Isolate: true,
		Color: LineColors[m.Verdict]}}
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
