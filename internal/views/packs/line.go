package packs

import (
	"net/url"
	"slices"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// AlarmLine is what a reader of a pack must know before anything else, in one line.
type AlarmLine struct {
	Items []LineItem
	Clear string // what it says if there is nothing
}

// LineItem is one item of it, with the place that it is about; Href is "" if that cannot be reached.
type LineItem struct {
	Text, Href string
	Grave      bool
	Alarm      bool // what an approver acknowledges, though it is not grave
}

// alarmLine lays out the concerns of a pack, nil where the page says all of them elsewhere.
func (p *Page) alarmLine(k *pack.Content, all []pack.Concern, since []pack.Since) *AlarmLine {
	line := &AlarmLine{Clear: p.T("pk_line_clear")}
	alarms := len(k.Alarms)
	for i := range since {
		if since[i].OfSources() {
			alarms++
		}
	}
	if p.Attention != nil && alarms > 0 { // they stand below, one by one
		line.Items = append(line.Items, LineItem{Text: p.N("pk_line_alarms", alarms), Alarm: true, Href: p.inPage("#attention"),
			Grave: slices.ContainsFunc(all, func(x pack.Concern) bool { return x.Grave() && p.toldElsewhere(k, &x) })})
	}
	for i := range all {
		x := &all[i]
		if p.toldElsewhere(k, x) {
			continue
		}
		line.Items = append(line.Items,
			LineItem{Text: x.Text(p.Lang, p.Num), Href: p.inPage(p.concernHref(k, x)), Grave: x.Grave(), Alarm: x.Alarm()})
	}
	if len(line.Items) == 0 && len(all) > 0 {
		return nil
	}
	return line
}

// toldElsewhere reports whether a pack in review says the concern one by one before its sections, or in its stamp.
func (p *Page) toldElsewhere(k *pack.Content, x *pack.Concern) bool {
	switch {
	case p.Attention == nil:
		return false
	case x.Kind == pack.ApprovalsMissing:
		return p.Unresolved
	case x.Kind == pack.PolicyBroken:
		return len(p.Attention.Rules) > 0
	case x.Kind == pack.CallDeparted || x.Kind == pack.CallFailed:
		return slices.ContainsFunc(k.Alarms, func(a pack.Alarm) bool { return a.OfCall() })
	}
	return slices.Contains(p.Attention.ofSources, x.Kind) ||
		slices.ContainsFunc(k.Alarms, func(a pack.Alarm) bool { return a.Kind == x.Kind })
}

// concernPlaces are the places of the concerns that are not about tool calls, claims or sources of the pack.
var concernPlaces = map[string]string{
	pack.SealBroken: "#sec-integrity", pack.NoClaimChecked: "#sec-decision", pack.ClaimsChanged: "#changed",
	pack.SinceContradicted: "#changed", pack.SinceOverridden: "#changed", pack.SinceErased: "#changed",
	pack.PackReturned: "#returned", pack.PackOnHold: "#sec-retention", pack.ApprovalsMissing: "#sec-approvals",
	pack.OneAdministrator: "#sec-approvals",
}

// concernHref is the address of what a concern is about: the one tool call, claim or source, or the list of them.
func (p *Page) concernHref(k *pack.Content, x *pack.Concern) string {
	switch x.Kind {
	case pack.RulesBroken, pack.PolicyBroken:
		if p.Attention != nil {
			return "#attention"
		}
		if p.Edit {
			return p.Href + "/edit#faults"
		}
		return ""
	case pack.SourcesWithdrawn:
		return withdrawnHref(k, x.Objects)
	case pack.PackThreads, pack.ClaimThreads:
		return p.threadsHref(x.Kind)
	}
	if place, ok := concernPlaces[x.Kind]; ok {
		return place
	}
	section, one := "sec-claims", ""
	switch {
	case strings.HasPrefix(x.Kind, "call_"):
		section, one = "sec-tools", "#"+strings.ToLower(x.Objects[0])
	case strings.HasPrefix(x.Kind, "sources_"):
		section, one = "sec-sources", "#"+strings.ToLower(x.Objects[0])
	default:
		alarm := pack.Alarm{Object: "ledger", Claims: x.Objects}
		if numbers := alarm.Numbers(k); len(numbers) > 0 {
			one = claimPlace(numbers[0])
		}
	}
	if len(x.Objects) == 1 {
		return one
	}
	return p.Href + "?" + url.Values{"only": {x.Kind}}.Encode() + "#" + section
}

// withdrawnHref is the address of withdrawn documents: of the one, or of the ledger that has several.
func withdrawnHref(k *pack.Content, documents []string) string {
	if len(documents) == 1 || k.LedgerSessionID == "" {
		return "/documents/" + url.PathEscape(documents[0])
	}
	return "/sessions/" + k.LedgerSessionID
}

// Only is a filter of the page: the tool calls, claims or sources that one concern is about.
type Only struct {
	Section string // that is filtered, "" if none is
	Text    string // the concern
	All     string // address without the filter
	objects []string
}

// only returns the kind of concern that the address asks for, "" for the whole page.
func (p *Page) only() string { return p.Query().Get("only") }

// inPage returns the address of a place in the whole page: the place may be left out while a section is filtered.
func (p *Page) inPage(place string) string {
	if p.only() != "" && strings.HasPrefix(place, "#") {
		return ui.Address(p.Href, p.Query("only")) + place
	}
	return place
}

// onlyOf reads the filter from the address of the page.
func (p *Page) onlyOf(all []pack.Concern) {
	kind := p.only()
	i := slices.IndexFunc(all, func(x pack.Concern) bool { return x.Kind == kind && len(x.Objects) > 0 })
	if i < 0 {
		return
	}
	p.Only = Only{Section: "claims", Text: all[i].Text(p.Lang, p.Num), objects: all[i].Objects}
	switch {
	case strings.HasPrefix(kind, "call_"):
		p.Only.Section = "tools"
	case strings.HasPrefix(kind, "sources_"):
		p.Only.Section = "sources"
	}
	p.Only.All = ui.Address(p.Href, p.Query("only")) + "#sec-" + p.Only.Section
	p.keepOnly()
}

// keepOnly leaves out what the filter does not name.
func (p *Page) keepOnly() {
	others := func(id string) bool { return !slices.Contains(p.Only.objects, id) }
	switch p.Only.Section {
	case "tools":
		p.Calls = slices.DeleteFunc(p.Calls, func(x CallView) bool { return others(strings.ToUpper(x.ID)) })
	case "sources":
		p.Sources = slices.DeleteFunc(p.Sources, func(x SourceView) bool { return others(strings.ToUpper(x.ID)) })
	case "claims":
		if p.Claims != nil {
			p.Claims.Rows = slices.DeleteFunc(p.Claims.Rows, func(x Claim) bool { return others(x.Key) })
		}
	}
}
