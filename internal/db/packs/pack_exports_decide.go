package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// GrantExport grants the request of another person (approvers and admins only, never machines).
func (store *Store) GrantExport(ctx context.Context, a access.Actor, exportID string) (pack.ExportRequest, error) {
	return store.decideExport(ctx, "GrantExport", a, exportID,
		func(e *pack.ExportRequest) (string, map[string]any, error) {
			if e.AskedBy == a.ID {
				return "", nil, domain.Refuse(domain.Denied, "", "refused_export_own")
			}
			e.State = ExportGranted
			return "pack.export_granted", map[string]any{"to": e.AskedBy}, nil
		})
}

// RefuseExport refuses a request, with a reason.
func (store *Store) RefuseExport(ctx context.Context, a access.Actor, exportID,
	reason string) (pack.ExportRequest, error) {
	return store.decideExport(ctx, "RefuseExport", a, exportID,
		func(e *pack.ExportRequest) (string, map[string]any, error) {
			if err := exportReason(reason, true); err != nil {
				return "", nil, err
			}
			e.State, e.Reason = ExportRefused, reason
			return "pack.export_refused", map[string]any{"to": e.AskedBy, "reason_commitment": auditlog.Hide(reason)},
				nil
		})
}

// decideExport stores a decision about a waiting request.
func (store *Store) decideExport(ctx context.Context, op string, a access.Actor, exportID string,
	decide func(*pack.ExportRequest) (string, map[string]any, error)) (e pack.ExportRequest, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), op, func(t *sqldb.Tx) (err error) {
		if e, err = onePackExport(t, a.Tenant, "e.id = ?", exportID); err != nil {
			return err
		}
		if !access.MayGrant(a) {
			return domain.Refuse(domain.Denied, "", "refused_export_person")
		}
		if e.State != ExportAsked {
			return domain.Refuse(domain.Conflict, "", "fault_export_decided")
		}
		action, details, err := decide(&e)
		if err != nil {
			return err
		}
		e.DecidedBy, e.DecidedAt = a.ID, store.Now().UTC()
		_, err = t.Exec(`UPDATE pack_exports SET state = ?, reason = ?, decided_by = ?, decided_at = ?
			WHERE tenant_id = ? AND id = ? AND state = ?`,
			e.State, e.Reason, e.DecidedBy, sqldb.Stamp(e.DecidedAt), a.Tenant, e.ID, ExportAsked)
		if err != nil {
			return err
		}
		auditlog.Record(t, a.Tenant, auditlog.Wrote("pack_exports", []any{e.ID}, "state", "reason", "decided_by",
			"decided_at"))
		return store.logExport(t, a, action, &e, details)
	})
	return orNone(e, err)
}
