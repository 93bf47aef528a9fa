// Package webhooks stores endpoints of webhooks and the messages that wait to be sent.
package webhooks

import "sanad/internal/db/auditlog"

// Store stores webhooks and the messages that wait to be sent.
type Store struct {
	*auditlog.Store
}
