package packs

import (
	"context"
	"errors"
	"slices"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// Approval is the approval of one person.
type Approval struct {
	PackID   string
	Revision int
	Digest   string // of the pack that the approver has read
	Comment  string

	For string // id of the person whose deputy the approver is in this; "" in their own name

	Acknowledged []string // ids of alarms
}

// approve records the approval on a pack in memory, if its policy allows it. A deputy's rights are those of this moment.
func (ap *Approval) approve(p *storedPack, a access.Actor, at time.Time) (signed bool, err error) {
	v := p.view
	if err := v.Chain.MayDecide(a); err != nil {
		return false, err
	}
	deputy, err := v.DeputyOf(a, ap.For, at)
	if err != nil {
		return false, err
	}
	if err := v.Chain.Read(ap.Revision, ap.Digest); err != nil {
		return false, err
	}
	acknowledged, err := v.Content.CheckApproval(a.ID, at, v.Life, v.Since, ap.Acknowledged)
	if err != nil {
		return false, err
	}
	return v.Chain.Approve(a, ap.Revision, at,
		pack.Signing{Digest: ap.Digest, Comment: ap.Comment, Acknowledged: acknowledged, Since: v.Since, For: deputy})
}

// RenderPack returns pack.md and pack.pdf of a frozen pack as they will be after the approval: life has all approvals,
// including the new one, without log indexes.
type RenderPack func(f *pack.Frozen, life *pack.Life) (markdown, pdf []byte, err error)

// ApprovePack records an approval; the last one that is needed signs the pack off. Files are rendered before the
// transaction, so that rendering does not block other writers; the transaction then compares the revision, and
// everything is stored or nothing (rule P-13). What has changed since submission is the same in both, because the
// approval must name exactly the alarms that there are. A deputy may be ended and named again, or somebody be called
// something else, in between: then the files would not say what the Statement says, and it is refused.
func (store *Store) ApprovePack(ctx context.Context, a access.Actor, ap Approval, as Answering,
	render RenderPack) (*PackView, error) {
	at := store.Now()
	done, err := store.rehearse(ctx, a, ap, as, at, render)
	if err != nil {
		return nil, err
	}
	return store.changePack(ctx, "ApprovePack", a, ap.PackID, as, func(t *sqldb.Tx, p *storedPack) error {
		signed, err := ap.approve(p, a, at)
		if err != nil {
			return err
		}
		if done != nil && !done.sameBehalf(p) {
			return domain.Refuse(domain.Conflict, "for", "refused_deputy_changed")
		}
		if signed != (done != nil) { // the same revision needs the same number of approvals
			return errors.New("the approval counts otherwise than it did before the transaction")
		}
		if err := store.tellApproved(t, a, p.view); err != nil {
			return err
		}
		if signed {
			return store.signOff(t, a, p, done)
		}
		return store.logApproval(t, a, p)
	})
}

// finished is the result of rendering before the transaction.
type finished struct {
	frozen        *pack.Frozen
	markdown, pdf []byte
	behalf        *pack.Behalf // of the approval, as the files say
}

// sameBehalf reports whether the approval that was just recorded says the same of a deputy as the files.
func (done *finished) sameBehalf(p *storedPack) bool {
	all := p.view.Life.Approvals
	now := all[len(all)-1].For
	return (done.behalf == nil) == (now == nil) && (now == nil || *done.behalf == *now)
}

// rehearse applies the approval to a copy. If that signs the pack off, it renders the pack; if another approval is
// needed, it returns nil.
func (store *Store) rehearse(ctx context.Context, a access.Actor, ap Approval, as Answering, at time.Time,
	render RenderPack) (*finished, error) {
	var p *storedPack
	err := store.Read(ctx, "ApprovePack", func(t *sqldb.Tx) (err error) {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: as.Key}); err != nil {
			return err
		}
		p, err = store.loadPack(t, a.Tenant, ap.PackID)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := store.Verified(ctx, a.Tenant, p.view.Content.LedgerSessionID); err != nil {
		return nil, err
	}
	signed, err := ap.approve(p, a, at)
	if err != nil || !signed {
		return nil, err
	}
	frozen, err := store.unfreeze(p)
	if err != nil {
		return nil, sqldb.Fail("ApprovePack", err)
	}
	life := *p.view.Life
	life.Approvals = slices.Clone(life.Approvals)
	for i := range life.Approvals {
		life.Approvals[i].LogIndex = 0
	}
	markdown, pdf, err := render(frozen, &life)
	if err != nil {
		return nil, sqldb.Fail("ApprovePack", err)
	}
	return &finished{frozen: frozen, markdown: markdown, pdf: pdf, behalf: life.Approvals[len(life.Approvals)-1].For}, nil
}

// unfreeze returns a submitted pack with its salts.
func (store *Store) unfreeze(p *storedPack) (*pack.Frozen, error) {
	secret, err := store.Box.Open(PackSecretContext(p.tenant, p.view.Life.PackID), p.secret)
	if err != nil {
		return nil, err
	}
	return pack.LoadFrozen(p.view.JSON, secret)
}

// logApproval stores the newest approval and what follows from it for the pack, and logs it: the row has the index that
// its event is about to get.
func (store *Store) logApproval(t *sqldb.Tx, a access.Actor, p *storedPack) error {
	l := p.view.Life
	n := len(l.Approvals) - 1
	x := &l.Approvals[n]
	log, err := store.Grow(t, a.Tenant)
	if err != nil {
		return err
	}
	x.LogIndex = log.Tree.Size()
	if err := insertApproval(t, p.tenant, l.PackID, n, x); err != nil {
		return err
	}
	if err := store.saveChain(t, p); err != nil {
		return err
	}
	details := map[string]any{
		"digest": x.Digest, "approval": n + 1, "needed": l.Need, "comment_commitment": auditlog.Hide(x.Comment),
		"acknowledged": append([]string{}, x.Acknowledged...),
	}
	if x.For != nil {
		details["for"], details["delegated_at"] = x.For.Actor, x.For.LogIndex
	}
	return store.AppendEvent(t, a, packEvent(pack.SignOffAction, l.PackID, details))
}

func insertApproval(t *sqldb.Tx, tenant, packID string, n int, x *pack.Approval) error {
	when, err := storedTime(x.At)
	if err != nil {
		return err
	}
	acknowledged, err := sqldb.JSONText(append([]string{}, x.Acknowledged...))
	if err != nil {
		return err
	}
	since, err := sqldb.JSONText(x.Since)
	if err != nil {
		return err
	}
	stood, from, until := pack.Behalf{}, "", ""
	if x.For != nil {
		stood = *x.For
		if from, err = storedTime(stood.From); err != nil {
			return err
		}
		if until, err = storedTime(stood.Until); err != nil {
			return err
		}
	}
	_, err = t.Exec(`INSERT INTO pack_approvals (tenant_id, pack_id, n, actor, name, title, role, at, digest, log_index,
		for_id, for_name, for_from, for_until, for_log, comment, acknowledged, since) VALUES (`+sqldb.Placeholders(18)+")",
		tenant, packID, n, x.Actor, x.Name, x.Title, x.Role, when, x.Digest, x.LogIndex, stood.Actor, stood.Name, from,
		until, stood.LogIndex, x.Comment, acknowledged, since)
	auditlog.Record(t, tenant, auditlog.Wrote("pack_approvals", []any{packID, n}))
	return err
}

// signOff logs the approval and its consequences, signs the pack with the log's state, and stores everything. No event
// is appended after the checkpoint is made, so that the checkpoint in the pack is the published one.
func (store *Store) signOff(t *sqldb.Tx, a access.Actor, p *storedPack, done *finished) error {
	key, err := store.SigningKey(t, a)
	if err != nil {
		return err
	}
	if err := store.logApproval(t, a, p); err != nil {
		return err
	}
	l := p.view.Life
	err = store.AppendEvent(t, a, packEvent("pack.signed_off", l.PackID, map[string]any{
		"digest": l.Digest, "markdown_sha256": pack.Digest(done.markdown), "pdf_sha256": pack.Digest(done.pdf),
		"keyid": key.ID,
	}))
	if err != nil {
		return err
	}
	for _, old := range p.view.Chain[1:] {
		if old.Revision == p.revisions[old.PackID] {
			continue
		}
		if err := store.AppendEvent(t, a,
			packEvent("pack.superseded", old.PackID, map[string]any{"by": l.PackID})); err != nil {
			return err
		}
	}
	files, err := store.signedFiles(t, p, key, done)
	if err != nil {
		return err
	}
	return saveFiles(t, p.tenant, l.PackID, files)
}
