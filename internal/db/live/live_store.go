// Package live stores spans of traces until their session is made.
package live

import "sanad/internal/db/auditlog"

// Store stores spans of traces until their session is made.
type Store struct {
	*auditlog.Store
}
