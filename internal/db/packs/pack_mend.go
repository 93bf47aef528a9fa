package packs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
)

// UpdatePack is MendPack without a reason.
func (store *Store) UpdatePack(ctx context.Context, a access.Actor, packID string, revision int, as Answering,
	apply func(*pack.Content) error) (*PackView, error) {
	return store.MendPack(ctx, a, packID, revision, "", as, apply)
}

// MendPack changes a draft: its sources, tool calls, statement, memo, and what a replay needs (rule P-23). Everything
// else comes from the decision and its ledger; it is a program error if apply changes that. S3 texts are sealed before
// anything is stored.
func (store *Store) MendPack(ctx context.Context, a access.Actor, packID string, revision int, reason string,
	as Answering,
	apply func(*pack.Content) error) (*PackView, error) {
	var refusal error
	v, err := store.changePack(ctx, "MendPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Edit(a, revision); err != nil {
			return err
		}
		before := p.view.Content
		if refusal = apply(&p.view.Content); refusal != nil {
			return refusal
		}
		if same, err := settledSame(before, p.view.Content); err != nil || !same {
			return errors.Join(errors.New("the change is of more than what may be mended"), err)
		}
		return store.saveEdit(t, a, p, &before, reason)
	})
	if refusal != nil {
		return nil, refusal
	}
	return v, err
}

// saveEdit stores a draft whose content was changed, and who changed it and why.
func (store *Store) saveEdit(t *sqldb.Tx, a access.Actor, p *storedPack, before *pack.Content, reason string) error {
	c, l := &p.view.Content, p.view.Life
	secret, err := store.tenantSecret(t, p.tenant, restrictedSecret)
	if err != nil {
		return err
	}
	received, err := loadDecision(t, p.tenant, c.DecisionID)
	if err != nil {
		return err
	}
	if err := c.CheckRestricted(received.Restricted, secret); err != nil {
		return err
	}
	c.SealRestricted(secret)
	c.Mended = c.Compared(&received.Decision)
	text, err := draftText(*c)
	if err != nil {
		return err
	}
	if err := store.saveDraft(t, p, text); err != nil {
		return err
	}
	parts := c.Changed(before)
	list, err := sqldb.JSONText(append([]string{}, parts...))
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO pack_edits (tenant_id, pack_id, revision, actor, name, at, parts, reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		p.tenant, l.PackID, l.Revision, a.ID, a.User, sqldb.Stamp(store.Now()), list, reason)
	if err != nil {
		return err
	}
	auditlog.Record(t, p.tenant, auditlog.Wrote("pack_edits", []any{l.PackID, l.Revision}))
	memo, err := canonical.JSON(c.Memo)
	if err != nil {
		return err
	}
	return store.AppendEvent(t, a, packEvent("pack.edited", l.PackID, map[string]any{
		"revision": l.Revision, "parts": parts, "memo_commitment": auditlog.Hide(string(memo)),
		"content_sha256": pack.Digest([]byte(text)), "reason_commitment": auditlog.Hide(reason),
	}))
}

// settledSame reports whether the parts of a draft that nobody may edit are the same.
func settledSame(before, after pack.Content) (bool, error) {
	a, err := settled(before)
	b, err2 := settled(after)
	return bytes.Equal(a, b), errors.Join(err, err2)
}

// settled returns the parts of a draft that nobody may edit.
func settled(c pack.Content) ([]byte, error) {
	c.Memo, c.MemoBy, c.Replay, c.Sources, c.ToolCalls = pack.BilingualMemo{}, "", nil, nil, nil
	c.Statement, c.StatementAR, c.StatementEN, c.EvidenceMapRoot, c.Mended = "", "", "", "", nil
	return json.Marshal(c)
}

// loadEdits reads who changed a draft, oldest first.
func loadEdits(t *sqldb.Tx, tenant, packID string) ([]pack.Edit, error) {
	return sqldb.Collect(t, `SELECT revision, actor, name, at, parts, reason FROM pack_edits
		WHERE tenant_id = ? AND pack_id = ? ORDER BY revision`,
		[]any{tenant, packID}, func(r sqldb.Scanner, e *pack.Edit) error {
			return r.Scan(&e.Revision, &e.Actor, &e.Name, sqldb.TimeInto(&e.At), sqldb.JSONInto(&e.Parts), &e.Reason)
		})
}

// DiscardPack gives a draft up, with a reason: it stays readable, and its decision may get another draft.
func (store *Store) DiscardPack(ctx context.Context, a access.Actor, packID string, revision int, reason string,
	as Answering) (*PackView, error) {
	return store.changePack(ctx, "DiscardPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Discard(a, revision, store.Now(), reason); err != nil {
			return err
		}
		if err := store.saveChain(t, p); err != nil {
			return err
		}
		_, err := t.Exec(`UPDATE decisions SET missing = 1 WHERE tenant_id = ? AND decision_id = ? AND missing = 0
			AND level = 'mandatory'
			AND NOT EXISTS (SELECT 1 FROM evidence_packs p WHERE p.tenant_id = decisions.tenant_id
				AND p.decision_id = decisions.decision_id AND p.state <> 'discarded')`,
			a.Tenant, p.view.Content.DecisionID)
		if err != nil {
			return err
		}
		return store.AppendEvent(t, a, packEvent("pack.discarded", packID,
			map[string]any{"reason_commitment": auditlog.Hide(p.view.Life.Discard.Reason)}))
	})
}
