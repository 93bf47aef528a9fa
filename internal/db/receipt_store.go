package db

// receiptStore stores the answers to requests that may be sent again.
type receiptStore struct {
	*auditLog
}
