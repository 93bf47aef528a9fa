// Package search serves what finds sessions and sums them up: home, dashboard, search and saved views.
package search

import "sanad/internal/handlers/web"

// server answers the requests of this capability.
type server struct{ *web.Server }
