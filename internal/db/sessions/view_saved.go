package sessions

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// MaxSavedViews is how many views a person may save in a tenant, MaxViewName the maximum length of a name in code
// points.
const (
	MaxSavedViews = 60
	MaxViewName   = 60
	listedShared  = 100 // of other people
)

// savedViews begins a query for saved views as a person sees them; its first argument is the person.
var savedViews = "SELECT v.id, v.page, v.name, v.query, v.shared, v.user_id = ?, v.created_at, coalesce(" +
	reads.NameOf("v", "user_id") + ", '') FROM saved_views v WHERE v.tenant_id = ?"

func scanSaved(r sqldb.Scanner, v *ledger.SavedView) error {
	return r.Scan(&v.ID, &v.Page, &v.Name, &v.Query, &v.Shared, &v.Own, sqldb.TimeInto(&v.CreatedAt), &v.Owner)
}

// SavedViews lists a person's own views of a page and the first 100 shared by others, by page and name; page "" means
// all pages.
func (store *Store) SavedViews(ctx context.Context, who access.Actor,
	page string) (views []ledger.SavedView, err error) {
	err = store.Read(ctx, "SavedViews", func(t *sqldb.Tx) error {
		views, err = viewsOffered(t, who, page)
		return err
	})
	return views, err
}

func viewsOffered(t *sqldb.Tx, who access.Actor, page string) ([]ledger.SavedView, error) {
	query, args := savedViews, []any{who.ID, who.Tenant}
	if page != "" {
		query, args = query+" AND v.page = ?", append(args, page)
	}
	own := append(slices.Clip(args), who.ID, MaxSavedViews)
	others := append(slices.Clip(args), who.ID, listedShared)
	return sqldb.Collect(t, "SELECT * FROM ("+query+" AND v.user_id = ? ORDER BY v.page, v.name_key LIMIT ?) AS own UNION ALL "+
		"SELECT * FROM ("+query+" AND v.shared = 1 AND v.user_id <> ? ORDER BY v.page, v.name_key, v.rowid LIMIT ?) AS others",
		append(own, others...), scanSaved)
}

// SaveView saves a view under a name that its owner has not used for that page.
func (store *Store) SaveView(ctx context.Context, who access.Actor, v ledger.SavedView) error {
	name, err := viewName(v.Name)
	if err != nil {
		return err
	}
	return store.Write(ctx, sqldb.OfTenant(who.Tenant), "SaveView", func(t *sqldb.Tx) error {
		var kept int
		if err := t.Row("SELECT count(*) FROM saved_views WHERE tenant_id = ? AND user_id = ?",
			[]any{who.Tenant, who.ID}, &kept); err != nil {
			return err
		}
		if kept >= MaxSavedViews {
			return domain.Refuse(domain.Invalid, "limit", "refused_keep_views_delete", "N", MaxSavedViews)
		}
		id := store.NewID()
		if err := viewNameFree(t, who, v.Page, name, id); err != nil {
			return err
		}
		if _, err := t.Exec(`INSERT INTO saved_views (id, tenant_id, user_id, page, name, name_key, query, shared,
			created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, who.Tenant, who.ID, v.Page, name, text.Fold(name), v.Query, v.Shared,
			sqldb.Stamp(store.Now())); err != nil {
			return err
		}
		auditlog.Record(t, who.Tenant, auditlog.Wrote("saved_views", []any{id}))
		action := "view.saved"
		if v.Shared {
			action = "view.shared"
		}
		return store.viewEvent(t, who, action, id, v.Page)
	})
}

// viewEvent logs what happened to a view, without its name, which may be anything.
func (store *Store) viewEvent(t *sqldb.Tx, who access.Actor, action, id, page string) error {
	return store.AppendEvent(t, who, auditlog.Event{Action: action, Kind: "view", ObjectID: id,
		Details: map[string]any{"page": page}})
}

// ChangeView renames one's own view, and shares or unshares it.
func (store *Store) ChangeView(ctx context.Context, who access.Actor, id, name string, shared bool) error {
	name, err := viewName(name)
	if err != nil {
		return err
	}
	return store.Write(ctx, sqldb.OfTenant(who.Tenant), "ChangeView", func(t *sqldb.Tx) error {
		v, err := savedView(t, who, id)
		if err != nil {
			return err
		}
		if !v.Own {
			return sqldb.NotFound()
		}
		if err := viewNameFree(t, who, v.Page, name, id); err != nil {
			return err
		}
		if _, err := t.Exec("UPDATE saved_views SET name = ?, name_key = ?, shared = ? WHERE tenant_id = ? AND id = ?",
			name, text.Fold(name), shared, who.Tenant, id); err != nil {
			return err
		}
		auditlog.Record(t, who.Tenant, auditlog.Wrote("saved_views", []any{id}, "name", "name_key", "shared"))
		action := "view.changed"
		switch {
		case shared && !v.Shared:
			action = "view.shared"
		case v.Shared && !shared:
			action = "view.unshared"
		}
		return store.viewEvent(t, who, action, id, v.Page)
	})
}

// DeleteView deletes one's own view; with others set, also somebody else's shared one.
func (store *Store) DeleteView(ctx context.Context, who access.Actor, id string, others bool) error {
	return store.Write(ctx, sqldb.OfTenant(who.Tenant), "DeleteView", func(t *sqldb.Tx) error {
		v, err := savedView(t, who, id)
		if err != nil {
			return err
		}
		if !v.Own && !others {
			return sqldb.NotFound()
		}
		if _, err := t.Exec("DELETE FROM saved_views WHERE tenant_id = ? AND id = ?", who.Tenant, id); err != nil {
			return err
		}
		auditlog.Record(t, who.Tenant, auditlog.Deleted("saved_views", id))
		action := "view.deleted"
		if v.Shared {
			action = "view.unshared"
		}
		return store.viewEvent(t, who, action, id, v.Page)
	})
}

// savedView returns a view that a person can see: their own, or a shared one.
func savedView(t *sqldb.Tx, who access.Actor, id string) (ledger.SavedView, error) {
	found, err := sqldb.Collect(t, savedViews+" AND v.id = ? AND (v.user_id = ? OR v.shared = 1)",
		[]any{who.ID, who.Tenant, id, who.ID}, scanSaved)
	return sqldb.First(found, err)
}

// viewName trims a name and refuses one that can't be displayed.
func viewName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case text.Fold(name) == "" || !utf8.ValidString(name):
		return "", domain.Refuse(domain.Invalid, "name", "refused_name_missing")
	case utf8.RuneCountInString(name) > MaxViewName:
		return "", domain.Refuse(domain.Invalid, "name_long", "refused_name_longer_characters", "N", MaxViewName)
	}
	return name, nil
}

// viewNameFree refuses a name that another view of the person and page has, ignoring case.
func viewNameFree(t *sqldb.Tx, who access.Actor, page, name, id string) error {
	var other string
	err := t.Row("SELECT id FROM saved_views WHERE tenant_id = ? AND user_id = ? AND page = ? AND name_key = ? AND id <> ?",
		[]any{who.Tenant, who.ID, page, text.Fold(name), id}, &other)
	if sqldb.NoRow(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return domain.Refuse(domain.Invalid, "name_taken", "refused_view_name_page")
}
