// Package receipts stores the answers to requests with an Idempotency-Key, in the transaction that they answer.
package receipts

import "sanad/internal/db/auditlog"

// Store stores the answers to requests that may be sent again.
type Store struct {
	*auditlog.Store
}
