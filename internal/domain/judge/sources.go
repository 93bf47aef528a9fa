package judge

import (
	"slices"
	"strings"
	"sync"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Sources are a session's texts, cut into what a reader is given. They are not changed after NewSources, so that claims
// can be looked up side by side.
type Sources struct {
	vocabulary
	parts    []part
	postings [][]int // word id → the parts that have it, in order
	inOrder  func() []block
}

// part is what windows are made of: a sentence, a piece of a long one, or a row of a table.
type part struct {
	of    *cutChunk
	span  text.Span // in the chunk
	row   string    // of a row: its cells after their heads; "" for a sentence
	lead  int       // the part before, if this one begins with a pronoun; -1 otherwise
	size  int       // words
	words []int     // content words, each once
}

// cutChunk is a chunk that was cut into the parts [first, last].
type cutChunk struct {
	ref         ledger.ChunkRef
	ruler       text.Ruler
	grids       []ledger.Grid
	heading     string
	above       []int // the heading's content words
	first, last int
	short       bool // it is all of a document of a few sentences, which are read together
}

// Bounds on what a reader is given at once, in words. An English word is one and a third tokens on average.
const (
	mostWords   = 110 // of a window
	mostAround  = 130 // of a window with its heading and the sentence before it
	mostPiece   = 60  // of a sentence; a longer one is cut
	mostLetters = 500 // of a sentence, in code points
	mostHeading = 12
)

// NewSources cuts the documents of a session that may be cited.
func NewSources(s *ledger.Session) *Sources {
	x := &Sources{vocabulary: newVocabulary()}
	x.inOrder = sync.OnceValue(x.blocks)
	for i := range s.Documents {
		if d := &s.Documents[i]; d.Status != ledger.Deleted {
			x.add(s, d)
		}
	}
	return x
}

// add cuts a document.
func (x *Sources) add(of *ledger.Session, d *ledger.Document) {
	var open ledger.OpenGrid
	var before *cutChunk
	for i := range d.Chunks {
		ch := &d.Chunks[i]
		s := ""
		if of.Evident(ch) {
			s = ch.Words()
		}
		c := &cutChunk{
			ref: ledger.ChunkRef{Document: d.Position, Chunk: ch.Position}, ruler: text.NewRuler(s),
			grids: ledger.Grids(s, open), heading: headingOf(ch.HeadingPath, d.Title), first: len(x.parts),
		}
		open = open.After(s)
		c.above = x.contentWords(text.Tokens(c.heading))
		x.cut(c, s, ch.HeadingPath)
		if c.last = len(x.parts) - 1; c.last < c.first {
			continue
		}
		if p := &x.parts[c.first]; p.lead >= 0 && before != nil && before.heading == c.heading {
			p.lead = before.last
		} else {
			p.lead = -1
		}
		c.short = len(d.Chunks) == 1 && len(c.grids) == 0 && c.last-c.first < maxWindow && x.size(c.first, c.last) <= mostWords
		before = c
	}
}

// headingOf joins the titles that a chunk stands under, the innermost last, as many as are short enough; the document's
// title if there are none.
func headingOf(path []string, title string) string {
	out := ""
	if len(path) == 0 {
		path = []string{title}
	}
	for i := len(path) - 1; i >= 0; i-- {
		joined := strings.TrimSuffix(path[i]+": "+out, ": ")
		if words := strings.Fields(joined); len(words) > mostHeading {
			if out == "" {
				out = strings.Join(words[:mostHeading], " ")
			}
			break
		}
		out = joined
	}
	return out
}

// cut adds a chunk's parts. Headings are none, unless the chunk has nothing else.
func (x *Sources) cut(c *cutChunk, s string, path []string) {
	tokens := text.Tokens(s)
	within := func(span text.Span) (out []text.Token) {
		for len(tokens) > 0 && tokens[0].Start < span.Start {
			tokens = tokens[1:]
		}
		for len(tokens) > 0 && tokens[0].Start < span.End {
			out, tokens = append(out, tokens[0]), tokens[1:]
		}
		return out
	}
	sentences, grid := text.Sentences(s), 0
	headings := titlesAtStart(s, sentences, path)
	if headings == len(sentences) { // they say what they say
		headings, c.heading, c.above = 0, "", nil
	}
	for _, span := range sentences[headings:] {
		for grid < len(c.grids) && c.grids[grid].Span.Start < span.End {
			x.addRows(c, &c.grids[grid])
			grid++
		}
		if grid > 0 && span.Start < c.grids[grid-1].Span.End {
			continue // it was added as a row
		}
		for words := within(span); len(words) > 0; {
			n := pieceEnd(c, words)
			x.addSentence(c, span, words[:n], n == len(words))
			span.Start, words = words[min(n, len(words)-1)].Start, words[n:]
		}
	}
}

// titlesAtStart counts the sentences that a chunk begins with and that are titles of the path to it. The number of a
// title may stand before its sentence.
func titlesAtStart(s string, sentences []text.Span, path []string) int {
	n := 0
	isTitle := func(line string) bool {
		return slices.ContainsFunc(path, func(title string) bool { return strings.HasSuffix(text.Spaced(title), line) })
	}
	for n < len(sentences) && n < len(path) && isTitle(text.Spaced(text.Slice(s, sentences[n]))) {
		n++
	}
	return n
}

// pieceEnd returns how many of a sentence's words are read together: all of them if they are not too many, else those
// before the last semicolon, comma or word that still fits.
func pieceEnd(c *cutChunk, words []text.Token) int {
	fits := func(n int) bool { return n <= mostPiece && words[n-1].End-words[0].Start <= mostLetters }
	most := len(words)
	for most > 1 && !fits(most) {
		most = min(most-1, mostPiece)
	}
	if most == len(words) {
		return most
	}
	for _, marks := range []string{";؛:", ",،"} {
		for n := most; n > most/2; n-- {
			if strings.ContainsAny(c.ruler.Slice(text.Span{Start: words[n-1].End, End: words[n].Start}), marks) {
				return n
			}
		}
	}
	return most
}

// addSentence adds a sentence or a piece of it. The end of the sentence belongs to its last piece.
func (x *Sources) addSentence(c *cutChunk, sentence text.Span, words []text.Token, last bool) {
	p := part{of: c, span: sentence, lead: -1, size: len(words)}
	if !last {
		p.span.End = words[len(words)-1].End
	}
	if refersBack(words[0].Norm) {
		p.lead = len(x.parts) - 1
	}
	x.addPart(p, words)
}

// addRows adds the rows of a table, each a part or, if it is long, several that begin with its first cell.
func (x *Sources) addRows(c *cutChunk, g *ledger.Grid) {
	heads := g.Heads()
	for i := range g.Rows {
		r := &g.Rows[i]
		if isGroup(r) || len(r.Cells) == 0 {
			continue
		}
		lead := g.CaptionText
		if k := groupOf(g, i); k >= 0 {
			lead = strings.TrimPrefix(lead+", "+g.Rows[k].Cells[0].Text, ", ")
		}
		first := strings.TrimSpace(headAt(heads, 0) + " " + r.Cells[0].Text)
		lead = strings.TrimPrefix(lead+", "+first, ", ")
		row := lead
		add := func() {
			words := text.Tokens(row)
			x.addPart(part{of: c, span: r.Span, row: row, lead: -1, size: len(words)}, words)
		}
		for k := 1; k < len(r.Cells); k++ {
			if r.Cells[k].Text == "" {
				continue
			}
			cell := headedCell(headAt(heads, k), r.Cells[k].Text)
			if row != lead && len(strings.Fields(row))+len(strings.Fields(cell)) > mostWords {
				add()
				row = lead
			}
			row += rowMark(row == lead) + cell
		}
		add()
	}
}

// rowMark is what stands before a cell.
func rowMark(first bool) string {
	if first {
		return ", "
	}
	return "; "
}

func headAt(heads []string, i int) string {
	if i < len(heads) {
		return heads[i]
	}
	return ""
}

// addPart adds a part with its words.
func (x *Sources) addPart(p part, words []text.Token) {
	p.words = x.contentWords(words)
	for _, w := range p.words {
		x.postings[w] = append(x.postings[w], len(x.parts))
	}
	x.parts = append(x.parts, p)
}

// contentWords returns the ids of the content words, each once.
func (x *Sources) contentWords(words []text.Token) []int {
	out := make([]int, 0, len(words))
	for i := range words {
		if words[i].Stop {
			continue
		}
		id, fresh := x.intern(words[i].Stem)
		if fresh {
			x.postings = append(x.postings, nil)
		}
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// size is the number of words of the parts [first, last].
func (x *Sources) size(first, last int) int {
	n := 0
	for _, p := range x.parts[first : last+1] {
		n += p.size
	}
	return n
}

// backward are words that say again what stands in the sentence before.
var backward = wordSet(`it its he him his she her they them their this that these those such both
	هو هي هما هم هن هذا هذه هذان هؤلاء ذلك تلك أولئك مثل وهو وهي وهما وهم وهذا وهذه وهؤلاء وذلك وتلك فهو فهي فهم فهذا
	فهذه`)

// refersBack reports whether a sentence that begins with the word needs the one before it to be understood.
func refersBack(norm string) bool { return backward[norm] }
