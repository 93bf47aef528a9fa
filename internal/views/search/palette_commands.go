package search

import (
	"cmp"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
)

// command is an option that is found by its name in either language.
type command struct {
	option PaletteOption
	names  []string
	like   text.Likeness
}

func options(list []command) []PaletteOption {
	var out []PaletteOption
	for _, c := range list {
		out = append(out, c.option)
	}
	return out
}

// named returns the commands that answer a query, the best first.
func named(q text.Naming, least text.Likeness, list []command) []command {
	var out []command
	for _, c := range list {
		for _, name := range c.names {
			c.like = max(c.like, q.Like(name))
		}
		if c.like >= least {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b command) int { return cmp.Compare(b.like, a.like) })
	return out[:min(len(out), palettePerGroup)]
}

// commandList collects what this reader may do.
type commandList struct {
	c    *ui.Chrome
	list []command
}

// add appends a command if the reader may use it.
func (l *commandList) add(may bool, id string, o PaletteOption) {
	if may {
		o.Title = l.c.T(id)
		l.list = append(l.list, command{option: o, names: l.c.InBoth(id)})
	}
}

// to appends a page.
func (l *commandList) to(may bool, id, href string) { l.add(may, id, PaletteOption{Href: href}) }

// commands are what can be done: first with the session that is open, then anywhere.
func (p *Palette) commands(here *ledger.Titled) []command {
	l := &commandList{c: &p.Chrome}
	if here != nil {
		l.ofSession(here)
	}
	l.to(p.May.Import, "palette_new_session", "/sessions/new")
	l.to(p.May.DraftPack, "palette_new_pack", "/packs/new")
	l.to(true, "palette_"+p.Other(), p.with("lang", p.Other()))
	for _, theme := range []string{"light", "dark", "auto"} {
		l.to(p.Theme != theme, "palette_theme_"+theme, p.with("theme", theme))
	}
	digits := "arab"
	if p.Digits == digits {
		digits = "latn"
	}
	l.to(true, "palette_digits_"+digits, p.with("digits", digits))
	l.add(true, "palette_print", PaletteOption{Do: "print"})
	l.add(true, "palette_keys", PaletteOption{Do: "help", Keys: "?"})
	l.add(true, "sign_out", PaletteOption{Do: "leave"})
	return l.list
}

func (l *commandList) ofSession(here *ledger.Titled) {
	path := "/sessions/" + here.ID
	l.add(l.c.May.Review, "palette_next", PaletteOption{Href: path + "?unsettled=1", Do: "next", Keys: "n"})
	l.to(true, "palette_answer", path+"?tab=answer")
	l.to(true, "palette_report", path+"?tab=report")
	l.to(true, "palette_sources", path+"?tab=sources")
	l.to(l.c.May.Import, "palette_add_documents", path+"/documents")
	for _, format := range []string{"pdf", "markdown", "json"} {
		l.add(l.c.May.Export, "palette_export_"+format, PaletteOption{Href: path + "/export/" + format, Do: "download"})
	}
	for _, format := range []string{"xlsx", "csv"} {
		l.add(l.c.May.Export, "palette_export_"+format,
			PaletteOption{Href: path + "/export/" + format + "?language=" + l.c.Lang, Do: "download"})
	}
}

// with is the address of the page that is open, with one preference changed.
func (p *Palette) with(name, value string) string {
	q := p.Query(name)
	q.Set(name, value)
	return ui.Address(p.Path(), q)
}

// pages are the places that the reader may go to.
func (p *Palette) pages() []command {
	l := &commandList{c: &p.Chrome}
	l.to(true, "palette_home", "/")
	l.to(true, "nav_sessions", "/sessions")
	l.to(true, "nav_packs", "/packs")
	l.to(p.May.ReadLibrary, "nav_library", "/library")
	l.to(true, "nav_bundles", "/bundles")
	l.to(true, "dashboard", "/dashboard")
	l.to(true, "find_title", "/search")
	l.to(true, "saved_views", "/views")
	l.to(true, "jobs_title", "/jobs")
	l.to(p.May.Audit, "nav_audit", "/audit")
	l.to(true, "nav_account", "/account")
	l.administration()
	l.to(true, "api_title", "/docs/api")
	l.to(true, "palette_verify", "/verify.html")
	return l.list
}

// administration appends its pages, which are also found by the name of their group.
func (l *commandList) administration() {
	for _, g := range l.c.May.AdminGroups() {
		for _, p := range g.Pages {
			names := slices.Concat(l.c.InBoth(p.Label), l.c.InBoth(g.Label))
			if p.Also != "" {
				for _, also := range l.c.InBoth(p.Also) {
					names = append(names, strings.Split(also, "; ")...)
				}
			}
			l.list = append(l.list, command{
				option: PaletteOption{Title: l.c.T(p.Label), Of: l.c.T(g.Label), Href: p.Href}, names: names,
			})
		}
	}
}
