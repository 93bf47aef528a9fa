package pack

import (
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// MaxReason is the longest comment or reason, in code points.
const MaxReason = 8000

// Open returns the life of a new draft; it is allowed from the role reviewer on, also to machines.
func Open(c *Content, who access.Actor) (*Life, error) {
	if !who.Role.AtLeast(access.Reviewer) {
		return nil, denied("fault_role")
	}
	if !CheckID(c.PackID) {
		return nil, domain.Refuse(domain.Invalid, "pack_id", "refused_pack_id_pack")
	}
	return &Life{
		PackID: c.PackID, Supersedes: c.Supersedes, State: Draft, Revision: 1, Authors: []string{who.ID},
		Need: c.Requirement.Approvers, Mandatory: c.Requirement.Level == Mandatory,
	}, nil
}

// Edit records a change of the draft: the actor becomes one of its authors.
func (c Chain) Edit(who access.Actor, revision int) error {
	l := c[0]
	if err := l.may(who, access.Reviewer, revision, Draft); err != nil {
		return err
	}
	l.madeBy(who.ID)
	return nil
}

// MaySubmit returns an error if somebody may not submit the draft now, whatever its content.
func (c Chain) MaySubmit(who access.Actor, revision int) error {
	return c[0].may(who, access.Reviewer, revision, Draft)
}

// Submit submits the draft for review. faults are those that Content.Validate found, digest is that of the frozen
// pack.json. Whoever submits counts as an author and may not approve.
func (c Chain) Submit(who access.Actor, revision int, at time.Time, faults []Fault, digest string) error {
	l := c[0]
	if err := l.may(who, access.Reviewer, revision, Draft); err != nil {
		return err
	}
	if Broken(faults) {
		return &domain.Error{Kind: domain.Invalid, Op: "pack.Submit",
			Message: words.Msg("refused_draft_rules", "List", ruleList(faults))}
	}
	if bare(digest) == "" {
		return &domain.Error{Op: "pack.Submit", Message: words.Msg("refused_digest_missing")}
	}
	l.State, l.Digest, l.SubmittedAt = InReview, bare(digest), stampOf(at)
	l.madeBy(who.ID)
	return nil
}

// Discard gives a draft up, with a reason. It stays readable; its decision may get another draft.
func (c Chain) Discard(who access.Actor, revision int, at time.Time, reason string) error {
	l := c[0]
	if err := l.may(who, access.Reviewer, revision, Draft); err != nil {
		return err
	}
	reason, err := remark("reason", reason, true)
	if err != nil {
		return err
	}
	if l.Hold != nil {
		return domain.Refuse(domain.Conflict, "", "refused_pack_held")
	}
	l.State, l.Discard = Discarded, &Return{Actor: who.ID, Name: who.User, At: stampOf(at), Reason: reason}
	l.Revision++
	return nil
}

// NewVersion returns an error unless a new version of the pack may be made: the pack was signed off or returned, and
// has no other open successor (draft or in review), which the store's unique index also ensures.
func (c Chain) NewVersion(who access.Actor, openSuccessor bool) error {
	l := c[0]
	if err := l.may(who, access.Reviewer, l.Revision, SignedOff, Returned); err != nil {
		return err
	}
	if openSuccessor {
		return domain.Refuse(domain.Conflict, "", "refused_pack_version_open")
	}
	return nil
}

// PutOnHold sets a legal hold with a reason: the pack cannot be purged until it is lifted.
func (l *Life) PutOnHold(who access.Actor, at time.Time, reason string) error {
	reason, err := l.hold(who, reason)
	if err != nil {
		return err
	}
	if l.Hold != nil {
		return domain.Refuse(domain.Conflict, "", "fault_hold_set")
	}
	l.Hold = &Hold{who.ID, stampOf(at), reason}
	l.Revision++
	return nil
}

// LiftHold lifts a legal hold with a reason, which is kept in the log.
func (l *Life) LiftHold(who access.Actor, reason string) error {
	if _, err := l.hold(who, reason); err != nil {
		return err
	}
	if l.Hold == nil {
		return domain.Refuse(domain.Conflict, "", "fault_hold_none")
	}
	l.Hold = nil
	l.Revision++
	return nil
}

func (l *Life) hold(who access.Actor, reason string) (string, error) {
	if !who.Role.AtLeast(access.Admin) {
		return "", denied("fault_role")
	}
	return remark("reason", reason, true)
}

// CheckReason refuses a reason that is too long; it may be absent.
func CheckReason(reason string) error {
	_, err := remark("reason", reason, false)
	return err
}

// remark trims a reason or comment and checks its length.
func remark(path, s string, needed bool) (string, error) {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
	if s == "" && needed {
		return "", domain.Refuse(domain.Invalid, path, "fault_reason_missing")
	}
	if utf8.RuneCountInString(s) > MaxReason {
		return "", domain.Refuse(domain.TooLarge, path, "fault_long", "N", MaxReason)
	}
	return s, nil
}
