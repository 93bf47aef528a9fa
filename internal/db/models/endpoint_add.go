package models

import (
	"context"
	"strings"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
)

// AddModelEndpoint creates an enabled endpoint of by's tenant and logs it. The key, "" for none, is stored sealed and
// never shown again.
func (store *Store) AddModelEndpoint(ctx context.Context, by access.Actor, e model.Endpoint,
	key string) (model.Endpoint, error) {
	if err := e.Check(); err != nil {
		return model.Endpoint{}, err
	}
	if err := model.CheckSecrets(e.URL); err != nil {
		return model.Endpoint{}, err
	}
	if err := model.CheckKey(key); err != nil {
		return model.Endpoint{}, err
	}
	e.ID, e.Revision, e.Enabled = store.NewID(), 0, true
	e.CreatedAt, e.CreatedBy = store.Now().UTC(), by.ID
	sealed, err := store.sealModelKey(by.Tenant, e.ID, key)
	if err != nil {
		return model.Endpoint{}, sqldb.Fail("AddModelEndpoint", err)
	}
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "AddModelEndpoint", func(t *sqldb.Tx) error {
		if err := roomForModel(t, by.Tenant); err != nil {
			return err
		}
		at := sqldb.Stamp(e.CreatedAt)
		columns := append([]string{"tenant_id", "id", "sealed", "revision", "created_at", "created_by", "changed_at",
			"changed_by",
			"disabled_at"}, modelSettings...)
		values := append([]any{by.Tenant, e.ID, sealed, 0, at, by.ID, at, by.ID, ""}, settingsOf(&e)...)
		_, err := t.Exec("INSERT INTO model_endpoints ("+strings.Join(columns,
			", ")+") VALUES ("+sqldb.Placeholders(len(columns))+")",
			values...)
		if err := sqldb.RefuseTaken(err, errModelNamed()); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("model_endpoints", []any{e.ID}))
		if err := store.AppendEvent(t, by, modelEvent("model.added", e.ID, modelDetails(&e))); err != nil {
			return err
		}
		e, err = oneModel(t, by.Tenant, e.ID)
		return err
	})
	return sqldb.OrZero(e, err)
}

func errModelNamed() error {
	return domain.Refuse(domain.Invalid, "name", "refused_another_endpoint_name")
}

// sealModelKey returns the sealed key, empty for none.
func (store *Store) sealModelKey(tenant, id, key string) ([]byte, error) {
	if key == "" {
		return []byte{}, nil
	}
	return store.Box.Seal(ModelContext(tenant, id), []byte(key))
}

// roomForModel returns an error if a tenant has the maximum number of endpoints.
func roomForModel(t *sqldb.Tx, tenant string) error {
	if err := reads.AcceptsMembers(t, tenant); err != nil {
		return err
	}
	n := 0
	if err := t.Row("SELECT count(*) FROM model_endpoints WHERE tenant_id = ?", []any{tenant}, &n); err != nil {
		return err
	}
	if n >= model.MaxEndpoints {
		return domain.Refuse(domain.Conflict, "", "refused_organisation_most_endpoints", "N", model.MaxEndpoints)
	}
	return nil
}

// modelEvent returns an event about an endpoint.
func modelEvent(action, id string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "model", ObjectID: id, Details: details}
}

// modelDetails describes an endpoint for the log. Its address, which may contain a secret, is a commitment only.
func modelDetails(e *model.Endpoint) map[string]any {
	return map[string]any{"kind": string(e.Kind), "model": e.Model, "redact": e.Redact,
		"url_commitment": auditlog.Hide(e.URL)}
}
