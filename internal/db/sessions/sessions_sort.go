package sessions

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
)

// sortings are the ways to sort sessions.
var sortings = []sqldb.ListOrder{
	sessionOrder("created", "s.created_at", sqldb.IsText),
	sessionOrder("title", "s.title_key", sqldb.IsText),
	sessionOrder("coverage", "s.coverage", sqldb.IsNumber),
	sessionOrder("claims", "s.total", sqldb.IsNumber),
}

func sessionOrder(name, column string, fits func(any) bool) sqldb.ListOrder {
	return sqldb.ListOrder{
		Name: name, Column: column, Fits: fits, Table: "sessions", Alias: "s", Id: "id", Number: "no", Uuids: true,
		Mismatch: "refused_next_sorted",
	}
}

// sortBy finds a sorting of sessions by its name; "" is the first.
func sortBy(name string, desc bool) (sqldb.ListOrder, error) {
	for _, o := range sortings {
		if o.Name == name || name == "" {
			o.Desc = desc
			return o, nil
		}
	}
	return sqldb.ListOrder{}, domain.Refuse(domain.Invalid, "sort", "refused_choose_created_title")
}
