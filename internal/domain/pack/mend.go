package pack

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
)

// Mend is a place where a pack differs from its decision as received. It holds no value: the decision stays readable,
// and a redacted copy must not repeat what it leaves out.
type Mend struct {
	Path   string `json:"path"`   // in pack.json: "sources[2].excerpt"; of what was removed, in the decision: "evidence[2]"
	Change string `json:"change"` // changed, added or removed
}

// The changes of a Mend; they are stored and signed.
const (
	MendChanged = "changed"
	MendAdded   = "added"
	MendRemoved = "removed"
)

// Change mends a draft; what is nil stays as it is (rule P-23).
type Change struct {
	Sources     *[]EvidenceSource
	ToolCalls   *[]ToolCallRecord
	Statement   *string
	StatementAR *string
	StatementEN *string
	Memo        *BilingualMemo
}

// Apply mends a draft, or returns every reason why the change is refused, each with its path; then the draft is as it
// was. What Validate finds may stay broken.
func (x *Change) Apply(c *Content) []*domain.Error {
	n := *c
	d := Decision{Header: c.Header, Evidence: slices.Clone(c.Sources), ToolCalls: slices.Clone(c.ToolCalls)}
	if x.Sources != nil {
		d.Evidence = *x.Sources
	}
	if x.ToolCalls != nil {
		d.ToolCalls = *x.ToolCalls
	}
	for _, s := range []struct{ to, from *string }{
		{&d.Statement, x.Statement}, {&d.StatementAR, x.StatementAR}, {&d.StatementEN, x.StatementEN},
	} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	if f := x.check(&d); len(f) > 0 {
		return f
	}
	n.Header = d.Header
	if x.Sources != nil {
		n.Sources = make([]EvidenceSource, len(d.Evidence))
		for i := range d.Evidence {
			n.Sources[i] = mendedSource(d.Evidence[i], c.Sources)
		}
	}
	if x.ToolCalls != nil {
		n.ToolCalls = mendedCalls(d.ToolCalls, c.ToolCalls)
	}
	n.EvidenceMapRoot = n.mapRoot()
	if x.Memo != nil {
		var refused *domain.Error
		if err := n.SetMemo(*x.Memo); errors.As(err, &refused) {
			return []*domain.Error{refused}
		}
	}
	*c = n
	return nil
}

// AddCall appends a tool call that arrived apart from the decision, as the decision stores it.
func (c *Content) AddCall(t ToolCallRecord) error {
	if len(c.ToolCalls) >= MaxItems {
		return domain.Refuse(domain.TooLarge, "tool_calls", "refused_calls_many", "N", MaxItems)
	}
	c.ToolCalls = append(append([]ToolCallRecord{}, c.ToolCalls...), t.promote())
	return nil
}

// NameSession makes a session the one whose ledger the draft copies; "" is the one that the decision names, if any. If
// that one is here, nobody puts another in its place: what was found there must not be left out (rule P-23).
func (c *Content) NameSession(id string, d *Decision, here bool) error {
	if here && id != "" && id != d.LedgerSessionID {
		return domain.Refuse(domain.Conflict, "", "refused_session_named")
	}
	c.LedgerSessionID = cmp.Or(id, d.LedgerSessionID)
	return nil
}

// Edit is a change of a draft: who made it, when and why.
type Edit struct {
	Revision int       `json:"revision"` // that it made
	Actor    string    `json:"actor"`
	Name     string    `json:"name"`
	At       time.Time `json:"at"`
	Parts    []string  `json:"parts"` // sources, tool_calls, statement, memo, session, attachments
	Reason   string    `json:"reason"`
}

// Changed names the parts in which two states of a draft differ.
func (c *Content) Changed(from *Content) (out []string) {
	for _, p := range []struct {
		name    string
		is, was any
	}{
		{"statement", [3]string{c.Statement, c.StatementAR, c.StatementEN},
			[3]string{from.Statement, from.StatementAR, from.StatementEN}},
		{"sources", c.Sources, from.Sources}, {"tool_calls", c.ToolCalls, from.ToolCalls}, {"memo", c.Memo, from.Memo},
		{"session", c.LedgerSessionID, from.LedgerSessionID},
		{"attachments", c.Attachments, from.Attachments}, {"replay", c.Replay, from.Replay},
	} {
		is, err := json.Marshal(p.is)
		was, err2 := json.Marshal(p.was)
		if err != nil || err2 != nil || string(is) != string(was) {
			out = append(out, p.name)
		}
	}
	return out
}

// check holds the draft as it would be to the rules of a decision; those of its other fields held when it was received.
func (x *Change) check(d *Decision) (out []*domain.Error) {
	var f faults
	f.count("sources", len(d.Evidence))
	f.count("tool_calls", len(d.ToolCalls))
	if n := d.size(); n > MaxDecision {
		f = append(f, domain.Refuse(domain.TooLarge, "", "refused_draft_large", "N", n>>20, "Most", MaxDecision>>20))
	}
	if len(f) > 0 {
		return f
	}
	if x.Statement != nil {
		f.need("statement", d.Statement, MaxStatement)
	}
	f.short("statement_ar", d.StatementAR, MaxStatement)
	f.short("statement_en", d.StatementEN, MaxStatement)
	for i := range d.Evidence {
		d.Evidence[i].check(&f, fmt.Sprintf("sources[%d]", i))
	}
	checkCalls(&f, d.ToolCalls)
	if _, err := canonical.JSON([]any{d.ToolCalls}); err != nil && len(f) == 0 {
		f.add("tool_calls", "refused_plain_json")
	}
	return f
}

// checkCalls checks each tool call, and that no two have one id.
func checkCalls(f *faults, calls []ToolCallRecord) {
	seen := map[string]int{}
	for i := range calls {
		path := fmt.Sprintf("tool_calls[%d]", i)
		calls[i].check(f, path)
		if id := calls[i].ID; id != "" {
			if first, twice := seen[id]; twice {
				f.add(path+".id", "refused_call_id_twice", "N", first)
			}
			seen[id] = i
		}
	}
}

// mendedSource promotes a source that was written into a draft. Hashes that belonged to another excerpt are computed
// again: a person changes the words, not their digest.
func mendedSource(s EvidenceSource, before []EvidenceSource) EvidenceSource {
	same := func(o EvidenceSource) bool { return o.ExcerptHash == s.ExcerptHash && o.Excerpt != s.Excerpt }
	if !s.S3() && slices.ContainsFunc(before, same) {
		s.Quote = Quote{Excerpt: s.Excerpt, ContentHash: s.ContentHash}
	}
	return s.promote()
}

// mendedCalls settles the calls that were written into a draft. What the caller had said stays with a call of the same
// id, or else of the same tool at the same place; a person's decision stays while the two actions are unchanged.
func mendedCalls(calls, before []ToolCallRecord) []ToolCallRecord {
	out := make([]ToolCallRecord, len(calls))
	for i, t := range calls {
		old := earlier(t, i, before)
		if old == nil {
			out[i] = t.promote()
			continue
		}
		t.Caller, t.Departure = old.Caller, nil
		if t.IntendedAction == old.IntendedAction && t.ActualAction == old.ActualAction {
			t.Departure = old.Departure
		}
		if t.VerificationStatus != "" && t.VerificationStatus != old.VerificationStatus {
			word := CallerWord{}
			if old.Caller != nil {
				word = *old.Caller
			}
			word.VerificationStatus = t.VerificationStatus
			t.Caller = &word
		}
		out[i] = t.settled()
	}
	return out
}

func earlier(t ToolCallRecord, i int, before []ToolCallRecord) *ToolCallRecord {
	k := slices.IndexFunc(before, func(o ToolCallRecord) bool { return t.ID != "" && o.ID == t.ID })
	if k < 0 && i < len(before) && before[i].ID == t.ID && before[i].ToolName == t.ToolName {
		k = i
	}
	if k < 0 {
		return nil
	}
	return &before[k]
}

// Compared returns where a draft differs from its decision as received.
func (c *Content) Compared(d *Decision) []Mend {
	var out []Mend
	for _, f := range []struct{ name, was, is string }{
		{"statement", d.Statement, c.Statement}, {"statement_ar", d.StatementAR, c.StatementAR},
		{"statement_en", d.StatementEN, c.StatementEN}, {"ledger_session_id", d.LedgerSessionID, c.LedgerSessionID},
	} {
		if f.was != f.is {
			out = append(out, Mend{f.name, changeOf(f.was, f.is)})
		}
	}
	was := make([]EvidenceSource, len(d.Evidence))
	for i, s := range d.Evidence {
		was[i] = s.promote()
	}
	sourceKey := func(s EvidenceSource) string { return cmp.Or(s.URI, s.InternalRef, s.Source) }
	out = append(out, comparedLists("sources", "evidence", was, c.Sources, sourceKey)...)
	callKey := func(t ToolCallRecord) string { return cmp.Or(t.ID, t.ToolName) }
	return append(out, comparedLists("tool_calls", "tool_calls", asGiven(d.Calls()), asGiven(c.ToolCalls), callKey)...)
}

// asGiven leaves out what follows from the rest of a call.
func asGiven(calls []ToolCallRecord) []ToolCallRecord {
	out := slices.Clone(calls)
	for i := range out {
		out[i].Departure, out[i].Caller, out[i].ContradictionFlag = nil, nil, false
		if t := calls[i].Caller; t != nil {
			out[i].VerificationStatus = t.VerificationStatus
		}
	}
	return out
}

func changeOf(was, is string) string {
	switch {
	case was == "":
		return MendAdded
	case is == "":
		return MendRemoved
	}
	return MendChanged
}

// comparedLists pairs the items of two lists, equal ones first, then those of one key, and names what differs.
func comparedLists[T any](path, received string, was, is []T, key func(T) string) []Mend {
	a, b := fieldsOf(was), fieldsOf(is)
	peer := make([]int, len(is))
	used := make([]bool, len(was))
	for k := range is {
		peer[k] = -1
	}
	for _, fits := range []func(i, k int) bool{
		func(i, k int) bool { return a[i].text == b[k].text },
		func(i, k int) bool { return key(was[i]) == key(is[k]) },
		func(i, k int) bool { return i == k },
	} {
		for k := range is {
			for i := range was {
				if peer[k] < 0 && !used[i] && fits(i, k) {
					peer[k], used[i] = i, true
				}
			}
		}
	}
	var out []Mend
	for k := range is {
		at := fmt.Sprintf("%s[%d]", path, k)
		if peer[k] < 0 {
			out = append(out, Mend{at, MendAdded})
			continue
		}
		out = append(out, a[peer[k]].compared(b[k], at)...)
	}
	for i := range was {
		if !used[i] {
			out = append(out, Mend{fmt.Sprintf("%s[%d]", received, i), MendRemoved})
		}
	}
	return out
}

// flat is an item as JSON: whole, and by field.
type flat struct {
	text   string
	fields map[string]json.RawMessage
	names  []string
}

func fieldsOf[T any](items []T) []flat {
	out := make([]flat, len(items))
	for i := range items {
		data, _ := canonical.JSON(items[i]) // it was canonical when it was received
		out[i].text = string(data)
		_ = json.Unmarshal(data, &out[i].fields)
		for name := range out[i].fields {
			out[i].names = append(out[i].names, name)
		}
		slices.Sort(out[i].names)
	}
	return out
}

// derivedFields follow from others of a source.
var derivedFields = []string{"excerpt_hash", "chunk_root", "offset_start", "offset_end", "evidence_id"}

func (f flat) compared(with flat, at string) (out []Mend) {
	if f.text == with.text {
		return nil
	}
	names := slices.Concat(f.names, with.names)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, is := string(f.fields[name]), string(with.fields[name])
		if was == is || slices.Contains(derivedFields, name) && string(f.fields["excerpt"]) != string(with.fields["excerpt"]) {
			continue
		}
		out = append(out, Mend{at + "." + name, changeOf(said(was), said(is))})
	}
	return out
}

// said returns "" for a value that says nothing.
func said(raw string) string {
	if raw == `""` || raw == "null" || raw == "[]" {
		return ""
	}
	return raw
}
