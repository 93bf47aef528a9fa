package pack

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Alarm is something that each approver acknowledges by name before signing.
type Alarm struct {
	ID     string   `json:"id"` // the kind and the object: "call_failed:T2"
	Kind   string   `json:"kind"`
	Object string   `json:"object"`           // a tool call ("T2"), or "ledger"
	Claims []string `json:"claims,omitempty"` // the ids of the claims that it is about
}

// The kinds of alarms. They are stored and signed.
const (
	CallFailed         = "call_failed"
	CallDeparted       = "call_departed"
	CallUnclear        = "call_unclear" // nobody can tell yet whether it departed
	NoClaimChecked     = "no_claim_checked"
	ClaimsContradicted = "claims_contradicted"
	ClaimsNotFound     = "claims_not_found"
	ClaimsMiscited     = "claims_miscited"
	QuotesInvented     = "quotes_invented"
	ClaimsUnreviewed   = "claims_unreviewed"
	ClaimsOverridden   = "claims_overridden"
)

// AlarmKinds lists them, the gravest first: append only (pinned by stored_test.go).
var AlarmKinds = []string{CallFailed, CallDeparted, CallUnclear, NoClaimChecked, ClaimsContradicted, ClaimsNotFound,
	ClaimsMiscited, QuotesInvented, ClaimsUnreviewed, ClaimsOverridden}

// wholeLedger is the object of alarms about claims.
const wholeLedger = "ledger"

// claimAlarms are the alarms about claims, in order.
var claimAlarms = []struct {
	kind string
	is   func(e *Entry) bool
}{
	{ClaimsContradicted, func(e *Entry) bool { return e.Verdict == ledger.Contradicted }},
	{ClaimsNotFound, func(e *Entry) bool { return e.Verdict == ledger.NotFound }},
	{ClaimsMiscited, (*Entry).Miscited},
	{QuotesInvented, (*Entry).Invented},
	{ClaimsUnreviewed, func(e *Entry) bool { return !e.Reviewed() }},
	{ClaimsOverridden, func(e *Entry) bool { return e.State == ledger.Overridden }},
}

// alarms returns what an approver has to know before signing: each tool call that failed or departed from what was
// intended, then what is wrong with the claims.
func (c *Content) alarms() []Alarm {
	var out []Alarm
	add := func(kind, object string, claims []string) {
		out = append(out, Alarm{ID: kind + ":" + object, Kind: kind, Object: object, Claims: claims})
	}
	for i := range c.ToolCalls {
		if kind := c.ToolCalls[i].alarm(); kind != "" {
			add(kind, CallID(i), nil)
		}
	}
	if c.claims() == 0 {
		add(NoClaimChecked, wholeLedger, nil)
		return out
	}
	for _, a := range claimAlarms {
		if claims := c.breaking(a.is); len(claims) > 0 {
			add(a.kind, wholeLedger, claims)
		}
	}
	return out
}

// alarm returns the kind of alarm that a tool call raises, "" for none.
func (t *ToolCallRecord) alarm() string {
	switch {
	case t.Failed():
		return CallFailed
	case t.Contradicts():
		return CallDeparted
	case t.Unclear():
		return CallUnclear
	}
	return ""
}

// OfCall reports whether the alarm is about a tool call.
func (a *Alarm) OfCall() bool { return a.Object != wholeLedger }

// Call returns the tool call that the alarm is about, nil if it is about claims.
func (a *Alarm) Call(c *Content) *ToolCallRecord {
	for i := range c.ToolCalls {
		if a.Object == CallID(i) {
			return &c.ToolCalls[i]
		}
	}
	return nil
}

// Numbers returns the numbers of the claims that the alarm is about.
func (a *Alarm) Numbers(c *Content) []int {
	var out []int
	for i := range c.Ledger.entries() {
		if e := &c.Ledger.Entries[i]; slices.Contains(a.Claims, e.ClaimID) {
			out = append(out, e.Number)
		}
	}
	return out
}

// entries returns the entries of a ledger, none of nil.
func (l *Ledger) entries() []Entry {
	if l == nil {
		return nil
	}
	return l.Entries
}

// all returns the entries of a ledger and the claims that no longer count, none of nil.
func (l *Ledger) all() []Entry {
	if l == nil {
		return nil
	}
	return append(slices.Clip(l.Entries), l.SetAside...)
}

// Text returns the alarm as a sentence, in a language.
func (a *Alarm) Text(c *Content, lang string) string {
	return a.Sentence(c, lang, func(s string) string { return s })
}

// Sentence is Text with what the call intended and did as quoted returns it.
func (a *Alarm) Sentence(c *Content, lang string, quoted func(string) string) string {
	if t := a.Call(c); t != nil {
		return words.In(lang).Text("alarm."+a.message(t), "Call", a.Object, "Tool", t.ToolName,
			"Intended", quoted(oneLine(t.IntendedAction)), "Actual", quoted(oneLine(t.ActualAction)))
	}
	return a.Headline(c, lang)
}

// Headline is Text without what the call intended and did.
func (a *Alarm) Headline(c *Content, lang string) string {
	w := words.In(lang)
	if t := a.Call(c); t != nil {
		return w.Text("alarm_short."+a.message(t), "Call", a.Object, "Tool", t.ToolName)
	}
	return w.Plural("alarm."+a.Kind, len(a.Claims), strconv.Itoa(len(a.Claims)))
}

// message is the message of an alarm about a tool call, without its prefix.
func (a *Alarm) message(t *ToolCallRecord) string {
	switch {
	case a.Kind == CallDeparted && t.OnlyFlagged():
		return "call_flagged"
	case a.Kind == CallFailed && t.NothingDone():
		return "call_idle"
	}
	return a.Kind
}

// Name names the alarm in short, in a language: its tool call, or how many claims it is about.
func (a *Alarm) Name(c *Content, lang string) string {
	if t := a.Call(c); t != nil {
		return a.Object + " " + t.ToolName
	}
	short := Concern{Kind: a.Kind, N: max(len(a.Claims), 1)}
	return short.Text(lang, nil)
}

// oneLine folds white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Unacknowledged returns the ids of the alarms that an approver still has to acknowledge. Those of tool calls are
// needed where the policy says so, all others always, also those of what changed since submission.
func (c *Content) Unacknowledged(since []Since, acknowledged []string) []string {
	calls, missing := c.Policy.level(CallsAcknowledged), []string{}
	for i := range c.Alarms {
		a := &c.Alarms[i]
		if !slices.Contains(acknowledged, a.ID) && (!a.OfCall() || calls == Must) {
			missing = append(missing, a.ID)
		}
	}
	for i := range since {
		if !slices.Contains(acknowledged, since[i].ID) {
			missing = append(missing, since[i].ID)
		}
	}
	return missing
}

func (r *PolicyRecord) level(rule string) Demand {
	for i := range r.Rules {
		if r.Rules[i].Rule == rule {
			return r.Rules[i].Level
		}
	}
	return Off
}
