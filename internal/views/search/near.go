package search

import (
	"slices"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/find"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// mostShown is how many words are named that were found in place of those that were asked for.
const mostShown = 5

// nearWords says that nothing has the words, and which words like them were found.
func nearWords(c *ui.Chrome, in *FindInput) string {
	asked := say.Isolated(strings.Join(strings.Fields(in.Text), " "))
	shown := shownWords(in)
	if len(shown) == 0 {
		return c.T("find_like_some", "Asked", asked)
	}
	for i, w := range shown {
		shown[i] = c.T("find_quoted", "Word", say.Isolated(w))
	}
	return c.T("find_like", "Asked", asked, "Shown", strings.Join(shown, c.T("list_comma")))
}

// shownWords returns the distinct words of what was found that are like those of the query, whatever their case.
func shownWords(in *FindInput) []string {
	var out, seen []string
	finder := find.NewFinder(in.Text, text.NearWords)
	for _, s := range foundTexts(in) {
		for _, w := range finder.Words(s) {
			if key := text.Fold(w); !slices.Contains(seen, key) && len(out) < mostShown {
				seen, out = append(seen, key), append(out, w)
			}
		}
	}
	return out
}

func foundTexts(in *FindInput) (out []string) {
	for i := range in.Packs {
		out = append(out, in.Packs[i].Title, in.Packs[i].AgentName)
	}
	for i := range in.Decisions {
		out = append(out, in.Decisions[i].Title, in.Decisions[i].AgentName, in.Decisions[i].EntityID)
	}
	for _, p := range in.People {
		out = append(out, p.Name)
	}
	for _, g := range in.Groups {
		for i := range g.Rows {
			out = append(out, g.Rows[i].Excerpt.Text)
		}
	}
	return out
}
