package pack

import (
	"encoding/json"
	"fmt"
)

// Replay records what is needed to run the bundle builder again, and what the model was not shown (rule P-16). It comes
// with a decision and is copied to its packs. It names candidates without their content.
type Replay struct {
	Policy  json.RawMessage `json:"policy,omitempty"`
	LeftOut []LeftOut       `json:"left_out"`
}

// LeftOut is a candidate that was not shown to the model.
type LeftOut struct {
	EvidenceID string `json:"evidence_id"`
	Source     string `json:"source"`
	Reason     string `json:"reason"`
}

// check collects the errors of a replay, which may be nil.
func (r *Replay) check(f *faults) {
	if r == nil {
		return
	}
	f.data("replay.policy", r.Policy)
	if f.count("replay.left_out", len(r.LeftOut)); len(r.LeftOut) > MaxItems {
		return
	}
	for i, x := range r.LeftOut {
		path := fmt.Sprintf("replay.left_out[%d]", i)
		f.short(path+".evidence_id", x.EvidenceID, MaxID)
		f.need(path+".source", x.Source, MaxName)
		f.need(path+".reason", x.Reason, MaxName)
	}
}

// promote returns a decision's replay for its pack.
func (r *Replay) promote() *Replay {
	if r == nil {
		return nil
	}
	return &Replay{r.Policy, append([]LeftOut{}, r.LeftOut...)}
}
