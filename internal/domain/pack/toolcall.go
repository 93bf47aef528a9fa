package pack

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/judge"
)

// VerificationStatuses lists whether a tool call was verified; "" means unverified.
var VerificationStatuses = []string{"verified", "unverified", "failed"}

// ToolCallRecord says what a tool was meant to do and what it did (rule P-9). Failed calls are recorded like the
// others: failures are evidence too, and actual_action says what did happen, even if that is "none".
type ToolCallRecord struct {
	ID                 string          `json:"id,omitempty"` // the caller's, unique in its decision
	ToolName           string          `json:"tool_name"`
	IntendedAction     string          `json:"intended_action"`
	ActualAction       string          `json:"actual_action"`
	Inputs             json.RawMessage `json:"inputs,omitempty"` // any JSON; a Sealed for an S3 call
	Outputs            json.RawMessage `json:"outputs,omitempty"`
	SideEffects        []string        `json:"side_effects"`
	VerificationStatus string          `json:"verification_status"`
	ContradictionFlag  bool            `json:"contradiction_flag"` // of a decision: the caller's word; of a pack: see judge
	SensitivityClass   string          `json:"sensitivity_class"`
	StartedAt          string          `json:"started_at,omitempty"`
	EndedAt            string          `json:"ended_at,omitempty"`
	Error              string          `json:"error,omitempty"`

	// of a pack
	Departure *Departure  `json:"departure,omitempty"`
	Caller    *CallerWord `json:"caller,omitempty"`
}

// Failed reports whether the call failed.
func (t *ToolCallRecord) Failed() bool { return t.VerificationStatus == "failed" || t.Error != "" }

// NothingDone reports whether the call is said to have done nothing.
func (t *ToolCallRecord) NothingDone() bool { return judge.NothingDone(t.ActualAction) }

// S3 reports whether inputs and outputs may not be stored.
func (t *ToolCallRecord) S3() bool { return t.SensitivityClass == "S3" }

// money is an amount that the data of a tool call name: its digits, grouped, and the code of its currency, "" if unknown.
type money struct{ value, currency string }

// amountIn returns the amount among the members of JSON.
func amountIn(raw json.RawMessage) (m money) {
	var members struct {
		Amount   json.Number `json:"amount"`
		Currency string      `json:"currency"`
	}
	if json.Unmarshal(raw, &members) == nil && plainAmount.MatchString(members.Amount.String()) {
		m.value = grouped(members.Amount.String())
	}
	if currencyCode.MatchString(members.Currency) {
		m.currency = members.Currency
	}
	return m
}

var (
	plainAmount  = regexp.MustCompile(`^[1-9][0-9]{0,14}(\.[0-9]{1,4})?$`)
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
)

// grouped sets commas between the thousands of a plain number.
func grouped(s string) string {
	whole, part, found := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		return whole + "." + part
	}
	return whole
}

// amounts returns for each tool call the amount that its outputs or inputs name. A currency that one lacks is that of the
// other calls with the same figure, such as the one that read the invoice, if all of these that name one agree.
func (c *Content) amounts() []money {
	out, currency := make([]money, len(c.ToolCalls)), map[string]string{}
	for i := range c.ToolCalls {
		t := &c.ToolCalls[i]
		if t.S3() {
			continue
		}
		for _, raw := range []json.RawMessage{t.Inputs, t.Outputs} {
			m := amountIn(raw)
			if m.value == "" {
				continue
			}
			if before, ok := currency[m.value]; m.currency != "" && ok && before != m.currency {
				currency[m.value] = "" // they differ
			} else if m.currency != "" && !ok {
				currency[m.value] = m.currency
			}
			if !t.NothingDone() {
				out[i] = m
			}
		}
	}
	for i := range out {
		if out[i].currency == "" {
			out[i].currency = currency[out[i].value]
		}
	}
	return out
}

// check collects the errors that cannot be corrected in a draft.
func (t *ToolCallRecord) check(f *faults, path string) {
	f.short(path+".id", t.ID, MaxID)
	f.short(path+".tool_name", t.ToolName, MaxName)
	f.short(path+".intended_action", t.IntendedAction, MaxStatement)
	f.short(path+".actual_action", t.ActualAction, MaxStatement)
	f.short(path+".error", t.Error, MaxStatement)
	f.data(path+".inputs", t.Inputs)
	f.data(path+".outputs", t.Outputs)
	if f.count(path+".side_effects", len(t.SideEffects)); len(t.SideEffects) > MaxItems {
		return
	}
	for i, s := range t.SideEffects {
		f.short(fmt.Sprintf("%s.side_effects[%d]", path, i), s, MaxStatement)
	}
	f.optional(path+".verification_status", t.VerificationStatus, VerificationStatuses)
	f.optional(path+".sensitivity_class", t.SensitivityClass, SensitivityClasses)
	f.time(path+".started_at", t.StartedAt)
	f.time(path+".ended_at", t.EndedAt)
}

// CheckCall returns every reason why a tool call that arrives apart from its decision is refused; nil if none.
func (t *ToolCallRecord) CheckCall() []*domain.Error {
	var f faults
	f.id("id", t.ID)
	t.check(&f, "")
	if _, err := canonical.JSON([]any{t}); err != nil && len(f) == 0 {
		f.add("inputs", "refused_plain_json")
	}
	for i := range f {
		f[i].Path = strings.TrimPrefix(f[i].Path, ".")
	}
	return f
}

// promote returns a decision's tool call for its pack. What the caller said of it is kept as the caller's word.
func (t ToolCallRecord) promote() ToolCallRecord {
	t.Departure, t.Caller = nil, nil
	if t.VerificationStatus != "" || t.ContradictionFlag {
		t.Caller = &CallerWord{ContradictionFlag: t.ContradictionFlag, VerificationStatus: t.VerificationStatus}
	}
	return t.settled()
}

// settled fills in what follows from the rest of a pack's tool call. It changes nothing if it is repeated.
func (t ToolCallRecord) settled() ToolCallRecord {
	if t.SensitivityClass == "" {
		t.SensitivityClass = SensitivityClasses[0]
	}
	if t.SideEffects == nil {
		t.SideEffects = []string{}
	}
	t.judge()
	return t
}
