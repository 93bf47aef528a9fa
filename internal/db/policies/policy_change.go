package policies

import (
	"context"
	"encoding/json"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// Policy returns the tenant's sign-off policy: the newest version, or the default if it has set none.
func (store *Store) Policy(ctx context.Context, tenant string) (out *pack.Policy, err error) {
	err = store.Read(ctx, "Policy", func(t *sqldb.Tx) error {
		out, err = reads.Policy(t, tenant)
		return err
	})
	return out, err
}

// SetPolicy stores a new version of the tenant's policy: Conflict if version is not that of the one in force, Denied
// below an administrator. A policy that asks the same is not stored again.
func (store *Store) SetPolicy(ctx context.Context, a access.Actor, version int,
	next *pack.Policy) (*pack.Policy, error) {
	if err := next.Check(); err != nil {
		return nil, err
	}
	text, err := canonical.JSON(next)
	if err != nil {
		return nil, err
	}
	c := &access.Change{Kind: access.ChangePolicy, Policy: text, Version: version}
	var out *pack.Policy
	err = store.Needs.Second.Change(ctx, "SetPolicy", a, c, func(t *sqldb.Tx) error {
		out, err = store.setPolicy(t, a, c)
		return err
	})
	return sqldb.OrZero(out, err)
}

// ChangePolicy stores a policy that a second administrator has confirmed.
func (store *Store) ChangePolicy(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	_, err := store.setPolicy(t, by, c)
	return err
}

func (store *Store) setPolicy(t *sqldb.Tx, a access.Actor, c *access.Change) (*pack.Policy, error) {
	if !a.Role.AtLeast(access.Admin) {
		return nil, &domain.Error{Kind: domain.Denied, Message: words.Msg("refused_role")}
	}
	var stored pack.Policy
	if err := json.Unmarshal(c.Policy, &stored); err != nil {
		return nil, err
	}
	now, err := reads.Policy(t, a.Tenant)
	if err != nil {
		return nil, err
	}
	if now.Version != c.Version {
		return nil, domain.Refuse(domain.Conflict, "", "fault_policy_changed")
	}
	if now.Same(&stored) {
		return now, nil
	}
	stored.Version = c.Version + 1
	text, err := canonical.JSON(stored)
	if err != nil {
		return nil, err
	}
	_, err = t.Exec("INSERT INTO policies (tenant_id, version, at, actor, content) VALUES (?, ?, ?, ?, ?)",
		a.Tenant, stored.Version, sqldb.Stamp(store.Now()), a.ID, string(text))
	if err != nil {
		return nil, err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("policies", []any{stored.Version}))
	return &stored, store.AppendEvent(t, a, auditlog.Event{Action: "tenant.policy_changed", Kind: "tenant",
		ObjectID: a.Tenant,
		Details:  map[string]any{"version": stored.Version, "sha256": pack.Digest(text), "policy": stored}})
}
