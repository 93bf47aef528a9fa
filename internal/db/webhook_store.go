package db

import "sanad/internal/db/auditlog"

// webhookStore stores webhooks and the messages that wait to be sent.
type webhookStore struct {
	*auditlog.Store
}
