package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// BrokenPackError means that a draft cannot be submitted, and lists everything wrong with it.
type BrokenPackError struct {
	Faults []pack.Fault
	Err    error // a domain.Error, Invalid
}

func (e *BrokenPackError) Error() string { return e.Err.Error() }

// Unwrap returns the domain.Error.
func (e *BrokenPackError) Unwrap() error { return e.Err }

// SubmitPack hands over a draft for review and freezes it, with the ledger as read in this transaction.
func (store *Store) SubmitPack(ctx context.Context, a access.Actor, packID string, revision int,
	as Answering) (*PackView, error) {
	return store.changePack(ctx, "SubmitPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		v := p.view
		if v.Life.Frozen() { // not a draft any more: life returns the error
			return v.Chain.Submit(a, revision, store.Now(), nil, v.Life.Digest)
		}
		if err := store.VerifiedWithin(t, a.Tenant, v.Content.LedgerSessionID); err != nil {
			return err
		}
		faults := v.Faults()
		if pack.Broken(faults) {
			err := v.Chain.Submit(a, revision, store.Now(), faults, "")
			if domain.KindOf(err) == domain.Invalid {
				err = &BrokenPackError{faults, err}
			}
			return err
		}
		if err := v.Chain.MaySubmit(a, revision); err != nil {
			return err
		}
		if err := v.Content.CheckSubmission(store.Now(), v.Life.Makers); err != nil {
			return err
		}
		secret, err := store.Box.Open(PackSecretContext(p.tenant, packID), p.secret)
		if err != nil {
			return err
		}
		f, err := pack.Freeze(v.Content, secret)
		if err != nil {
			return err
		}
		if err := p.requireChanged(t, &f.Content); err != nil {
			return err
		}
		if err := v.Chain.Submit(a, revision, store.Now(), faults, f.Digest); err != nil {
			return err
		}
		if err := store.saveDraft(t, p, string(f.Bytes)); err != nil {
			return err
		}
		v.Content, v.JSON, v.Texts, v.Received = f.Content, f.Bytes, nil, nil
		if err := store.tellSigners(t, a, v); err != nil {
			return err
		}
		return store.AppendEvent(t, a, packEvent("pack.submitted", packID, submission(f)))
	})
}

// requireChanged refuses a pack that says what the version before it said when it was returned.
func (p *storedPack) requireChanged(t *sqldb.Tx, c *pack.Content) error {
	if p.view.Chain.ReturnBefore() == nil {
		return nil
	}
	var before string
	err := t.Row("SELECT content FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?",
		[]any{p.tenant, p.view.Chain[1].PackID}, &before)
	if err != nil {
		return err
	}
	returned, err := pack.Parse([]byte(before))
	if err != nil {
		return err
	}
	return c.CheckChanged(returned)
}

// submission returns the log's details of a submission.
func submission(f *pack.Frozen) map[string]any {
	out := map[string]any{"digest": f.Digest, "content_root": f.Content.ContentRoot, "version": f.Content.Version,
		"policy_version": f.Content.Policy.Version}
	if l := f.Content.Ledger; l != nil {
		out["session"], out["session_revision"] = l.SessionID, l.Revision
	}
	return out
}

// ReturnPack returns a pack to its authors, with reasons.
func (store *Store) ReturnPack(ctx context.Context, a access.Actor, packID string, revision int, reason string,
	as Answering) (*PackView, error) {
	return store.changePack(ctx, "ReturnPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Return(a, revision, store.Now(), reason); err != nil {
			return err
		}
		if err := store.saveChain(t, p); err != nil {
			return err
		}
		if err := store.tellReturned(t, a, p.view); err != nil {
			return err
		}
		l := p.view.Life
		return store.AppendEvent(t, a,
			packEvent("pack.returned", packID,
				map[string]any{"digest": l.Digest, "reason_commitment": auditlog.Hide(l.Return.Reason)}))
	})
}
