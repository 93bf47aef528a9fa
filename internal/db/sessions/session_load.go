package sessions

import (
	"context"
	"fmt"
	"strings"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

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

// stateFor returns how far the review has come for a reader, who has begun it by sealed reviews too. Lists show what
// everybody sees.
func (h *sessionRow) stateFor(who access.Actor) ledger.State {
	if h.state == ledger.New && who.ID != "" && h.Overview.Sealed[who.ID] > 0 {
		return ledger.InReview
	}
	return h.state
}

// newestAnswer is SQL for the newest version of the answer of a session s, as JSON; NULL if the answer has one version.
const newestAnswer = `(SELECT json_object('SessionID', v.id, 'Version', v.answer_version) FROM sessions v
	WHERE v.tenant_id = s.tenant_id AND v.first_ledger <> ''
	AND v.first_ledger = CASE s.first_ledger WHEN '' THEN s.ledger_id ELSE s.first_ledger END
	ORDER BY v.answer_version DESC LIMIT 1)`

// Session returns a whole session without its sealed reviews (ledger.Session.HideSealed). The number of
// queries is fixed.
func (s *Store) Session(ctx context.Context, tenant, id string) (*ledger.Session, error) {
	return s.SessionFor(ctx, access.Actor{Tenant: tenant}, id)
}

// SessionFor is Session for a reader, who also sees their own sealed reviews.
func (s *Store) SessionFor(ctx context.Context, who access.Actor, id string) (*ledger.Session, error) {
	var out *ledger.Session
	err := s.Read(ctx, "Session", func(t *sqldb.Tx) error {
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
	h, err := loadSessionRow(t, tenant, id, true)
	if err != nil {
		return nil, nil, err
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
		return nil, nil, err
	}
	h.Session.Answer = answer.String()
	if h.Session.Documents, err = loadDocuments(t, tenant, h.no); err != nil {
		return nil, nil, err
	}
	if err := loadChunks(t, &h.Session, tenant, h.no, ""); err != nil {
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
