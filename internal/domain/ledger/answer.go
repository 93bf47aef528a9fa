package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// Version is the number of the answer's version, from 1.
func (s *Session) Version() int { return max(1, s.AnswerVersion) }

// Revision is a revised answer: a new session, and what became of the claims of the old one.
type Revision struct {
	Session *Session
	New     []int // indexes of the claims that are not in the old answer; they are still to be judged
	Kept    int   // how many claims are in both

	was []Entry // of the kept claims before citations were looked up again, by index; Claim nil for a new one
}

// MaxAnswers is the most versions of an answer.
const MaxAnswers = 200

// MayRevise refuses a further version of an answer that has MaxAnswers: TooLarge.
func (s *Session) MayRevise() error {
	if s.Version() < MaxAnswers {
		return nil
	}
	return domain.Refuse(domain.TooLarge, "answer", "refused_answer_versions_many", "N", MaxAnswers)
}

// Revise returns the session of a revised answer with its claims. A claim whose text is in the old answer keeps its
// Key, type, importance, matches and reviews, also imported ones; any other one is new (rule L-31). Documents are
// copied. Ids, Digest, Run and times are left to the caller. Precondition: claims are in the order of the answer, with
// their citations; s is whole and is not changed.
func (s *Session) Revise(answer string, claims []Claim, at time.Time) *Revision {
	next := *s
	next.ID, next.LedgerID, next.Digest, next.Run, next.BundleID, next.Extra = "", "", "", Run{}, "", nil
	next.Answer, next.CreatedAt, next.UpdatedAt = answer, at, at
	next.AnswerVersion, next.Follows = s.Version()+1, Follows{SessionID: s.ID, Revision: s.Revision}
	if next.FirstLedger == "" {
		next.FirstLedger = s.LedgerID
	}
	next.Documents = slices.Clone(s.Documents)
	for i := range next.Documents {
		d := &next.Documents[i]
		d.ID, d.Blob, d.BlobSHA256, d.Chunks = "", "", "", slices.Clone(d.Chunks)
		for j := range d.Chunks {
			d.Chunks[j].ID = ""
		}
	}
	out := &Revision{Session: &next}
	next.Claims = slices.Clone(claims)
	from := alignClaims(s.standing(), claims)
	for i := range next.Claims {
		c := &next.Claims[i]
		c.Position = i
		if from[i] < 0 {
			c.Since = next.AnswerVersion
			out.New = append(out.New, i)
			continue
		}
		c.keep(&s.Claims[from[i]])
		out.Kept++
	}
	next.nameClaims()
	next.begin()
	return out
}

// keep takes over what an unchanged claim had. Its text, span and citations are those of the new answer.
func (c *Claim) keep(old *Claim) {
	c.Key, c.Type, c.Importance, c.RequiresCitation = old.Key, old.Type, old.Importance, old.RequiresCitation
	c.Judge, c.Given, c.Matches = old.Judge, old.Given, slices.Clone(old.Matches)
	c.Unjudged, c.UnjudgedSaid = old.Unjudged, old.UnjudgedSaid
	c.Reviews, c.Stale, c.Withheld, c.Since = slices.Clone(old.Reviews), old.Stale, old.Withheld, old.Since
	for i := range c.Reviews {
		c.Reviews[i].Into = nil // the claims of another session
	}
	c.Imported = slices.Clone(old.Imported) // passages name documents by index, which the copies keep
	for i := range c.Reviews {
		c.Reviews[i].ID = ""
	}
}

// standing returns the claims without the text of those that others replaced, so that none is found by it.
func (s *Session) standing() []Claim {
	out := slices.Clone(s.Claims)
	for i := range out {
		if out[i].ReplacedBy() != nil {
			out[i].Text = ""
		}
	}
	return out
}

// nameClaims gives claims of a revised answer a Key of their own: those that were kept keep theirs.
func (s *Session) nameClaims() {
	taken := map[string]bool{}
	for i := range s.Claims {
		if c := &s.Claims[i]; c.Since != s.AnswerVersion {
			taken[c.Key] = true
		}
	}
	for i := range s.Claims {
		c := &s.Claims[i]
		if c.Since != s.AnswerVersion {
			continue
		}
		for n := i + 1; c.Key == "" || taken[c.Key]; n++ {
			c.Key = fmt.Sprintf("clm_%03d", n)
		}
		taken[c.Key] = true
	}
}

// Judged is called when the session is judged and its citations are resolved, before they are checked.
func (r *Revision) Judged() {
	r.was = r.Session.machineEntries()
}

// Checked is called after the citations were checked, which may have added a match to a kept claim. It marks the
// reviews of kept claims as stale whose verdict or evidence changed by that.
func (r *Revision) Checked() {
	s := r.Session
	for i := range s.Claims {
		c := &s.Claims[i]
		if is := s.entry(c); is.Machine != r.was[i].Machine {
			s.markStale(c)
		}
	}
	s.begin()
}

// alignClaims returns for each new claim the index of the old claim with the same text, -1 if none. Claims of
// equal text are taken in order. White space does not count.
func alignClaims(old, claims []Claim) []int {
	at := map[string][]int{}
	for i := range old {
		k := claimWords(old[i].Text)
		at[k] = append(at[k], i)
	}
	out := make([]int, len(claims))
	for i := range claims {
		k := claimWords(claims[i].Text)
		if list := at[k]; len(list) > 0 {
			out[i], at[k] = list[0], list[1:]
		} else {
			out[i] = -1
		}
	}
	return out
}

func plainText(s string) string { return strings.Join(strings.Fields(text.CleanControls(s)), " ") }

// claimWords is a claim as versions of an answer are compared: without the full stop that splitting may leave or take.
func claimWords(s string) string { return strings.TrimRight(plainText(s), ".۔ ") }

// AnswerChange is what became of a claim between two versions of an answer. From or To is nil if the claim is in one of
// them only.
type AnswerChange struct {
	From, To *Entry
	Reworded bool // both are there, with other words
}

// Kind names the change: kept, reworded, new or removed.
func (c *AnswerChange) Kind() string {
	switch {
	case c.From == nil:
		return "new"
	case c.To == nil:
		return "removed"
	case c.Reworded:
		return "reworded"
	}
	return "kept"
}

// CompareAnswers returns what became of each claim, in the order of the newer answer; claims that vanished stand where
// they stood. A vanished claim and a new one at the same place are one reworded claim if they share most of their
// words.
func CompareAnswers(old, now *Session) []AnswerChange {
	was, is := old.machineEntries(), now.machineEntries()
	from := alignClaims(old.Claims, now.Claims)
	kept := make([]bool, len(was))
	for _, i := range from {
		if i >= 0 {
			kept[i] = true
		}
	}
	var out []AnswerChange
	next := 0 // of the old claims
	vanished := func(until int) {
		for ; next < until; next++ {
			if !kept[next] {
				out = append(out, AnswerChange{From: &was[next]})
			}
		}
	}
	for i := range is {
		switch {
		case from[i] >= 0:
			vanished(from[i])
			out = append(out, AnswerChange{From: &was[from[i]], To: &is[i]})
			next = max(next, from[i]+1)
		case next < len(was) && !kept[next] && sharesWords(was[next].Claim.Text, is[i].Claim.Text):
			out = append(out, AnswerChange{From: &was[next], To: &is[i], Reworded: true})
			next++
		default:
			out = append(out, AnswerChange{To: &is[i]})
		}
	}
	vanished(len(was))
	return out
}

// sharesWords reports whether two texts share at least half of their words.
func sharesWords(a, b string) bool {
	words := func(s string) map[string]bool {
		out := map[string]bool{}
		for _, t := range text.Tokens(s) {
			out[t.Norm] = true
		}
		return out
	}
	x, y := words(a), words(b)
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return both > 0 && 2*both >= max(len(x), len(y))
}
