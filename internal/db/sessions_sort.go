package db

import (
	"sanad/internal/domain"
)

// sortings are the ways to sort sessions.
var sortings = []listOrder{
	sessionOrder("created", "s.created_at", isText),
	sessionOrder("title", "s.title_key", isText),
	sessionOrder("coverage", "s.coverage", isNumber),
	sessionOrder("claims", "s.total", isNumber),
}

func sessionOrder(name, column string, fits func(any) bool) listOrder {
	return listOrder{
		name: name, column: column, fits: fits, table: "sessions", alias: "s", id: "id", number: "no", uuids: true,
		mismatch: "refused_next_sorted",
	}
}

// sortBy finds a sorting of sessions by its name; "" is the first.
func sortBy(name string, desc bool) (listOrder, error) {
	for _, o := range sortings {
		if o.name == name || name == "" {
			o.desc = desc
			return o, nil
		}
	}
	return listOrder{}, domain.Refuse(domain.Invalid, "sort", "refused_choose_created_title")
}
