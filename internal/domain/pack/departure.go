package pack

import (
	"cmp"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/words"
)

// Unverified is the status of a tool call of which nobody has said that it was verified.
const Unverified = "unverified"

// Departure says whether a tool call departed from its intent (rule P-9).
type Departure struct {
	Result  judge.ActionResult  `json:"result"`
	Words   []judge.ActionWords `json:"words,omitempty"`   // the words that differ, or that were not found on the other side
	Decided *DepartureDecision  `json:"decided,omitempty"` // where the words alone can't tell
}

// DepartureDecision is what a person decided where the words can't tell.
type DepartureDecision struct {
	Result judge.ActionResult `json:"result"` // same or differs
	Actor  string             `json:"actor"`  // pseudonymous
	Role   string             `json:"role"`
	At     string             `json:"at"`
	Reason string             `json:"reason"`
}

// CallerWord is what the caller said of its own tool call, beside what was found here.
type CallerWord struct {
	ContradictionFlag  bool   `json:"contradiction_flag"`
	VerificationStatus string `json:"verification_status"` // "" if the caller said nothing
}

// judge compares what was done with what was intended. The mark is raised by the words, by a person, or by the caller;
// while nobody can tell, the call counts as unverified.
func (t *ToolCallRecord) judge() {
	result, words := judge.CompareActions(t.IntendedAction, t.ActualAction)
	d := &Departure{Result: result, Words: words}
	if t.Departure != nil && result == judge.ActionUnclear {
		d.Decided = t.Departure.Decided
	}
	t.Departure = d
	t.ContradictionFlag = d.final() == judge.ActionDiffers
	said := t.VerificationStatus
	if t.Caller != nil {
		t.ContradictionFlag = t.ContradictionFlag || t.Caller.ContradictionFlag
		said = t.Caller.VerificationStatus
	}
	t.VerificationStatus = cmp.Or(said, Unverified)
	if t.Unclear() && said == "verified" {
		t.VerificationStatus = Unverified
	}
}

// final returns the result that counts: a person's where the words can't tell.
func (d *Departure) final() judge.ActionResult {
	if d.Decided != nil {
		return d.Decided.Result
	}
	return d.Result
}

// Same reports whether the words say that the call did what was intended.
func (d *Departure) Same() bool { return d.Result == judge.ActionSame }

// Open reports whether the words can't tell.
func (d *Departure) Open() bool { return d.Result == judge.ActionUnclear }

// Differs reports whether the person decided that the call departed from its intent.
func (d *DepartureDecision) Differs() bool { return d.Result == judge.ActionDiffers }

// Contradicts reports whether a pack's tool call is marked as having departed from its intent.
func (t *ToolCallRecord) Contradicts() bool { return t.ContradictionFlag }

// Departed reports whether a pack's tool call did something other than what was intended. One that failed and did
// nothing only failed.
func (t *ToolCallRecord) Departed() bool { return t.Contradicts() && !(t.Failed() && t.NothingDone()) }

// Departed returns the tool calls that departed from what was intended, by their ids ("T2"). One that failed as well,
// and did something, is among them. Line, memo and exports count these.
func (c *Content) Departed() []string { return c.callsThat((*ToolCallRecord).Departed) }

// FailedCalls returns the tool calls that failed, by their ids.
func (c *Content) FailedCalls() []string { return c.callsThat((*ToolCallRecord).Failed) }

func (c *Content) callsThat(is func(*ToolCallRecord) bool) (out []string) {
	for i := range c.ToolCalls {
		if is(&c.ToolCalls[i]) {
			out = append(out, CallID(i))
		}
	}
	return out
}

// OnlyFlagged reports whether the mark is the caller's word alone: neither the words nor a person say that the call
// departed.
func (t *ToolCallRecord) OnlyFlagged() bool {
	return t.ContradictionFlag && t.Departure != nil && t.Departure.final() != judge.ActionDiffers
}

// Unclear reports whether a person has yet to decide whether the call departed from its intent.
func (t *ToolCallRecord) Unclear() bool {
	return t.Departure != nil && t.Departure.final() == judge.ActionUnclear
}

// Calls returns the decision's tool calls as its pack will have them.
func (d *Decision) Calls() []ToolCallRecord {
	out := make([]ToolCallRecord, len(d.ToolCalls))
	for i, t := range d.ToolCalls {
		out[i] = t.promote()
	}
	return out
}

// DecideDeparture records what a person decided about tool call n (from 1) of a draft, where the words can't tell.
func (c *Content) DecideDeparture(n int, differs bool, reason string, who access.Actor, at time.Time) error {
	if n < 1 || n > len(c.ToolCalls) {
		return &domain.Error{Kind: domain.NotFound, Message: words.Msg("refused_such_tool_call")}
	}
	if !person(who) {
		return denied("refused_departure_person")
	}
	reason, err := remark("reason", reason, true)
	if err != nil {
		return err
	}
	t := c.ToolCalls[n-1]
	if t.Departure == nil || t.Departure.Result != judge.ActionUnclear {
		return domain.Refuse(domain.Conflict, "", "fault_departure_plain")
	}
	decided := *t.Departure
	decided.Decided = &DepartureDecision{Result: judge.ActionSame, Actor: who.ID, Role: string(who.Role),
		At: stampOf(at), Reason: reason}
	if differs {
		decided.Decided.Result = judge.ActionDiffers
	}
	t.Departure = &decided
	calls := append([]ToolCallRecord{}, c.ToolCalls...)
	calls[n-1] = t.settled()
	c.ToolCalls = calls
	return nil
}
