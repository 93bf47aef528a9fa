package pack

import (
	"slices"
	"strconv"

	"sanad/internal/words"
)

// Level is whether a decision must have a pack.
type Level string

// The three levels (rule P-5); mandatory beats recommended.
const (
	Mandatory   Level = "mandatory"
	Recommended Level = "recommended"
	Skip        Level = "skip"
)

// Levels lists the levels, strictest first.
var Levels = []Level{Mandatory, Recommended, Skip}

// Reason is a rule that makes a pack mandatory or recommended. It is encoded as its name in JSON.
type Reason struct {
	Number int
	Name   string // what matched: "approval_class A2 or A3"
}

// The reasons of rule P-5. Their numbers and names are stored: append only (pinned by stored_test.go).
var (
	ByApproval      = Reason{Number: 1, Name: "approval_class A2 or A3"}
	ByReversibility = Reason{Number: 2, Name: "reversibility_class R3"}
	BySensitivity   = Reason{Number: 3, Name: "sensitivity_class S3"}
	ByConfidence    = Reason{Number: 4, Name: "confidence < 0.7 on a high-stakes decision"}
	ByAuditWish     = Reason{Number: 5, Name: "approval_class A1"}
)

// Reasons lists all reasons by number.
var Reasons = []Reason{ByApproval, ByReversibility, BySensitivity, ByConfidence, ByAuditWish}

// Words returns the reason as a clause, "" for an unknown one. It is stored in memos.
func (r Reason) Words(lang string) string {
	if r.Number == 0 {
		return ""
	}
	return words.In(lang).Text("memo.reason_" + strconv.Itoa(r.Number))
}

// MarshalText returns the name.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.Name), nil }

// UnmarshalText reads a name; an unknown one is kept, with number 0.
func (r *Reason) UnmarshalText(name []byte) error {
	*r = Reason{Name: string(name)}
	if i := slices.IndexFunc(Reasons, func(x Reason) bool { return x.Name == r.Name }); i >= 0 {
		*r = Reasons[i]
	}
	return nil
}

// Requirement is whether a decision must have a pack, by which rules, and who must approve it.
type Requirement struct {
	Level          Level    `json:"level"`
	Rules          []Reason `json:"rules"`           // those of the level, by number; empty for skip
	EffectiveClass string   `json:"effective_class"` // the approval class that counts for sign-off
	Approvers      int      `json:"approvers"`       // how many different people sign
}

// lowConfidence is the confidence below which a high-stakes decision needs a pack.
const lowConfidence = 0.7

// Requires applies rules P-5 and P-12 to a decision: R3, S3 and low-confidence high-stakes count as at least A2;
// A3 needs two approvers, all others one.
func Requires(h *Header) Requirement {
	r := Requirement{Level: Skip, Rules: []Reason{}, EffectiveClass: h.ApprovalClass, Approvers: 1}
	add := func(level Level, reason Reason, holds bool) {
		if holds {
			r.Level = level
			r.Rules = append(r.Rules, reason)
		}
	}
	add(Mandatory, ByApproval, h.ApprovalClass == "A2" || h.ApprovalClass == "A3")
	add(Mandatory, ByReversibility, h.ReversibilityClass == "R3")
	add(Mandatory, BySensitivity, h.SensitivityClass == "S3")
	add(Mandatory, ByConfidence, h.HighStakes && h.Confidence != nil && *h.Confidence < lowConfidence)
	if r.Level == Skip {
		add(Recommended, ByAuditWish, h.ApprovalClass == "A1")
	} else if h.ApprovalClass < "A2" {
		r.EffectiveClass = "A2"
	}
	if r.EffectiveClass == "A3" {
		r.Approvers = 2
	}
	return r
}

// Missing reports whether a decision lacks the pack that it must have.
func (r Requirement) Missing(hasPack bool) bool { return r.Level == Mandatory && !hasPack }
