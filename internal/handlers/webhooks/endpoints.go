package webhooks

import (
	"net/http"
	"net/netip"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// Endpoints returns the endpoints of webhooks.
func Endpoints(core *web.Server, networks []netip.Prefix) []web.Endpoint {
	s := &server{Server: core, networks: networks}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/webhooks", Action: access.ManageTenant, Handle: s.listWebhooks},
		{
			Method: http.MethodPost, Path: "/admin/webhooks", Action: access.ManageTenant, Reauth: true,
			Handle: web.SmallForm(s.addWebhook),
		},
		{Method: http.MethodGet, Path: "/admin/webhooks/:id", Action: access.ManageTenant, Handle: s.showWebhook},
		{
			Method: http.MethodPost, Path: "/admin/webhooks/:id/test", Action: access.ManageTenant, Reauth: true,
			Handle: s.testWebhook,
		},
		{
			Method: http.MethodPost, Path: "/admin/webhooks/:id/disable", Action: access.ManageTenant, Reauth: true,
			Handle: s.disableWebhook,
		},
		{
			Method: http.MethodPost, Path: "/admin/webhooks/:id/enable", Action: access.ManageTenant, Reauth: true,
			Handle: s.enableWebhook,
		},
		{
			Method: http.MethodPost, Path: "/admin/webhooks/:id/rotate", Action: access.ManageTenant, Reauth: true,
			Handle: s.rotateWebhook,
		},
		{
			Method: http.MethodPost, Path: "/admin/webhooks/:id/remove", Action: access.ManageTenant, Reauth: true,
			Handle: s.removeWebhook,
		},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/webhooks", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "listWebhooks", Tag: "webhooks", Summary: "List webhooks",
				Description: "Newest first; there are at most 20.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "All of them.", Body: apidoc.RowsOf("webhooks", apiWebhook{}),
				}},
			},
			Handle: s.apiListWebhooks,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/webhooks", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "createWebhook", Tag: "webhooks", Summary: "Add a webhook",
				Description: "The secret is only in this answer, so the call takes no Idempotency-Key. 409 if there " +
					"are 20 already; 422 for an address that can never be reached: a literal private one, or http, " +
					"unless the operator allows its network.",
				Reads: webhookInput{}, Example: webhookExample, Conflicts: true,
				Answers: []apidoc.Answer{{
					Status: "201", Description: "The webhook and its secret.", Body: apiWebhookSecret{},
					Headers: []string{"ETag", "Location"},
				}},
			},
			Handle: s.apiCreateWebhook,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/webhooks/:id", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "showWebhook", Tag: "webhooks", Summary: "Read a webhook", Answers: []apidoc.Answer{aWebhook},
			},
			Handle: s.apiShowWebhook,
		},
		{
			Method: http.MethodPatch, Path: "/api/v1/webhooks/:id", Action: access.ManageTenant,
			IfMatch: web.RequiredMatch("webhook"),
			Doc: &apidoc.Doc{
				ID: "editWebhook", Tag: "webhooks", Summary: "Change a webhook",
				Description: "Fields that are left out stay unchanged. A disabled webhook gets no more messages, " +
					"and its waiting ones are dropped.",
				Reads: webhookChange{}, Example: map[string]any{"enabled": false}, Answers: []apidoc.Answer{aWebhook},
			},
			Idempotent: web.WithBody(s.apiUpdateWebhook),
		},
		{
			Method: http.MethodDelete, Path: "/api/v1/webhooks/:id", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "removeWebhook", Tag: "webhooks", Summary: "Remove a webhook",
				Answers: []apidoc.Answer{{Status: "204", Description: "It is gone, with its messages."}},
			},
			Idempotent: s.apiRemoveWebhook,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/webhooks/:id/rotate", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "rotateWebhook", Tag: "webhooks", Summary: "Create a new secret",
				Description:  "It is used from the next attempt on; the old one is not used any more.",
				Reads:        apidoc.NoFields,
				BodyOptional: true,
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The webhook and its new secret.", Body: apiWebhookSecret{},
					Headers: []string{"ETag"},
				}},
			},
			Handle: s.apiRotateWebhook,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/webhooks/:id/test", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "testWebhook", Tag: "webhooks", Summary: "Send test event",
				Description: "Queues a message of the kind webhook.test behind the others. 409 if the webhook is " +
					"disabled.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "202", Description: "It waits to be sent.", Body: apiQueued{}}},
			},
			Idempotent: web.WithoutBody(s.apiTestWebhook),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/webhooks/:id/deliveries", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "listDeliveries", Tag: "webhooks", Summary: "List a webhook's messages",
				Description: "Newest first: those that wait, and the last 100 that ended.", Query: apidoc.ListQuery(),
				Answers: []apidoc.Answer{apidoc.PageOf("deliveries", apiDelivery{})},
			},
			Handle: s.apiListDeliveries,
		},
	}
}

// aWebhook describes an answer that is an endpoint.
var aWebhook = apidoc.Answer{
	Status: "200", Description: "The webhook as it is now.", Body: apiWebhook{}, Headers: []string{"ETag"},
}

var webhookExample = map[string]any{
	"url": "https://hooks.example/sanad", "kinds": []any{"pack.signed_off", "session.judged"},
}
