package evidence

import (
	"sort"
	"strings"

	"sanad/internal/domain/text"
)

// Spotlight returns the part of span that the claim is about (rule E-8): the sentences around the densest cluster of
// the claim's content tokens. If these are longer than 2 × window code points, the part is cut to that length between
// words; "..." marks text left out. A negative window is 0. It is linear in span.
func Spotlight(claim, span string, window int) string {
	return spotlight(ContentTokens(claim), span, window)
}

func spotlight(tokens []string, span string, window int) string {
	window = max(0, window)
	r := []rune(span)
	if len(r) <= window {
		return span
	}
	hits := findTokens(lower(span), tokens)
	if len(hits) == 0 {
		return leading(r, window)
	}
	half := window / 2
	at := densest(hits, len(tokens), half)
	from, to := expand(r, max(0, at-half), min(len(r), at+text.Len(tokens[0])+half))
	if to-from > 2*window {
		from = wordStart(r, max(0, at-half))
		to = wordEnd(r, min(len(r), from+2*window))
	}
	out := strings.TrimFunc(string(r[min(from, to):to]), isSpace)
	if from > 0 {
		out = "..." + out
	}
	if to < len(r) {
		out += "..."
	}
	return out
}

// leading returns the first sentences of a span that has no token of the claim.
func leading(r []rune, window int) string {
	from, to := expand(r, 0, window)
	if to-from > 2*window {
		to = wordEnd(r, from+2*window)
	}
	out := string(r[min(from, to):to])
	if to < len(r) {
		out += "..."
	}
	return out
}

// hit is an occurrence of a token: the token's index and the code point.
type hit struct{ token, at int }

// findTokens finds all occurrences of the tokens in lower-cased text, in order of place.
func findTokens(lowered string, tokens []string) []hit {
	ruler, hits := text.NewRuler(lowered), []hit{}
	for k, token := range tokens {
		for i := 0; ; i += len(token) {
			j := strings.Index(lowered[i:], token)
			if j < 0 {
				break
			}
			i += j
			hits = append(hits, hit{k, ruler.Offset(i)})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].at < hits[j].at })
	return hits
}

// densest returns the place of the first hit with the most distinct tokens within ±half of it. The reference program
// compares all pairs; two pointers that only move forward find the same in one pass.
func densest(hits []hit, tokens, half int) int {
	count, distinct := make([]int, tokens), 0
	lo, hi, best, at := 0, 0, 0, hits[0].at
	for _, h := range hits {
		for ; hi < len(hits) && hits[hi].at <= h.at+half; hi++ {
			if count[hits[hi].token]++; count[hits[hi].token] == 1 {
				distinct++
			}
		}
		for ; hits[lo].at < h.at-half; lo++ {
			if count[hits[lo].token]--; count[hits[lo].token] == 0 {
				distinct--
			}
		}
		if distinct > best {
			best, at = distinct, h.at
		}
	}
	return at
}
