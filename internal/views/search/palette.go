package search

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// PaletteInput is what the command palette offers to one reader, found and ordered: what the reader may not see is not
// in it. The chrome is that of the page that the palette is opened on.
type PaletteInput struct {
	Query     string
	Near      bool // names and words are those with one wrong letter, as nothing has the very words
	Recent    []PaletteEntry
	Sessions  []PaletteEntry
	Packs     []PaletteEntry
	Documents []PaletteEntry
	Claims    []ledger.Found
	People    []access.Named
	Here      *ledger.Titled // the session that is open, if any
}

// PaletteEntry is something that has a name.
type PaletteEntry struct {
	ledger.Titled
	Path string
}

// Palette is the list of the command palette.
type Palette struct {
	ui.Chrome
	Groups []PaletteGroup
	Said   string // how many there are, for a screen reader
	Notice string // that other words were taken; "" if none
}

// PaletteGroup is the options of one kind.
type PaletteGroup struct {
	ID, Title string
	Options   []PaletteOption
}

// PaletteOption is one option: a page to go to, or something that the script does.
type PaletteOption struct {
	ID, Title string
	Note, Of  string // a few words about it; the name of what it belongs to
	Href      string
	Do        string // what the script does; "" if it only goes to Href
	Keys      string
	Segments  []ui.Segment // instead of Title, if the matching words are marked
}

const palettePerGroup = 6

// NewPalette lays out the palette. Pure.
func NewPalette(c ui.Chrome, in PaletteInput) *Palette {
	p := &Palette{Chrome: c}
	q, least := text.NewNaming(in.Query), text.WithinWords
	if in.Near {
		least = text.OneLetterOff
	}
	commands, pages := p.commands(in.Here), p.pages()
	if strings.TrimSpace(in.Query) != "" {
		commands, pages = named(q, least, commands), named(q, least, pages)
		commands = slices.Concat(p.claimOfNumber(&in), commands)
	}
	p.add("recent", "palette_recent", p.entries(in.Recent))
	p.add("do", "palette_do", options(commands))
	p.add("pages", "palette_pages", options(pages))
	p.add("sessions", "nav_sessions", p.entries(in.Sessions))
	p.add("packs", "nav_packs", p.entries(in.Packs))
	p.add("documents", "find_group_passage", p.entries(in.Documents))
	p.add("claims", "find_group_claim", p.claims(in.Claims))
	p.add("people", "find_group_people", p.people(in.People))
	n := p.number()
	if p.Said = p.N("palette_said", n); in.Near && n > 0 {
		p.Notice = p.T("palette_near", "Asked", say.Isolated(strings.TrimSpace(in.Query)))
	}
	if strings.TrimSpace(in.Query) != "" {
		all := ui.Address("/search", url.Values{"q": {in.Query}})
		p.add("all", "palette_all", []PaletteOption{{
			Title: p.T("palette_search", "Asked", say.Isolated(strings.TrimSpace(in.Query))), Href: all}})
		p.number()
	}
	return p
}

// add appends a group unless it is empty.
func (p *Palette) add(id, title string, list []PaletteOption) {
	if len(list) > 0 {
		p.Groups = append(p.Groups, PaletteGroup{ID: "palette-" + id, Title: p.T(title), Options: list})
	}
}

// number gives each option its id and returns how many there are.
func (p *Palette) number() int {
	n := 0
	for g := range p.Groups {
		for o := range p.Groups[g].Options {
			p.Groups[g].Options[o].ID = "palette-" + strconv.Itoa(n)
			n++
		}
	}
	return n
}

func (p *Palette) entries(list []PaletteEntry) []PaletteOption {
	var out []PaletteOption
	for _, e := range list {
		o := PaletteOption{Title: e.Title, Href: e.Path, Of: e.Session}
		if e.Session == "" {
			o.Note = p.Date(e.At)
		}
		out = append(out, o)
	}
	return out
}

func (p *Palette) claims(found []ledger.Found) []PaletteOption {
	var out []PaletteOption
	for _, f := range found {
		out = append(out, PaletteOption{
			Segments: excerptSegments(f.Excerpt), Note: p.T("find_claim_n", "N", p.Num(f.Claim+1)), Of: f.SessionTitle,
			Href: "/sessions/" + f.SessionID + "?claim=" + strconv.Itoa(f.Claim+1),
		})
	}
	return out
}

func (p *Palette) people(list []access.Named) []PaletteOption {
	var out []PaletteOption
	for _, n := range list {
		out = append(out, PaletteOption{Title: n.Name, Href: "/admin/users/" + n.ID})
	}
	return out
}

// claimOfNumber is the claim of the open session that a number names.
func (p *Palette) claimOfNumber(in *PaletteInput) []command {
	if in.Here == nil {
		return nil
	}
	var n int
	for _, t := range text.Tokens(in.Query) {
		if v, err := strconv.Atoi(t.Norm); err == nil {
			n = v
		}
	}
	if n < 1 || n > in.Here.Claims {
		return nil
	}
	return []command{{option: PaletteOption{Title: p.T("palette_claim", "N", p.Num(n)),
		Href: "/sessions/" + in.Here.ID + "?claim=" + strconv.Itoa(n)}}}
}
