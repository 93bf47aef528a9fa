package handlers

import "sanad/internal/domain/access"

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
		out = append(out, Route{r.method, r.path, r.action == access.Public, r.fresh, r.object})
	}
	return out
}

// FileName and Attachment are tested with nasty names.
var (
	SafeName   = safeName
	Attachment = attachment
)
