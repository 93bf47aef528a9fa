package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
)

// AddToolCall stores a tool call that arrives apart from its decision, once: for the same content it returns created
// false; other content with the same id is a Conflict, as is any call once a pack of the decision was submitted. An
// open draft gets the call too. c.CheckCall() must report no faults; its S3 texts are gone when it returns.
func (store *Store) AddToolCall(ctx context.Context, a access.Actor, decisionID string, c *pack.ToolCallRecord,
	r *receipts.Receipt) (created bool, err error) {
	closed := false
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AddToolCall", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, r); err != nil {
			return err
		}
		d, err := loadDecision(t, a.Tenant, decisionID)
		if err != nil {
			return err
		}
		secret, err := store.tenantSecret(t, a.Tenant, restrictedSecret)
		if err != nil {
			return err
		}
		if err := d.Restricted.CheckCall(decisionID, c, secret); err != nil {
			return err
		}
		prints := pack.PrintsOfCall(decisionID, c, secret)
		pack.SealCall(decisionID, c, secret)
		closed = true
		if known, err := knownCall(&d.Decision, c); err != nil || known {
			return err
		}
		if err := store.takeCall(t, a, d, c, prints); err != nil {
			return err
		}
		created = true
		return store.KeepReceipt(t, a.Tenant, r, store.Now())
	})
	if !closed { // with a secret that nobody knows: nothing was stored
		secret, _ := store.newSecret()
		pack.SealCall(decisionID, c, secret)
	}
	return created && err == nil, err
}

// knownCall reports whether a decision has a call already; Conflict if it has another one of that id.
func knownCall(d *pack.Decision, c *pack.ToolCallRecord) (bool, error) {
	for i := range d.ToolCalls {
		if d.ToolCalls[i].ID != c.ID {
			continue
		}
		was, err := canonical.JSON(d.ToolCalls[i])
		if err != nil {
			return false, err
		}
		is, err := canonical.JSON(*c)
		if err != nil {
			return false, err
		}
		if string(was) != string(is) {
			return false, domain.Refuse(domain.Conflict, "", "refused_decision_another_tool")
		}
		return true, nil
	}
	return false, nil
}

// takeCall stores a new call, and appends it to the draft of the decision if there is one.
func (store *Store) takeCall(t *sqldb.Tx, a access.Actor, d *StoredDecision, c *pack.ToolCallRecord,
	prints pack.Prints) error {
	if len(d.Decision.ToolCalls) >= pack.MaxItems {
		return domain.Refuse(domain.TooLarge, "", "refused_decision_tool_calls", "N", pack.MaxItems)
	}
	data, err := canonical.JSON(*c)
	if err != nil {
		return err
	}
	restricted, err := sqldb.JSONText(prints)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO decision_calls (tenant_id, decision_id, n, id, digest, at, actor, data, restricted)
		SELECT ?, ?, count(*), ?, ?, ?, ?, ?, ? FROM decision_calls WHERE tenant_id = ? AND decision_id = ?`,
		a.Tenant, d.Decision.DecisionID, c.ID, pack.Digest(data), sqldb.Stamp(store.Now()), a.ID, string(data), restricted,
		a.Tenant, d.Decision.DecisionID)
	if err != nil {
		return err
	}
	n := 0
	if err := t.Row("SELECT max(n) FROM decision_calls WHERE tenant_id = ? AND decision_id = ?",
		[]any{a.Tenant, d.Decision.DecisionID}, &n); err != nil {
		return err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("decision_calls", []any{d.Decision.DecisionID, n}))
	err = store.AppendEvent(t, a, auditlog.Event{Action: "decision.call_added", Kind: "decision",
		ObjectID: d.Decision.DecisionID,
		Details:  map[string]any{"digest": pack.Digest(data)}})
	if err != nil {
		return err
	}
	return store.callToDraft(t, a, d.Decision.DecisionID, c)
}

// callToDraft appends a call to the newest pack of the decision, which must be a draft.
func (store *Store) callToDraft(t *sqldb.Tx, a access.Actor, decisionID string, c *pack.ToolCallRecord) error {
	id, state := "", pack.State("")
	err := t.Each(`SELECT pack_id, state FROM evidence_packs
		WHERE tenant_id = ? AND decision_id = ? AND state <> 'discarded' ORDER BY no`,
		[]any{a.Tenant, decisionID}, func(r sqldb.Scanner) error { return r.Scan(&id, &state) })
	if err != nil || id == "" {
		return err
	}
	if state != pack.Draft {
		return domain.Refuse(domain.Conflict, "", "fault_call_late", "Pack", id)
	}
	p, err := store.loadPack(t, a.Tenant, id)
	if err != nil {
		return err
	}
	if err := p.view.Chain.Edit(a, p.view.Life.Revision); err != nil {
		return err
	}
	before := p.view.Content
	if err := p.view.Content.AddCall(*c); err != nil {
		return err
	}
	return store.saveEdit(t, a, p, &before, "")
}
