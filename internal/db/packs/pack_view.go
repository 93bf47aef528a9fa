package packs

import (
	"time"

	"sanad/internal/db/receipts"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
)

// PackView is everything about one pack.
type PackView struct {
	Content  pack.Content
	Life     *pack.Life
	Chain    pack.Chain            // Life, then the versions it supersedes, newest first
	Lives    map[string]*pack.Life // of all versions of the pack, by id
	Versions []pack.Row            // of all versions of the pack, oldest first
	JSON     []byte                // bytes of pack.json from submission on; nil for a draft
	Files    []pack.FileRow        // stored files by name; pack.json from submission on, the others from sign-off on
	Events   []audit.StoredEvent   // the log's events about the pack, oldest first
	Holds    []pack.HoldChange     // oldest first
	Edits    []pack.Edit           // of this version, oldest first
	Texts    map[int]string        // of a draft: the full text of documents by source position
	Received *pack.Decision        // of a draft: the decision as it was received
	SignedAt time.Time             // zero until signed
	Deputies []access.Deputy       // of the tenant, of a pack in review
	Since    []pack.Since          // what changed since submission, for who approves
	Threads  []pack.OpenThread     // of the pack, and of the claims of its ledger
	Changes  pack.Changes          // since submission, of the ledger
	Later    int                   // revision of the ledger now; 0 if it is gone, or none was submitted
}

// AlarmIDs returns the ids of all that an approver of the pack acknowledges now.
func (v *PackView) AlarmIDs() (out []string) {
	for i := range v.Content.Alarms {
		out = append(out, v.Content.Alarms[i].ID)
	}
	for i := range v.Since {
		out = append(out, v.Since[i].ID)
	}
	return out
}

// DeputyOf returns as whose deputy somebody approves the pack at a moment; nil for id "", in their own name. It returns
// an error if they may not.
func (v *PackView) DeputyOf(who access.Actor, id string, at time.Time) (*access.Deputy, error) {
	if id == "" {
		return nil, nil
	}
	for i := range v.Deputies {
		if d := &v.Deputies[i]; d.For.ID == id && d.By.ID == who.ID && d.At(at) {
			return d, v.Content.MayApproveFor(v.Chain, d, who.Tenant, at)
		}
	}
	return nil, domain.Refuse(domain.Denied, "for", "refused_deputy_ended")
}

// Faults returns every rule that a draft breaks.
func (v *PackView) Faults() []pack.Fault { return v.Content.ValidateDraft(v.Texts, v.Received) }

// Answering says how a request with an Idempotency-Key gets its receipt: Receipt makes it from the result, in the same
// transaction. The zero Answering is a request without a key. If the key has been answered already, nothing is done and
// the error is a *ReplayError.
type Answering struct {
	Key     string
	Receipt func(*PackView) (*receipts.Receipt, error)
}
