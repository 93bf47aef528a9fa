package db

import "sanad/internal/db/auditlog"

// receiptStore stores the answers to requests that may be sent again.
type receiptStore struct {
	*auditlog.Store
}
