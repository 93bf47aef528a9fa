package models

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
)

// errModelChanged is the answer to a change of an outdated revision.
func errModelChanged() error {
	return domain.Refuse(domain.Conflict, "", "refused_somebody_else_changed_endpoint")
}

// ChangeModelEndpoint changes an endpoint of by's tenant and logs what changed. revision is the one that the caller
// saw, -1 for any; another one is a Conflict. change gets the endpoint as it is and may refuse; id, revision and who
// did what when are not its to change. key is the new key, "" for none; nil keeps it, which is refused for another
// host: a stored key is sent nowhere else.
func (store *Store) ChangeModelEndpoint(ctx context.Context, by access.Actor, id string, revision int, key *string,
	change func(*model.Endpoint) error) (e model.Endpoint, err error) {
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "ChangeModelEndpoint", func(t *sqldb.Tx) error {
		was, err := oneModel(t, by.Tenant, id)
		if err != nil {
			return err
		}
		if revision >= 0 && revision != was.Revision {
			return errModelChanged()
		}
		e = was
		if err := change(&e); err != nil {
			return sqldb.AsIs(err)
		}
		if (e.Model != was.Model || e.Kind != was.Kind) && e.Trust == was.Trust { // what was measured is of another model
			e.Trust = model.Trust{}
		}
		if err := e.Check(); err != nil {
			return err
		}
		if e.URL != was.URL { // one that was stored before there was this check can still be disabled
			if err := model.CheckSecrets(e.URL); err != nil {
				return err
			}
		}
		if key != nil {
			if err := model.CheckKey(*key); err != nil {
				return err
			}
		}
		if key == nil && was.HasKey && hostOf(e.URL) != hostOf(was.URL) {
			return domain.Refuse(domain.Invalid, "key", "refused_address_another_host")
		}
		if err := store.saveModel(t, by, &was, &e, key); err != nil {
			return err
		}
		e, err = oneModel(t, by.Tenant, was.ID)
		return err
	})
	return sqldb.OrZero(e, err)
}

// hostOf returns the scheme and host of an address.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// modelSettings are the recorded columns that an administrator chooses in one form.
var modelSettings = []string{"name", "kind", "url", "model", "trust_supported", "trust_contradicted", "price_in",
	"price_out",
	"run_tokens", "run_cost", "day_tokens", "day_cost", "parallel", "timeout_ms", "redact"}

// settingsOf returns the values of modelSettings as they are stored.
func settingsOf(e *model.Endpoint) []any {
	return []any{e.Name, string(e.Kind), e.URL, e.Model, millionths(e.Trust.Supported),
		millionths(e.Trust.Contradicted),
		e.Price.In, e.Price.Out, e.Run.Tokens, e.Run.Cost, e.Day.Tokens, e.Day.Cost, e.Parallel,
		e.Timeout.Milliseconds(), oneIf(e.Redact)}
}

// saveModel stores the values that differ, each kind of change with its event; nothing if none does.
func (store *Store) saveModel(t *sqldb.Tx, by access.Actor, was, e *model.Endpoint, key *string) error {
	changed := false
	set := func(action string, details map[string]any, columns []string, values ...any) error {
		changed = true
		_, err := t.Exec("UPDATE model_endpoints SET "+strings.Join(columns,
			" = ?, ")+" = ? WHERE tenant_id = ? AND id = ?",
			append(values, by.Tenant, was.ID)...)
		if err := sqldb.RefuseTaken(err, errModelNamed()); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("model_endpoints", []any{was.ID},
			append(columns, "changed_at", "changed_by")...))
		return store.AppendEvent(t, by, modelEvent(action, was.ID, details))
	}
	if now := settingsOf(e); !slices.Equal(settingsOf(was), now) {
		if err := set("model.changed", modelDetails(e), modelSettings, now...); err != nil {
			return err
		}
	}
	if key != nil && (*key != "" || was.HasKey) {
		sealed, err := store.sealModelKey(by.Tenant, was.ID, *key)
		if err != nil {
			return err
		}
		if err := set("model.key_changed", map[string]any{"key": *key != ""}, []string{"sealed"}, sealed); err != nil {
			return err
		}
	}
	if e.Enabled != was.Enabled {
		action, at := "model.enabled", ""
		if !e.Enabled {
			action, at = "model.disabled", sqldb.Stamp(store.Now())
		}
		if err := set(action, nil, []string{"disabled_at"}, at); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	_, err := t.Exec("UPDATE model_endpoints SET revision = revision + 1, changed_at = ?, changed_by = ? WHERE tenant_id = ? AND id = ?",
		sqldb.Stamp(store.Now()), by.ID, by.Tenant, was.ID)
	return err
}

// RemoveModelEndpoint deletes an endpoint of by's tenant and logs it; revision is as in ChangeModelEndpoint. What was
// asked and spent stays recorded.
func (store *Store) RemoveModelEndpoint(ctx context.Context, by access.Actor, id string, revision int) error {
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "RemoveModelEndpoint", func(t *sqldb.Tx) error {
		e, err := oneModel(t, by.Tenant, id)
		if err != nil {
			return err
		}
		if revision >= 0 && revision != e.Revision {
			return errModelChanged()
		}
		if _, err := t.Exec("DELETE FROM model_endpoints WHERE tenant_id = ? AND id = ?", by.Tenant, e.ID); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Deleted("model_endpoints", e.ID))
		if err := store.AppendEvent(t, by, modelEvent("model.removed", e.ID, modelDetails(&e))); err != nil {
			return err
		}
		return auditlog.ForgetTexts(t, by.Tenant, "model", e.ID)
	})
}
