package handlers

import (
	"maps"
	"slices"

	"sanad/internal/domain/access"
)

// Route is a line of the map as tests see it.
type Route struct {
	Method, Path  string
	Public, Fresh bool
	Object        string
}

// Routes is the whole map.
func Routes() []Route {
	var out []Route
	for _, r := range (&Server{}).routes() {
		out = append(out, Route{
			Method: r.method, Path: r.path, Public: r.action == access.Public, Fresh: r.fresh,
			Object: r.object,
		})
	}
	return out
}

// StrayOperations are described and no route.
func StrayOperations() []string {
	stray := maps.Clone(operations)
	for _, r := range Routes() {
		delete(stray, r.Method+" "+r.Path)
	}
	return slices.Sorted(maps.Keys(stray))
}

// FileName and Attachment are tested with nasty names.
var (
	SafeName   = safeName
	Attachment = attachment
)
