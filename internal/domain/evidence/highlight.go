package evidence

import "sanad/internal/domain/text"

// Highlight returns the words of span that match a content word of the claim, for marking in the claim view: words
// match by stem, numbers by value. Function words are not marked. Unlike ContentTokens, whose output is pinned by
// vectors, this handles inflection and Arabic.
func Highlight(claim, span string) []text.Span {
	out, want := []text.Span{}, contentStems(claim)
	for _, t := range text.Tokens(span) {
		if want[stemKey(t)] && !t.Stop {
			out = append(out, t.Span)
		}
	}
	return out
}

func contentStems(claim string) map[key]bool {
	set := map[key]bool{}
	for _, t := range text.Tokens(claim) {
		if !t.Stop {
			set[stemKey(t)] = true
		}
	}
	return set
}

// key distinguishes words from numbers.
type key struct {
	kind text.Kind
	stem string
}

func stemKey(t text.Token) key { return key{t.Kind, t.Stem} }

// Excerpt returns the part of span that the claim is about, in whole sentences, English or Arabic, for the claim view:
// the sentence with the most distinct content words of the claim (the first among equals), extended by its neighbours
// while all fit in window code points. A sentence longer than 2 × window is cut between words around its first match. A
// span that fits in window is returned whole.
func Excerpt(claim, span string, window int) text.Span {
	n, window := text.Len(span), max(window, 1)
	if n <= window {
		return text.Span{Start: 0, End: n}
	}
	sentences := text.Sentences(span)
	if len(sentences) == 0 {
		return text.Span{Start: 0, End: 0}
	}
	marks, stems := marked(claim, span)
	best := densestSentence(sentences, marks, stems)
	if sentences[best].Len() > 2*window {
		return cutSentence(span, sentences[best], marks, window)
	}
	return grow(sentences, best, window)
}

// marked returns the spans of the matching words, and their stems.
func marked(claim, span string) (places []text.Span, stems []key) {
	want := contentStems(claim)
	for _, t := range text.Tokens(span) {
		if k := stemKey(t); want[k] && !t.Stop {
			places, stems = append(places, t.Span), append(stems, k)
		}
	}
	return places, stems
}

// densestSentence returns the sentence with the most distinct stems. Both lists are in order, so one pass is enough.
func densestSentence(sentences, marks []text.Span, stems []key) (best int) {
	most, m := 0, 0
	for i, s := range sentences {
		seen := map[key]bool{}
		for ; m < len(marks) && marks[m].Start < s.End; m++ {
			if marks[m].Start >= s.Start {
				seen[stems[m]] = true
			}
		}
		if len(seen) > most {
			most, best = len(seen), i
		}
	}
	return best
}

// grow extends a sentence by its neighbours, the following one first, while all fit in window.
func grow(sentences []text.Span, at, window int) text.Span {
	from, to := at, at
	for {
		switch {
		case to+1 < len(sentences) && sentences[to+1].End-sentences[from].Start <= window:
			to++
		case from > 0 && sentences[to].End-sentences[from-1].Start <= window:
			from--
		default:
			return text.Span{Start: sentences[from].Start, End: sentences[to].End}
		}
	}
}

// cutSentence cuts 2 × window code points out of a sentence around its first mark, shortened to word boundaries. A word
// longer than that is cut itself.
func cutSentence(span string, s text.Span, marks []text.Span, window int) text.Span {
	start := s.Start
	for _, m := range marks {
		if m.Start >= s.Start && m.Start < s.End {
			start = max(s.Start, m.Start-window/2)
			break
		}
	}
	r := []rune(span)
	end := min(s.End, start+2*window)
	cut := text.Span{Start: start, End: end}
	if start > s.Start {
		cut.Start = wordStart(r, start)
	}
	if end < s.End {
		cut.End = wordEnd(r, end)
	}
	for cut.Start < cut.End && isSpace(r[cut.Start]) {
		cut.Start++
	}
	for cut.End > cut.Start && isSpace(r[cut.End-1]) {
		cut.End--
	}
	if cut.Start >= cut.End {
		return text.Span{Start: start, End: end}
	}
	return cut
}
