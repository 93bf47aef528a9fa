package db

import (
	"context"
	"encoding/json"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// Policy returns the tenant's sign-off policy: the newest version, or the default if it has set none.
func (s *Store) Policy(ctx context.Context, tenant string) (out *pack.Policy, err error) {
	err = s.Read(ctx, "Policy", func(t *sqldb.Tx) error {
		out, err = loadPolicy(t, tenant)
		return err
	})
	return out, err
}

// SetPolicy stores a new version of the tenant's policy: Conflict if version is not that of the one in force, Denied
// below an administrator. A policy that asks the same is not stored again.
func (s *Store) SetPolicy(ctx context.Context, a domain.Actor, version int, next *pack.Policy) (*pack.Policy, error) {
	if err := next.Check(); err != nil {
		return nil, err
	}
	text, err := canonical.JSON(next)
	if err != nil {
		return nil, err
	}
	c := &access.Change{Kind: access.ChangePolicy, Policy: text, Version: version}
	var out *pack.Policy
	err = s.change(ctx, "SetPolicy", a, c, func(t *sqldb.Tx) error {
		out, err = s.setPolicy(t, a, c)
		return err
	})
	return sqldb.OrZero(out, err)
}

func (s *Store) setPolicy(t *sqldb.Tx, a domain.Actor, c *access.Change) (*pack.Policy, error) {
	if !a.Role.AtLeast(domain.Admin) {
		return nil, &domain.Error{Kind: domain.Denied, Message: words.Msg("refused_role")}
	}
	var stored pack.Policy
	if err := json.Unmarshal(c.Policy, &stored); err != nil {
		return nil, err
	}
	now, err := loadPolicy(t, a.Tenant)
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
		a.Tenant, stored.Version, sqldb.Stamp(s.Now()), a.ID, string(text))
	if err != nil {
		return nil, err
	}
	record(t, a.Tenant, wrote("policies", []any{stored.Version}))
	return &stored, s.appendEvent(t, a, Event{Action: "tenant.policy_changed", Kind: "tenant", ObjectID: a.Tenant,
		Details: map[string]any{"version": stored.Version, "sha256": pack.Digest(text), "policy": stored}})
}

// loadPolicy returns the newest policy that a tenant has set, the default one if none.
func loadPolicy(t *sqldb.Tx, tenant string) (*pack.Policy, error) {
	var p pack.Policy
	err := t.Row("SELECT content FROM policies WHERE tenant_id = ? ORDER BY version DESC LIMIT 1", []any{tenant},
		sqldb.JSONInto(&p))
	if sqldb.NoRow(err) {
		return pack.DefaultPolicy(), nil
	}
	return &p, err
}

// loadProvenance returns who is a member of the tenant, and where the reviews of a session are in its log.
func loadProvenance(t *sqldb.Tx, tenant, sessionID string) (*pack.Provenance, error) {
	out := &pack.Provenance{Members: map[string]bool{}, Events: map[string]int64{}}
	if sessionID == "" {
		return out, nil
	}
	err := t.Each("SELECT user_id FROM memberships WHERE tenant_id = ?", []any{tenant}, func(r sqldb.Scanner) error {
		var id string
		err := r.Scan(&id)
		out.Members[id] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	err = t.Each(`SELECT seq, bytes FROM events
		WHERE tenant_id = ? AND object_kind = 'session' AND object_id = ? AND action = ?`,
		[]any{tenant, sessionID, claimReviewed}, func(r sqldb.Scanner) error {
			var seq int64
			var bytes []byte
			var event struct{ Details struct{ ID string } }
			if err := r.Scan(&seq, &bytes); err != nil {
				return err
			}
			if err := json.Unmarshal(bytes, &event); err != nil {
				return err
			}
			out.Events[event.Details.ID] = seq - 1
			return nil
		})
	return out, err
}
