// Package webhooks serves the administration of webhooks.
package webhooks

import "sanad/internal/handlers/web"

// server answers the requests of this capability.
type server struct{ *web.Server }
