package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// opening is a pack about to be created.
type opening struct {
	content pack.Content
	family  string
	before  []string // the authors of earlier versions
	event   auditlog.Event
}

// openPack stores the pack that prepare returns.
func (store *Store) openPack(ctx context.Context, op string, a access.Actor, as Answering,
	prepare func(*sqldb.Tx) (*opening, error)) (*PackView, error) {
	var out *PackView
	err := store.Write(ctx, sqldb.OfTenant(a.Tenant), op, func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: as.Key}); err != nil {
			return err
		}
		o, err := prepare(t)
		if err != nil {
			return err
		}
		life, err := pack.Open(&o.content, a)
		if err != nil {
			return err
		}
		if err := store.insertPack(t, a, o, life); err != nil {
			return err
		}
		if err := store.AppendEvent(t, a, o.event); err != nil {
			return err
		}
		p, err := store.loadPack(t, a.Tenant, life.PackID)
		if err != nil {
			return err
		}
		out = p.view
		return store.answer(t, a.Tenant, as, out)
	})
	return sqldb.OrZero(out, err)
}

// insertPack inserts the rows of a new draft.
func (store *Store) insertPack(t *sqldb.Tx, a access.Actor, o *opening, l *pack.Life) error {
	c := &o.content
	text, err := draftText(*c)
	if err != nil {
		return err
	}
	secret, err := store.newSecret()
	if err != nil {
		return err
	}
	sealed, err := store.Box.Seal(PackSecretContext(a.Tenant, c.PackID), secret)
	if err != nil {
		return err
	}
	until, err := storedTime(c.RetainUntil)
	if err != nil {
		return err
	}
	now, no := sqldb.Stamp(store.Now()), 0
	err = t.Row(`INSERT INTO evidence_packs (tenant_id, pack_id, decision_id, version, supersedes, family, session_id,
		title, agent_name, entity_id,
		approval_class, level, need, made_by, created_at, retain_until, state, revision, updated_at, approvals,
		on_hold, superseded_by, signed_at,
		returned_at, returned_by, returned_name, return_reason, submitted_at, digest, secret, content)
		VALUES (`+sqldb.Placeholders(19)+", 0, 0, '', '', '', '', '', '', '', '', ?, ?) RETURNING no", []any{
		a.Tenant, c.PackID, c.DecisionID, c.Version, c.Supersedes, o.family, c.LedgerSessionID, c.Title, c.AgentName,
		c.EntityID,
		c.Requirement.EffectiveClass, string(c.Requirement.Level), l.Need, a.ID, now, until, string(l.State),
		l.Revision, now, sealed, text,
	}, &no)
	if err != nil {
		return sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "refused_pack_open"))
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("evidence_packs", []any{c.PackID}))
	if err := addAuthors(t, a.Tenant, c.PackID, l.Authors, true); err != nil {
		return err
	}
	before := o.before
	if l.Mandatory {
		recorder, err := recorderOf(t, a.Tenant, c.DecisionID)
		if err != nil {
			return err
		}
		if recorder != "" {
			before = append(before, recorder)
		}
	}
	if err := addAuthors(t, a.Tenant, c.PackID, before, false); err != nil {
		return err
	}
	if err := addAttachments(t, a.Tenant, c.PackID, c.Attachments); err != nil {
		return err
	}
	if err := reindexPack(t, no, a.Tenant, c); err != nil {
		return err
	}
	_, err = t.Exec("UPDATE decisions SET missing = 0 WHERE tenant_id = ? AND decision_id = ? AND missing = 1",
		a.Tenant, c.DecisionID)
	return err
}
