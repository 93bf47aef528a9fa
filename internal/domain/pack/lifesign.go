package pack

import (
	"crypto/subtle"
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// MayDecide returns an error if who may not approve the pack (rule P-12). That excludes the authors of any version in
// the chain, even administrators; the creators of the tokens of machines among them; machines; and anybody who has
// approved already, or for whom a deputy has.
func (c Chain) MayDecide(who access.Actor) error {
	l := c[0]
	if err := l.may(who, access.Approver, l.Revision, InReview); err != nil {
		return err
	}
	if !person(who) {
		return denied("fault_pack_person")
	}
	if slices.Contains(c.Authors(), who.ID) {
		return denied("refused_pack_maker")
	}
	if slices.Contains(l.Before, who.ID) {
		return denied("refused_pack_recorder")
	}
	if c.HasTokenIssuer(who.ID) {
		return denied("refused_pack_keeper")
	}
	if slices.ContainsFunc(slices.Concat(c.Authors(), l.Before), c.onePersonWith(who.ID)) {
		return denied("refused_pack_behind")
	}
	if slices.ContainsFunc(l.Approvals, func(a Approval) bool { return a.Actor == who.ID }) {
		return domain.Refuse(domain.Conflict, "", "refused_pack_twice")
	}
	if slices.ContainsFunc(l.Approvals, func(a Approval) bool { return a.For != nil && a.For.Actor == who.ID }) {
		return domain.Refuse(domain.Conflict, "", "refused_pack_stood_for")
	}
	if slices.ContainsFunc(l.Approvals, func(a Approval) bool {
		return slices.ContainsFunc(a.seats(), c.onePersonWith(who.ID))
	}) {
		return denied("refused_pack_behind_second")
	}
	if slices.ContainsFunc(c[1:], func(x *Life) bool { return x.State == Superseded && !c.holds(x.SupersededBy) }) {
		return domain.Refuse(domain.Conflict, "", "refused_pack_overtaken")
	}
	return nil
}

// onePersonWith tells who counts as one person with somebody (rule P-22).
func (c Chain) onePersonWith(who string) func(string) bool {
	return func(other string) bool { return c[0].Makers.OnePerson(other, who) }
}

// holds reports whether a pack is in the chain.
func (c Chain) holds(id string) bool {
	return slices.ContainsFunc(c, func(l *Life) bool { return l.PackID == id })
}

// Signing is what an approver gives: the digest of the pack.json that they saw, a comment, the ids of the alarms that
// they acknowledged, as CheckApproval returned them, what has changed since submission, and as whose deputy they sign,
// which MayApproveFor has allowed; nil in their own name.
type Signing struct {
	Digest       string
	Comment      string
	Acknowledged []string
	Since        []Since
	For          *access.Deputy
}

// Approve records an approval of the bytes whose digest the approver saw. The last approval that is needed signs the
// pack off, and every older version that was signed off or returned becomes superseded: its approvals are not reused.
func (c Chain) Approve(who access.Actor, revision int, at time.Time, in Signing) (signed bool, err error) {
	l := c[0]
	if err := l.may(who, access.Approver, revision, InReview); err != nil {
		return false, err
	}
	if err := c.MayDecide(who); err != nil {
		return false, err
	}
	if err := l.holdsBytes(in.Digest); err != nil {
		return false, err
	}
	comment, err := remark("comment", in.Comment, false)
	if err != nil {
		return false, err
	}
	l.Approvals = append(l.Approvals, Approval{
		Actor: who.ID, Name: who.User, Title: who.Title, Role: string(who.Role), At: stampOf(at),
		Digest: l.Digest, Comment: comment, Acknowledged: in.Acknowledged, Since: in.Since, For: behalfOf(in.For),
	})
	l.Revision++
	if len(l.Approvals) < max(l.Need, 1) {
		return false, nil
	}
	l.State = SignedOff
	for _, old := range c[1:] {
		if old.State == SignedOff || old.State == Returned {
			old.State, old.SupersededBy = Superseded, l.PackID
			old.Revision++
		}
	}
	return true, nil
}

// Read returns a Conflict unless somebody has read the pack as it is now: this revision, with the bytes of this digest.
func (c Chain) Read(revision int, digest string) error {
	if revision != c[0].Revision {
		return errChanged()
	}
	return c[0].holdsBytes(digest)
}

func (l *Life) holdsBytes(digest string) error {
	if l.Digest == "" || subtle.ConstantTimeCompare([]byte(bare(digest)), []byte(l.Digest)) == 0 {
		return domain.Refuse(domain.Conflict, "", "refused_pack_unread")
	}
	return nil
}

// Return returns the pack to its authors with reasons. Approvals of this version stay on record but no longer count.
func (c Chain) Return(who access.Actor, revision int, at time.Time, reason string) error {
	l := c[0]
	if err := l.may(who, access.Approver, revision, InReview); err != nil {
		return err
	}
	if !person(who) {
		return denied("fault_pack_return_person")
	}
	reason, err := remark("reason", reason, true)
	if err != nil {
		return err
	}
	l.Return = &Return{Actor: who.ID, Name: who.User, At: stampOf(at), Reason: reason}
	l.State = Returned
	l.Revision++
	return nil
}

// Behalf says for whom an approval was given, where that is not the approver: the person whose deputy the approver was
// (rule P-31).
type Behalf struct {
	Actor    string `json:"actor"`
	Name     string `json:"name,omitempty"` // as shown; never in the Statement or the log
	From     string `json:"from"`           // when the deputy's time began
	Until    string `json:"until"`          // when it was to end; that moment is no longer part of it
	LogIndex int64  `json:"log_index"`      // of the event that named the deputy, from 0
}

// within reports whether a time is within the deputy's.
func (b *Behalf) within(at string) bool {
	from, errFrom := time.Parse(time.RFC3339, b.From)
	until, errUntil := time.Parse(time.RFC3339, b.Until)
	when, errAt := time.Parse(time.RFC3339, at)
	return errFrom == nil && errUntil == nil && errAt == nil && !when.Before(from) && when.Before(until)
}

// behalfOf returns what an approval says of a deputy.
func behalfOf(d *access.Deputy) *Behalf {
	if d == nil {
		return nil
	}
	return &Behalf{Actor: d.For.ID, Name: d.For.Name, From: stampOf(d.Starts), Until: stampOf(d.Ends),
		LogIndex: d.LogIndex}
}

// seats returns whose signatures an approval is: the approver's, and that of the person for whom it was given.
func (a *Approval) seats() []string {
	if a.For == nil {
		return []string{a.Actor}
	}
	return []string{a.Actor, a.For.Actor}
}

// MayApproveFor returns an error if a deputy may not approve the pack for somebody, whatever they acknowledge: their
// time or a role of theirs is over, they count as one person (rule P-22), or one of them may not approve it.
func (c *Content) MayApproveFor(chain Chain, d *access.Deputy, tenant string, at time.Time) error {
	switch {
	case !d.At(at):
		return denied("refused_deputy_ended")
	case d.Lapsed():
		return denied("refused_deputy_lapsed")
	case chain[0].Makers.OnePerson(d.By.ID, d.For.ID):
		return denied("refused_deputy_maker")
	}
	if err := c.MayApprove(chain, d.By.Actor(tenant), at); err != nil {
		return err
	}
	if c.MayApprove(chain, d.For.Actor(tenant), at) != nil {
		return denied("refused_deputy_other")
	}
	return nil
}

// Waits is for whom a pack in review waits, and since when.
type Waits struct {
	Since   time.Time // of its submission
	Needed  int       // how many different approvers
	Given   int       // approvals so far
	Waiting []Waiting
	DeadEnd bool // whoever of them approves, nobody may give the approval that is then still needed

	people []access.Person // of the tenant
	able   []access.Person // who may approve it in their own name
}

// Waiting is somebody who may approve a pack and has not, with those for whom they may do so as their deputy.
type Waiting struct {
	access.Person
	For []access.Person
}

// Days is how many whole days a pack has waited.
func (w *Waits) Days(now time.Time) int { return max(0, int(now.Sub(w.Since)/(24*time.Hour))) }

// IDs are the ids of those for whom the pack waits, in order.
func (w *Waits) IDs() []string {
	out := make([]string, len(w.Waiting))
	for i := range w.Waiting {
		out[i] = w.Waiting[i].ID
	}
	return out
}

// Of returns what waits for a person, nil if nothing does.
func (w *Waits) Of(id string) *Waiting {
	if i := slices.IndexFunc(w.Waiting, func(x Waiting) bool { return x.ID == id }); i >= 0 {
		return &w.Waiting[i]
	}
	return nil
}

// WaitsFor returns for whom a pack in review waits at a moment: the people of the tenant who may approve it, in their
// order, without those after whose approval nobody could give the one that is then still needed. What waits for
// somebody who has a deputy for it waits for the deputy instead. Nobody is left out: where the deputy may not approve
// this pack, or not without a dead end, it waits for the person, and where every approval leads to a dead end, for all.
// The first pack of the chain has the content.
func (c *Content) WaitsFor(chain Chain, tenant string, people []access.Person, deputies []access.Deputy,
	at time.Time) Waits {
	l := chain[0]
	out := Waits{Needed: max(l.Need, 1), Given: len(l.Approvals), people: people}
	out.Since, _ = time.Parse(time.RFC3339, l.SubmittedAt)
	if l.State != InReview {
		return out
	}
	for _, p := range people {
		if p.MayDecide() && c.MayApprove(chain, p.Actor(tenant), at) == nil {
			out.able = append(out.able, p)
		}
	}
	fit := slices.DeleteFunc(slices.Clone(out.able), func(p access.Person) bool { return out.EndsWith(chain, p.ID, nil) })
	if out.DeadEnd = len(fit) == 0 && len(out.able) > 0; out.DeadEnd {
		fit = out.able
	}
	away, stand := map[string]bool{}, map[string][]access.Person{}
	for i := range deputies {
		d := &deputies[i]
		if !away[d.For.ID] && c.MayApproveFor(chain, d, tenant, at) == nil &&
			(out.DeadEnd || !out.EndsWith(chain, d.By.ID, d)) {
			away[d.For.ID], stand[d.By.ID] = true, append(stand[d.By.ID], d.For)
		}
	}
	for _, p := range fit {
		if !away[p.ID] {
			out.Waiting = append(out.Waiting, Waiting{Person: p, For: stand[p.ID]})
		}
	}
	return out
}

// EndsWith reports whether the pack comes to a dead end with the approval of somebody who may give it, in their own
// name or as a deputy: another approval is then needed, and nobody may give it (rules P-12, P-22).
func (w *Waits) EndsWith(chain Chain, by string, d *access.Deputy) bool {
	next := chain.approved(by, d)
	if len(next[0].Approvals) >= w.Needed {
		return false
	}
	return !slices.ContainsFunc(w.able, func(p access.Person) bool {
		return next.MayDecide(p.Actor("")) == nil && !w.EndsWith(next, p.ID, nil)
	})
}

// WaitsAfter returns for whom the pack waits once somebody who may approve it has done so, in their own name or as a
// deputy. w is for whom it waits before.
func (c *Content) WaitsAfter(w *Waits, chain Chain, by access.Actor, d *access.Deputy, deputies []access.Deputy,
	at time.Time) Waits {
	return c.WaitsFor(chain.approved(by.ID, d), by.Tenant, w.people, deputies, at)
}

// approved returns the chain as it is after another approval.
func (c Chain) approved(by string, d *access.Deputy) Chain {
	l := *c[0]
	l.Approvals = append(slices.Clone(l.Approvals), Approval{Actor: by, For: behalfOf(d)})
	return append(Chain{&l}, c[1:]...)
}

// ReliedOn is when somebody last relied on what the pack says: at the last approval of a signed pack, else now.
func (l *Life) ReliedOn(now time.Time) time.Time {
	if n := len(l.Approvals); n > 0 && (l.State == SignedOff || l.State == Superseded) {
		if at, err := time.Parse(time.RFC3339, l.Approvals[n-1].At); err == nil {
			return at
		}
	}
	return now
}
