// Package bundles serves evidence bundles and the lake that they are built from.
package bundles

import "sanad/internal/handlers/web"

// server answers the requests of this capability.
type server struct{ *web.Server }
