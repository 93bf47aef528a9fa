package pack

import (
	"encoding/json"
	"fmt"
)

// Replay is what running the bundle builder again needs, and what the model was not shown (rule P-16). A decision
// gives it and its packs take it over. It names candidates and holds nothing of what they say.
type Replay struct {
	Policy  json.RawMessage `json:"policy,omitempty"`
	LeftOut []LeftOut       `json:"left_out"`
}

// LeftOut is a candidate that the model was not shown.
type LeftOut struct {
	EvidenceID string `json:"evidence_id"`
	Source     string `json:"source"`
	Reason     string `json:"reason"`
}

// check lists what is wrong with a replay; there need be none.
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

// promote makes a decision's replay a pack's.
func (r *Replay) promote() *Replay {
	if r == nil {
		return nil
	}
	return &Replay{r.Policy, append([]LeftOut{}, r.LeftOut...)}
}
