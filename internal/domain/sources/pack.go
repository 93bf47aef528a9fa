package sources

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

func candidatePath(i int) string { return fmt.Sprintf("candidates[%d].item_id", i) }

// Pack returns the sources of candidates (rules S-4 to S-6): it orders them, takes the first, chooses snippets, filters
// metadata and numbers the list. Of candidates with the same id, the first in the order is used. The list is never nil,
// and empty if Check finds the input invalid. Time is linear except for sorting the candidates.
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
			SourceID: valid(c.ItemID), Kind: c.Kind.known(), Title: title(c.Title), URL: address(c.URL),
			SnippetFrom: Unknown,
			Score:       finite(c.Score), Rank: n + 1, Metadata: s.metadata.apply(c.Metadata),
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

// place is a sort key: lower values first, those without a value last, equal ones in input order.
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

// finite returns a copy of a score; nil if it is NaN or infinite.
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

// address returns an address that is safe as a link; nil if it could run a script, holds its content itself (data:), or
// is too long.
func address(s string) *string {
	s = trimmed(s)
	if s == "" || longer(s, MaxURL) {
		return nil
	}
	// browsers ignore control characters and blanks before and within the scheme
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
