package sessions

import (
	"errors"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
)

// sessionEraser deletes the rows of a session, or of a document in one.
type sessionEraser struct {
	s       *Store
	t       *sqldb.Tx
	actor   access.Actor
	request *erasure.Request
}

// Erase deletes a session, or the text of a document.
func (store *Store) Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, _ []string) (auditlog.Event, error) {
	x := &sessionEraser{s: store, t: t, actor: by, request: e}
	if e.Kind == erasure.Document {
		return x.document()
	}
	return x.session()
}

// forget has the other rooms forget the session.
func (eraser *sessionEraser) forget(id string, no int) error {
	var errs []error
	for _, other := range eraser.s.Needs.Traces {
		errs = append(errs, other.ForgetSession(eraser.t, eraser.actor.Tenant, id, no))
	}
	return errors.Join(errs...)
}

// forgetWords has the other rooms forget what may repeat words of the session's documents.
func (eraser *sessionEraser) forgetWords(id string, no int) error {
	var errs []error
	for _, other := range eraser.s.Needs.Traces {
		errs = append(errs, other.ForgetWords(eraser.t, eraser.actor.Tenant, id, no))
	}
	return errors.Join(errs...)
}

func (eraser *sessionEraser) session() (auditlog.Event, error) {
	id := eraser.request.ObjectID
	h, old, err := LoadSession(eraser.t, eraser.actor.Tenant, id)
	if err != nil {
		return auditlog.Event{}, err
	}
	compared := tally{}
	for i := range old {
		compared.add(&old[i], judgeOf(&h.Session.Run, &h.Session.Claims[i]), -1)
	}
	created := h.Session.CreatedAt
	err = errors.Join(
		compared.save(eraser.t, eraser.actor.Tenant, created),
		count(eraser.t, eraser.actor.Tenant, created, counts{}.minus(countsOf(&h.Overview.Summary))),
		eraser.citedElsewhere(h.no, id, ""),
		eraser.found("session_no = ?", h.no),
		sqldb.DropWords(eraser.t, "session_search", eraser.actor.Tenant, h.no, h.no+1),
		sqldb.DropWords(eraser.t, "claim_search", eraser.actor.Tenant, h.firstClaim, h.firstClaim+len(old)),
	)
	if err != nil {
		return auditlog.Event{}, err
	}
	documents, err := sqldb.Collect(eraser.t, "SELECT id FROM documents WHERE tenant_id = ? AND session_no = ?",
		[]any{eraser.actor.Tenant, h.no}, sqldb.ScanText)
	if err != nil {
		return auditlog.Event{}, err
	}
	if err := errors.Join(auditlog.ForgetTexts(eraser.t, eraser.actor.Tenant, "session", id),
		auditlog.ForgetTexts(eraser.t, eraser.actor.Tenant, "document", documents...)); err != nil {
		return auditlog.Event{}, err
	}
	// after citedElsewhere, whose events must not record rows of this session
	if err := eraser.forget(id, h.no); err != nil {
		return auditlog.Event{}, err
	}
	if err := eraser.t.Engine.DeferKeys(eraser.t); err != nil {
		return auditlog.Event{}, err
	}
	if err := eraser.erase(bySession, h.no); err != nil {
		return auditlog.Event{}, err
	}
	if err := errors.Join(eraser.erase("sessions = 0 AND day <> ''"), eraser.erase("claims = 0")); err != nil {
		return auditlog.Event{}, err
	}
	return auditlog.SessionEvent("session.erased", id, nil), eraser.erase(byNo, h.no)
}

// erase does what ErasureClaims say to the rows that fulfil a condition.
func (eraser *sessionEraser) erase(by string, args ...any) error {
	return auditlog.Erase(eraser.t, ErasureClaims, eraser.request.Kind, eraser.actor.Tenant, by, args...)
}

// found deletes rows of the search index by their runs.
func (eraser *sessionEraser) found(condition string, args ...any) error {
	type run struct{ first, end int }
	runs, err := sqldb.Collect(eraser.t, `SELECT r.first, coalesce((SELECT min(n.first) FROM find_runs n
		WHERE n.first > r.first), 9223372036854775807)
		FROM find_runs r WHERE r.tenant_id = ?
		AND `+condition, append([]any{eraser.actor.Tenant}, args...), func(r sqldb.Scanner, x *run) error {
		return r.Scan(&x.first, &x.end)
	})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if err := sqldb.DropWords(eraser.t, "find_search", eraser.actor.Tenant, r.first, r.end); err != nil {
			return err
		}
	}
	_, err = eraser.t.Exec("DELETE FROM find_runs WHERE tenant_id = ? AND "+condition,
		append([]any{eraser.actor.Tenant}, args...)...)
	return err
}

// citedElsewhere removes the file names of erased documents from the citations of other sessions. documentID limits it
// to one document of the session, "" for all.
func (eraser *sessionEraser) citedElsewhere(no int, sessionID, documentID string) error {
	type cited struct {
		no, claim, n int
		session      string
		places       []ledger.Place
	}
	rows, err := sqldb.Collect(eraser.t, `SELECT c.session_no, c.claim, c.n, s.id, c.places
		FROM citations c JOIN sessions s ON s.tenant_id = c.tenant_id AND s.no = c.session_no
		WHERE c.tenant_id = ? AND c.session_no <> ? AND instr(c.places, ?) > 0
		ORDER BY c.session_no, c.claim, c.n`, []any{eraser.actor.Tenant, no, sessionID},
		func(r sqldb.Scanner, c *cited) error {
			return r.Scan(&c.no, &c.claim, &c.n, &c.session, sqldb.JSONInto(&c.places))
		})
	if err != nil {
		return err
	}
	var told []string
	for _, c := range rows {
		changed := false
		for i := range c.places {
			p := &c.places[i]
			if p.SessionID == sessionID && (documentID == "" || p.DocumentID == documentID) && p.Filename != "" {
				p.Filename, changed = "", true
			}
		}
		if !changed {
			continue
		}
		places, err := sqldb.JSONText(c.places)
		if err != nil {
			return err
		}
		if err := auditlog.Touch(eraser.t, c.no, "citations", c.claim); err != nil {
			return err
		}
		if _, err := eraser.t.Exec("UPDATE citations SET places = ? WHERE tenant_id = ? AND session_no = ? AND claim = ? "+
			"AND n = ?", places,
			eraser.actor.Tenant, c.no, c.claim, c.n); err != nil {
			return err
		}
		if !slices.Contains(told, c.session) {
			told = append(told, c.session)
		}
	}
	for _, id := range told {
		if err := eraser.s.AppendEvent(eraser.t, eraser.actor,
			auditlog.SessionEvent("session.source_erased", id, nil)); err != nil {
			return err
		}
	}
	return nil
}
