package handlers

import (
	"sanad/internal/openapi"
)

// aWebhook is an answer that is an endpoint.
var aWebhook = answers{
	status: "200", words: "The webhook as it is now.", sent: apiWebhook{}, headers: []string{"ETag"},
}

var webhookExample = map[string]any{
	"url": "https://hooks.example/sanad", "kinds": []any{"pack.signed_off", "session.judged"},
}

// webhookOperations are those of endpoints that are told of what happens.
var webhookOperations = map[string]*operation{
	"GET /api/v1/webhooks": {
		id: "listWebhooks", tag: "webhooks", summary: "List webhooks", about: "The newest first; there are at most 20.",
		sends: []answers{{status: "200", words: "All of them.", sent: rowsOf("webhooks", apiWebhook{})}},
	},
	"POST /api/v1/webhooks": {
		id: "createWebhook", tag: "webhooks", summary: "Add a webhook", read: webhookInput{}, states: true, example: webhookExample,
		about: "The secret is in this answer and nowhere else, so there is no Idempotency-Key. An organisation that has 20 gets 409.",
		sends: []answers{{
			status: "201", words: "The webhook and its secret.", sent: apiWebhookSecret{},
			headers: []string{"ETag", "Location"},
		}},
	},
	"GET /api/v1/webhooks/:id": {
		id: "showWebhook", tag: "webhooks", summary: "Read a webhook", sends: []answers{aWebhook},
	},
	"PATCH /api/v1/webhooks/:id": {
		id: "editWebhook", tag: "webhooks", summary: "Change a webhook", keyed: true, ifMatch: required, read: webhookChange{},
		about:   "What is not given stays as it is. Disabled, it gets nothing from then on, and what waits is dropped.",
		example: map[string]any{"enabled": false}, sends: []answers{aWebhook},
	},
	"DELETE /api/v1/webhooks/:id": {
		id: "removeWebhook", tag: "webhooks", summary: "Remove a webhook", keyed: true, sends: []answers{{
			status: "204", words: "It is gone, with its messages.",
		}},
	},
	"POST /api/v1/webhooks/:id/rotate": {
		id: "rotateWebhook", tag: "webhooks", summary: "Make a new secret", read: noFields, bodyless: true,
		about: "It signs from the next attempt on; the old one signs nothing more.",
		sends: []answers{{
			status: "200", words: "The webhook and its new secret.", sent: apiWebhookSecret{},
			headers: []string{"ETag"},
		}},
	},
	"POST /api/v1/webhooks/:id/test": {
		id: "testWebhook", tag: "webhooks", summary: "Send a test", keyed: true, states: true, read: noFields, bodyless: true,
		about: "A message of the kind webhook.test, on the way of all others. 409 where the webhook is disabled.",
		sends: []answers{{status: "202", words: "It waits to be sent.", sent: apiQueued{}}},
	},
	"GET /api/v1/webhooks/:id/deliveries": {
		id: "listDeliveries", tag: "webhooks", summary: "List its messages", about: "The newest first: those that wait, and the last 100 that ended.",
		query: listQuery(), sends: []answers{pageOf("deliveries", apiDelivery{})},
	},
}

// webhooksTag is their chapter.
var webhooksTag = openapi.Tag{
	Name:        "webhooks",
	Description: "Have another system told of what happens, in signed messages that hold ids and kinds of event only.",
}
