package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Judged is the result of a new run: the session as it is now, and what changed.
type Judged struct {
	Number  int // of the run, counted from 1
	Ledger  *ledger.Ledger
	Changes []ledger.Change   // in claim order
	Receipt *receipts.Receipt // the answer to an Idempotency-Key, nil if none
}

// Row returns the run as Runs lists it, without who made it.
func (j *Judged) Row() ledger.RunRow {
	m := marksOf(j.Changes)
	return ledger.RunRow{Number: j.Number, Run: j.Ledger.Session.Run, Newest: true, Changed: len(j.Changes),
		Flips: m.flips,
		Stale: m.stale}
}

// JudgeRequest says what JudgeSession does besides judging.
type JudgeRequest struct {
	SessionID  string
	BundleID   string // of the bundle that the run was given; "" if none
	ReceiptKey string // same as Event.ReceiptKey
	Job        Job    // the job to end in the same transaction; nil if the caller waits
}

// Job is work in the background that ends with a session or a new run.
type Job interface {
	Asker() access.Actor // who asked for it
	// Imported ends the job within the transaction that stores its session, or finds it stored already, and logs it.
	// The error is job.ErrLost, to be returned as it is, if its worker has lost it.
	Imported(t *sqldb.Tx, sessionID string, created bool, claims int, warnings []domain.Warning) error
	// Judged ends the job within the transaction of the run, the n-th of its session counted from 1, likewise.
	Judged(t *sqldb.Tx, sessionID string, n, claims int) error
	// Drop removes what the job was given, once it has ended.
	Drop(ctx context.Context)
}

// AddDocuments is JudgeSession for a session that apply also gives documents (ledger.Session.AddDocuments). The
// originals are in the bucket before the transaction, and removed if it fails; each belongs to the document at its
// index in added, whose Blob and MediaType it sets.
func (store *Store) AddDocuments(ctx context.Context, a access.Actor, req JudgeRequest, added []ledger.Document,
	originals []Original, apply func(number int, s *ledger.Session) (*Judged, error)) (*Judged, error) {
	shell := &ledger.Session{Documents: added}
	for i := range added {
		added[i].Position = i
	}
	keys, err := store.putOriginals(ctx, a.Tenant, shell, originals)
	if err != nil {
		store.Needs.Files.Drop(ctx, keys...)
		return nil, sqldb.Fail("AddDocuments", err)
	}
	out, err := store.JudgeSession(ctx, a, req, apply)
	if err != nil {
		store.Needs.Files.DropUnstored(ctx, err, keys...)
	}
	return out, err
}

// JudgeSession replaces the machine's judgement of a session, in one transaction that holds the write lock from the
// start: it loads the whole session, lets apply add the new run (ledger.Session.TakeRun), keeps the previous run and
// the changes, and stores everything with the receipt, the end of the job and the event. apply may add documents to the
// end of the session, and claims (ledger.Session.Reword). An error of apply leaves everything unchanged and is returned as it is. If the worker has lost
// the job, it returns job.ErrLost; if the receipt's key has been answered already, a *ReplayError.
func (store *Store) JudgeSession(ctx context.Context, a access.Actor, req JudgeRequest,
	apply func(number int, s *ledger.Session) (*Judged, error)) (*Judged, error) {
	var out *Judged
	err := store.Write(ctx, sqldb.OfTenant(a.Tenant), "JudgeSession", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: req.ReceiptKey}); err != nil {
			return err
		}
		h, old, err := LoadSession(t, a.Tenant, req.SessionID)
		if err != nil {
			return err
		}
		w := &runWriter{updater: h.updater(t, a.Tenant, old), run: h.run + 1, was: slices.Clone(h.Session.Claims)}
		before, documents := h.Session.Run, len(h.Session.Documents)
		w.judges = func(i int) judgedBy { return judgeOf(&before, &w.was[min(i, len(w.was)-1)]) } // of an added one nothing is compared
		if out, err = apply(w.run+1, &h.Session); err != nil {
			return sqldb.AsIs(err)
		}
		added := out.Ledger.Session.Documents[documents:]
		if err := errors.Join(store.stillInLibrary(t, a.Tenant, added), w.addDocuments(added, documents)); err != nil {
			return err
		}
		if err := w.addClaims(out.Ledger, len(w.was)); err != nil {
			return err
		}
		if err := w.write(a, out); err != nil {
			return err
		}
		if err := store.AppendEvents(t, a, h.reopened("judged")); err != nil {
			return err
		}
		if err := store.appendAdded(t, a, req.SessionID, out.Ledger.Session, added); err != nil {
			return err
		}
		if err := store.appendReviews(t, a, &w.updater, out.Ledger); err != nil {
			return err
		}
		if err := store.endJudging(t, a, req, out, w.run); err != nil {
			return err
		}
		return store.KeepReceipt(t, a.Tenant, out.Receipt, store.Now())
	})
	if err != nil {
		return nil, err
	}
	if req.Job != nil {
		req.Job.Drop(ctx)
	}
	return out, nil
}

// addClaims inserts claims that the session did not have, without their evidence, and indexes them; before is how many
// it had.
func (writer *runWriter) addClaims(l *ledger.Ledger, before int) error {
	s := l.Session
	if len(s.Claims) == before {
		return nil
	}
	positions := make([]int, 0, len(s.Claims)-before)
	for i := before; i < len(s.Claims); i++ {
		positions = append(positions, i)
		writer.old = append(writer.old, DerivedOf(&l.Entries[i]))
	}
	if err := auditlog.Touch(writer.t, writer.no, "claims", positions...); err != nil {
		return err
	}
	in := &inserter{t: writer.t, tenant: writer.tenant, no: writer.no, firstClaim: writer.firstClaim, before: before}
	added := &ledger.Ledger{Session: s, Entries: l.Entries[before:]}
	return errors.Join(in.claims(added), writer.indexClaims(s, before))
}

// addDocuments inserts documents that the session did not have, and indexes them; before is how many it had.
func (writer *runWriter) addDocuments(added []ledger.Document, before int) error {
	if len(added) == 0 {
		return nil
	}
	for i := range added {
		if err := auditlog.TouchDocument(writer.t, writer.no, added[i].Position); err != nil {
			return err
		}
	}
	if err := auditlog.Touch(writer.t, writer.no, "session"); err != nil {
		return err
	}
	in := &inserter{t: writer.t, tenant: writer.tenant, no: writer.no}
	only := &ledger.Ledger{Session: &ledger.Session{Documents: added}}
	if err := errors.Join(in.documents(only), in.chunks(only)); err != nil {
		return err
	}
	texts := 0
	for i := range added {
		texts += len(added[i].Chunks)
	}
	x := newFindIndex(writer.t, writer.tenant, writer.no, texts)
	for i := range added {
		x.passages(&added[i])
	}
	if err := x.flush(); err != nil {
		return err
	}
	_, err := writer.t.Exec("UPDATE sessions SET document_count = ? WHERE tenant_id = ? AND no = ?", before+len(added),
		writer.tenant, writer.no)
	return err
}

// appendReviews logs the reviews that apply appended, if any, and who is mentioned in them.
func (store *Store) appendReviews(t *sqldb.Tx, a access.Actor, u *updater, l *ledger.Ledger) error {
	if len(u.appended) == 0 {
		return nil
	}
	events := u.events(auditlog.Event{Action: auditlog.ClaimReviewedAction}, l)
	if err := store.address(t, a.Tenant, l.Session, events); err != nil {
		return err
	}
	return errors.Join(store.tellMentioned(t, a, l.Session), store.AppendEvents(t, a, events))
}

// appendAdded logs the documents that were added, if any.
func (store *Store) appendAdded(t *sqldb.Tx, a access.Actor, sessionID string, now *ledger.Session,
	added []ledger.Document) error {
	for i := range added {
		d := &added[i]
		if err := store.AppendEvent(t, a, auditlog.Event{Action: "document.added", Kind: "document", ObjectID: d.ID,
			Session: sessionID,
			Details: map[string]any{"session": sessionID, "root": d.Root, "chunks": len(d.Chunks),
				"revision": now.Revision}}); err != nil {
			return err
		}
	}
	return nil
}

// linkFirstRun links the first run of a new session to the bundle that its import names. If bundleID is "", it does
// nothing.
func (store *Store) linkFirstRun(t *sqldb.Tx, a access.Actor, sessionID, bundleID string) error {
	if bundleID == "" {
		return nil
	}
	run := ""
	err := t.Row(`SELECT r.id FROM sessions s JOIN ledger_runs r ON r.session_no = s.no AND r.tenant_id = s.tenant_id
		AND r.n = ? WHERE s.tenant_id = ? AND s.id = ?`,
		[]any{firstRun, a.Tenant, sessionID}, &run)
	if err != nil {
		return err
	}
	known, err := store.Needs.Bundles.LinkRunTo(t, a, bundleID, run)
	if err == nil && !known {
		err = domain.Refuse(domain.Invalid, "session.bundle_id", "refused_own_bundle_field")
	}
	return err
}

// endJudging links the run's bundle, logs the run and ends its job.
func (store *Store) endJudging(t *sqldb.Tx, a access.Actor, req JudgeRequest, out *Judged, n int) error {
	run := &out.Ledger.Session.Run
	if req.BundleID != "" {
		known, err := store.Needs.Bundles.LinkRunTo(t, a, req.BundleID, run.ID)
		if err == nil && !known {
			err = sqldb.NotFound()
		}
		if err != nil {
			return err
		}
	}
	m := marksOf(out.Changes)
	if err := store.AppendEvent(t, a, auditlog.SessionEvent("session.judged", req.SessionID, map[string]any{
		"run": n + 1, "run_id": run.ID, "judge": run.Judge, "version": run.Version, "input_digest": run.InputDigest,
		"changed": len(out.Changes), "flips": m.flips, "stale_reviews": m.stale,
		"revision": out.Ledger.Session.Revision,
	})); err != nil {
		return err
	}
	if req.Job == nil {
		return nil
	}
	return req.Job.Judged(t, req.SessionID, n+1, len(out.Ledger.Entries))
}

// runWriter writes a new run of one session.
type runWriter struct {
	updater
	run int            // its number as it is stored, counted from 0
	was []ledger.Claim // before this run
}

func (writer *runWriter) write(a access.Actor, out *Judged) error {
	l := out.Ledger
	if err := writer.save(l); err != nil {
		return err
	}
	in := &inserter{t: writer.t, tenant: writer.tenant, no: writer.no, firstClaim: writer.firstClaim}
	steps := []func() error{
		writer.touchRuns,
		writer.keepOld,
		func() error { return writer.claims(l) },
		func() error { return writer.clear("matches") },
		func() error { return writer.clear("citations") },
		func() error { return in.evidence(l) },
		func() error { return in.runAs(l, writer.run) },
		func() error { return writer.point() },
		func() error { return writer.marks(a, out.Changes) },
		func() error { return writer.changes(out.Changes) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// touchRuns says that a run is added and that the judgement of the one before it is kept.
func (writer *runWriter) touchRuns() error {
	return errors.Join(auditlog.Touch(writer.t, writer.no, "runs", writer.run),
		auditlog.Touch(writer.t, writer.no, "run marks", writer.run),
		auditlog.Touch(writer.t, writer.no, "run changes", writer.run),
		auditlog.Touch(writer.t, writer.no, "run claims", writer.run-1))
}

// keepOld stores the judgements of the previous run.
func (writer *runWriter) keepOld() error {
	rows := sqldb.NewBulk(writer.t, "run_claims",
		"tenant_id, session_no, run, claim, verdict, confidence, judge, given, unjudged, matches")
	for i := range writer.was {
		c, d := &writer.was[i], &writer.old[i]
		matches, err := sqldb.JSONText(c.Matches)
		if err != nil {
			return err
		}
		rows.Add(writer.tenant, writer.no, writer.run-1, c.Position, string(d.machine), d.confidence, c.Judge,
			c.Given, c.Unjudged,
			matches)
	}
	return rows.Flush()
}

// claims stores the judgements in the claims' own rows.
func (writer *runWriter) claims(l *ledger.Ledger) error {
	for i := range writer.was {
		c, was := &l.Session.Claims[i], &writer.was[i]
		if c.Judge == was.Judge && c.Given == was.Given && c.Unjudged == was.Unjudged && c.Stale == was.Stale &&
			c.Withheld == was.Withheld {
			continue
		}
		if err := auditlog.Touch(writer.t, writer.no, "claims", i); err != nil {
			return err
		}
		said, err := sqldb.SaidText(c.UnjudgedSaid)
		if err != nil {
			return err
		}
		_, err = writer.t.Exec(`UPDATE claims SET (judge, given, unjudged, unjudged_said, stale_reviews,
			withheld_reviews) = (?, ?, ?, ?, ?, ?) WHERE no = ? AND tenant_id = ? AND session_no = ?`,
			c.Judge, c.Given, c.Unjudged, said, c.Stale, c.Withheld, writer.firstClaim+i, writer.tenant, writer.no)
		if err != nil {
			return err
		}
	}
	return nil
}

// clear deletes the session's rows of a table, before those of the new run are inserted.
func (writer *runWriter) clear(table string) error {
	if err := auditlog.Touch(writer.t, writer.no, table); err != nil {
		return err
	}
	_, err := writer.t.Exec("DELETE FROM "+table+" WHERE tenant_id = ? AND session_no = ?", writer.tenant, writer.no)
	return err
}

// point makes the new run the session's current one.
func (writer *runWriter) point() error {
	_, err := writer.t.Exec("UPDATE sessions SET run = ? WHERE tenant_id = ? AND no = ?", writer.run, writer.tenant,
		writer.no)
	return err
}

// runMarks counts what a run changed: claims whose verdict differs, and reviews that became stale.
type runMarks struct{ flips, stale int }

func marksOf(changes []ledger.Change) (m runMarks) {
	for i := range changes {
		if changes[i].Flip() {
			m.flips++
		}
		m.stale += changes[i].Stale
	}
	return m
}

// marks stores who made the run and how much it changed.
func (writer *runWriter) marks(a access.Actor, changes []ledger.Change) error {
	m := marksOf(changes)
	_, err := writer.t.Exec("INSERT INTO run_marks (tenant_id, session_no, run, made_by, changed, flips, stale) VALUES ("+
		sqldb.Placeholders(7)+")",
		writer.tenant, writer.no, writer.run, a.ID, len(changes), m.flips, m.stale)
	return err
}

// changes stores how each changed claim was judged before and after.
func (writer *runWriter) changes(changes []ledger.Change) error {
	rows := sqldb.NewBulk(writer.t, "run_changes",
		"tenant_id, session_no, run, claim, from_verdict, to_verdict, from_confidence, to_confidence, stale, gained, lost")
	for i := range changes {
		x := &changes[i]
		gained, err := stancesText(x.Gained)
		if err != nil {
			return err
		}
		gone, err := stancesText(x.Lost)
		if err != nil {
			return err
		}
		rows.Add(writer.tenant, writer.no, writer.run, x.Position, string(x.From), string(x.To), x.FromConfidence,
			x.ToConfidence,
			x.Stale, gained, gone)
	}
	return rows.Flush()
}

// stancesText returns the JSON column of stances, nil if none.
func stancesText(list []ledger.Stance) (any, error) {
	if len(list) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(list)
	return string(data), err
}
