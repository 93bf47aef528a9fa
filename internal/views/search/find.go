// Package search has the pages that lead people to their work: start page, search, saved views and dashboard.
package search

import (
	"regexp"
	"strconv"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// FindGroup is what was found of one kind.
type FindGroup struct {
	Kind ledger.FindKind
	Rows []ledger.Found
	More bool // there are more of them
}

// FindInput is a search with its filters.
type FindInput struct {
	ledger.FindQuery
	FromDay, ToDay string // the first and last day searched, "" if not limited
	Asked          bool   // there is something to look for
	Groups         []FindGroup
	Packs          []pack.Row
	PackExcerpts   map[string]text.Excerpt // by id, of those whose decision or memo has the words
	MorePacks      bool
	Decisions      []pack.DecisionRow // that lack a pack
	People         []access.Named     // members, for those who manage them
	Next           string
	Saved          ui.SavedPart
}

// Nothing reports whether nothing was found.
func (in *FindInput) Nothing() bool {
	for _, g := range in.Groups {
		if len(g.Rows) > 0 {
			return false
		}
	}
	return len(in.Packs)+len(in.Decisions)+len(in.People) == 0
}

// FindPage is the search.
type FindPage struct {
	ui.Chrome
	In                      FindInput
	Kinds, Verdicts, States []ui.Option
	Groups                  []FoundGroup
	Beside                  []BesideGroup
	Like                    string // which words were found in place of those asked for; "" if the very words were
	Narrowed                bool   // by more than words
	Pager                   ui.Pager
	LeftOut                 bool // results without a verdict are left out, because a verdict is filtered by
	Blind                   bool // notes were searched, except for those of blind sessions
}

// FoundGroup is what was found of one kind, laid out.
type FoundGroup struct {
	ID, Title, More, MoreHref string
	Lines                     []FoundLine
}

// FoundLine is one thing that was found, laid out.
type FoundLine struct {
	Href      string
	What      string // "Claim 12", "Page 3"
	Where     string // title of the session or document
	File      string // the passage's, where its document has a title
	Session   string // title of a passage's session
	By        string // who wrote a note
	Badge     *ui.Badge
	Withdrawn bool
	Attach    string // address of the form that attaches a passage to a claim, "" if the reader may not
	State     string
	When      say.Moment
	Segments  []ui.Segment
	Lines     bool // the text is in lines of its own
}

// FoundPath is the address of a result: the claim, the passage in its document, or the claim beside a part of an
// answer.
func FoundPath(r ledger.Found) string {
	session := "/sessions/" + r.SessionID
	switch {
	case r.Kind == ledger.FindPassages:
		return ui.ChunkPath(r.DocumentID, r.Chunk)
	case r.Kind == ledger.FindAnswers && r.Claim < 0:
		return session + "#answer-h"
	case r.Kind == ledger.FindAnswers:
		return session + "?claim=" + strconv.Itoa(r.Claim+1) + "#answer-h"
	}
	return session + "/claims/" + strconv.Itoa(r.Claim+1)
}

// NewFindPage lays out a search. Pure.
func NewFindPage(c ui.Chrome, in FindInput) *FindPage {
	p := &FindPage{Chrome: c, In: in, Beside: besideGroups(&c, &in)}
	if in.Near == text.NearWords && !in.Nothing() {
		p.Like = nearWords(&c, &in)
	}
	p.Narrowed = in.Kind != "" || in.Verdict != "" || in.State != "" || in.FromDay != "" || in.ToDay != ""
	p.Kinds = ui.Options(&p.Chrome, "find_kind_", p.T("all"), ledger.FindKinds, in.Kind)
	p.Verdicts = ui.Options(&p.Chrome, "verdict_", p.T("all"), ledger.FilterVerdicts, in.Verdict)
	p.States = ui.Options(&p.Chrome, "state_", p.T("all"), ledger.States, in.State)
	p.LeftOut = in.Verdict != "" && in.Kind != ledger.FindClaims && in.Kind != ledger.FindNotes
	p.Blind = in.Kind == "" || in.Kind == ledger.FindNotes
	for _, g := range in.Groups {
		if len(g.Rows) == 0 {
			continue
		}
		out := FoundGroup{ID: "found-" + string(g.Kind), Title: p.T("find_group_" + string(g.Kind))}
		for _, r := range g.Rows {
			out.Lines = append(out.Lines, newFoundLine(&p.Chrome, r))
		}
		if g.More {
			out.More, out.MoreHref = p.T("find_more_"+string(g.Kind)), p.address("kind", string(g.Kind))
		}
		p.Groups = append(p.Groups, out)
	}
	if in.After != "" {
		p.Pager.FirstHref = p.address("after", "")
	}
	if in.Next != "" {
		p.Pager.NextHref = p.address("after", in.Next)
	}
	return p
}

// address is this search with one parameter set, from its first page on.
func (p *FindPage) address(name, value string) string {
	q := p.Query("after")
	if q.Set(name, value); value == "" {
		q.Del(name)
	}
	return ui.Address("/search", q)
}

func newFoundLine(c *ui.Chrome, r ledger.Found) FoundLine {
	l := FoundLine{Href: FoundPath(r), Where: r.SessionTitle, State: c.T("state_" + string(r.State)),
		When: c.Moment(r.At), Segments: excerptSegments(r.Excerpt)}
	switch r.Kind {
	case ledger.FindClaims, ledger.FindNotes:
		l.What = c.T("find_claim_n", "N", c.Num(r.Claim+1))
		badge := c.VerdictBadge(r.Verdict, r.Confidence)
		if r.Overridden {
			badge = c.PersonBadge(r.Verdict)
		}
		l.Badge = &badge
		if r.Kind == ledger.FindNotes {
			l.What, l.By = c.T("find_note_n", "N", c.Num(r.Claim+1)), r.Actor
		}
	case ledger.FindAnswers:
		l.What = c.T("answer")
		l.Segments, l.Lines = withoutMarks(l.Segments), true
	case ledger.FindPassages:
		l.Where, l.Session, l.Withdrawn = r.Document, r.SessionTitle, r.Withdrawn
		if r.Filename != r.Document {
			l.File = r.Filename
		}
		if l.What = c.T("find_passage"); r.Page > 0 {
			l.What = c.PageLabel("", r.Document, r.Page)
		}
		if c.May.Review && !r.Withdrawn {
			l.Attach = ui.AttachPath(r.DocumentID, r.Chunk, 0)
		}
	}
	return l
}

// answerMarks are the marks of Markdown, the citations and the empty lines in an answer or a memo, which its own page
// draws and an excerpt leaves out; an excerpt may end within one.
var answerMarks = regexp.MustCompile(`(?i)\s*\[cite:[^\]\n]*(\]|$)|\*\*|__|` + "`" + `|(?m:^#{1,6} +|^\s*\n)`)

// withoutMarks takes them out of an excerpt.
func withoutMarks(segments []ui.Segment) []ui.Segment {
	out := segments[:0]
	for _, s := range segments {
		if s.Text = answerMarks.ReplaceAllString(s.Text, ""); s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

// excerptSegments cuts an excerpt at its marks, with dots where the text goes on.
func excerptSegments(e text.Excerpt) []ui.Segment {
	var out []ui.Segment
	add := func(s, kind string) {
		if s != "" {
			out = append(out, ui.Segment{Text: s, Kind: kind})
		}
	}
	if e.Before {
		add("… ", "")
	}
	r, at := text.NewRuler(e.Text), 0
	for _, m := range e.Marks {
		add(r.Slice(text.Span{Start: at, End: m.Start}), "")
		add(r.Slice(m), "match")
		at = m.End
	}
	add(r.Slice(text.Span{Start: at, End: r.Len()}), "")
	if e.After {
		add(" …", "")
	}
	return out
}
