package sessions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Session returns a whole session without its sealed reviews (ledger.Session.HideSealed). The number of
// queries is fixed.
func (store *Store) Session(ctx context.Context, tenant, id string) (*ledger.Session, error) {
	return store.SessionFor(ctx, access.Actor{Tenant: tenant}, id)
}

// SessionFor is Session for a reader, who also sees their own sealed reviews.
func (store *Store) SessionFor(ctx context.Context, who access.Actor, id string) (*ledger.Session, error) {
	var out *ledger.Session
	err := store.Read(ctx, "Session", func(t *sqldb.Tx) error {
		h, _, err := LoadSession(t, who.Tenant, id)
		if err == nil {
			h.Session.HideSealed(who.ID)
			out = &h.Session
		}
		return err
	})
	return out, err
}

// LoadSession reads a whole session and the derived values of each claim.
func LoadSession(t *sqldb.Tx, tenant, id string) (*sessionRow, []derived, error) {
	h, err := loadWithoutClaims(t, tenant, id)
	if err != nil {
		return nil, nil, err
	}
	claims, values, err := loadClaims(t, "FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? ORDER BY c.position",
		tenant, h.no)
	if err != nil {
		return nil, nil, err
	}
	h.Session.Claims = claims
	return h, values, loadEvidence(t, &h.Session, tenant, h.no, "")
}

// loadWithoutClaims reads a session with its answer, documents and their text.
func loadWithoutClaims(t *sqldb.Tx, tenant, id string) (*sessionRow, error) {
	h, err := loadSessionRow(t, tenant, id, true)
	if err != nil {
		return nil, err
	}
	var answer strings.Builder
	err = t.Each("SELECT text FROM answer_parts WHERE tenant_id = ? AND session_no = ? ORDER BY start",
		[]any{tenant, h.no}, func(r sqldb.Scanner) error {
			var part string
			err := r.Scan(&part)
			answer.WriteString(part)
			return err
		})
	if err != nil {
		return nil, err
	}
	h.Session.Answer = answer.String()
	if h.Session.Documents, err = loadDocuments(t, tenant, h.no); err != nil {
		return nil, err
	}
	return h, loadChunks(t, &h.Session, tenant, h.no, "")
}

// ReadLedger calls do with a session's ledger as a reader may see it, without its claims: they are read some at a time
// whenever do goes through them, each time in a transaction of their own. If the session changes meanwhile, do fails and
// is called anew, a few times at most, with the ledger as it is then. The ledger must not be used after do has returned.
func (store *Store) ReadLedger(ctx context.Context, who access.Actor, id string,
	do func(l *ledger.Ledger) error) (err error) {
	for range ledgerTries {
		if err = store.readLedger(ctx, who, id, do); !errors.Is(err, errChanged) {
			return err
		}
	}
	return sqldb.Fail("ReadLedger", domain.Refuse(domain.Conflict, "", "refused_session_moves"))
}

// ledgerTries is how often a ledger is read that people keep changing.
const ledgerTries = 5

// errChanged says that a session has changed while its ledger was read.
var errChanged = errors.New("the session has changed meanwhile")

func (store *Store) readLedger(ctx context.Context, who access.Actor, id string,
	do func(l *ledger.Ledger) error) error {
	var months, revision int
	var h *sessionRow
	err := store.Read(ctx, "ReadLedger", func(t *sqldb.Tx) (err error) {
		if err = t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{who.Tenant}, &months); err != nil {
			return err
		}
		h, err = loadWithoutClaims(t, who.Tenant, id)
		return err
	})
	if err != nil {
		return err
	}
	revision = h.Session.Revision
	h.Session.HideSealed(who.ID)
	l, err := ledger.AssessRead(&h.Session, months, func(do func(c *ledger.Claim) error) error {
		for next := 0; next < h.Overview.Summary.All(); next += claimsAtOnce { // positions have no gaps
			part := h.Session // HideSealed changes it
			err := store.Read(ctx, "ReadLedger", func(t *sqldb.Tx) error {
				return claimsBetween(t, who.Tenant, h.no, revision, &part, next, next+claimsAtOnce-1)
			})
			if err != nil {
				return err
			}
			part.HideSealed(who.ID)
			for i := range part.Claims {
				if err := do(&part.Claims[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return do(&l)
}

// claimsAtOnce is how many claims are held where all of a session are gone through.
const claimsAtOnce = 1000

// claimsBetween reads the claims at some positions of a session that has a revision.
func claimsBetween(t *sqldb.Tx, tenant string, no, revision int, s *ledger.Session, first, last int) (err error) {
	var now int
	if err := t.Row("SELECT revision FROM sessions WHERE tenant_id = ? AND no = ?", []any{tenant, no}, &now); err != nil {
		return err
	}
	if now != revision {
		return errChanged
	}
	s.Claims, _, err = loadClaims(t, `FROM claims c WHERE c.tenant_id = ? AND c.session_no = ?
		AND c.position BETWEEN ? AND ? ORDER BY c.position`, tenant, no, first, last)
	if err != nil {
		return err
	}
	return loadEvidence(t, s, tenant, no, "AND claim BETWEEN ? AND ?", first, last)
}

// LedgerOf returns the present ledger of a session as everybody may read it, nil if no session has that id.
func (store *Store) LedgerOf(t *sqldb.Tx, tenant, sessionID string) (*ledger.Ledger, error) {
	if sessionID == "" {
		return nil, nil
	}
	var months int
	if err := t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{tenant}, &months); err != nil {
		return nil, err
	}
	h, _, err := LoadSession(t, tenant, sessionID)
	if sqldb.NoRow(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h.Session.HideSealed("")
	whole := ledger.Assess(&h.Session, months)
	l := whole.Findings()
	return &l, nil
}

// ClaimsNow compares the claims of a session as everybody sees them with what the caller knows of an earlier revision,
// and returns the present one. If that is another, it calls differs with each claim's values, in order, and then each
// with those that differ, whole. A large ledger is thus compared by four columns.
func (store *Store) ClaimsNow(t *sqldb.Tx, tenant, sessionID string, known int,
	differs func(position int, v ledger.Verdict, state ledger.ReviewState, reviews int) bool,
	each func(c *ledger.Claim, v ledger.Verdict, state ledger.ReviewState)) (revision int, err error) {
	h, err := loadSessionRow(t, tenant, sessionID, false)
	if err != nil {
		return 0, err
	}
	if revision = h.Session.RevisionFor(""); revision == known {
		return revision, nil
	}
	var changed []any // positions
	err = t.Each(`SELECT position, verdict, state, revision FROM claims WHERE tenant_id = ? AND session_no = ?
		ORDER BY position`, []any{tenant, h.no}, func(r sqldb.Scanner) error {
		var position, reviews int
		var verdict ledger.Verdict
		var state ledger.ReviewState
		if err := r.Scan(&position, &verdict, &state, &reviews); err != nil {
			return err
		}
		if differs(position, verdict, state, reviews) {
			changed = append(changed, position)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for part := range slices.Chunk(changed, changedAtOnce) {
		if err := presentClaims(t, tenant, h, part,
			func(c *ledger.Claim, d *derived) { each(c, d.verdict, d.state) }); err != nil {
			return 0, err
		}
	}
	return revision, nil
}

// OpenThreads calls each for every open thread of a session's claims as everybody sees them: with the claim's number
// and the id of the comment that begins it, in order. A session that is gone has none.
func (store *Store) OpenThreads(t *sqldb.Tx, tenant, sessionID string, each func(claim int, id string)) error {
	positions, err := sqldb.Collect(t, `SELECT c.position FROM sessions s JOIN claims c ON c.tenant_id = s.tenant_id
		AND c.session_no = s.no WHERE s.tenant_id = ? AND s.id = ? AND c.threads > 0 ORDER BY c.position`,
		[]any{tenant, sessionID}, func(r sqldb.Scanner, at *any) error { return r.Scan(at) })
	if err != nil || len(positions) == 0 {
		return err
	}
	h, err := loadSessionRow(t, tenant, sessionID, false)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(positions, changedAtOnce) {
		err := presentClaims(t, tenant, h, part, func(c *ledger.Claim, _ *derived) {
			for _, x := range c.OpenThreads() {
				each(c.Number(), c.Reviews[x.First].ID)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// changedAtOnce is how many changed claims one query reads.
const changedAtOnce = 1000

// presentClaims reads some claims of a session, with their reviews that everybody may see.
func presentClaims(t *sqldb.Tx, tenant string, h *sessionRow, positions []any,
	each func(*ledger.Claim, *derived)) error {
	list, args := sqldb.InList(positions)
	args = append([]any{tenant, h.no}, args...)
	claims, values, err := loadClaims(t, `FROM claims c WHERE c.tenant_id = ? AND c.session_no = ?
		AND c.position IN `+list+" ORDER BY c.position", args...)
	if err != nil {
		return err
	}
	part := h.Session // HideSealed changes it
	part.Claims = claims
	err = t.Each("SELECT "+reviewColumns+" FROM reviews WHERE tenant_id = ? AND session_no = ? AND claim IN "+list+
		" ORDER BY claim, n", args, scanReviews(&part))
	if err != nil {
		return err
	}
	part.HideSealed("")
	for i := range part.Claims {
		each(&part.Claims[i], &values[i])
	}
	return nil
}
