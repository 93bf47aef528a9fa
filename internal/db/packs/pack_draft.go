package packs

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// CreatePack opens a draft for a decision, with files of the library; Conflict if it has a pack already.
func (store *Store) CreatePack(ctx context.Context, a access.Actor, decisionID string,
	as Answering, files ...NewFile) (*PackView, error) {
	attached, err := store.originalsFor(ctx, ofDecision, a.Tenant, decisionID)
	if err != nil {
		return nil, err
	}
	return store.openPack(ctx, "CreatePack", a, as, func(t *sqldb.Tx) (*opening, error) {
		d, err := loadDecision(t, a.Tenant, decisionID)
		if err != nil {
			return nil, err
		}
		if err := requireNoPack(t, a.Tenant, decisionID); err != nil {
			return nil, err
		}
		id, err := store.newPackID()
		if err != nil {
			return nil, err
		}
		if err := store.VerifiedWithin(t, a.Tenant, d.Decision.LedgerSessionID); err != nil {
			return nil, err
		}
		l, err := store.Needs.Sessions.LedgerOf(t, a.Tenant, d.Decision.LedgerSessionID)
		if err != nil {
			return nil, err
		}
		reviews, err := loadProvenance(t, a.Tenant, d.Decision.LedgerSessionID)
		if err != nil {
			return nil, err
		}
		c := pack.Assemble(&d.Decision,
			pack.Opening{PackID: id, TenantID: a.Tenant, At: store.Now(), Reviews: *reviews}, l)
		c.Attachments = attached
		for i := range files {
			file, err := store.attaching(t, a.Tenant, &files[i], pack.Attachment{})
			if err != nil {
				return nil, err
			}
			if c.HasFile(file.SHA256) { // the session has brought it
				continue
			}
			if err := c.Attach(file); err != nil {
				return nil, err
			}
		}
		return &opening{content: c, family: id,
			event: packEvent("pack.created", id,
				map[string]any{"decision_commitment": auditlog.HideName(decisionID)})}, nil
	})
}

// requireNoPack returns a Conflict if a decision has a pack; the message names the newest.
func requireNoPack(t *sqldb.Tx, tenant, decisionID string) error {
	newest := ""
	err := t.Each(`SELECT pack_id FROM evidence_packs WHERE tenant_id = ? AND decision_id = ? AND state <> 'discarded'
		ORDER BY no`,
		[]any{tenant, decisionID},
		func(r sqldb.Scanner) error { return r.Scan(&newest) })
	if err == nil && newest != "" {
		return domain.Refuse(domain.Conflict, "", "refused_pack_has", "Name", newest)
	}
	return err
}

// NewVersion opens a draft that will supersede a pack.
func (store *Store) NewVersion(ctx context.Context, a access.Actor, packID string, as Answering) (*PackView, error) {
	return store.openPack(ctx, "NewVersion", a, as, func(t *sqldb.Tx) (*opening, error) {
		old, err := store.loadPack(t, a.Tenant, packID)
		if err != nil {
			return nil, err
		}
		open := slices.ContainsFunc(old.view.Versions, func(r pack.Row) bool {
			return r.Supersedes == packID && (r.State == pack.Draft || r.State == pack.InReview)
		})
		if err := old.view.Chain.NewVersion(a, open); err != nil {
			return nil, err
		}
		id, err := store.newPackID()
		if err != nil {
			return nil, err
		}
		if err := store.Needs.Notices.Settled(t, a.Tenant, notify.Returned, notify.Pack, packID, ""); err != nil {
			return nil, err
		}
		next := old.view.Content.Next(id, store.Now())
		if next.Attachments, err = loadAttachments(t, a.Tenant, packID); err != nil {
			return nil, err
		}
		return &opening{
			content: next, family: old.view.Versions[0].PackID, before: old.view.Chain.Authors(),
			event: packEvent("pack.version_made", id, map[string]any{"supersedes": packID}),
		}, nil
	})
}
