package models

import (
	"context"
	"math"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/words"
)

const modelColumns = `e.id, e.name, e.kind, e.url, e.model, length(e.sealed), e.trust_supported, e.trust_contradicted, e.price_in,
	e.price_out, e.run_tokens, e.run_cost, e.day_tokens, e.day_cost, e.parallel, e.timeout_ms, e.redact, e.revision,
	e.created_at, e.created_by, e.changed_at, e.changed_by, e.disabled_at`

func scanModel(r sqldb.Scanner, e *model.Endpoint) error {
	key, supported, contradicted, timeout, redact, disabled := 0, int64(0), int64(0), int64(0), 0, false
	err := r.Scan(&e.ID, &e.Name, &e.Kind, &e.URL, &e.Model, &key, &supported, &contradicted, &e.Price.In, &e.Price.Out,
		&e.Run.Tokens, &e.Run.Cost, &e.Day.Tokens, &e.Day.Cost, &e.Parallel, &timeout, &redact, &e.Revision,
		sqldb.TimeInto(&e.CreatedAt), &e.CreatedBy, sqldb.TimeInto(&e.ChangedAt), &e.ChangedBy,
		sqldb.SetInto(&disabled))
	e.HasKey, e.Redact, e.Enabled = key > 0, redact == 1, !disabled
	e.Trust = model.Trust{Supported: float64(supported) / million, Contradicted: float64(contradicted) / million}
	e.Timeout = time.Duration(timeout) * time.Millisecond
	return err
}

// million is how many millionths are one: shares and costs are stored as integers, which are exact.
const million = 1_000_000

func millionths(share float64) int64 { return int64(math.Round(share * million)) }

// ModelEndpoints lists a tenant's endpoints by name; there are at most model.MaxEndpoints.
func (store *Store) ModelEndpoints(ctx context.Context, tenant string) (out []model.Endpoint, err error) {
	err = store.Read(ctx, "ModelEndpoints", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+modelColumns+" FROM model_endpoints e WHERE e.tenant_id = ? ORDER BY e.name",
			[]any{tenant}, scanModel)
		return err
	})
	return out, err
}

// ModelEndpoint returns an endpoint of a tenant by its id or name; NotFound for another tenant's.
func (store *Store) ModelEndpoint(ctx context.Context, tenant, idOrName string) (e model.Endpoint, err error) {
	err = store.Read(ctx, "ModelEndpoint", func(t *sqldb.Tx) error {
		e, err = oneModel(t, tenant, idOrName)
		return err
	})
	return e, err
}

// oneModel prefers an id, so that nobody can stand in for another endpoint by a name.
func oneModel(t *sqldb.Tx, tenant, idOrName string) (model.Endpoint, error) {
	return sqldb.First(sqldb.Collect(t, "SELECT "+modelColumns+` FROM model_endpoints e WHERE e.tenant_id = ?1 AND (e.id = ?2 OR e.name = ?2)
		ORDER BY CASE e.id WHEN ?2 THEN 0 ELSE 1 END, e.name`, []any{tenant, idOrName}, scanModel))
}

// OpenModelEndpoint is ModelEndpoint with the key, "" if it has none. An error says if the key does not open: then the
// master key is another one, or the row was changed.
func (store *Store) OpenModelEndpoint(ctx context.Context, tenant,
	idOrName string) (e model.Endpoint, key string, err error) {
	err = store.Read(ctx, "OpenModelEndpoint", func(t *sqldb.Tx) error {
		if e, err = oneModel(t, tenant, idOrName); err != nil || !e.HasKey {
			return err
		}
		var sealed []byte
		if err := t.Row("SELECT sealed FROM model_endpoints WHERE tenant_id = ? AND id = ?", []any{tenant, e.ID},
			&sealed); err != nil {
			return err
		}
		opened, err := store.Box.Open(ModelContext(tenant, e.ID), sealed)
		if err != nil {
			return &domain.Error{Kind: domain.Unavailable, Op: "db.OpenModelEndpoint", Err: err,
				Message: words.Msg("refused_key_endpoint_cannot")}
		}
		key = string(opened)
		return nil
	})
	if err != nil {
		return model.Endpoint{}, "", err
	}
	return e, key, nil
}

// ModelContext binds a sealed key to its endpoint.
func ModelContext(tenant, id string) string { return "model/" + tenant + "/" + id }
