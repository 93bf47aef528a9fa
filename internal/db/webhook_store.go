package db

// webhookStore stores webhooks and the messages that wait to be sent.
type webhookStore struct {
	*auditLog
}
