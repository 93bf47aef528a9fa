package judge

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
	"sanad/internal/exact"
)

// Index is a session's chunks analysed once for all its claims. It is not changed after NewIndex, so that claims can
// be judged side by side.
type Index struct {
	vocabulary
	chunks   []chunk
	norms    map[string]bool          // words as they are, folded
	postings [][]posting              // word id → chunks that have it
	kinds    [][]int                  // word id → its groups in lexicon/kinds.txt
	sides    [][]int                  // word id → its groups in lexicon/opposites.txt
	tallies  []int                    // word id → how often all chunks have it
	size     int                      // words of all chunks
	mean     float64                  // length of a chunk in words
	dates    []quantity.Date          // of all chunks
	scripts  map[string]bool          // of the chunks
	spoken   map[string]bool          // of their sentences
	document bool                     // there is more than a few sentences
	question string                   // that the session's only claim answers; "" if it has more
	lang     string                   // of the session, as stated; "" when unknown
	labels   map[int]string           // document → its title, file name, address or key
	unknown  int                      // a word that is in no chunk; set if there are tables
	foreign  bool                     // all chunks are in languages that are not covered
	unread   map[ledger.ChunkRef]bool // the chunks in languages that are not covered
	sources  func() *Sources          // what a reader is given of the same session

	leftOut func(claim string) *ledger.LeftOutCheck // the text left out of a source that says a claim

	sentencesAcross func() []acrossSentence // see readAcross

	firstPostings firsts[posting]
}

// chunk is an analysed chunk. It is read only by the part of a text a window covers.
type chunk struct {
	ref        ledger.ChunkRef
	text       string
	heading    string // that it stands under
	ruler      text.Ruler
	tokens     []token
	sentences  []sentence
	quantities []amount
	figures    []quantity.Quantity // of every kind, in order
	dates      []quantity.Date     // the whole ones
	grids      []ledger.Grid       // its tables
	foreign    bool                // it is in a language that is not covered
	row        *rowOf              // it is made of a table's row; nil if it stands in the document
	doubtful   []ledger.DoubtfulWord
}

// token is a word of a chunk.
type token struct {
	text.Token
	word     int // id
	sentence int
	sense    sense
	gap      gapMark // what is before it
}

// sentence is the tokens [from, to) of a chunk.
type sentence struct {
	span       text.Span
	from, to   int
	quantities []amount
	marks      marks
}

// posting counts a word in a chunk.
type posting struct{ chunk, count int }

// NewIndex analyses the documents of a session that may be cited.
func NewIndex(s *ledger.Session) *Index {
	x := &Index{vocabulary: newVocabulary(), norms: map[string]bool{}, scripts: map[string]bool{}, spoken: map[string]bool{},
		labels: map[int]string{}, unread: map[ledger.ChunkRef]bool{}, lang: s.Lang,
		sources: sync.OnceValue(func() *Sources { return NewSources(s) }),
		tallies: make([]int, 0, roomForWords), postings: make([][]posting, 0, roomForWords),
		kinds: make([][]int, 0, roomForWords), sides: make([][]int, 0, roomForWords)}
	if len(s.Claims) == 1 {
		x.question = s.Query
	}
	x.sentencesAcross, x.leftOut = sync.OnceValue(x.readAcross), checks.LeftOutSays(s)
	words := 0
	for i := range s.Documents {
		d := &s.Documents[i]
		if d.Status == ledger.Deleted {
			continue
		}
		words += x.add(s, d)
		x.labels[d.Position] = cmp.Or(d.Title, d.Filename, d.URI, d.Key)
	}
	x.foreign = !slices.ContainsFunc(x.chunks, func(c chunk) bool { return !c.foreign && c.text != "" })
	x.size = words
	sentences := 0
	for i := range x.chunks {
		sentences += len(x.chunks[i].sentences)
	}
	x.document = sentences > fewSentences
	x.mean = float64(words) / math.Max(1, float64(len(x.chunks)))
	return x
}

// Stated returns what a claim states: of a short answer, with its question's words.
func (x *Index) Stated(c *ledger.Claim) string {
	if strings.TrimSpace(x.question) == "" || !claims.Short(c.Text) {
		return c.Text
	}
	return claims.WithQuestion(x.question, c.Text)
}

// chunkBreak parts chunks that are read in one go: no word, number or anchor goes over it.
const chunkBreak = "\n\n"

// add analyses a document and counts its words. Its tokens are read in one go, for stems are found once for each word.
func (x *Index) add(of *ledger.Session, d *ledger.Document) int {
	texts := make([]string, len(d.Chunks))
	for j := range d.Chunks {
		if of.Evident(&d.Chunks[j]) {
			texts[j] = d.Chunks[j].Words()
		}
	}
	tokens := text.Tokens(strings.Join(texts, chunkBreak))
	next, offset := 0, 0
	var open ledger.OpenGrid
	for j, s := range texts {
		c := chunk{grids: ledger.Grids(s, open), text: s, doubtful: d.Chunks[j].Doubtful,
			ref:     ledger.ChunkRef{Document: d.Position, Chunk: d.Chunks[j].Position},
			heading: headingOf(d.Chunks[j].HeadingPath, d.Title), ruler: text.NewRuler(s)}
		end := offset + c.ruler.Len()
		last := next
		for last < len(tokens) && tokens[last].Start < end {
			last++
		}
		for k := next; k < last; k++ {
			tokens[k].Start, tokens[k].End = tokens[k].Start-offset, tokens[k].End-offset
		}
		c.read(tokens[next:last])
		c.tokens = make([]token, 0, last-next)
		for ; next < last; next++ {
			t := tokens[next]
			x.norms[t.Norm] = true
			c.tokens = append(c.tokens, token{Token: t, word: x.intern(t.Stem), sense: senseOf(tokens, next)})
			x.tallies[c.tokens[len(c.tokens)-1].word]++
		}
		for k, g := range gapMarks(s, len(c.tokens), func(k int) text.Span { return c.tokens[k].Span }) {
			c.tokens[k].gap = g
		}
		offset = end + len(chunkBreak)
		c.dates = quantity.Dates(c.figures)
		x.dates = append(x.dates, c.dates...)
		c.quantities = amounts(c.figures, len(c.tokens), func(k int) *text.Token { return &c.tokens[k].Token })
		c.cut()
		if c.foreign = checks.Foreign(d, &d.Chunks[j]); c.foreign {
			x.unread[c.ref] = true
		} else {
			x.scripts[text.Script(s)] = true
			for k := range c.sentences {
				x.spoken[text.Script(c.ruler.Slice(c.sentences[k].span))] = true
			}
		}
		x.chunks = append(x.chunks, c)
		x.count(len(x.chunks) - 1)
		if len(c.grids) > 0 {
			x.countHeads(len(x.chunks)-1, open.Heads())
			x.unknown = x.intern("")
		}
		open = open.After(s)
	}
	return len(tokens)
}

// read finds the figures of the chunk among its tokens, and names the months of its dates.
func (c *chunk) read(tokens []text.Token) {
	c.figures = quantity.ReadTokens(c.text, tokens)
	quantity.Doubt(c.figures, func(s text.Span) bool { return ledger.Doubts(c.doubtful, s) })
	slices.SortFunc(c.figures, func(a, b quantity.Quantity) int { return cmp.Compare(a.Start, b.Start) })
	quantity.NameMonths(tokens, c.figures)
}

// cut returns every token and quantity to its sentence.
func (c *chunk) cut() {
	t, q := 0, 0
	for _, span := range text.Sentences(c.text) {
		s := sentence{span: span}
		for t < len(c.tokens) && c.tokens[t].Start < span.Start {
			c.tokens[t].sentence = max(0, len(c.sentences)-1) // the marker of a list item
			t++
		}
		s.from = t
		for ; t < len(c.tokens) && c.tokens[t].Start < span.End; t++ {
			c.tokens[t].sentence = len(c.sentences)
		}
		s.to = t
		for q < len(c.quantities) && c.quantities[q].Start < span.Start {
			q++
		}
		first := q
		for q < len(c.quantities) && c.quantities[q].Start < span.End {
			q++
		}
		s.quantities = c.quantities[first:q]
		s.marks = marksOf(s.to-s.from, func(i int) string { return c.tokens[s.from+i].Norm })
		c.sentences = append(c.sentences, s)
	}
}

// count adds the words of the newest chunk to the postings.
func (x *Index) count(chunk int) {
	for _, t := range x.chunks[chunk].tokens {
		if !t.Stop {
			x.countWord(chunk, t.word)
		}
	}
}

func (x *Index) countWord(chunk, word int) {
	list := x.postings[word]
	if n := len(list); n > 0 && list[n-1].chunk == chunk {
		list[n-1].count++
	} else {
		x.postings[word] = x.firstPostings.append(list, posting{chunk, 1})
	}
}

// countHeads counts the words of a table's heads for a chunk of its rows, which the heads are not in.
func (x *Index) countHeads(chunk int, heads []string) {
	if !x.chunks[chunk].grids[0].Continued {
		return
	}
	for _, h := range heads {
		for _, t := range text.Tokens(h) {
			if !t.Stop {
				x.countWord(chunk, x.intern(t.Stem))
			}
		}
	}
}

// intern returns a stem's id.
func (x *Index) intern(stem string) int {
	id, fresh := x.vocabulary.intern(stem)
	if fresh {
		x.postings, x.tallies = append(x.postings, nil), append(x.tallies, 0)
		x.kinds, x.sides = append(x.kinds, kinds().of[stem]), append(x.sides, opposites().of[stem])
	}
	return id
}

// rarityChunks is the number of chunks at which rarity among them counts as much as rarity in ordinary text.
const rarityChunks = 10

// rarity is how rare a stem is, 0 to 1: its inverse document frequency over the chunks (word is its id, -1 for none),
// blended with that of ordinary text while there are few chunks to tell by.
func (x *Index) rarity(stem string, word int) float64 {
	common := commonness(stem)
	if word < 0 {
		return common
	}
	n, df := float64(len(x.chunks)), float64(len(x.postings[word]))
	idf := exact.Log(1+(n-df+0.5)/(df+0.5)) / exact.Log(1+(n+0.5)/0.5)
	return common + float64((idf-common)*n/(n+rarityChunks))
}
