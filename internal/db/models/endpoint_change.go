package models

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge/pointer"
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
func (s *Store) ModelEndpoints(ctx context.Context, tenant string) (out []model.Endpoint, err error) {
	err = s.Read(ctx, "ModelEndpoints", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+modelColumns+" FROM model_endpoints e WHERE e.tenant_id = ? ORDER BY e.name",
			[]any{tenant}, scanModel)
		return err
	})
	return out, err
}

// ModelEndpoint returns an endpoint of a tenant by its id or name; NotFound for another tenant's.
func (s *Store) ModelEndpoint(ctx context.Context, tenant, idOrName string) (e model.Endpoint, err error) {
	err = s.Read(ctx, "ModelEndpoint", func(t *sqldb.Tx) error {
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
func (s *Store) OpenModelEndpoint(ctx context.Context, tenant,
	idOrName string) (e model.Endpoint, key string, err error) {
	err = s.Read(ctx, "OpenModelEndpoint", func(t *sqldb.Tx) error {
		if e, err = oneModel(t, tenant, idOrName); err != nil || !e.HasKey {
			return err
		}
		var sealed []byte
		if err := t.Row("SELECT sealed FROM model_endpoints WHERE tenant_id = ? AND id = ?", []any{tenant, e.ID},
			&sealed); err != nil {
			return err
		}
		opened, err := s.Box.Open(ModelContext(tenant, e.ID), sealed)
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

// AddModelEndpoint creates an enabled endpoint of by's tenant and logs it. The key, "" for none, is stored sealed and
// never shown again.
func (s *Store) AddModelEndpoint(ctx context.Context, by access.Actor, e model.Endpoint,
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
	e.ID, e.Revision, e.Enabled = s.NewID(), 0, true
	e.CreatedAt, e.CreatedBy = s.Now().UTC(), by.ID
	sealed, err := s.sealModelKey(by.Tenant, e.ID, key)
	if err != nil {
		return model.Endpoint{}, sqldb.Fail("AddModelEndpoint", err)
	}
	err = s.Write(ctx, sqldb.OfTenant(by.Tenant), "AddModelEndpoint", func(t *sqldb.Tx) error {
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
		if err := s.AppendEvent(t, by, modelEvent("model.added", e.ID, modelDetails(&e))); err != nil {
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
func (s *Store) sealModelKey(tenant, id, key string) ([]byte, error) {
	if key == "" {
		return []byte{}, nil
	}
	return s.Box.Seal(ModelContext(tenant, id), []byte(key))
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

// errModelChanged is the answer to a change of an outdated revision.
func errModelChanged() error {
	return domain.Refuse(domain.Conflict, "", "refused_somebody_else_changed_endpoint")
}

// ChangeModelEndpoint changes an endpoint of by's tenant and logs what changed. revision is the one that the caller
// saw, -1 for any; another one is a Conflict. change gets the endpoint as it is and may refuse; id, revision and who
// did what when are not its to change. key is the new key, "" for none; nil keeps it, which is refused for another
// host: a stored key is sent nowhere else.
func (s *Store) ChangeModelEndpoint(ctx context.Context, by access.Actor, id string, revision int, key *string,
	change func(*model.Endpoint) error) (e model.Endpoint, err error) {
	err = s.Write(ctx, sqldb.OfTenant(by.Tenant), "ChangeModelEndpoint", func(t *sqldb.Tx) error {
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
		if err := s.saveModel(t, by, &was, &e, key); err != nil {
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
func (s *Store) saveModel(t *sqldb.Tx, by access.Actor, was, e *model.Endpoint, key *string) error {
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
		return s.AppendEvent(t, by, modelEvent(action, was.ID, details))
	}
	if now := settingsOf(e); !slices.Equal(settingsOf(was), now) {
		if err := set("model.changed", modelDetails(e), modelSettings, now...); err != nil {
			return err
		}
	}
	if key != nil && (*key != "" || was.HasKey) {
		sealed, err := s.sealModelKey(by.Tenant, was.ID, *key)
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
			action, at = "model.disabled", sqldb.Stamp(s.Now())
		}
		if err := set(action, nil, []string{"disabled_at"}, at); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	_, err := t.Exec("UPDATE model_endpoints SET revision = revision + 1, changed_at = ?, changed_by = ? WHERE tenant_id = ? AND id = ?",
		sqldb.Stamp(s.Now()), by.ID, by.Tenant, was.ID)
	return err
}

// TakeModelTrust sets what was measured of an endpoint's words on the tenant's own reviews as their trust, and logs it
// with the number of reviews; a word without enough of them keeps what was typed. revision is as in
// ChangeModelEndpoint.
func (s *Store) TakeModelTrust(ctx context.Context, by access.Actor, id string, revision int,
	measured model.Measured) (e model.Endpoint, err error) {
	err = s.Write(ctx, sqldb.OfTenant(by.Tenant), "TakeModelTrust", func(t *sqldb.Tx) error {
		if e, err = oneModel(t, by.Tenant, id); err != nil {
			return err
		}
		if revision >= 0 && revision != e.Revision {
			return errModelChanged()
		}
		origin := model.Measured{}
		if origin.Supported.Reviews, origin.Contradicted.Reviews, err = trustOrigin(t, by.Tenant, &e); err != nil {
			return err
		}
		if e.Trust, err = measured.Over(e.Trust); err != nil {
			return sqldb.AsIs(err)
		}
		columns := []string{"trust_supported", "trust_contradicted"}
		if _, err := t.Exec(`UPDATE model_endpoints SET trust_supported = ?, trust_contradicted = ?, revision = revision + 1,
			changed_at = ?, changed_by = ? WHERE tenant_id = ? AND id = ?`, millionths(e.Trust.Supported),
			millionths(e.Trust.Contradicted), sqldb.Stamp(s.Now()), by.ID, by.Tenant, e.ID); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("model_endpoints", []any{e.ID},
			append(columns, "changed_at", "changed_by")...))
		if err := s.AppendEvent(t, by, modelEvent(trustTaken, e.ID, takenDetails(&e, &measured, &origin))); err != nil {
			return err
		}
		e, err = oneModel(t, by.Tenant, e.ID)
		return err
	})
	return sqldb.OrZero(e, err)
}

// trustTaken is the action of the event that says on how many reviews a trust stands.
const trustTaken = "model.trust_taken"

// takenDetails are the model and the template, and of each word whose trust stands on reviews, of now or of before, the
// share in millionths, as it is stored, and the number of reviews.
func takenDetails(e *model.Endpoint, m, before *model.Measured) map[string]any {
	out := map[string]any{"model": e.Model, "template": pointer.TemplateVersion}
	for name, x := range map[string]struct {
		share       float64
		now, before model.MeasuredShare
	}{
		"supported":    {share: e.Trust.Supported, now: m.Supported, before: before.Supported},
		"contradicted": {share: e.Trust.Contradicted, now: m.Contradicted, before: before.Contradicted},
	} {
		reviews := x.before.Reviews
		if x.now.Enough() {
			reviews = x.now.Reviews
		}
		if reviews > 0 {
			out[name], out[name+"_reviews"] = millionths(x.share), reviews
		}
	}
	return out
}

// ModelTrustOrigin returns the reviews that the trust of an endpoint stands on, for each word 0 if somebody typed it:
// what was taken over last counts as long as it is what is set, for the same model and template.
func (s *Store) ModelTrustOrigin(ctx context.Context, tenant string,
	e *model.Endpoint) (supported, contradicted int, err error) {
	err = s.Read(ctx, "ModelTrustOrigin", func(t *sqldb.Tx) error {
		supported, contradicted, err = trustOrigin(t, tenant, e)
		return err
	})
	return supported, contradicted, err
}

func trustOrigin(t *sqldb.Tx, tenant string, e *model.Endpoint) (supported, contradicted int, err error) {
	var bytes []byte
	err = t.Row(`SELECT bytes FROM events WHERE tenant_id = ? AND object_kind = 'model' AND object_id = ? AND action = ?
		ORDER BY seq DESC LIMIT 1`, []any{tenant, e.ID, trustTaken}, &bytes)
	if sqldb.NoRow(err) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	var taken struct {
		Details struct {
			Model               string `json:"model"`
			Template            string `json:"template"`
			Supported           int64  `json:"supported"`
			SupportedReviews    int    `json:"supported_reviews"`
			Contradicted        int64  `json:"contradicted"`
			ContradictedReviews int    `json:"contradicted_reviews"`
		} `json:"details"`
	}
	if err := json.Unmarshal(bytes, &taken); err != nil {
		return 0, 0, err
	}
	d := &taken.Details
	if d.Model != e.Model || d.Template != pointer.TemplateVersion {
		return 0, 0, nil
	}
	if d.Supported == millionths(e.Trust.Supported) {
		supported = d.SupportedReviews
	}
	if d.Contradicted == millionths(e.Trust.Contradicted) {
		contradicted = d.ContradictedReviews
	}
	return supported, contradicted, nil
}

// RemoveModelEndpoint deletes an endpoint of by's tenant and logs it; revision is as in ChangeModelEndpoint. What was
// asked and spent stays recorded.
func (s *Store) RemoveModelEndpoint(ctx context.Context, by access.Actor, id string, revision int) error {
	return s.Write(ctx, sqldb.OfTenant(by.Tenant), "RemoveModelEndpoint", func(t *sqldb.Tx) error {
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
		if err := s.AppendEvent(t, by, modelEvent("model.removed", e.ID, modelDetails(&e))); err != nil {
			return err
		}
		return auditlog.ForgetTexts(t, by.Tenant, "model", e.ID)
	})
}
