package sources

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

func candidatePath(i int) string { return fmt.Sprintf("candidates[%d].item_id", i) }

// Pack makes the sources of candidates (rules S-4 to S-6): order, take the first, choose snippets, filter
// metadata, number. Of candidates with one id the first in the order stands for the document. The list is empty, and
// never nil, where Check finds the input invalid. Time is linear but for the sort of the candidates.
func Pack(candidates []Candidate, chunks []Chunk, o Options) []Item {
	items := []Item{}
	if Check(candidates, o) != nil {
		return items
	}
	s := o.settings()
	chosen := choose(candidates, &s)
	passages := passagesOf(candidates, chosen, chunks, &s)
	for n, i := range chosen {
		c := &candidates[i]
		item := Item{
			SourceID: valid(c.ItemID), Kind: c.Kind.known(), Title: title(c.Title), URL: address(c.URL), SnippetFrom: Unknown,
			Score: finite(c.Score), Rank: n + 1, Metadata: s.metadata.apply(c.Metadata),
		}
		item.take(c, chunks, passages[c.ItemID], &s)
		items = append(items, item)
	}
	return items
}

// choose returns the candidates that become sources, in order.
func choose(candidates []Candidate, s *settings) []int {
	places := make([]place, len(candidates))
	for i := range candidates {
		switch c := &candidates[i]; s.order {
		case ByScore:
			places[i] = byScore(c.Score, i)
		case ByRank:
			places[i] = place{missing: c.Rank == nil, value: float64(or(c.Rank, 0)), index: i}
		case ByInput:
			places[i] = place{index: i}
		}
	}
	slices.SortFunc(places, place.compare)
	var chosen []int
	seen := map[string]bool{}
	for _, p := range places {
		if len(chosen) >= s.sources {
			break
		}
		if id := candidates[p.index].ItemID; !seen[id] {
			seen[id] = true
			chosen = append(chosen, p.index)
		}
	}
	return chosen
}

// place is where something stands in an order: the lowest value first, what has none last, equals as they came.
type place struct {
	missing bool
	value   float64
	index   int
}

// byScore puts the highest score first.
func byScore(score *float64, index int) place {
	if score = finite(score); score == nil {
		return place{missing: true, index: index}
	}
	return place{value: -*score, index: index}
}

func (p place) compare(q place) int {
	if p.missing != q.missing {
		if p.missing {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(p.value, q.value), p.index-q.index)
}

// finite returns a copy of a score; what is no number, or an infinite one, is none.
func finite(score *float64) *float64 {
	if score == nil || math.IsNaN(*score) || math.IsInf(*score, 0) {
		return nil
	}
	return new(*score)
}

func (k Kind) known() Kind {
	switch k {
	case Documents, Jobs, Entities:
		return k
	case Custom:
	}
	return Custom
}

// title returns a title that may be shown, nil for none.
func title(s string) *string {
	if s = trimmed(s); s == "" {
		return nil
	}
	return new(cut(s, MaxTitle))
}

// address returns an address that may be a link: none that runs a script or carries its content within, none that is a
// blob.
func address(s string) *string {
	s = trimmed(s)
	if s == "" || longer(s, MaxURL) {
		return nil
	}
	// a browser passes over control codes and blanks before and within the scheme
	bare := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, s))
	for _, scheme := range []string{"javascript:", "vbscript:", "data:"} {
		if strings.HasPrefix(bare, scheme) {
			return nil
		}
	}
	return &s
}
