// Package webhooks serves the administration of webhooks.
package webhooks

import (
	"net/netip"

	"sanad/internal/handlers/web"
)

// server answers the requests of this capability.
type server struct {
	*web.Server

	networks []netip.Prefix // networks that webhooks may go to besides public ones
}
