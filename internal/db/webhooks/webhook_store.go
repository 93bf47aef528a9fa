package webhooks

import "sanad/internal/db/auditlog"

// Store stores webhooks and the messages that wait to be sent.
type Store struct {
	*auditlog.Store
}
