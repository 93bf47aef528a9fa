package ledger

import (
	"maps"
	"time"
)

// SealedBy counts the sealed reviews of a session by the id of their author, "" for those without one. It is stored as
// JSON.
type SealedBy map[string]int

// From returns how many of the reviews are hidden from a person; "" is somebody who wrote none of them.
func (b SealedBy) From(person string) int {
	n := 0
	for by, reviews := range b {
		if by != person || person == "" {
			n += reviews
		}
	}
	return n
}

// plus adds o, several times, and leaves out authors who have none then; nil if nobody has any. It changes neither.
func (b SealedBy) plus(o SealedBy, times int) SealedBy {
	if len(o) == 0 {
		return b
	}
	out := maps.Clone(b)
	if out == nil {
		out = SealedBy{}
	}
	for by, reviews := range o {
		if out[by] += times * reviews; out[by] == 0 {
			delete(out, by)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// sealedOf adds the sealed reviews of a claim to those of others, nil for none.
func (s *Session) sealedOf(c *Claim, others SealedBy) SealedBy {
	for _, r := range c.Reviews[s.open(c):] {
		if others == nil {
			others = SealedBy{}
		}
		others[r.By]++
	}
	return others
}

// sealed counts the sealed reviews of the loaded claims.
func (s *Session) sealed() (out SealedBy) {
	if s.Second != SecondBlind {
		return nil
	}
	for i := range s.Claims {
		out = s.sealedOf(&s.Claims[i], out)
	}
	return out
}

// RevisionFor returns the revision that a person is shown: without the reviews that are hidden from them (rule L-35).
// Of two states of a session that look different to a person, the later one has the higher revision for them; where
// only hidden reviews were added, it is the same.
func (s *Session) RevisionFor(person string) int { return s.Revision - s.SealedBy.From(person) }

// step completes a change that everybody sees, of a session whose sealed reviews were these before it. The revision
// grows for each reader, also for those from whom the change hides more reviews than before.
func (s *Session) step(before SealedBy, at time.Time) {
	now := s.sealed()
	most := now.From("") - before.From("")
	for _, list := range []SealedBy{before, now} {
		for person := range list {
			most = max(most, now.From(person)-before.From(person))
		}
	}
	s.Revision += 1 + max(0, most)
	s.SealedBy = s.SealedBy.plus(now, 1).plus(before, -1)
	s.UpdatedAt = at
}

// begin gives a new session its first revision: 1 for everybody from whom all of its sealed reviews are hidden.
func (s *Session) begin() {
	s.SealedBy = s.sealed()
	s.Revision = 1 + s.SealedBy.From("")
}
