package sessions

import (
	"fmt"
	"math"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// sessionColumns are the columns of sessions whose values come from the assessed ledger, except its claims.
const sessionColumns = `revision, updated_at, status, title_key, total, supported, weak, contradicted, not_found,
	unjudged, reviewed,
	covered, coverage, flags, flag_count, severity, urgency, reviewer, overview, state, settled, differing,
	second_review,
	first_reviewer, second_reviewer, rule_set`

// sessionArgs returns the values of sessionColumns.
func sessionArgs(l *ledger.Ledger) ([]any, error) {
	overview, err := sqldb.JSONText(l.Head())
	if err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	s, c := l.Session, countsOf(&l.Summary)
	severity, mask := ledger.Severity(""), 0
	for _, f := range l.Flags {
		mask |= flagBit(f.Type)
		if Urgency[f.Severity] > Urgency[severity] {
			severity = f.Severity
		}
	}
	return []any{
		s.Revision, sqldb.Stamp(s.UpdatedAt), statusOf(l.Summary.State()), titleKey(s.Title), c.claims, c.supported,
		c.weak,
		c.contradicted,
		c.notFound, c.unjudged, c.reviewed, c.covered, l.Summary.Coverage, mask, len(l.Flags), string(severity),
		Urgency[severity], lastReviewer(s), overview, string(l.Summary.State()), l.Summary.Settled,
		l.Summary.Differing, string(s.Second),
		s.Seats[0].ID, s.Seats[1].ID, s.RuleSet,
	}, nil
}

// Urgency orders the queue by a session's highest flag. The numbers are stored (pinned by stored_test.go).
var Urgency = map[ledger.Severity]int{"": 0, ledger.Low: 1, ledger.Medium: 2, ledger.High: 3}

func statusOf(s ledger.State) string {
	if s == ledger.New || s == ledger.InReview {
		return ledger.StatusOpen
	}
	return ledger.StatusReviewed
}

// titleKeyLength is the length of the key for sorting by title, in code points.
const titleKeyLength = 100

func titleKey(title string) string {
	return text.Slice(text.Fold(title), text.Span{End: titleKeyLength})
}

// lastReviewer returns who made the last review that is not sealed, "" if none.
func lastReviewer(s *ledger.Session) string {
	name, at := "", time.Time{}
	for i := range s.Claims {
		for _, r := range s.Open(&s.Claims[i]) {
			if name == "" || !r.At.Before(at) {
				name, at = r.Actor, r.At
			}
		}
	}
	return name
}

// counts are the figures that are summed over sessions.
type counts struct {
	sessions, claims, covered, reviewed, supported, weak, contradicted, notFound, unjudged int
}

func countsOf(s *ledger.Summary) counts {
	return counts{
		sessions: 1, claims: s.Total, covered: int(math.Round(s.Coverage * float64(s.Total))), reviewed: s.Reviewed,
		supported: s.ByVerdict[ledger.Supported], weak: s.ByVerdict[ledger.Weak],
		contradicted: s.ByVerdict[ledger.Contradicted], notFound: s.ByVerdict[ledger.NotFound], unjudged: s.Unjudged,
	}
}

func (c counts) minus(o counts) counts {
	return counts{
		sessions: c.sessions - o.sessions, claims: c.claims - o.claims, covered: c.covered - o.covered,
		reviewed:  c.reviewed - o.reviewed,
		supported: c.supported - o.supported, weak: c.weak - o.weak, contradicted: c.contradicted - o.contradicted,
		notFound: c.notFound - o.notFound, unjudged: c.unjudged - o.unjudged,
	}
}

func (c *counts) fields() []any {
	return []any{&c.sessions, &c.claims, &c.covered, &c.reviewed, &c.supported, &c.weak, &c.contradicted, &c.notFound,
		&c.unjudged}
}

const countColumns = "sessions, claims, covered, reviewed, supported, weak, contradicted, not_found, unjudged"

// allDays is the day of the row with the sums of all days.
const allDays = ""

// count adds c to the sums of the day on which a session was created, and to those of all days.
func count(t *sqldb.Tx, tenant string, created time.Time, c counts) error {
	for _, day := range []string{allDays, created.UTC().Format(time.DateOnly)} {
		_, err := t.Exec(`INSERT INTO counters (tenant_id, day, `+countColumns+`) VALUES (`+sqldb.Placeholders(11)+`)
			ON CONFLICT (tenant_id, day) DO UPDATE SET
				sessions = counters.sessions + excluded.sessions, claims = counters.claims + excluded.claims,
				covered = counters.covered + excluded.covered, reviewed = counters.reviewed + excluded.reviewed,
				supported = counters.supported + excluded.supported, weak = counters.weak + excluded.weak,
				contradicted = counters.contradicted + excluded.contradicted,
				not_found = counters.not_found + excluded.not_found,
				unjudged = counters.unjudged + excluded.unjudged`,
			tenant, day, c.sessions, c.claims, c.covered, c.reviewed, c.supported, c.weak, c.contradicted, c.notFound,
			c.unjudged)
		if err != nil {
			return err
		}
	}
	return nil
}

// reopened returns the event to log with a change of a closed session: saving such a change reopens it.
func (h *sessionRow) reopened(cause string) []auditlog.Event {
	if h.state != ledger.Closed {
		return nil
	}
	return []auditlog.Event{auditlog.SessionEvent("session.reopened", h.Session.ID, map[string]any{"cause": cause})}
}
