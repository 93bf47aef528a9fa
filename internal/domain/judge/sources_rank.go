package judge

import (
	"cmp"
	"slices"
	"strings"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Window is what a reader is given to read a claim against: one to three sentences of a chunk, or a row of a table.
type Window struct {
	Ref     ledger.ChunkRef
	Span    text.Span // in the chunk: what a match cites
	Heading string    // that it stands under, "" if none
	Lead    string    // the sentence before, where the window begins with a pronoun; "" otherwise
	Text    string    // in one line; the cells of a row stand after their heads
	Score   int       // how much of the claim's words it has; windows of one claim are compared by it
}

// Passage is the text that a reader reads.
func (w *Window) Passage() string {
	out := w.Text
	if w.Lead != "" {
		out = w.Lead + " " + out
	}
	if w.Heading != "" {
		out = w.Heading + ": " + out
	}
	return out
}

// MostWindows is the most windows that a claim is read against.
const MostWindows = 8

// How windows are ranked.
const (
	partCost  = 3 // what each further sentence must gain, in hundredths of the claim's weight
	around    = 2 // what stands around a window counts one part in so many
	leastPart = 8 // windows with less than one part in so many of the best one's score are not read
)

// sought is a claim's words, and what stands for them in the sources.
type sought struct {
	weights []int              // of each term
	total   int                // the sum of them
	stands  map[int][]standing // word id → terms that it stands for
}

// standing says that a word stands for a term, and how well, of 100.
type standing struct{ term, value int }

// maxSought is the most content words of a claim that are looked for; a longer claim is not judged.
const maxSought = 128

// seek looks for a claim's words. What a word weighs depends on the word alone.
func (x *Sources) seek(claim string) *sought {
	q := &sought{stands: map[int][]standing{}}
	seen := map[string]bool{}
	tokens := text.Tokens(claims.Statement(claim))
	for i := range tokens {
		t := &tokens[i]
		if t.Stop || seen[t.Stem] || len(q.weights) == maxSought {
			continue
		}
		seen[t.Stem] = true
		id, ok := x.ids[t.Stem]
		if !ok {
			id = -1
		}
		for _, n := range x.near(t, id) {
			q.stands[n.word] = append(q.stands[n.word], standing{len(q.weights), int(float64(n.value*100) + 0.5)})
		}
		w := wordWeight(t)
		q.weights, q.total = append(q.weights, w), q.total+w
	}
	return q
}

// wordWeight is what finding a word of a claim counts: the rarer in ordinary text, the more.
func wordWeight(t *text.Token) int {
	switch {
	case light[t.Norm]:
		return 3
	case t.Kind == text.Number:
		return 12
	case generic()[t.Stem]:
		return 5
	}
	return 4 + rarityClass(t.Stem)
}

// Windows returns the windows that a claim is read against, the best first, at most MostWindows. They and their order
// depend on the claim and on each window alone: other texts change nothing, however many they are, unless they share a
// word with the claim. Where nothing does, short documents, such as search results, are read all the same.
func (x *Sources) Windows(claim string) []Window {
	found := x.candidates(x.seek(claim))
	if len(found) == 0 {
		found = x.shortDocuments()
	}
	return x.windows(best(found, MostWindows))
}

// windows makes the windows of candidates.
func (x *Sources) windows(chosen []candidate) []Window {
	out := make([]Window, len(chosen))
	for i, c := range chosen {
		out[i] = x.window(c)
	}
	return out
}

// best returns at most some of the candidates, the best first, of which no two overlap.
func best(found []candidate, most int) (out []candidate) {
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last))
	})
	for _, c := range found {
		if len(out) == most || c.score*leastPart < found[0].score {
			break
		}
		if !overlaps(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func overlaps(taken []candidate, c candidate) bool {
	return slices.ContainsFunc(taken, func(t candidate) bool { return t.first <= c.last && c.first <= t.last })
}

// WindowsAcross is Windows for a reader of many languages. Where sources are in another script than the claim, its
// words are not found in them, so half of the windows at least are left to them. These are spread evenly: the documents
// take turns, and within a document they stand at equal distances. If no source shares a word with the claim, all
// sources are read like this. It depends on how many such documents there are.
func (x *Sources) WindowsAcross(claim string) []Window {
	found := x.candidates(x.seek(claim))
	script, most := text.Script(claim), MostWindows
	var apart []candidate
	for _, b := range x.inOrder() {
		if len(found) == 0 || b.script != script {
			apart = append(apart, b.candidate)
		}
	}
	if len(found) > 0 {
		most -= min(len(apart), MostWindows/2)
	}
	chosen := best(found, most)
	apart = slices.DeleteFunc(apart, func(c candidate) bool { return overlaps(chosen, c) })
	return x.windows(append(chosen, x.spread(apart, MostWindows-len(chosen))...))
}

// block is a window of those that follow each other, with its script.
type block struct {
	candidate
	script string
}

// blocks cuts all sources into windows that follow each other.
func (x *Sources) blocks() (out []block) {
	for first := 0; first < len(x.parts); {
		last, end := first, min(first+maxWindow-1, x.parts[first].of.last)
		for last < end && x.parts[first].row == "" && x.parts[last+1].row == "" && x.size(first, last+1) <= mostWords {
			last++
		}
		out = append(out, block{candidate{first, last, 0}, text.Script(x.partText(first))})
		first = last + 1
	}
	return out
}

// spread chooses at most some of the candidates, which are in the order of the documents.
func (x *Sources) spread(all []candidate, most int) (out []candidate) {
	var documents [][]candidate
	for i, c := range all {
		if i == 0 || x.parts[c.first].of.ref.Document != x.parts[all[i-1].first].of.ref.Document {
			documents = append(documents, nil)
		}
		of := &documents[len(documents)-1]
		*of = append(*of, c)
	}
	turns := make([]int, len(documents))
	for left, moved := most, true; left > 0 && moved; {
		moved = false
		for i, d := range documents {
			if left > 0 && turns[i] < len(d) {
				turns[i], left, moved = turns[i]+1, left-1, true
			}
		}
	}
	for i, d := range documents {
		for n := range turns[i] {
			out = append(out, d[n*len(d)/turns[i]])
		}
	}
	return out
}

// candidate is the window of the parts [first, last].
type candidate struct{ first, last, score int }

// candidates returns the windows that begin and end with a part that has a word of the claim.
func (x *Sources) candidates(q *sought) []candidate {
	var touched []int
	for word := range q.stands {
		touched = append(touched, x.postings[word]...)
	}
	slices.Sort(touched)
	touched = slices.Compact(touched)
	rows := make([]int, len(touched)*len(q.weights))
	row := func(i int) []int { return rows[i*len(q.weights) : (i+1)*len(q.weights)] }
	for i, p := range touched {
		x.find(q, p, row(i))
	}
	var out []candidate
	sum := make([]int, len(q.weights))
	for i, first := range touched {
		c := x.parts[first].of
		reach := first + maxWindow
		if c.short {
			reach = c.last + 1
		}
		copy(sum, row(i))
		for k := i; k < len(touched) && touched[k] < reach && touched[k] <= c.last; k++ {
			last := touched[k]
			if k > i && (x.parts[first].row != "" || x.parts[last].row != "" || x.size(first, last) > mostWords) {
				break
			}
			for t, v := range row(k) {
				sum[t] = max(sum[t], v)
			}
			w := candidate{first, last, q.score(sum) - (last-first)*partCost*q.total}
			if c.short {
				w.first, w.last, w.score = c.first, c.last, q.score(sum)
			}
			out = append(out, w)
		}
	}
	return out
}

// find finds how well a part has each term, of 100. What stands around it counts less.
func (x *Sources) find(q *sought, p int, row []int) {
	mark := func(words []int, share int) {
		for _, w := range words {
			for _, s := range q.stands[w] {
				row[s.term] = max(row[s.term], s.value/share)
			}
		}
	}
	mark(x.parts[p].words, 1)
	mark(x.parts[p].of.above, around)
	if lead := x.parts[p].lead; lead >= 0 {
		mark(x.parts[lead].words, around)
	}
}

// score is the weight of the terms that were found.
func (q *sought) score(row []int) int {
	n := 0
	for t, v := range row {
		n += q.weights[t] * v
	}
	return n
}

// shortDocuments returns the documents that are read as a whole.
func (x *Sources) shortDocuments() []candidate {
	var out []candidate
	for i := 0; i < len(x.parts) && len(out) < MostWindows; i = x.parts[i].of.last + 1 {
		if c := x.parts[i].of; c.short {
			out = append(out, candidate{c.first, c.last, 0})
		}
	}
	return out
}

// window makes the window of a candidate, with what stands around it as far as there is room.
func (x *Sources) window(c candidate) Window {
	first, last := &x.parts[c.first], &x.parts[c.last]
	w := Window{Ref: first.of.ref, Span: text.Span{Start: first.span.Start, End: last.span.End}, Heading: first.of.heading,
		Text: first.row, Score: c.score}
	if w.Text == "" {
		w.Text = inOneLine(first.of.ruler.Slice(w.Span))
	}
	if room := mostAround - x.size(c.first, c.last) - len(strings.Fields(w.Heading)); first.lead >= 0 &&
		x.parts[first.lead].size <= room {
		w.Lead = x.partText(first.lead)
	}
	return w
}

// partText is a part's text in one line.
func (x *Sources) partText(i int) string {
	p := &x.parts[i]
	return cmp.Or(p.row, inOneLine(p.of.ruler.Slice(p.span)))
}

func inOneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
