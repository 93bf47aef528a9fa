package sessions

import (
	"sync"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// loadOthers reads what an amended overview needs to know of the claims other than the one at position. revision is
// that of the session before the change.
func (s *Store) loadOthers(t *sqldb.Tx, tenant string, h *sessionRow, position, revision int,
	asks ledger.AmendAsks) (others ledger.OtherClaims, err error) {
	if asks.Sum {
		if others.Sum, err = s.confidenceSum(t, tenant, h, revision); err != nil {
			return others, err
		}
	}
	others.Next = map[ledger.RiskType]*ledger.FlagClaim{}
	for flag, after := range asks.Next {
		if others.Next[flag], err = nextFlagged(t, tenant, h.no, flag, after, position); err != nil {
			return others, err
		}
	}
	return others, nil
}

// confidenceSum adds up the figures of all claims once, and then keeps the sum from review to review.
func (s *Store) confidenceSum(t *sqldb.Tx, tenant string, h *sessionRow, revision int) (float64, error) {
	if sum, ok := s.confidences.get(h.Session.ID, revision); ok {
		return sum, nil
	}
	sum := 0.0
	err := t.Each("SELECT confidence FROM claims WHERE tenant_id = ? AND session_no = ? AND overridden = ? "+
		"AND verdict <> '' ORDER BY position", []any{tenant, h.no, false}, func(r sqldb.Scanner) error {
		var c float64
		err := r.Scan(&c)
		sum += c
		return err
	})
	return sum, err
}

// nextFlagged returns the first claim with a flag after a position, other than the one at but; nil if none.
func nextFlagged(t *sqldb.Tx, tenant string, session int, flag ledger.RiskType, after, but int,
) (*ledger.FlagClaim, error) {
	var w sqldb.Conditions
	w.Add("tenant_id = ? AND session_no = ? AND position > ? AND position <> ?", tenant, session, after, but)
	w.Add("flags <> 0 AND flags & ? <> 0", flagBit(flag))
	switch flag { // these have an index of their own
	case ledger.MissingEvidence:
		w.Add("verdict = ?", string(ledger.NotFound))
	case ledger.Contradiction:
		w.Add("verdict = ?", string(ledger.Contradicted))
	}
	c := &ledger.FlagClaim{}
	err := t.Row("SELECT key, position, text FROM claims WHERE "+w.String()+" ORDER BY position LIMIT 1", w.Args,
		&c.Key, &c.Position, &c.Text)
	if sqldb.NoRow(err) {
		return nil, nil
	}
	return c, err
}

// newSum is the sum of the confidences after a review, to be kept once that is committed.
type newSum struct {
	session  string
	was, now int      // its revisions
	sum      *float64 // nil if the review does not change it
}

// confidenceSums caches the sum of the confidence of a session's claims, for one revision of each session: what was
// committed as a revision never changes. It is safe for concurrent use.
type confidenceSums struct {
	mu   sync.Mutex
	sums map[string]sumAt // by the session's id
}

type sumAt struct {
	revision int
	sum      float64
}

// maxSums is how many sessions' sums are cached.
const maxSums = 1000

func (c *confidenceSums) get(session string, revision int) (float64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.sums[session]
	return s.sum, ok && s.revision == revision
}

// put stores the sum after a committed review.
func (c *confidenceSums) put(a *newSum) {
	if a == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.sum == nil {
		old, ok := c.sums[a.session]
		if !ok || old.revision != a.was {
			return
		}
		a.sum = &old.sum
	}
	if _, ok := c.sums[a.session]; !ok && len(c.sums) >= maxSums || c.sums == nil {
		c.sums = map[string]sumAt{}
	}
	c.sums[a.session] = sumAt{a.now, *a.sum}
}
