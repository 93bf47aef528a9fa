package receipts

import "sanad/internal/db/auditlog"

// Store stores the answers to requests that may be sent again.
type Store struct {
	*auditlog.Store
}
