// Package audit serves the audit log: reading, verifying and exporting it.
package audit

import "sanad/internal/handlers/web"

// server answers the requests of this capability.
type server struct{ *web.Server }
