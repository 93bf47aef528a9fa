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
	if c.HasTokenIssuer(who.ID) {
		return denied("refused_pack_keeper")
	}
	if slices.ContainsFunc(c.Authors(), c.onePersonWith(who.ID)) {
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
