package packs

import (
	"errors"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// Bar says what comes next for a pack: the one action that the reader can take now, or for whom it waits.
type Bar struct {
	Says            string
	Do, Href, Post  string // the action: a link, or a form that is posted there; Do is "" if none
	Sheet           bool   // the link opens as a sheet over the page
	Other, OtherRef string // a second, quieter one; "" if none
}

// Empty reports whether there is nothing to say.
func (b *Bar) Empty() bool { return b.Says == "" }

// bar lays out what comes next.
func (p *Page) bar(in *Input) Bar {
	switch in.Pack.Life.State {
	case pack.Draft:
		return p.draftBar(in)
	case pack.InReview:
		return p.reviewBar(in)
	case pack.Returned:
		return p.returnedBar(in)
	case pack.SignedOff:
		if p.Exports.At {
			return Bar{Says: p.T("pk_bar_signed"), Do: p.T("pk_bar_export"), Href: "#sec-export"}
		}
		return Bar{Says: p.T("pk_bar_signed"), Do: p.T("pk_ask_do"), Href: "#sec-export"}
	case pack.Superseded:
		return Bar{Says: p.T("pk_bar_superseded"), Do: p.T("pk_newer"), Href: p.Successor}
	case pack.Discarded:
	}
	return Bar{}
}

func (p *Page) draftBar(in *Input) Bar {
	switch n := openRules(in); {
	case !p.Edit:
		return Bar{Says: p.T("pk_bar_waits", "Names", p.nameList(in.names(in.Pack.Life.Authors)))}
	case n > 0:
		return Bar{Says: p.N("pk_bar_to_mend", n), Do: p.T("pk_edit"), Href: p.Href + "/edit#faults"}
	}
	return Bar{Says: p.T("pk_bar_ready"), Do: p.T("pk_bar_submit"), Post: p.Href + "/submit",
		Other: p.T("pk_edit"), OtherRef: p.Href + "/edit"}
}

// signed reports whether the reader may not approve the pack because they have done so.
func (d *Decide) signed() bool {
	var e *domain.Error
	return errors.As(d.Why, &e) && e.Message.ID == "refused_pack_twice"
}

// openRules counts the rules that keep a draft from being submitted.
func openRules(in *Input) (n int) {
	for _, x := range in.Concerns {
		if x.Kind == pack.RulesBroken || x.Kind == pack.PolicyBroken {
			n += x.N
		}
	}
	return n
}

func (p *Page) reviewBar(in *Input) Bar {
	d := &in.Decide
	waits := p.T("pk_none_may_approve")
	if len(d.Waits.Waiting) > 0 {
		waits = p.T("pk_bar_waits", "Names", d.waiting(&p.Chrome))
	}
	switch {
	case !d.Shown:
		return Bar{Says: waits}
	case d.Why != nil:
		says := p.T("pk_bar_not_you")
		if d.signed() {
			says = p.T("pk_bar_you_signed")
		}
		return Bar{Says: says + " " + waits, Other: p.T("pk_return"), OtherRef: p.Href + "/return", Sheet: true}
	}
	says := p.T("pk_bar_last")
	if left := max(in.Pack.Life.Need, 1) - len(in.Pack.Life.Approvals) - 1; left > 0 {
		says = p.N("pk_bar_first", left)
		if d.Waits.DeadEnd {
			says = p.T("pk_bar_end")
		}
	}
	return Bar{Says: says, Do: p.approveWord() + "…", Href: p.Href + "/sign", Sheet: true,
		Other: p.T("pk_return"), OtherRef: p.Href + "/return"}
}

func (p *Page) returnedBar(in *Input) Bar {
	newest := in.Pack.Content.PackID
	if len(in.Versions) > 0 {
		newest = in.Versions[0].ID
	}
	switch {
	case newest != in.Pack.Content.PackID:
		return Bar{Says: p.T("pk_bar_returned"), Do: p.T("pk_newer"), Href: "/packs/" + newest}
	case p.CanVersion && !p.leavesToMakers(in):
		return Bar{Says: p.T("pk_bar_returned"), Do: p.T("pk_new_version"), Post: p.Href + "/versions"}
	}
	return Bar{Says: p.T("pk_bar_waits_version", "Names", p.nameList(in.names(in.Pack.Life.Authors)))}
}

// leavesToMakers reports whether the reader judges packs and did not make this one: its makers mend it.
func (p *Page) leavesToMakers(in *Input) bool {
	authors := in.Pack.Life.Authors
	return p.May.DecidePack && in.Reader != "" && !slices.Contains(authors, in.Reader) && len(in.names(authors)) > 0
}

// names returns the shown names of actors, leaving out those that are not known.
func (in *Input) names(actors []string) (out []string) {
	for _, id := range actors {
		if name := in.Names[id]; name != "" {
			out = append(out, name)
		}
	}
	return out
}

// nameList lists people, the first of them where they are many.
func (p *Page) nameList(all []string) string {
	names := p.AllNamed(all[:min(len(all), maxOthers)])
	if len(all) > maxOthers {
		names = append(names, "…")
	}
	return strings.Join(names, p.T("list_comma"))
}
