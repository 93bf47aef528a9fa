package packs

import (
	"fmt"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
)

// lifeColumns are the columns that change throughout a pack's life; draftColumns change only before submission.
const (
	lifeColumns = `revision, updated_at, state, approvals, on_hold, superseded_by, signed_at, returned_at, returned_by,
		returned_name,
	return_reason, discarded_at, discarded_by, discarded_name, discard_reason`
	draftColumns = lifeColumns + ", submitted_at, digest, alarms, content, session_id"
)

// saveChain stores each life in the pack's chain that has changed since it was loaded.
func (store *Store) saveChain(t *sqldb.Tx, p *storedPack) error {
	for _, l := range p.view.Chain {
		if l.Revision == p.revisions[l.PackID] {
			continue
		}
		args, err := store.lifeArgs(p, l)
		if err != nil {
			return err
		}
		if err := p.store(t, l, lifeColumns, args); err != nil {
			return err
		}
	}
	return nil
}

// saveDraft stores the pack's life and its content as text; frozen is nil for a draft.
func (store *Store) saveDraft(t *sqldb.Tx, p *storedPack, text string) error {
	l := p.view.Life
	if err := p.saveAuthors(t); err != nil {
		return err
	}
	args, err := store.lifeArgs(p, l)
	if err != nil {
		return err
	}
	submitted, err := storedTime(l.SubmittedAt)
	if err != nil {
		return err
	}
	alarms := 0
	if l.Frozen() {
		alarms = p.view.Content.ToRead(store.Now(), p.view.Threads)
	}
	err = p.store(t, l, draftColumns, append(args, submitted, l.Digest, alarms, text, p.view.Content.LedgerSessionID))
	if err != nil {
		return err
	}
	return p.index(t)
}

// store updates one row if it still has the loaded revision. As the write lock is held, it always has; the check
// is a safeguard.
func (p *storedPack) store(t *sqldb.Tx, l *pack.Life, columns string, args []any) error {
	was := p.revisions[l.PackID]
	n, err := t.Exec("UPDATE evidence_packs SET ("+columns+") = ("+sqldb.Placeholders(len(args))+
		") WHERE tenant_id = ? AND pack_id = ? AND revision = ?",
		append(args, p.tenant, l.PackID, was)...)
	auditlog.Record(t, p.tenant, auditlog.Wrote("evidence_packs", []any{l.PackID}, auditlog.ColumnList(columns)...))
	return sqldb.RefuseUnlessOne(n, err, fmt.Errorf("revision %d: %w", was, errPackChanged()))
}

// lifeArgs returns the values of lifeColumns. signed_at is the time when the pack is first stored as signed.
func (store *Store) lifeArgs(p *storedPack, l *pack.Life) ([]any, error) {
	now, signed := sqldb.Stamp(store.Now()), ""
	if was := p.row(l.PackID).SignedAt; !was.IsZero() {
		signed = sqldb.Stamp(was)
	} else if l.State == pack.SignedOff {
		signed = now
	}
	back := pack.Return{}
	if l.Return != nil {
		back = *l.Return
	}
	returned, err := storedTime(back.At)
	if err != nil {
		return nil, err
	}
	gone := pack.Return{}
	if l.Discard != nil {
		gone = *l.Discard
	}
	discarded, err := storedTime(gone.At)
	if err != nil {
		return nil, err
	}
	return []any{l.Revision, now, string(l.State), len(l.Approvals), l.Hold != nil, l.SupersededBy, signed, returned,
		back.Actor, back.Name, back.Reason, discarded, gone.Actor, gone.Name, gone.Reason}, nil
}

// saveAuthors stores new authors of a draft.
func (p *storedPack) saveAuthors(t *sqldb.Tx) error {
	return addAuthors(t, p.tenant, p.view.Life.PackID, p.view.Life.Authors, true)
}

// addAuthors stores who made a pack; own says whether they made this version or an earlier one.
func addAuthors(t *sqldb.Tx, tenant, packID string, actors []string, own bool) error {
	known := []string{}
	err := t.Each("SELECT actor FROM pack_makers WHERE tenant_id = ? AND pack_id = ?", []any{tenant, packID},
		func(r sqldb.Scanner) error {
			var actor string
			err := r.Scan(&actor)
			known = append(known, actor)
			return err
		})
	if err != nil {
		return err
	}
	for _, actor := range actors {
		if slices.Contains(known, actor) {
			_, err = t.Exec(`UPDATE pack_makers SET own = CASE WHEN ? = 1 THEN 1 ELSE own END
				WHERE tenant_id = ? AND pack_id = ? AND actor = ?`, own, tenant, packID, actor)
			auditlog.Record(t, tenant, auditlog.Wrote("pack_makers", []any{packID, actor}, "own"))
		} else {
			_, err = t.Exec("INSERT INTO pack_makers (tenant_id, pack_id, actor, own, n) VALUES (?, ?, ?, ?, ?)",
				tenant, packID, actor, own, len(known))
			known = append(known, actor)
			auditlog.Record(t, tenant, auditlog.Wrote("pack_makers", []any{packID, actor}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// draftText returns the stored form of a draft: without the ledger and the policy, which are read together with it, and
// without what follows from the decision.
func draftText(c pack.Content) (string, error) {
	c.Ledger, c.Policy, c.Alarms, c.Mended = nil, nil, nil, nil
	text, err := sqldb.JSONText(c)
	if err != nil {
		return "", err
	}
	return text.(string), nil
}
