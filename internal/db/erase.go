package db

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// ConfirmErasure is the second person's confirmation: it deletes the object's rows, and records which files and traces
// remain. FinishErasures then deletes these. If something stands in the way by now, the error is an
// *erasure.ObstacleError and the request stays.
func (s *Store) ConfirmErasure(ctx context.Context, second domain.Actor, id string) (e erasure.Request, err error) {
	err = s.Write(ctx, sqldb.EveryTenant, "ConfirmErasure", func(t *sqldb.Tx) error {
		if e, err = loadErasure(t, second.Tenant, id); err != nil {
			return err
		}
		if e.State != erasure.Asked {
			return errDecided()
		}
		makers, err := makersOf(t, second.Tenant, e.AskedBy)
		if err != nil {
			return err
		}
		if err := erasure.MayConfirm(&e, second, makers); err != nil {
			return err
		}
		asked, err := asker(t, second.Tenant, e.AskedBy)
		if err != nil {
			return err
		}
		if err := erasure.MayAsk(asked); err != nil {
			return domain.Refuse(domain.Denied, "", "refused_erase_asker")
		}
		e.ConfirmedBy, e.ConfirmedName, e.ConfirmedAt = second.ID, second.User, s.Now().UTC()
		return s.erase(t, second, &e)
	})
	return sqldb.OrZero(e, err)
}

// erase deletes the rows of a decided erasure and logs it. The request is stored as erasing first, which is what lets
// the rows go (the views erasing_* of the schema).
func (s *Store) erase(t *sqldb.Tx, a domain.Actor, e *erasure.Request) error {
	p, err := planErasure(t, a.Tenant, e.Kind, e.ObjectID)
	if err != nil {
		return err
	}
	if err := erasure.Clear(p.obstacles); err != nil {
		return sqldb.AsIs(err)
	}
	e.State, e.Counts, e.Files, e.Bytes, e.SessionID = erasure.Erasing, p.Counts, p.Files, p.Bytes, p.SessionID
	remains, err := json.Marshal(append([]erasedFile{}, p.files...))
	if err != nil {
		return err
	}
	counts, err := sqldb.JSONText(e.Counts)
	if err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE erasures SET state = 'erasing', counts = ?, files = ?, bytes = ?, remains = ?, session_id = ?,
		confirmed_by = ?, confirmed_name = ?, confirmed_at = ?
		WHERE tenant_id = ? AND id = ?`, counts, e.Files, e.Bytes,
		string(remains), e.SessionID, e.ConfirmedBy, e.ConfirmedName, sqldb.Stamp(e.ConfirmedAt), a.Tenant, e.ID); err != nil {
		return err
	}
	record(t, a.Tenant, wrote("erasures", []any{e.ID}, "state", "counts", "files", "bytes", "session_id", "confirmed_by",
		"confirmed_name", "confirmed_at"))
	x := &eraser{s: s, t: t, actor: a, plan: p, request: e}
	event, err := map[erasure.Kind]func() (Event, error){
		erasure.Session: x.session, erasure.Document: x.document, erasure.Bundle: x.bundle,
		erasure.Artifact: x.artifact, erasure.Upload: x.upload, erasure.Pack: x.pack,
	}[e.Kind]()
	if err != nil {
		return err
	}
	if err := errors.Join(x.forgetPath(), x.answers(), s.oweScrub(t)); err != nil {
		return err
	}
	event.Details = eventOf(e, event.Details)
	event.Details["erasure"], event.Details["asked_by"], event.Details["retention"] = e.ID, e.AskedBy, e.Retention
	return s.appendEvent(t, a, event)
}

// eraser deletes the rows of one object.
type eraser struct {
	s       *Store
	t       *sqldb.Tx
	actor   domain.Actor
	plan    *erasePlan
	request *erasure.Request
}

// answers empties the stored answers to requests with an Idempotency-Key. Any of them may repeat the text, and they are
// kept for seven days only; a repeated request is told so instead of being done twice.
func (x *eraser) answers() error {
	return x.run("UPDATE receipts SET status = 410, headers = NULL, body = x'' WHERE tenant_id = ? AND length(body) > 0",
		x.actor.Tenant)
}

// jobs removes the names and messages of the jobs that made or judged a session.
func (x *eraser) jobs(condition string, arg any) error {
	_, err := x.t.Exec("UPDATE jobs SET name = '–', warnings = NULL, fault = NULL, verdicts = NULL WHERE tenant_id = ? AND "+condition,
		x.actor.Tenant, arg)
	return err
}

func (x *eraser) session() (Event, error) {
	id := x.request.ObjectID
	h, old, err := loadSession(x.t, x.actor.Tenant, id)
	if err != nil {
		return Event{}, err
	}
	compared := tally{}
	for i := range old {
		compared.add(&old[i], judgeOf(&h.session.Run, &h.session.Claims[i]), -1)
	}
	created := h.session.CreatedAt
	err = errors.Join(
		compared.save(x.t, x.actor.Tenant, created),
		count(x.t, x.actor.Tenant, created, counts{}.minus(countsOf(&h.overview.Summary))),
		x.jobs("session_id = ?", id),
		x.citedElsewhere(h.no, id, ""),
		x.found("session_no = ?", h.no),
		sqldb.DropWords(x.t, "session_search", x.actor.Tenant, h.no, h.no+1),
		sqldb.DropWords(x.t, "claim_search", x.actor.Tenant, h.firstClaim, h.firstClaim+len(old)),
	)
	if err != nil {
		return Event{}, err
	}
	documents, err := sqldb.Collect(x.t, "SELECT id FROM documents WHERE tenant_id = ? AND session_no = ?",
		[]any{x.actor.Tenant, h.no}, sqldb.ScanText)
	if err != nil {
		return Event{}, err
	}
	if err := errors.Join(forgetTexts(x.t, x.actor.Tenant, "session", id),
		forgetTexts(x.t, x.actor.Tenant, "document", documents...)); err != nil {
		return Event{}, err
	}
	if err := errors.Join(forgetNotices(x.t, x.actor.Tenant, notify.Session, id),
		forgetDue(x.t, x.actor.Tenant, notify.Session, id)); err != nil {
		return Event{}, err
	}
	// every table with rows of sessions, also those of later migrations
	tables, err := x.t.Engine.TablesWith(x.t, "session_no")
	if err != nil {
		return Event{}, err
	}
	if err := x.t.Engine.DeferKeys(x.t); err != nil {
		return Event{}, err
	}
	for _, table := range tables {
		if err := x.run(`DELETE FROM "`+table+`" WHERE tenant_id = ? AND session_no = ?`, x.actor.Tenant, h.no); err != nil {
			return Event{}, err
		}
	}
	if err := errors.Join(x.run("DELETE FROM counters WHERE tenant_id = ? AND sessions = 0 AND day <> ''", x.actor.Tenant),
		x.run("DELETE FROM comparisons WHERE tenant_id = ? AND claims = 0", x.actor.Tenant)); err != nil {
		return Event{}, err
	}
	return event("session.erased", id, nil), x.run("DELETE FROM sessions WHERE tenant_id = ? AND no = ?", x.actor.Tenant, h.no)
}

func (x *eraser) run(query string, args ...any) error {
	_, err := x.t.Exec(query, args...)
	return err
}

// found deletes rows of the search index by their runs.
func (x *eraser) found(condition string, args ...any) error {
	type run struct{ first, end int }
	runs, err := sqldb.Collect(x.t, `SELECT r.first, coalesce((SELECT min(n.first) FROM find_runs n
		WHERE n.first > r.first), 9223372036854775807)
		FROM find_runs r WHERE r.tenant_id = ?
		AND `+condition, append([]any{x.actor.Tenant}, args...), func(r sqldb.Scanner, x *run) error {
		return r.Scan(&x.first, &x.end)
	})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if err := sqldb.DropWords(x.t, "find_search", x.actor.Tenant, r.first, r.end); err != nil {
			return err
		}
	}
	return x.run("DELETE FROM find_runs WHERE tenant_id = ? AND "+condition, append([]any{x.actor.Tenant}, args...)...)
}

// citedElsewhere removes the file names of erased documents from the citations of other sessions. documentID limits it
// to one document of the session, "" for all.
func (x *eraser) citedElsewhere(no int, sessionID, documentID string) error {
	type cited struct {
		no, claim, n int
		session      string
		places       []ledger.Place
	}
	rows, err := sqldb.Collect(x.t, `SELECT c.session_no, c.claim, c.n, s.id, c.places
		FROM citations c JOIN sessions s ON s.tenant_id = c.tenant_id AND s.no = c.session_no
		WHERE c.tenant_id = ? AND c.session_no <> ? AND instr(c.places, ?) > 0
		ORDER BY c.session_no, c.claim, c.n`, []any{x.actor.Tenant, no, sessionID},
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
		if err := touch(x.t, c.no, "citations", c.claim); err != nil {
			return err
		}
		if err := x.run("UPDATE citations SET places = ? WHERE tenant_id = ? AND session_no = ? AND claim = ? "+
			"AND n = ?", places,
			x.actor.Tenant, c.no, c.claim, c.n); err != nil {
			return err
		}
		if !slices.Contains(told, c.session) {
			told = append(told, c.session)
		}
	}
	for _, id := range told {
		if err := x.s.appendEvent(x.t, x.actor, event("session.source_erased", id, nil)); err != nil {
			return err
		}
	}
	return nil
}

func (x *eraser) bundle() (Event, error) {
	no, err := bundleNo(x.t, x.actor.Tenant, x.request.ObjectID)
	if err != nil {
		return Event{}, err
	}
	tenant := x.actor.Tenant
	record(x.t, tenant, deleted("evidence_bundles", x.request.ObjectID), deleted("evidence_items", no))
	for _, name := range []string{"evidence_builds", "run_evidence"} {
		if err := deletedRows(x.t, tenant, name, " AND r.bundle_no = ?2", no); err != nil {
			return Event{}, err
		}
	}
	for _, f := range x.plan.files {
		record(x.t, tenant, deleted("lake_artifacts", f.Key))
		if err := x.run("DELETE FROM lake_artifacts WHERE tenant_id = ? AND path = ?", x.actor.Tenant, f.Key); err != nil {
			return Event{}, err
		}
	}
	for _, table := range []string{"run_evidence", "evidence_items", "evidence_builds"} {
		if err := x.run("DELETE FROM "+table+" WHERE tenant_id = ? AND bundle_no = ?", x.actor.Tenant, no); err != nil {
			return Event{}, err
		}
	}
	return Event{Action: "bundle.erased", Kind: "bundle", ObjectID: x.request.ObjectID},
		x.run("DELETE FROM evidence_bundles WHERE tenant_id = ? AND no = ?", x.actor.Tenant, no)
}

func (x *eraser) artifact() (Event, error) {
	sum := ""
	err := x.t.Row("DELETE FROM lake_artifacts WHERE tenant_id = ? AND path = ? RETURNING sha256",
		[]any{x.actor.Tenant, x.request.ObjectID}, &sum)
	record(x.t, x.actor.Tenant, deleted("lake_artifacts", x.request.ObjectID))
	return Event{Action: "bundle.artifact_erased", Kind: "artifact", ObjectID: sum}, err
}

// forgetPath replaces the path of an erased artifact, which may say what was in it, in the record of the erasure.
func (x *eraser) forgetPath() error {
	e := x.request
	if e.Kind != erasure.Artifact {
		return nil
	}
	record(x.t, x.actor.Tenant, wrote("erasures", []any{e.ID}, "object_id"))
	return x.run("UPDATE erasures SET object_id = ? WHERE tenant_id = ? AND id = ?", hashText(e.ObjectID), x.actor.Tenant,
		e.ID)
}

func (x *eraser) upload() (Event, error) {
	id := x.request.ObjectID
	return Event{Action: "job.upload_erased", Kind: "job", ObjectID: id}, x.jobs("id = ?", id)
}
