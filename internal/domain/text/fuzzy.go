package text

// The bounds of fuzzy placement. A window of the source matches if it has FuzzyShare of the quote's tokens in order. A
// quote longer than maxFuzzy tokens is not compared, as that takes quadratic time.
const (
	FuzzyShare = 0.85
	minFuzzy   = 3
	maxFuzzy   = 1000
	fuzzyWork  = 16 << 20 // table cells for one quote; bounds the time on a source full of near misses
)

// fuzzy finds the window of the source that has most of the quote's tokens in order. Numbers and negations must agree:
// a quote that differs in one is a different statement, not a slip.
func (p *Placer) fuzzy(folded string) (Span, bool) {
	quote := normTokens(folded)
	m := len(quote)
	if m < minFuzzy || m > maxFuzzy {
		return Span{}, false
	}
	f := p.newFuzzyMatch(quote)
	best, found := fuzzyHit{}, false
	f.candidates(func(from, to int) bool {
		hit, ok := f.compare(from, to)
		if ok && hit.matched > best.matched {
			best, found = hit, true
		}
		return best.matched < m && f.work < fuzzyWork
	})
	if !found {
		return Span{}, false
	}
	return p.mapBack(Span{p.words[best.from].Start, p.words[best.to-1].End}), true
}

// fuzzyMatch compares a quote with windows of a source. Tokens are numbered by distinct norm; a source token that the
// quote does not have is -1.
type fuzzyMatch struct {
	quote, source []int
	words         []Token
	want          []int // how often each token occurs in the quote
	strict        []bool
	need, width   int
	work          int
}

type fuzzyHit struct{ matched, from, to int }

// needWords splits the source into words and numbers their norms.
func (p *Placer) needWords() {
	if p.ids != nil {
		return
	}
	p.words, p.ids = normTokens(p.folded), map[string]int{}
	p.norms = make([]int, len(p.words))
	for i, w := range p.words {
		id, ok := p.ids[w.Norm]
		if !ok {
			id = len(p.ids)
			p.ids[w.Norm] = id
		}
		p.norms[i] = id
	}
}

func (p *Placer) newFuzzyMatch(quote []Token) *fuzzyMatch {
	p.needWords()
	ids := map[string]int{}
	f := &fuzzyMatch{words: p.words, source: make([]int, len(p.words))}
	for _, t := range quote {
		id, ok := ids[t.Norm]
		if !ok {
			id = len(f.want)
			ids[t.Norm] = id
			f.want, f.strict = append(f.want, 0), append(f.strict, isStrict(t))
		}
		f.want[id]++
		f.quote = append(f.quote, id)
	}
	wanted := make([]int, len(p.ids)) // by norm of the source: one more than the quote's number of it; 0 if none
	for norm, id := range ids {
		if at, ok := p.ids[norm]; ok {
			wanted[at] = id + 1
		}
	}
	for i, norm := range p.norms {
		f.source[i] = wanted[norm] - 1
	}
	m := len(quote)
	f.need = (m*85 + 99) / 100
	f.width = m + m/4 + 1
	return f
}

// candidates yields windows [from, to) of the source that have enough of the quote's tokens in any order. Of
// overlapping ones it yields the best. Counts are updated from window to window, so this is linear.
func (f *fuzzyMatch) candidates(yield func(from, to int) bool) {
	have, common := make([]int, len(f.want)), 0
	peak, at := 0, 0
	for to := 1; to <= len(f.source)+1; to++ {
		if to <= len(f.source) {
			if id := f.source[to-1]; id >= 0 {
				if have[id]++; have[id] <= f.want[id] {
					common++
				}
			}
		}
		if from := to - f.width - 1; from >= 0 {
			if id := f.source[from]; id >= 0 {
				if have[id]--; have[id] < f.want[id] {
					common--
				}
			}
		}
		if common > peak {
			peak, at = common, to
		}
		if peak >= f.need && (common < f.need || to-at >= f.width || to > len(f.source)) {
			if !yield(max(0, at-f.width), min(at, len(f.source))) {
				return
			}
			peak = 0
		} else if common < f.need {
			peak = 0
		}
	}
}

// compare finds the longest common subsequence of the quote and a window, and its place in the window.
func (f *fuzzyMatch) compare(from, to int) (fuzzyHit, bool) {
	m, n := len(f.quote), to-from
	f.work += m * n
	row := n + 1
	table := make([]uint16, (m+1)*row) // table[i*row+j]: of quote[i:] and window[j:]
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			if f.quote[i] == f.source[from+j] {
				table[i*row+j] = table[(i+1)*row+j+1] + 1
			} else {
				table[i*row+j] = max(table[(i+1)*row+j], table[i*row+j+1])
			}
		}
	}
	if int(table[0]) < f.need {
		return fuzzyHit{}, false
	}
	hit := f.trace(table, from, n)
	return hit, f.strictAgree(hit)
}

// trace walks the table from its beginning to find where the common tokens begin and end.
func (f *fuzzyMatch) trace(table []uint16, from, n int) fuzzyHit {
	row, hit := n+1, fuzzyHit{matched: int(table[0]), from: -1}
	for i, j := 0, 0; i < len(f.quote) && j < n; {
		switch {
		case f.quote[i] == f.source[from+j]:
			if hit.from < 0 {
				hit.from = from + j
			}
			i, j = i+1, j+1
			hit.to = from + j
		case table[(i+1)*row+j] > table[i*row+j+1]:
			i++
		default:
			j++
		}
	}
	return hit
}

// strictAgree reports whether quote and window have the same numbers and negations, each equally often.
func (f *fuzzyMatch) strictAgree(hit fuzzyHit) bool {
	left := 0
	have := make([]int, len(f.want))
	for i := hit.from; i < hit.to; i++ {
		if id := f.source[i]; id >= 0 {
			have[id]++
		} else if isStrict(f.words[i]) {
			left++
		}
	}
	for id, strict := range f.strict {
		if strict && have[id] != f.want[id] {
			left++
		}
	}
	return left == 0
}

// isStrict reports whether a different t makes a different statement: numbers and negations.
func isStrict(t Token) bool { return t.Kind == Number || negations[t.Norm] }

// negations are the words that negate, folded.
var negations = foldSet(`no not never none neither nor without cannot can't don't doesn't didn't won't isn't aren't
	wasn't weren't mustn't shouldn't wouldn't couldn't hasn't haven't hadn't non`,
	`لا ليس ليست ليسوا لم لن غير دون بدون ولا ولم ولن وليس الا عدم`)

// normTokens returns the tokens of folded text without stems, which placing does not need.
func normTokens(s string) []Token {
	out := make([]Token, 0, roomFor(s))
	scan(s, func(p piece) {
		if t := p.token(s); t.Norm != "" {
			out = append(out, t)
		}
	})
	return out
}

func countTokens(s string) (n int) {
	scan(s, func(piece) { n++ })
	return n
}
