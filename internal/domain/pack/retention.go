package pack

import (
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// retentionYears is how long a pack is kept (rule P-17).
const retentionYears = 7

// RetainUntil returns the date seven calendar years after a pack's creation, in UTC; 29 February becomes 1 March.
func RetainUntil(created time.Time) time.Time { return created.UTC().AddDate(retentionYears, 0, 0) }

// MayPurge returns every reason why a pack may not be purged now; nil if it may. who requests the purge, second
// confirmed the dry run (rule P-17).
func MayPurge(l *Life, retainUntil string, now time.Time, who, second access.Actor) []error {
	var out []error
	until, err := time.Parse(time.RFC3339, retainUntil)
	if err != nil || now.Before(until) {
		out = append(out, domain.Refuse(domain.Conflict, "", "fault_purge_kept", "Until", retainUntil))
	}
	if l.Hold != nil {
		out = append(out, domain.Refuse(domain.Conflict, "", "refused_pack_on_hold"))
	}
	if l.State == InReview {
		out = append(out, domain.Refuse(domain.Conflict, "", "refused_purge_in_review"))
	}
	if !person(who) || !who.Role.AtLeast(access.Admin) {
		out = append(out, denied("fault_purge_admin"))
	}
	if !person(second) || !second.Role.AtLeast(access.Approver) || second.ID == who.ID || second.Tenant != who.Tenant {
		out = append(out, denied("fault_purge_second"))
	} else if l.Makers.OnePerson(second.ID, who.ID) {
		out = append(out, denied("fault_purge_linked"))
	}
	return out
}

// Tombstone is what remains of a purged pack.
type Tombstone struct {
	PackID      string `json:"pack_id"`
	DecisionID  string `json:"decision_id"`
	Digest      string `json:"digest"` // "" if it was never submitted
	CreatedAt   string `json:"created_at"`
	RetainUntil string `json:"retain_until"`
	PurgedAt    string `json:"purged_at"`
	PurgedBy    string `json:"purged_by"` // pseudonymous ids
	SecondBy    string `json:"second_by"`
}

// NewTombstone returns the tombstone of a pack.
func NewTombstone(c *Content, l *Life, at time.Time, who, second access.Actor) Tombstone {
	return Tombstone{
		PackID: c.PackID, DecisionID: c.DecisionID, Digest: l.Digest, CreatedAt: c.CreatedAt,
		RetainUntil: c.RetainUntil, PurgedAt: stampOf(at), PurgedBy: who.ID, SecondBy: second.ID,
	}
}
