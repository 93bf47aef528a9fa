package pack

import (
	"fmt"
	"slices"
)

// about checks that the statement is about this pack.json, agrees with it, and has the approvals it needs.
func (v *verification) about() {
	if v.said == nil || v.content == nil {
		v.lacks(CheckDigest, "no signed statement to compare with")
		v.lacks(CheckApprovals, "no signed statement")
		return
	}
	v.note(CheckDigest, v.agrees(), Digest(v.files.Pack))
	people, seats, digest := map[string]bool{}, map[string]bool{}, Digest(v.files.Pack)
	for _, a := range v.said.Predicate.Approvals {
		if a.ContentSHA256 != v.said.SHA256(FileJSON) || same(digest, a.ContentSHA256) != nil {
			v.note(CheckApprovals, malformed("refused_approval_another_pack", nil), "")
			return
		}
		people[a.Actor] = true
		if err := seatsOnce(&a, seats); err != nil {
			v.note(CheckApprovals, err, "")
			return
		}
	}
	need := max(Requires(&v.content.Header).Approvers, 1)
	var err error
	if len(people) < need {
		err = malformed("refused_people_approved", nil, "N", len(people), "Most", need)
	}
	v.note(CheckApprovals, err, fmt.Sprintf("%d of %d", len(people), need)+v.said.deputies())
}

// seatsOnce adds whose signatures an approval is. It returns an error if one of them has been given already, or if a
// deputy signed outside of the time that they were named for, or before they were named.
func seatsOnce(a *StatementApproval, seats map[string]bool) error {
	x := Approval{Actor: a.Actor, For: a.OnBehalfOf.behalf()}
	for _, id := range x.seats() {
		if id == "" || seats[id] {
			return malformed("refused_seat_twice", nil, "Name", id)
		}
		seats[id] = true
	}
	if x.For != nil && (!x.For.within(a.At) || x.For.LogIndex < 0 || x.For.LogIndex >= a.LogIndex) {
		return malformed("refused_deputy_time", nil, "Name", a.Actor)
	}
	return nil
}

// deputies names who approved for whom, with the time that they were named for; "" if everybody did in their own name.
func (s *Statement) deputies() (out string) {
	for _, a := range s.Predicate.Approvals {
		if b := a.OnBehalfOf; b != nil {
			out += fmt.Sprintf("; %s for %s, deputy from %s until %s", a.Actor, b.Actor, b.From, b.Until)
		}
	}
	return out
}

// agrees compares pack.json with the statement.
func (v *verification) agrees() error {
	c, p := v.content, &v.said.Predicate
	if err := same(Digest(v.files.Pack), v.said.SHA256(FileJSON)); err != nil {
		return err
	}
	var entries []Entry
	if c.Ledger != nil {
		entries = c.Ledger.Entries
	}
	says := p.PackID == c.PackID && p.Tenant == c.TenantID && p.Version == c.Version && p.CreatedAt == c.CreatedAt &&
		p.RetentionUntil == c.RetainUntil &&
		p.ContentRoot == c.ContentRoot && p.EvidenceMapRoot == c.EvidenceMapRoot &&
		slices.EqualFunc(p.Entries, entries,
			func(s StatementEntry, e Entry) bool { return s.ClaimID == e.ClaimID && s.Verdict == e.Verdict })
	if !says {
		return malformed("refused_statement_says_other", nil)
	}
	return nil
}

// rendered checks pack.md and pack.pdf, if present. Of one alone it says so.
func (v *verification) rendered() {
	given, alone := 0, ""
	for _, f := range []struct {
		name string
		data []byte
	}{{FileMarkdown, v.files.Markdown}, {FilePDF, v.files.PDF}} {
		if f.data == nil {
			alone = "without " + f.name
			continue
		}
		given++
		if v.said != nil && v.said.SHA256(f.name) != Digest(f.data) {
			v.note(CheckRendered, malformed("refused_not_signed_file", nil, "Name", f.name), "")
			return
		}
	}
	if v.said == nil || given == 0 || v.files.Whole && given < 2 {
		v.lacks(CheckRendered, "no pack.md or pack.pdf, or no statement")
		return
	}
	v.note(CheckRendered, nil, alone)
}

func (v *verification) log() {
	if v.files.LogProof == nil || v.said == nil {
		v.lacks(CheckLog, "no pack.tlog-proof, or no statement")
		return
	}
	err := checkLog(string(v.files.LogProof), v.said)
	if err == nil && v.content != nil {
		err = v.content.reviewsLogged(v.said.Predicate.Approvals)
	}
	v.note(CheckLog, err, "")
}
