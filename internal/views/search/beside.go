package search

import (
	"net/url"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// BesideGroup is what a search found besides texts: packs, decisions that lack one, or people.
type BesideGroup struct {
	ID, Title, More, MoreHref string
	Lines                     []BesideLine
}

// BesideLine is one of them.
type BesideLine struct {
	Title, Href string
	Segments    []ui.Segment // the piece of a pack that has the words
	Notes       []string
	When        say.Moment // zero for a person
}

func besideGroups(c *ui.Chrome, in *FindInput) []BesideGroup {
	var out []BesideGroup
	packs := BesideGroup{ID: "found-packs", Title: c.T("nav_packs")}
	for i, r := range c.PackLines(in.Packs) {
		packs.Lines = append(packs.Lines, BesideLine{Title: r.Title, Href: r.Href, When: r.Changed,
			Segments: withoutMarks(excerptSegments(in.PackExcerpts[in.Packs[i].PackID])),
			Notes:    []string{r.State, c.T("pk_version", "N", r.Version), r.Agent}})
	}
	if in.MorePacks {
		packs.More, packs.MoreHref = c.T("find_more_packs"), ui.Address("/packs", url.Values{"q": {in.Text}})
	}
	decisions := BesideGroup{ID: "found-decisions", Title: c.T("find_group_decisions")}
	q := c.PackQueue(&pack.Queue{Missing: in.Decisions})
	for _, r := range q.Missing {
		decisions.Lines = append(decisions.Lines,
			BesideLine{Title: r.Title, Href: r.Href, When: r.Decided, Notes: []string{r.Agent}})
	}
	people := BesideGroup{ID: "found-people", Title: c.T("find_group_people")}
	for _, n := range in.People {
		people.Lines = append(people.Lines, BesideLine{Title: n.Name, Href: "/admin/users/" + n.ID})
	}
	for _, g := range []BesideGroup{packs, decisions, people} {
		if len(g.Lines) > 0 {
			out = append(out, g)
		}
	}
	return out
}
