package db

import "sanad/internal/db/webhooks"

// What callers know of package webhooks by the store's name.
type (
	Attempt       = webhooks.Attempt
	DueDelivery   = webhooks.DueDelivery
	WebhookChange = webhooks.WebhookChange
	webhookStore  = webhooks.Store
)

// What callers know of package webhooks by the store's name.
const (
	DeliveryDone    = webhooks.DeliveryDone
	DeliveryDropped = webhooks.DeliveryDropped
	DeliveryFailed  = webhooks.DeliveryFailed
	DeliveryWaiting = webhooks.DeliveryWaiting
)
