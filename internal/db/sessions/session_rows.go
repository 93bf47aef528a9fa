package sessions

import (
	"fmt"
	"math"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
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
func sessionArgs(l *ledger.Ledger, state ledger.State) ([]any, error) {
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
		s.Revision, sqldb.Stamp(s.UpdatedAt), statusOf(state), titleKey(s.Title), c.claims, c.supported,
		c.weak,
		c.contradicted,
		c.notFound, c.unjudged, c.reviewed, c.covered, l.Summary.Coverage, mask, len(l.Flags), string(severity),
		Urgency[severity], lastReviewer(s), overview, string(state), l.Summary.Settled,
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

// sessionRow is a session's own row.
type sessionRow struct {
	no           int
	firstClaim   int
	run          int // number of the newest judge run, from 0
	documents    int
	answerLength int
	Session      ledger.Session // without answer, documents and claims
	Overview     ledger.Overview
	state        ledger.State
	closing      ledger.Closing
	newest       ledger.NewestAnswer
	said         bool // a file said something about its claims
}

// insertHead inserts the session's own row and returns its number.
func insertHead(t *sqldb.Tx, tenant string, l *ledger.Ledger, firstClaim int) (no int, err error) {
	s := l.Session
	head, err := sessionArgs(l, l.Summary.State())
	if err != nil {
		return 0, err
	}
	extra, err := sqldb.JSONText(s.Extra)
	if err != nil {
		return 0, err
	}
	salt, err := auditlog.NewSalt(t)
	if err != nil {
		return 0, err
	}
	args := append(head, s.ID, tenant, s.LedgerID, s.Digest, sqldb.Stamp(s.CreatedAt), firstRun, firstClaim,
		len(s.Documents), length(s.Answer),
		s.ExternalID, s.Mode, s.Lang, s.Model, s.ModelVersion, s.TraceID, s.DecisionID, s.Format, s.Title, s.Query,
		extra, s.AnswerVersion, s.FirstLedger, salt)
	err = t.Row(`INSERT INTO sessions (`+sessionColumns+
		`, id, tenant_id, ledger_id, digest, created_at, run, first_claim, document_count, answer_length,
		external_id, mode, lang, model, model_version, trace_id, decision_id, format, title, query, extra,
		answer_version, first_ledger, salt)
		VALUES (`+sqldb.Placeholders(len(args))+`) RETURNING no`, args, &no)
	return no, err
}

// loadSessionRow reads a session's own row and its judge run. extra says whether to read unknown fields of the import;
// of these, pages show only what a provider's file said about the session.
func loadSessionRow(t *sqldb.Tx, tenant, id string, extra bool) (*sessionRow, error) {
	h, query := &sessionRow{}, sessionShown
	if extra {
		query = sessionWhole
	}
	if err := t.Row(query, []any{tenant, id}, h.fields()...); err != nil {
		return nil, err
	}
	s := &h.Session
	if !ledger.KnownRuleSet(s.RuleSet) {
		return nil, fmt.Errorf("session %s was assessed by rule set %d, this program knows %d", s.ID, s.RuleSet,
			ledger.CurrentRuleSet())
	}
	s.SealedBy = h.Overview.Sealed
	if h.state == ledger.Closed {
		s.Closing = h.closing
	}
	return h, nil
}

// The queries for a session's own row and its judge run: for pages, and with the unknown fields of the import.
var (
	sessionShown = selectSession(saidOfWhole)
	sessionWhole = selectSession("s.extra")
)

func selectSession(unknown string) string {
	return `SELECT s.no, s.first_claim, s.run, s.document_count, s.answer_length, s.id, s.ledger_id, s.external_id, s.title,
		s.query, s.mode, s.lang, s.model, s.model_version, s.trace_id, s.decision_id, s.format, s.digest, s.rule_set,
		s.revision, s.created_at, s.updated_at, s.overview, s.state, s.closed_at, s.closed_reason, s.second_review,
		s.first_reviewer, s.second_reviewer, s.answer_version, s.first_ledger, r.id, r.judge, r.version, r.parameters,
		r.input_digest, r.bundle_id, r.at, r.duration_ns, coalesce(` + reads.NameOf("s", "closed_by") + `,
		(SELECT k.name FROM api_tokens k WHERE k.tenant_id = s.tenant_id AND k.id = s.closed_by), ''), coalesce(` +
		reads.NameOf("s", "first_reviewer") + ", ''), coalesce(" + reads.NameOf("s", "second_reviewer") + ", ''), " +
		newestAnswer + ", " + unknown + ", " + importsOfSession + ", " + saidOfClaims + `
		FROM sessions s JOIN ledger_runs r ON r.session_no = s.no AND r.n = s.run AND r.tenant_id = s.tenant_id
		WHERE s.tenant_id = ? AND s.id = ?`
}

// fields returns the destinations of selectSession.
func (h *sessionRow) fields() []any {
	s, r := &h.Session, &h.Session.Run
	return []any{&h.no, &h.firstClaim, &h.run, &h.documents, &h.answerLength, &s.ID, &s.LedgerID, &s.ExternalID,
		&s.Title,
		&s.Query, &s.Mode, &s.Lang, &s.Model, &s.ModelVersion, &s.TraceID, &s.DecisionID, &s.Format, &s.Digest,
		&s.RuleSet,
		&s.Revision, sqldb.TimeInto(&s.CreatedAt), sqldb.TimeInto(&s.UpdatedAt), sqldb.JSONInto(&h.Overview), &h.state,
		sqldb.TimeOrNoneInto(&h.closing.At), &h.closing.Reason, &s.Second,
		&s.Seats[0].ID, &s.Seats[1].ID, &s.AnswerVersion, &s.FirstLedger, &r.ID, &r.Judge, &r.Version,
		sqldb.JSONInto(&r.Parameters), &r.InputDigest, &r.BundleID, sqldb.TimeInto(&r.At), &r.Duration,
		&h.closing.By, &s.Seats[0].Name, &s.Seats[1].Name, sqldb.JSONInto(&h.newest),
		sqldb.JSONInto(&s.Extra), sqldb.JSONInto(&s.Imports), &h.said}
}

// stateFor returns how far the review has come for a reader.
func (h *sessionRow) stateFor(who access.Actor) ledger.State {
	return shownTo(who.ID, h.state, h.Overview.Sealed)
}

// shownTo returns how far a review has come for a person, who has begun it by sealed reviews too.
func shownTo(person string, state ledger.State, sealed ledger.SealedBy) ledger.State {
	if state == ledger.New && person != "" && sealed[person] > 0 {
		return ledger.InReview
	}
	return state
}

// newestAnswer is SQL for the newest version of the answer of a session s, as JSON; NULL if the answer has one version.
const newestAnswer = `(SELECT json_object('SessionID', v.id, 'Version', v.answer_version) FROM sessions v
	WHERE v.tenant_id = s.tenant_id AND v.first_ledger <> ''
	AND v.first_ledger = CASE s.first_ledger WHEN '' THEN s.ledger_id ELSE s.first_ledger END
	ORDER BY v.answer_version DESC LIMIT 1)`

// reopened returns the event to log with a change of a closed session: saving such a change reopens it.
func (h *sessionRow) reopened(cause string) []auditlog.Event {
	if h.state != ledger.Closed {
		return nil
	}
	return []auditlog.Event{auditlog.SessionEvent("session.reopened", h.Session.ID, map[string]any{"cause": cause})}
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
