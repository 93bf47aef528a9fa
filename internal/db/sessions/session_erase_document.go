package sessions

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
)

// document deletes a document's text, and the words of it that matches of all runs repeat.
func (eraser *sessionEraser) document() (auditlog.Event, error) {
	h, old, err := LoadSession(eraser.t, eraser.actor.Tenant, eraser.request.SessionID)
	if err != nil {
		return auditlog.Event{}, err
	}
	w := &runWriter{updater: h.updater(eraser.t, eraser.actor.Tenant, old), was: slices.Clone(h.Session.Claims)}
	for i := range w.was {
		w.was[i].Citations = slices.Clone(w.was[i].Citations)
	}
	position := slices.IndexFunc(h.Session.Documents,
		func(d ledger.Document) bool { return d.ID == eraser.request.ObjectID })
	months := 0
	if err := eraser.t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{eraser.actor.Tenant},
		&months); err != nil {
		return auditlog.Event{}, err
	}
	affected, done := h.Session.Erase(h.Session.Documents[position].Position, eraser.s.Now().UTC())
	if !done {
		return auditlog.Event{}, domain.Refuse(domain.Conflict, "", "refused_erasure_been_decided")
	}
	l := ledger.Assess(&h.Session, months)
	if err := auditlog.TouchAll(eraser.t, h.no); err != nil { // with the salts, every digest changes
		return auditlog.Event{}, err
	}
	if err := errors.Join(w.save(&l), w.claims(&l), w.citations(&l)); err != nil {
		return auditlog.Event{}, err
	}
	d := &h.Session.Documents[position]
	if err := errors.Join(eraser.documentRows(h, d), eraser.olderRuns(h.no, d.Position), eraser.said(h.no),
		eraser.forgetWords(h.Session.ID, h.no), eraser.citedElsewhere(h.no, h.Session.ID, d.ID),
		eraser.newSalts(h.no), eraser.found("session_no = ? AND kind = ? AND a = ?", h.no, kindNo(ledger.FindPassages),
			d.Position)); err != nil {
		return auditlog.Event{}, err
	}
	if err := eraser.s.AppendEvents(eraser.t, eraser.actor, h.reopened("document erased")); err != nil {
		return auditlog.Event{}, err
	}
	stale := marksOf(affected).stale
	if err := auditlog.ForgetTexts(eraser.t, eraser.actor.Tenant, "document", d.ID); err != nil {
		return auditlog.Event{}, err
	}
	return auditlog.Event{Action: "document.erased", Kind: "document", ObjectID: d.ID, Session: h.Session.ID,
		Details: map[string]any{
			"session": h.Session.ID, "affected": len(affected), "stale_reviews": stale, "revision": h.Session.Revision,
		}}, nil
}

// documentRows stores what ledger.Session.Erase left of the document, its chunks and the matches in it.
func (eraser *sessionEraser) documentRows(h *sessionRow, d *ledger.Document) error {
	tenant := eraser.actor.Tenant
	if _, err := eraser.t.Exec(`UPDATE documents SET key = ?, filename = '', title = '', uri = '', supersedes = '', status = ?,
		media_type = '', text_by = '',
		blob = '', blob_sha256 = '', withdrawn = ?, outline = NULL, left_out = NULL, origin = NULL
		WHERE tenant_id = ? AND id = ?`, d.Key, string(d.Status), d.Withdrawn, tenant, d.ID); err != nil {
		return err
	}
	if err := errors.Join(eraser.erase(byDocument, h.no, d.Position), eraser.erase(byNo, h.no)); err != nil {
		return err
	}
	for i := range h.Session.Documents {
		other := &h.Session.Documents[i]
		if _, err := eraser.t.Exec("UPDATE documents SET supersedes = ? WHERE tenant_id = ? AND id = ? AND supersedes <> ?",
			other.Supersedes, tenant, other.ID, other.Supersedes); err != nil {
			return err
		}
	}
	return nil
}

// newSalts replaces the salts of what repeated the document. The digests in older events were made with the salts that
// are gone, so nobody can verify guesses of short texts by them.
func (eraser *sessionEraser) newSalts(no int) error {
	for _, c := range ErasureClaims {
		for _, of := range c.Of {
			if c.Kind != erasure.Document || c.Does != auditlog.Renews {
				continue
			}
			if err := eraser.newSaltsIn(of.Table, c.By, no); err != nil {
				return err
			}
		}
	}
	return nil
}

// newSaltsIn replaces the salts of the rows of a table that fulfil a condition on the session.
func (eraser *sessionEraser) newSaltsIn(table, by string, no int) error {
	key := "rowid"
	if table == "sessions" || table == "claims" {
		key = "no"
	}
	ids, err := sqldb.Collect(eraser.t, "SELECT "+key+" FROM "+table+" WHERE tenant_id = ? AND "+by,
		[]any{eraser.actor.Tenant, no}, func(r sqldb.Scanner, id *int) error { return r.Scan(id) })
	if err != nil {
		return err
	}
	for _, id := range ids {
		salt, err := auditlog.NewSalt(eraser.t)
		if err != nil {
			return err
		}
		if _, err := eraser.t.Exec("UPDATE "+table+" SET salt = ? WHERE tenant_id = ? AND "+by+" AND "+key+" = ?", salt,
			eraser.actor.Tenant, no, id); err != nil {
			return err
		}
	}
	return nil
}

// olderRuns removes a document's words from the matches of the runs before the newest.
func (eraser *sessionEraser) olderRuns(no, document int) error {
	type judged struct {
		run, claim int
		matches    []ledger.Match
	}
	rows, err := sqldb.Collect(eraser.t, `SELECT run, claim, matches FROM run_claims
		WHERE tenant_id = ? AND session_no = ? AND matches IS NOT NULL`,
		[]any{eraser.actor.Tenant, no}, func(r sqldb.Scanner, j *judged) error {
			return r.Scan(&j.run, &j.claim, sqldb.JSONInto(&j.matches))
		})
	if err != nil {
		return err
	}
	for _, j := range rows {
		if !slices.ContainsFunc(j.matches, func(m ledger.Match) bool { return m.Chunk.Document == document }) {
			continue
		}
		text, err := sqldb.JSONText(ledger.EraseWords(j.matches, document))
		if err != nil {
			return err
		}
		if _, err := eraser.t.Exec(`UPDATE run_claims SET matches = ?
			WHERE tenant_id = ? AND session_no = ? AND run = ?
			AND claim = ?`, text, eraser.actor.Tenant, no, j.run, j.claim); err != nil {
			return err
		}
	}
	return nil
}

// said keeps the labels of what a provider's file said about a session, but not its words, which may quote the
// document.
func (eraser *sessionEraser) said(no int) error {
	type record struct {
		claim int
		said  string
	}
	rows, err := sqldb.Collect(eraser.t, "SELECT claim, said FROM upstream WHERE tenant_id = ? AND session_no = ?",
		[]any{eraser.actor.Tenant, no},
		func(r sqldb.Scanner, o *record) error { return r.Scan(&o.claim, &o.said) })
	if err != nil {
		return err
	}
	for _, o := range rows {
		var kept any
		switch {
		case strings.HasPrefix(o.said, `"`): // what the caller's judge explained (inserter.explanations)
			kept = ""
		case o.claim < 0:
			var whole ledger.UpstreamWhole
			if err := json.Unmarshal([]byte(o.said), &whole); err != nil {
				return err
			}
			for i := range whole.Scores {
				whole.Scores[i].Note, whole.Scores[i].Value = "", nil
			}
			kept = whole
		default:
			var one ledger.Upstream
			if err := json.Unmarshal([]byte(o.said), &one); err != nil {
				return err
			}
			one.Reason = ""
			kept = ledger.Upstream{UpstreamVerdict: one.UpstreamVerdict}
		}
		text, err := sqldb.JSONText(kept)
		if err != nil {
			return err
		}
		if _, err := eraser.t.Exec("UPDATE upstream SET said = ? WHERE tenant_id = ? AND session_no = ? AND claim = ?", text,
			eraser.actor.Tenant, no, o.claim); err != nil {
			return err
		}
	}
	return nil
}
