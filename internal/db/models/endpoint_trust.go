package models

import (
	"context"
	"encoding/json"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/model"
)

// TakeModelTrust sets what was measured of an endpoint's words on the tenant's own reviews as their trust, and logs it
// with the number of reviews; a word without enough of them keeps what was typed. revision is as in
// ChangeModelEndpoint.
func (store *Store) TakeModelTrust(ctx context.Context, by access.Actor, id string, revision int,
	measured model.Measured) (e model.Endpoint, err error) {
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "TakeModelTrust", func(t *sqldb.Tx) error {
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
			millionths(e.Trust.Contradicted), sqldb.Stamp(store.Now()), by.ID, by.Tenant, e.ID); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("model_endpoints", []any{e.ID},
			append(columns, "changed_at", "changed_by")...))
		if err := store.AppendEvent(t, by,
			modelEvent(trustTaken, e.ID, takenDetails(&e, &measured, &origin))); err != nil {
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
func (store *Store) ModelTrustOrigin(ctx context.Context, tenant string,
	e *model.Endpoint) (supported, contradicted int, err error) {
	err = store.Read(ctx, "ModelTrustOrigin", func(t *sqldb.Tx) error {
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
