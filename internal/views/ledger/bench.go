package ledger

import (
	"github.com/a-h/templ"

	"sanad/internal/views/ui"
)

// What repeats in the head of the ledger page and beside its claim in focus is written here and not in templ, as the rows
// of its list are.

// tabLinks are the items of the list of tabs.
func tabLinks(tabs []TabLink) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		for i := range tabs {
			t := &tabs[i]
			o.Raw(`<li class="tab-`)
			o.Text(t.Key)
			o.Raw(`"><a`)
			o.Href(t.Href)
			if t.Current {
				o.Raw(` aria-current="page"`)
			}
			o.Raw(`>`)
			o.Text(t.Label)
			o.Raw(`</a></li>`)
		}
	})
}

// figureLinks are the counts of the verdicts, each of which filters the list.
func figureLinks(figures []ui.Figure) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		for i := range figures {
			f := &figures[i]
			o.Raw(`<li class="v-`)
			o.Text(f.Badge.Key)
			o.Raw(`"><a`)
			o.Href(f.Href)
			current(o, f.Current)
			o.Raw(`>`)
			o.Icon(f.Badge.Key, f.Badge.Icon)
			o.Raw(`<b>`)
			o.Text(f.Count)
			o.Raw(`</b> <span class="word">`)
			o.Text(f.Badge.Word)
			o.Raw(`</span></a></li>`)
		}
	})
}

// flagChips are the risk flags, each of which filters the list.
func flagChips(flags []FlagLine) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		for i := range flags {
			f := &flags[i]
			o.Raw(`<li class="`)
			o.Text(string(f.Severity))
			o.Raw(`"><a class="chip"`)
			o.Href(f.Href)
			o.Attr("title", f.Text)
			o.Attr("hx-get", f.Href)
			o.Raw(` hx-target="#ledger" hx-select="#ledger" hx-select-oob="#flags:outerHTML,#summary:outerHTML"`)
			o.Raw(` hx-swap="outerHTML" hx-push-url="true"`)
			current(o, f.Current)
			o.Raw(`>`)
			o.IconBefore(string(f.Severity), f.Icon)
			o.Raw(`<span class="what">`)
			o.Text(f.Name)
			o.Raw(`</span> `)
			if f.Count != "" {
				o.Raw(`<b>`)
				o.Text(f.Count)
				o.Raw(`</b>`)
			}
			o.Raw(`</a></li>`)
		}
	})
}

// current marks a link whose filter is on.
func current(o *ui.Inline, on bool) {
	if on {
		o.Raw(` aria-current="true"`)
	}
}

// layoutBoxes are boxes of what is shown: unchecked is hidden.
func layoutBoxes(p *SessionPage, legend string, parts []string) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		o.Raw(`<fieldset><legend>`)
		o.Text(p.T(legend))
		o.Raw(`</legend> `)
		for _, part := range parts {
			o.Raw(`<label class="check"><input type="checkbox" name="show"`)
			o.Attr("value", part)
			if !p.Layout.hides(part) {
				o.Raw(` checked`)
			}
			o.Raw(`> `)
			o.Text(p.T("layout_" + part))
			o.Raw(`</label>`)
		}
		o.Raw(`</fieldset>`)
	})
}

// splitters tell the script between which columns it puts something to drag: their names, bounds and labels.
func splitters(c *ui.Chrome) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		for _, s := range Splits {
			o.Raw(`<template class="split-of"`)
			o.Attr("data-split", s.Name)
			o.Raw(` data-least="`)
			o.Int(int(s.Least))
			o.Raw(`" data-most="`)
			o.Int(int(s.Most))
			o.Raw(`"`)
			o.Attr("data-label", c.T("split_"+s.Name))
			o.Raw(`></template>`)
		}
	})
}

// lights say whether the passage is in its source, and what the verdict is.
func lights(v *ClaimView) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		o.Raw(`<dl class="lights"><div class="v-`)
		o.Text(v.Quote.Key)
		o.Raw(`"><dt>`)
		o.Text(v.Quote.Asks)
		o.Raw(`</dt><dd>`)
		o.Icon(v.Quote.Key, v.Quote.Icon)
		o.Text(v.Quote.Word)
		o.Raw(`</dd></div><div class="v-`)
		o.Text(v.Badge.Key)
		o.Raw(`"><dt>`)
		o.Text(v.Quote.Then)
		o.Raw(`</dt><dd>`)
		o.Verdict(v.c, &v.Badge)
		if v.Machine != nil {
			o.Raw(`<span class="was">`)
			o.Text(v.c.T("overridden_was", "Verdict", v.Machine.Word))
			o.Raw(`</span>`)
		}
		o.Raw(`</dd></div></dl>`)
	})
}

// figureTable lists figures from 0 to 100 per cent, with how much each spoke for or against the claim where that is
// known.
func figureTable(c *ui.Chrome, caption string, lines []FeatureLine, total *FeatureLine, weighed bool) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		o.Raw(`<table class="features"><caption class="vh">`)
		o.Text(caption)
		o.Raw(`</caption> <thead><tr><th scope="col">`)
		o.Text(c.T("feature"))
		o.Raw(`</th><th scope="col" class="bar-cell"><span class="vh">`)
		o.Text(c.T("share"))
		o.Raw(`</span></th><th scope="col" class="num">`)
		o.Text(c.T("value"))
		o.Raw(`</th>`)
		if weighed {
			o.Raw(`<th scope="col" class="spoke">`)
			o.Text(c.T("spoke"))
			o.Raw(`</th>`)
		}
		o.Raw(`</tr></thead> <tbody>`)
		for i := range lines {
			lines[i].write(o, weighed)
		}
		o.Raw(`</tbody> `)
		if total != nil {
			o.Raw(`<tfoot>`)
			total.write(o, false)
			o.Raw(`</tfoot>`)
		}
		o.Raw(`</table>`)
	})
}

func (l *FeatureLine) write(o *ui.Inline, weighed bool) {
	o.Raw(`<tr><th scope="row">`)
	o.Text(l.Label)
	o.Raw(`</th><td class="bar-cell">`)
	if !l.Count {
		o.Hbar(l.Value)
	}
	o.Raw(`</td><td class="num">`)
	o.Text(l.Shown)
	o.Raw(`</td>`)
	if weighed {
		o.Raw(`<td class="spoke">`)
		if l.Spoke != nil {
			l.Spoke.write(o)
		}
		o.Raw(`</td>`)
	}
	o.Raw(`</tr>`)
}

func (w *Weight) write(o *ui.Inline) {
	o.Raw(`<span>`)
	o.Text(w.Word)
	o.Raw(` <bdi class="num soft" dir="ltr">`)
	o.Text(w.Shown)
	o.Raw(`</bdi></span><svg class="hbar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">`)
	o.Raw(`<rect class="f-track" width="100" height="6"></rect> <rect class="f-`)
	o.Text(w.Kind)
	o.Raw(`" x="`)
	o.Int(w.X)
	o.Raw(`" width="`)
	o.Int(w.W)
	o.Raw(`" height="6"></rect> <rect class="f-not_found" x="50" width="0.5" height="6"></rect></svg>`)
}
