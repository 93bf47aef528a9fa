package packs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// Attention is what an approver should know before anything else: alarms, the sign-off policy's rules that are not met,
// who reviewed the claims.
type Attention struct {
	Alarms    []AlarmView
	Adverse   []AdverseView // sources that speak against the decision
	Old       []LineItem    // that sources were too old at the decision, or are now
	Rules     []RuleView
	Policy    string // its version and class
	Newer     string // that another version of the policy is in force by now, "" if not
	Reviewers string // "" if nobody of the organisation has

	ofSources []string // kinds of the alarms about sources, which are told here one by one
}

// AlarmView is an alarm with the places that it is about.
type AlarmView struct {
	ID, Text, Href string
	Places         []Place       // of its claims, none for a tool call
	Checked        bool          // acknowledged in the form that was refused
	Adverse        []AdverseView // of contradicted and overridden claims: the sources that contradict them

	Intended, Actual string // of a tool call; "" where the text says enough
}

// AdverseView is a source that speaks against the decision, with its words.
type AdverseView struct {
	Ref, Name, Said, Href string
	Excerpt               string // its beginning, "" if it is not kept here
	Bad                   bool   // a claim is contradicted by it
}

// adverseShown is how much of a source's words stands before the sections; its place in the pack has all of them.
const adverseShown = 240

// adverse lays out those of the sources that contradict claims, or those that have reservations.
func (p *Page) adverse(k *pack.Content, all []pack.Adverse, bad bool) (out []AdverseView) {
	for i := range all {
		if (len(all[i].Claims) > 0) == bad {
			out = append(out, p.adverseView(k, &all[i]))
		}
	}
	return out
}

// against lays out those of the sources that contradict one of the claims with these numbers.
func (p *Page) against(k *pack.Content, all []pack.Adverse, numbers []int) (out []AdverseView) {
	for i := range all {
		if slices.ContainsFunc(numbers, func(n int) bool { return slices.Contains(all[i].Claims, "C"+strconv.Itoa(n)) }) {
			out = append(out, p.adverseView(k, &all[i]))
		}
	}
	return out
}

func (p *Page) adverseView(k *pack.Content, a *pack.Adverse) AdverseView {
	s := &k.Sources[a.At]
	v := AdverseView{Ref: pack.Reference(a.At), Name: s.Source, Said: a.Said(p.Lang), Bad: len(a.Claims) > 0,
		Href: p.inPage("#e" + strconv.Itoa(a.At+1))}
	if !s.S3() {
		v.Excerpt = shortened(s.Excerpt, adverseShown)
	}
	return v
}

// RuleView is a rule of the policy that is not met.
type RuleView struct {
	Name, Level, LevelKey, Text string
	Claims                      []ClaimLink // that break it
	More                        bool        // there are more claims than these
	Href                        string      // where it is met
}

// ClaimLink leads to a claim of the pack's ledger.
type ClaimLink struct{ Number, Href string }

// ruleView lays out a rule that is not met for the page at path.
func ruleView(c *ui.Chrome, k *pack.Content, o *pack.RuleOutcome, path string) RuleView {
	v := RuleView{Name: c.T("policy.rule_" + o.Rule), Level: c.T("policy.level_" + string(o.Level)),
		LevelKey: string(o.Level), Text: o.Text(c.Lang), Href: thereFrom(path, ruleHref(k, o))}
	if k.Ledger == nil {
		return v
	}
	for i := range k.Ledger.Entries {
		e := &k.Ledger.Entries[i]
		if !slices.Contains(o.Objects, e.ClaimID) {
			continue
		}
		if v.More = len(v.Claims) == maxNumbers; v.More {
			break
		}
		v.Claims = append(v.Claims, ClaimLink{c.Num(e.Number),
			fmt.Sprintf("/sessions/%s/claims/%d", k.Ledger.SessionID, e.Number)})
	}
	return v
}

// Place leads to a claim in the pack. The one with the text "…" stands for the rest.
type Place struct{ Text, Name, Href string }

// attention lays out what the approver of a pack should know. now is the version of the policy in force.
func (p *Page) attention(k *pack.Content, since []pack.Since, now int) *Attention {
	c, adverse := &p.Chrome, k.AdverseSources()
	a := &Attention{Policy: c.T("policy.under", "N", c.Num(k.Policy.Version), "Class", k.Policy.Class)}
	if k.Policy.Version == 0 {
		a.Policy = c.T("policy.under_default", "Class", k.Policy.Class)
	}
	if now != k.Policy.Version {
		a.Newer = c.T("policy.newer", "N", c.Num(now))
	}
	for i := range k.Alarms {
		x := &k.Alarms[i]
		v := AlarmView{ID: x.ID, Text: x.Headline(k, c.Lang), Href: p.inPage(alarmHref(k, x)),
			Places: places(c, x.Numbers(k)), Checked: slices.Contains(p.Decide.Read, x.ID)}
		if t := x.Call(k); t != nil {
			v.Intended = t.IntendedAction
			if !t.NothingDone() {
				v.Actual = t.ActualAction
			}
		}
		if x.Kind == pack.ClaimsContradicted || x.Kind == pack.ClaimsOverridden { // by a person, against a source
			v.Adverse = p.against(k, adverse, x.Numbers(k))
		}
		for j := range v.Places {
			v.Places[j].Href = p.inPage(v.Places[j].Href)
		}
		a.Alarms = append(a.Alarms, v)
	}
	a.Adverse = append(p.adverse(k, adverse, true), p.adverse(k, adverse, false)...)
	for i := range since {
		x := &since[i]
		if !x.OfSources() {
			continue
		}
		if a.ofSources = append(a.ofSources, x.Kind); x.Kind != pack.SourcesReserved { // whose words stand above
			concern := x.Concern()
			a.Old = append(a.Old, LineItem{Text: x.Text(p.Lang), Href: p.inPage(p.concernHref(k, &concern))})
		}
	}
	for i := range k.Policy.Rules {
		if o := &k.Policy.Rules[i]; o.Refuses() || o.Warns() {
			a.Rules = append(a.Rules, ruleView(c, k, o, p.Href))
		}
	}
	a.Reviewers = strings.Join(c.AllNamed(k.ReviewerNames()), c.T("list_comma"))
	return a
}

// alarmHref is the address of the place that an alarm is about: the tool call, the first of its claims, or the decision
// if there is no claim.
func alarmHref(k *pack.Content, x *pack.Alarm) string {
	if x.OfCall() {
		return "#" + strings.ToLower(x.Object)
	}
	if numbers := x.Numbers(k); len(numbers) > 0 {
		return claimPlace(numbers[0])
	}
	return "#sec-decision"
}

// claimPlace is the address of a claim's row in the pack.
func claimPlace(number int) string { return "#" + claimRow(number) }

// maxNumbers is how many claims an alarm or rule lists.
const maxNumbers = 12

// places lists claims by their numbers.
func places(c *ui.Chrome, numbers []int) []Place {
	var out []Place
	for _, n := range numbers[:min(len(numbers), maxNumbers)] {
		out = append(out, Place{Text: c.Num(n), Name: c.T("claim_n", "N", c.Num(n)), Href: claimPlace(n)})
	}
	if len(numbers) > maxNumbers {
		out = append(out, Place{Text: "…", Name: c.T("pk_sec_claims"), Href: "#sec-claims"})
	}
	return out
}

// describedBy is the id of the fault of the acknowledgements, "" if none.
func describedBy(fault string) string {
	if fault == "" {
		return ""
	}
	return "d-a-e"
}
