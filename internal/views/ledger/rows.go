package ledger

import (
	"github.com/a-h/templ"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// The rows of the list are written here and not in templ: a page has fifty of them, and what they say is written
// straight into the page.

// ClaimList is the list of claims: a table for screen readers, whose rows are laid out in two or three lines.
func ClaimList(c *ui.Chrome, rows []Row) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		o.Raw(`<table class="ledger"><caption class="vh">`)
		o.Text(c.T("ledger_caption"))
		o.Raw(`</caption> <thead><tr><th scope="col">#</th><th scope="col">`)
		o.Text(c.T("claim"))
		o.Raw(`</th><th scope="col">`)
		o.Text(c.T("verdict"))
		o.Raw(`</th><th scope="col">`)
		o.Text(c.T("row_marks"))
		o.Raw(`</th></tr></thead> <tbody>`)
		for i := range rows {
			rows[i].write(o, c)
		}
		o.Raw(`</tbody></table>`)
	})
}

// LedgerRow is one row of the list.
func LedgerRow(c *ui.Chrome, r *Row) templ.Component {
	return ui.InlineText(func(o *ui.Inline) { r.write(o, c) })
}

func (r *Row) write(o *ui.Inline, c *ui.Chrome) {
	o.Raw(`<tr class="row" id="claim-`)
	o.Int(r.Number)
	o.Raw(`"`)
	if r.Awaits {
		o.Raw(" data-awaits")
	}
	o.Raw(`><td class="c-n"><span class="n">`)
	o.Num(c, r.Number)
	o.Raw(`</span>`)
	r.choice(o, c)
	o.Raw(`</td><th scope="row" class="c-claim">`)
	r.link(o)
	o.Raw(`</th><td class="c-verdict">`)
	r.verdict(o, c)
	if r.Note != "" {
		o.Raw(`<span class="was"`)
		o.Attr("dir", ui.Dir(r.Note))
		o.Attr("title", r.Note)
		o.Raw(`>`)
		o.Text(r.Note)
		o.Raw(`</span> `)
	}
	if r.Stale != "" {
		o.Raw(`<span class="was stale">`)
		o.Text(r.Stale)
		o.Raw(`</span> `)
	}
	if r.Since != "" {
		o.Raw(`<span class="was">`)
		o.Text(r.Since)
		o.Raw(`</span>`)
	}
	o.Raw(`</td><td class="c-marks"><span class="marks">`)
	r.warnings(o, c)
	o.Raw(`</span> <span class="marks-rest">`)
	r.rest(o, c)
	o.Raw(`</span></td></tr>`)
}

// verdict is the badge with its figure.
func (r *Row) verdict(o *ui.Inline, c *ui.Chrome) {
	if r.figure == nil {
		o.Verdict(c, &r.Badge)
		return
	}
	o.Raw(`<span class="verdict-of">`)
	o.Badge(&r.Badge)
	o.Raw(`<span class="pct" title="`)
	o.Text(r.figure.title.Before)
	o.Decimal(c, r.confidence)
	o.Text(r.figure.title.After)
	o.Raw(`">`)
	o.Text(r.figure.short.Before)
	o.Decimal(c, r.confidence)
	o.Text(r.figure.short.After)
	o.Raw(`</span></span>`)
}

// link opens the claim.
func (r *Row) link(o *ui.Inline) {
	o.Raw(`<a class="open" id="open-`)
	o.Int(r.Number)
	o.Raw(`" href="`)
	r.address(o)
	o.Raw(`#claim-`)
	o.Int(r.Number)
	o.Raw(`" hx-get="`)
	o.Text(r.list.fragment)
	o.Int(r.Number)
	o.Raw(`" hx-target="#pane" hx-swap="innerHTML" hx-sync="#pane:replace" hx-trigger="click, open-claim" hx-push-url="`)
	r.address(o)
	o.Raw(`"`)
	o.Attr("dir", ui.Dir(r.Text))
	if r.Open {
		o.Raw(` aria-current="true"`)
	}
	o.Raw(`>`)
	o.Text(r.Text)
	o.Raw(`</a>`)
}

// address is that of the page with the claim in focus.
func (r *Row) address(o *ui.Inline) {
	o.Text(r.list.before)
	o.Int(r.Number)
	o.Text(r.list.after)
}

// choice is the box that chooses the claim for a bulk step.
func (r *Row) choice(o *ui.Inline, c *ui.Chrome) {
	switch r.Choice {
	case MayPick:
		o.Raw(`<label class="pick"><input type="checkbox" name="pick" form="bulk" value="`)
		o.Int(r.Number)
		o.Raw(`"`)
		if r.Picked {
			o.Raw(" checked")
		}
		o.Attr("aria-label", c.With("bulk_pick", "N", c.Num(r.Number)))
		o.Raw(`></label>`)
	case Spared:
		spared := c.T("bulk_spared_row")
		o.Raw(`<label class="pick"`)
		o.Attr("title", spared)
		o.Raw(`><input type="checkbox" disabled aria-label="`)
		o.Text(c.With("bulk_pick", "N", c.Num(r.Number)))
		o.Raw(": ")
		o.Text(spared)
		o.Raw(`"></label>`)
	}
}

// warnings are the marks that ask to be looked at: weight, flags, the checks of what the claim cites and quotes, and
// comments. What is to be looked at comes first; of the rest a row shows what fits in its line.
func (r *Row) warnings(o *ui.Inline, c *ui.Chrome) {
	if r.Critical {
		o.Raw(`<span class="tag tag-critical">`)
		o.Text(c.T("importance_critical"))
		o.Raw(`</span> `)
	}
	if r.Flag.Name != "" {
		o.Raw(`<span class="mark-flag `)
		o.Raw(string(r.Flag.Severity))
		o.Raw(`">`)
		flagIcon(o, r.Flag.Severity)
		o.Text(r.Flag.Name)
		o.Raw(`</span>`)
	}
	r.Citations.write(o, false)
	r.Quotations.write(o, false)
	if x := &r.Others; x.Names != "" {
		o.Raw(`<span class="mark-flag `)
		o.Raw(string(x.Severity))
		o.Raw(`"`)
		o.Attr("title", x.Names)
		o.Raw(`><span class="vh">`)
		o.Text(x.Names)
		o.Raw(`</span> `)
		if x.Severity != "" {
			flagIcon(o, x.Severity)
		}
		o.Raw(`<span aria-hidden="true">`)
		if r.Flag.Name != "" {
			o.Raw("+")
		}
		if x.Count > 0 {
			o.Num(c, x.Count)
		}
		o.Raw(`</span></span> `)
	}
	if r.Comments != "" {
		o.Raw(`<span class="mark-comments">`)
		o.Text(r.Comments)
		o.Raw(`</span>`)
	}
}

func flagIcon(o *ui.Inline, s ledger.Severity) { o.IconBefore(string(s), ui.FlagIcons[s]) }

// rest are the marks that ask for nothing: who decided the claim, checks that passed, and the source of its evidence.
func (r *Row) rest(o *ui.Inline, c *ui.Chrome) {
	if r.Reviewer != "" {
		o.Raw(`<span class="mark-who"`)
		o.Attr("title", r.Reviewer)
		o.Raw(`><span class="vh">`)
		o.Text(c.T("decided_by"))
		o.Raw(` <bdi>`)
		o.Text(r.Reviewer)
		o.Raw(`</bdi></span><span aria-hidden="true">`)
		o.Text(r.Initials)
		o.Raw(`</span></span>`)
	}
	r.Citations.write(o, true)
	r.Quotations.write(o, true)
	if r.Source.File == "" {
		o.Raw(`<span class="vh">`)
		o.Text(c.T("no_source"))
		o.Raw(`</span>`)
		return
	}
	o.Raw(`<span class="c-source src"><bdi>`)
	o.Text(r.Source.File)
	o.Raw(`</bdi> `)
	if r.page > 0 {
		o.Raw(` ·  <bdi>`)
		o.Text(r.list.page.Before)
		o.Num(c, r.page)
		o.Text(r.list.page.After)
		o.Raw(`</bdi>`)
	} else if r.Source.Place != "" {
		o.Raw(` ·  <bdi>`)
		o.Text(r.Source.Place)
		o.Raw(`</bdi>`)
	}
	o.Raw(`</span>`)
}

// write writes the outcome of a check, of those that are quiet because they passed or of the others.
func (x *RowCheck) write(o *ui.Inline, quiet bool) {
	if x.Key == "" || x.Quiet != quiet {
		return
	}
	o.Raw(`<span class="mark-check v-`)
	o.Raw(x.Key)
	if x.Quiet {
		o.Raw(" quiet")
	}
	o.Raw(`"`)
	o.Attr("title", x.Title)
	o.Raw(`>`)
	o.IconBefore(x.Key, x.Icon)
	o.Text(x.Word)
	o.Raw(`</span>`)
}
