package packs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Where a person goes to correct something in a draft: a field of the memo's form, a field of the form for the
// evidence, a claim. Every rule has such a place (TestEveryRuleLeadsSomewhere).

// faultPlace takes the path of a fault apart: its list or memo, the number, the field.
var faultPlace = regexp.MustCompile(`^(sources|tool_calls|statement(?:_ar|_en)?|ledger\.entries|ledger|memo|claims)(?:\[(\d+)\])?(?:\.(\w+))?$`)

// place is a path of a draft, taken apart.
type place struct {
	in    string // "sources", "memo" …
	at    int    // of its item, -1 for the whole list
	field string
}

func placeOf(path string) place {
	m := faultPlace.FindStringSubmatch(path)
	if m == nil {
		return place{at: -1}
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		n = -1
	}
	return place{m[1], n, m[3]}
}

// href is the address where a place can be corrected.
func (x place) href(k *pack.Content) string {
	draft := "/packs/" + k.PackID
	switch x.in {
	case "memo":
		return draft + "/edit#f-" + x.field
	case "statement", "statement_ar", "statement_en":
		return draft + "/mend#" + x.in
	case "sources":
		return draft + "/mend#" + x.item(len(k.Sources), map[string]string{"": "source", "excerpt_hash": "excerpt"})
	case "tool_calls":
		return draft + "/mend#" + x.item(len(k.ToolCalls), map[string]string{"": "tool_name"})
	case "ledger":
		return sessionHref(k)
	case "ledger.entries":
		if k.Ledger != nil && x.at >= 0 && x.at < len(k.Ledger.Entries) {
			return fmt.Sprintf("/sessions/%s/claims/%d", k.Ledger.SessionID, k.Ledger.Entries[x.at].Number)
		}
	}
	if x.in == "claims" && k.Ledger != nil {
		return "/sessions/" + k.Ledger.SessionID
	}
	return draft + "#sec-decision"
}

// sessionHref is where a draft gets the session whose ledger it copies.
func sessionHref(k *pack.Content) string { return "/packs/" + k.PackID + "/session#session-q" }

// item is the id of a field of a list's item. Of the whole list it is the first field of the form that adds an item; of
// a field that is not in the form it is the one that it follows from.
func (x place) item(n int, instead map[string]string) string {
	at := x.at
	if at < 0 || at > n {
		at = n
	}
	field := x.field
	if f, ok := instead[field]; ok {
		field = f
	}
	return fmt.Sprintf("%s-%d-%s", x.in, at, field)
}

// words names a place: "E2 · Leave_Policy.pdf · Excerpt".
func (x place) words(c *ui.Chrome, k *pack.Content) string {
	switch x.in {
	case "memo":
		return placeWords(c, "memo."+x.field)
	case "sources":
		if x.at < 0 || x.at >= len(k.Sources) {
			return c.T("pk_place_sources")
		}
		return joined(pack.Reference(x.at), k.Sources[x.at].Source, x.label(c))
	case "tool_calls":
		if x.at < 0 || x.at >= len(k.ToolCalls) {
			return c.T("pk_place_tool_calls")
		}
		return joined(c.T("pk_call_n", "N", pack.CallID(x.at)), k.ToolCalls[x.at].ToolName, x.label(c))
	case "ledger.entries":
		if k.Ledger != nil && x.at >= 0 && x.at < len(k.Ledger.Entries) {
			e := &k.Ledger.Entries[x.at]
			return joined(c.T("claim_n", "N", c.Num(e.Number)), shortened(e.ClaimText, maxShown))
		}
	case "ledger":
		return c.T("pk_session")
	case "statement_ar", "statement_en":
		return c.T("pk_" + x.in)
	}
	return c.T("pk_statement")
}

// fieldLabels are the message ids of the fields of sources and tool calls that rules speak of.
var fieldLabels = map[string]string{"source": "source", "uri": "pk_uri", "internal_ref": "pk_internal_ref",
	"retrieved_at": "pk_retrieved", "confidence": "confidence", "content_hash": "pk_content_hash", "excerpt": "pk_excerpt",
	"excerpt_hash": "pk_excerpt_hash", "intended_action": "pk_intended", "actual_action": "pk_actual",
	"inputs": "pk_inputs", "outputs": "pk_outputs"}

// label is the label of the field, "" if the place has none.
func (x place) label(c *ui.Chrome) string {
	if id := fieldLabels[x.field]; id != "" {
		return c.T(id)
	}
	return ""
}

// maxShown is how many characters of a name or claim stand in the name of a place.
const maxShown = 60

// joined joins the parts of a name that are there; those that may be in any language keep their own direction.
func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, say.Isolated(shortened(p, maxShown)))
		}
	}
	return strings.Join(out, " · ")
}

// thereFrom shortens an address on the page at path to its fragment, so that what is typed there stays.
func thereFrom(path, href string) string {
	if page, fragment, ok := strings.Cut(href, "#"); ok && page == path {
		return "#" + fragment
	}
	return href
}

// faultHref is where a broken rule is corrected.
func faultHref(k *pack.Content, f *pack.Fault) string {
	x := placeOf(f.Path)
	if x.in == "tool_calls" && f.Rule.Name == "tool_unclear" { // a person answers that
		return fmt.Sprintf("/packs/%s/mend#departure-%d-reason", k.PackID, x.at+1)
	}
	return x.href(k)
}

// ruleHref is where a rule of the sign-off policy is met: at the claims that break it, in their ledger, or where the
// pack has what it asks for.
func ruleHref(k *pack.Content, o *pack.RuleOutcome) string {
	if k.Ledger == nil && o.Rule == pack.CallsAcknowledged {
		return "/packs/" + k.PackID + "#sec-tools"
	}
	if k.Ledger == nil {
		return sessionHref(k)
	}
	for i := range k.Ledger.Entries {
		if e := &k.Ledger.Entries[i]; slices.Contains(o.Objects, e.ClaimID) {
			return fmt.Sprintf("/sessions/%s/claims/%d", k.Ledger.SessionID, e.Number)
		}
	}
	switch o.Rule {
	case pack.CallsAcknowledged:
		return "/packs/" + k.PackID + "#sec-tools"
	case pack.ApproverApart:
		return "/packs/" + k.PackID + "#sec-claims"
	}
	return "/sessions/" + k.Ledger.SessionID
}

// ReturnedView is why the version before was returned, for who drafts the next one.
type ReturnedView struct {
	Who, Said string
	At        say.Moment
	Notes     []NoteView
}

// returnedView lays out a return; nil for nil.
func returnedView(c *ui.Chrome, k *pack.Content, r *pack.Return, names map[string]string, path string) *ReturnedView {
	if r == nil {
		return nil
	}
	name := r.Name
	if name == "" {
		name = names[r.Actor]
	}
	general, notes := r.Notes()
	v := &ReturnedView{Who: c.ActorName(r.Actor, name), At: c.Minute(ui.Instant(r.At)), Said: general,
		Notes: noteViews(c, notes)}
	for i := range v.Notes {
		v.Notes[i].Href = thereFrom(path, placeOf(v.Notes[i].Place).href(k))
	}
	return v
}

// at returns what the return says of a place.
func (r *ReturnedView) at(place string) (out []string) {
	if r == nil {
		return nil
	}
	for _, n := range r.Notes {
		if n.Place == place {
			out = append(out, n.Text)
		}
	}
	return out
}
