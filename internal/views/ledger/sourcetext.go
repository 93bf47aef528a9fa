package ledger

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
)

// Paragraph is a heading, running text or a table of a chunk.
type Paragraph struct {
	Heading bool
	Text    string
	At      int       // where Text begins in the chunk, in code points
	Runs    []textRun // Text in pieces of one kind each; nil for a heading
	Table   *TableText
}

// textRun is a stretch of a document's text.
type textRun struct {
	text  string
	mark  mark
	claim *ClaimLink // the other claim that leans on it, nil for none
	again bool       // it was linked before
	first bool       // of the passage, in all that is shown
}

// written says the direction and language of a paragraph: by its own letters, as a document may quote another language.
func (x *Paragraph) written(p *DocumentPage) templ.OrderedAttributes {
	dir := x.dir(p)
	if dir == p.TextDir {
		return say.WrittenIn(dir, p.TextLang)
	}
	return say.WrittenAs(dir, x.Text)
}

// dir is the direction of a paragraph, the document's where it has no letters.
func (x *Paragraph) dir(p *DocumentPage) string {
	if strings.ContainsFunc(x.Text, unicode.IsLetter) {
		return say.Dir(x.Text)
	}
	return p.TextDir
}

// mark says what a stretch of a document's text is to the claim in focus.
type mark struct {
	passage bool   // it belongs to the passage that the claim leans on
	word    string // as the kind of a ui.Segment
	claim   int    // place, from 1, in the list of the claims that lean on it
	doubt   int    // place, from 1, in the list of the chunk's doubtful words
	sure    int    // the confidence of such a word
}

// chunkMarks finds what stands where in a chunk: the passage in focus with its matching and conflicting words, and the
// sentences that other claims rest on; on demand also the words that match them otherwise. One code point has one mark: the passage goes before other claims, an earlier claim
// before a later one.
func chunkMarks(in *DocumentInput, ch *ledger.Chunk, length int) []mark {
	marks := make([]mark, length)
	each := func(sp text.Span, set func(*mark)) {
		for i := max(sp.Start, 0); i < min(sp.End, length); i++ {
			set(&marks[i])
		}
	}
	words := func(sp text.Span, conflicts []ledger.Conflict) {
		at := sp.Start
		for _, s := range segments(in.Words, text.Slice(ch.Text, sp), conflicts) {
			n := text.Len(s.Text)
			each(text.Span{Start: at, End: at + n}, func(m *mark) { m.word = s.Kind })
			at += n
		}
	}
	placed := false
	passage := func(sp text.Span, conflicts []ledger.Conflict) {
		placed = true
		each(sp, func(m *mark) { m.passage = true })
		words(sp, conflicts)
	}
	for i, w := range ch.Doubtful {
		each(text.Span{Start: w.Start, End: w.End}, func(m *mark) { m.doubt, m.sure = i+1, w.Confidence })
	}
	cited := in.Cited[ch.Position]
	for i := range cited {
		if by := &cited[i]; in.inFocus(by) && by.Quote.Len() > 0 {
			passage(sentenceAround(ch.Text, by.Quote), by.Conflicts)
		}
	}
	if current := ch.Position == in.Current; current && in.Span != nil {
		passage(*in.Span, nil)
	} else if current && !placed && in.Words != "" {
		words(text.Span{End: length}, nil)
	}
	for i := range cited {
		by := &cited[i]
		if in.inFocus(by) || by.Number == in.Claim || !in.Matches && !decides(by) {
			continue
		}
		quote := by.Quote
		if decides(by) && quote.Len() > 0 {
			quote = sentenceAround(ch.Text, quote)
		}
		each(quote, func(m *mark) {
			if !m.passage && m.claim == 0 {
				m.claim = i + 1
			}
		})
	}
	return marks
}

// decides reports whether a match is one that its claim's verdict rests on: the first, or one that contradicts.
func decides(by *ledger.Cited) bool {
	if by.Verdict == ledger.Contradicted {
		return by.Contradicts
	}
	return by.Rank == 0
}

// inFocus reports whether a match is the one whose passage is shown.
func (in *DocumentInput) inFocus(by *ledger.Cited) bool {
	return in.Span == nil && by.Number == in.Claim && (in.Rank == nil || *in.Rank == by.Rank)
}

// paragraphs splits a chunk at its line breaks, within the part of it that is shown; a first line that equals the
// chunk's heading becomes a heading. links has the claims by their place in marks.
func paragraphs(ch *ledger.Chunk, marks []mark, links []ClaimLink, part text.Span, grids []ledger.Grid) []Paragraph {
	var out []Paragraph
	headings, seen := map[string]bool{}, map[int]bool{}
	for _, h := range ch.HeadingPath {
		headings[text.Fold(h)] = true
	}
	head, at, behind := part.Start == 0, part.Start, 0 // behind the last table
	for _, line := range strings.SplitAfter(text.Slice(ch.Text, part), "\n") {
		bare := strings.TrimSpace(line)
		start := at + text.Len(line[:strings.Index(line, bare)])
		at += text.Len(line)
		if bare == "" || start < behind {
			continue
		}
		if g := gridAt(grids, start); g != nil && g.Span.End <= part.End {
			out = append(out, Paragraph{At: start, Table: newTableText(g, marks, links, seen)})
			head, behind = false, g.Span.End
			continue
		}
		if title := strings.TrimSpace(strings.Trim(bare, "#")); head && headings[text.Fold(title)] {
			out = append(out, Paragraph{Heading: true, Text: title, At: start})
			continue
		}
		head = false
		out = append(out, Paragraph{Text: bare, At: start, Runs: textRuns(bare, marks[start:], links, seen)})
	}
	return out
}

// textRuns splits a line where its marks change. seen has the claims that were linked before.
func textRuns(line string, marks []mark, links []ClaimLink, seen map[int]bool) []textRun {
	var out []textRun
	runes, start := []rune(line), 0
	for i := range runes {
		if i+1 < len(runes) && marks[i+1] == marks[i] {
			continue
		}
		run := textRun{text: string(runes[start : i+1]), mark: marks[i]}
		if k := marks[i].claim; k > 0 {
			run.claim, run.again, seen[k] = &links[k-1], seen[k], true
		}
		out, start = append(out, run), i+1
	}
	return out
}

// shownOfChunk is how much of a long chunk the evidence column shows around the passage, in code points.
const shownOfChunk = 6000

// part returns which part of a chunk is shown: all of it on the page of the document.
func (in *DocumentInput) part(marks []mark) text.Span {
	all := text.Span{End: len(marks)}
	if !in.Bounded || all.End <= shownOfChunk {
		return all
	}
	start := 0
	for start < all.End && !marks[start].passage {
		start++
	}
	if start == all.End {
		return text.Span{End: shownOfChunk}
	}
	start = max(0, min(start-shownOfChunk/4, all.End-shownOfChunk))
	return text.Span{Start: start, End: start + shownOfChunk}
}

// stretch is runs of a paragraph that follow each other, all of the passage or none.
type stretch struct {
	passage bool
	first   bool // the passage begins here
	runs    []textRun
}

func stretches(runs []textRun) []stretch {
	var out []stretch
	for i, r := range runs {
		if i == 0 || runs[i-1].mark.passage != r.mark.passage {
			out = append(out, stretch{passage: r.mark.passage, first: r.first})
		}
		last := &out[len(out)-1]
		last.runs = append(last.runs, r)
	}
	return out
}

// firstPassage marks where the passage that is shown begins.
func firstPassage(sheets []Sheet) {
	for i := range sheets {
		for j := range sheets[i].Chunks {
			for k := range sheets[i].Chunks[j].Paragraphs {
				for _, runs := range sheets[i].Chunks[j].Paragraphs[k].runs() {
					for n := range runs {
						if runs[n].mark.passage {
							runs[n].first = true
							return
						}
					}
				}
			}
		}
	}
}

// wordsOf returns the words of the passage that is shown, for finding it on the page of the original.
func wordsOf(sheets []Sheet) string {
	var out strings.Builder
	for i := range sheets {
		for j := range sheets[i].Chunks {
			for _, para := range sheets[i].Chunks[j].Paragraphs {
				for _, runs := range para.runs() {
					for k := range runs {
						if !runs[k].mark.passage {
							continue
						}
						if para.Table != nil && out.Len() > 0 {
							out.WriteByte(' ')
						}
						out.WriteString(runs[k].text)
					}
				}
			}
		}
	}
	return text.Slice(out.String(), text.Span{End: soughtWords})
}

// soughtWords is how much of a passage is looked for on the page of the original, in code points.
const soughtWords = 2000

// ledgerClaim is the address of a claim in the ledger of its session.
func ledgerClaim(session string, number int) string {
	n := strconv.Itoa(number)
	return "/sessions/" + session + "?claim=" + n + "#claim-" + n
}
