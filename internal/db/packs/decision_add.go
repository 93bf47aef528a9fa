package packs

import (
	"context"
	"slices"
	"strings"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// StoredDecision is a decision from the store, with its S3 texts replaced.
type StoredDecision struct {
	Decision    pack.Decision
	Requirement pack.Requirement
	CreatedAt   time.Time
	Packs       []pack.Row // about it, oldest first
	Restricted  pack.Prints
}

// Missing reports whether the decision needs a pack and has none.
func (d *StoredDecision) Missing() bool {
	return d.Requirement.Missing(slices.ContainsFunc(d.Packs,
		func(p pack.Row) bool { return p.State != pack.Discarded }))
}

// AddDecision stores a decision once: for the same content, it returns the same answer and created is false; other
// content with the same id is a Conflict. It first seals d's S3 texts (pack.SealRestricted), which are gone when it
// returns, whatever happens. d.Validate() must report no faults.
func (store *Store) AddDecision(ctx context.Context, a access.Actor, d *pack.Decision,
	r *receipts.Receipt) (req pack.Requirement, created bool, err error) {
	closed := false
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AddDecision", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, r); err != nil {
			return err
		}
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		secret, err := store.tenantSecret(t, a.Tenant, restrictedSecret)
		if err != nil {
			return err
		}
		prints := pack.PrintsOf(d, secret)
		pack.SealRestricted(d, secret)
		closed, req = true, pack.Requires(&d.Header)
		created, err = store.takeIn(t, a, d, prints, req)
		if err != nil || !created {
			return err
		}
		return store.KeepReceipt(t, a.Tenant, r, store.Now())
	})
	if !closed { // with a secret that nobody knows: nothing was stored
		secret, _ := store.newSecret()
		pack.SealRestricted(d, secret)
	}
	if err != nil {
		return pack.Requirement{}, false, err
	}
	return req, created, nil
}

// takeIn stores a decision whose S3 texts are sealed, unless it exists.
func (store *Store) takeIn(t *sqldb.Tx, a access.Actor, d *pack.Decision, prints pack.Prints,
	req pack.Requirement) (created bool, err error) {
	data, err := canonical.JSON(d)
	if err != nil {
		return false, &domain.Error{Kind: domain.Invalid, Op: "db.AddDecision",
			Message: words.Msg("refused_dec_json")}
	}
	digest := pack.Digest(data)
	known, err := decisionDigest(t, a.Tenant, d.DecisionID)
	if err != nil || known == digest {
		return false, err
	}
	if known != "" {
		return false, domain.Refuse(domain.Conflict, "", "refused_dec_other")
	}
	restricted, err := sqldb.JSONText(prints)
	if err != nil {
		return false, err
	}
	no := 0
	err = t.Row(`INSERT INTO decisions (tenant_id, decision_id, digest, missing, created_at, title, agent_name,
		entity_id, approval_class, level,
		session_id, decided_at, data, restricted) VALUES (`+sqldb.Placeholders(14)+") RETURNING no", []any{
		a.Tenant, d.DecisionID, digest, req.Missing(false), sqldb.Stamp(store.Now()), d.Title, d.AgentName, d.EntityID,
		req.EffectiveClass, string(req.Level),
		d.LedgerSessionID, d.DecidedAt, string(data), restricted,
	}, &no)
	if err != nil {
		return false, err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("decisions", []any{d.DecisionID}))
	if err := indexWords(t, "decision_search", no, a.Tenant, headWords(&d.Header)...); err != nil {
		return false, err
	}
	return true, store.AppendEvent(t, a,
		auditlog.Event{Action: "decision.added", Kind: "decision", ObjectID: d.DecisionID, Details: map[string]any{
			"digest": digest, "level": string(req.Level), "evidence": len(d.Evidence), "tool_calls": len(d.ToolCalls),
			"prompts": len(d.Prompts),
		}})
}

// decisionDigest returns the digest of a stored decision, or "" if it is not stored. A decision that was purged with
// its packs is a Conflict: repeating the request must not bring it back.
func decisionDigest(t *sqldb.Tx, tenant, decisionID string) (digest string, err error) {
	err = t.Row("SELECT digest FROM decisions WHERE tenant_id = ? AND decision_id = ?", []any{tenant, decisionID},
		&digest)
	if !sqldb.NoRow(err) {
		return digest, err
	}
	var one int
	err = t.Row("SELECT 1 FROM pack_tombstones WHERE tenant_id = ? AND decision_id = ? LIMIT 1",
		[]any{tenant, decisionID}, &one)
	switch {
	case sqldb.NoRow(err):
		return "", nil
	case err != nil:
		return "", err
	}
	return "", domain.Refuse(domain.Conflict, "", "refused_dec_purged")
}

// headWords returns the texts by which a decision, and a pack about it, can be found.
func headWords(h *pack.Header) []string {
	return []string{h.Title, h.DecisionID, h.AgentName, h.EntityID}
}

// indexWords inserts a row of a search table for one tenant.
func indexWords(t *sqldb.Tx, table string, no int, tenant string, texts ...string) error {
	all := []string{sqldb.TenantWord(tenant)}
	seen := map[string]bool{}
	for _, s := range texts {
		all = append(all, sqldb.StemsOf(s, seen)...)
	}
	return sqldb.PutWords(t, table, tenant, no, strings.Join(all, " "))
}
