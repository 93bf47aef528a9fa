package packs

import (
	"context"
	"errors"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// ConfirmPurge is the second person's confirmation: it deletes the pack and leaves a tombstone. FinishErasures removes
// its files and the traces.
func (store *Store) ConfirmPurge(ctx context.Context, second access.Actor, purgeID string) (pack.Tombstone, error) {
	var stone pack.Tombstone
	err := store.Write(ctx, sqldb.EveryTenant, "ConfirmPurge", func(t *sqldb.Tx) error {
		g, err := waitingPurge(t, second.Tenant, "g.id = ?", purgeID)
		if err != nil {
			return err
		}
		p, err := store.loadPack(t, second.Tenant, g.PackID)
		if err != nil {
			return err
		}
		who, err := reads.Asker(t, second.Tenant, g.AskedBy)
		if err != nil {
			return err
		}
		if err := p.mayPurge(store.Now(), who, second); err != nil {
			return err
		}
		files, err := auditlog.FilesOf(t, ErasureClaims, erasure.Pack, p.tenant, g.PackID)
		if err != nil {
			return err
		}
		stone = pack.NewTombstone(&p.view.Content, p.view.Life, store.Now(), who, second)
		if err := store.bury(t, p, &stone); err != nil {
			return err
		}
		if err := store.Needs.Scrub.OweScrub(t, files); err != nil {
			return err
		}
		if err := store.endPurge(t, second, g.ID, PurgeDone); err != nil {
			return err
		}
		return store.AppendEvent(t, second, packEvent("pack.purged", g.PackID, map[string]any{
			"purge": g.ID, "asked_by": who.ID, "digest": stone.Digest,
			"decision_commitment": auditlog.HideName(stone.DecisionID),
			"retain_until":        stone.RetainUntil, "files": len(p.view.Files),
		}))
	})
	return sqldb.OrZero(stone, err)
}

// bury inserts the tombstone, which allows the rows to be deleted, and deletes the pack, and with the last pack also
// the decision.
func (store *Store) bury(t *sqldb.Tx, p *storedPack, stone *pack.Tombstone) error {
	if err := putTombstone(t, p.tenant, stone); err != nil {
		return err
	}
	no := 0
	if err := t.Row("SELECT no FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?", []any{p.tenant, stone.PackID},
		&no); err != nil {
		return err
	}
	if err := sqldb.DropWords(t, "pack_search", p.tenant, no, no+1); err != nil {
		return err
	}
	if err := auditlog.DeletedPack(t, p.tenant, stone.PackID); err != nil {
		return err
	}
	if err := auditlog.Erase(t, ErasureClaims, erasure.Pack, p.tenant, "pack_id = ?", stone.PackID); err != nil {
		return err
	}
	if err := auditlog.ForgetTexts(t, p.tenant, packKind, stone.PackID); err != nil {
		return err
	}
	if err := errors.Join(store.Needs.Notices.ForgetNotices(t, p.tenant, notify.Pack, stone.PackID),
		store.Needs.Notices.ForgetDue(t, p.tenant, notify.Pack, stone.PackID)); err != nil {
		return err
	}
	return dropDecision(t, p.tenant, stone.DecisionID)
}

// dropDecision deletes a decision that has no packs any more.
func dropDecision(t *sqldb.Tx, tenant, decisionID string) error {
	no := 0
	err := t.Row(`SELECT no FROM decisions d WHERE tenant_id = ? AND decision_id = ?
		AND NOT EXISTS (SELECT 1 FROM evidence_packs p WHERE p.tenant_id = d.tenant_id
		AND p.decision_id = d.decision_id)`, []any{tenant, decisionID}, &no)
	if sqldb.NoRow(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := sqldb.DropWords(t, "decision_search", tenant, no, no+1); err != nil {
		return err
	}
	if err := auditlog.DeletedRows(t, tenant, "decision_calls", " AND r.decision_id = ?2", decisionID); err != nil {
		return err
	}
	auditlog.Record(t, tenant, auditlog.Deleted("decisions", decisionID))
	if err := auditlog.Erase(t, ErasureClaims, erasure.Pack, tenant, "decision_id = ?", decisionID); err != nil {
		return err
	}
	if err := auditlog.ForgetName(t, tenant, decisionID); err != nil {
		return err
	}
	return auditlog.Erase(t, ErasureClaims, erasure.Pack, tenant, "no = ?", no)
}

const tombstoneColumns = "pack_id, decision_id, digest, created_at, retain_until, purged_at, purged_by, second_by"

func putTombstone(t *sqldb.Tx, tenant string, x *pack.Tombstone) error {
	times := make([]string, 3)
	for i, text := range []string{x.CreatedAt, x.RetainUntil, x.PurgedAt} {
		var err error
		if times[i], err = storedTime(text); err != nil {
			return err
		}
	}
	_, err := t.Exec("INSERT INTO pack_tombstones (tenant_id, "+tombstoneColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		tenant, x.PackID, x.DecisionID, x.Digest, times[0], times[1], times[2], x.PurgedBy, x.SecondBy)
	auditlog.Record(t, tenant, auditlog.Wrote("pack_tombstones", []any{x.PackID}))
	return err
}

func scanTombstone(r sqldb.Scanner, x *pack.Tombstone) error {
	var created, until, purged time.Time
	err := r.Scan(&x.PackID, &x.DecisionID, &x.Digest, sqldb.TimeInto(&created), sqldb.TimeInto(&until),
		sqldb.TimeInto(&purged),
		&x.PurgedBy, &x.SecondBy)
	x.CreatedAt, x.RetainUntil, x.PurgedAt = lifeTime(created), lifeTime(until), lifeTime(purged)
	return err
}

// Tombstones lists the tombstones of purged packs, newest first.
func (store *Store) Tombstones(ctx context.Context, tenant string, limit int) (out []pack.Tombstone, err error) {
	err = store.Read(ctx, "Tombstones", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+tombstoneColumns+
			" FROM pack_tombstones x WHERE tenant_id = ? ORDER BY purged_at DESC, "+
			auditlog.Logged("max", "pack", "x", "pack_id")+" DESC LIMIT ?",
			[]any{tenant, max(1, limit)}, scanTombstone)
		return err
	})
	return out, err
}

// Tombstone returns the tombstone of one pack.
func (store *Store) Tombstone(ctx context.Context, tenant, packID string) (pack.Tombstone, error) {
	var stone pack.Tombstone
	err := store.Read(ctx, "Tombstone", func(t *sqldb.Tx) (err error) {
		stone, err = sqldb.First(sqldb.Collect(t,
			"SELECT "+tombstoneColumns+" FROM pack_tombstones WHERE tenant_id = ? AND pack_id = ?",
			[]any{tenant, packID}, scanTombstone))
		return err
	})
	return stone, err
}
