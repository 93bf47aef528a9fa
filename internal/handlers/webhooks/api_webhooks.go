package webhooks

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/webhook"
	"sanad/internal/handlers/web"
)

// apiWebhook is an endpoint, without its secret.
type apiWebhook struct {
	ID        string   `json:"webhook_id"`
	URL       string   `json:"url"`
	Kinds     []string `json:"kinds"`
	Enabled   bool     `json:"enabled"`
	Waiting   int      `json:"waiting"`
	Missed    int      `json:"missed"`
	CreatedAt string   `json:"created_at"`
	CreatedBy string   `json:"created_by"`
}

func newAPIWebhook(w webhook.Endpoint) apiWebhook {
	return apiWebhook{
		ID: w.ID, URL: w.URL, Kinds: w.Kinds, Enabled: !w.Disabled, Waiting: w.Waiting, Missed: w.Missed,
		CreatedAt: web.FormatTime(w.CreatedAt), CreatedBy: w.CreatedBy,
	}
}

// apiWebhookSecret is an endpoint with its secret, which is shown only in this answer.
type apiWebhookSecret struct {
	Webhook apiWebhook `json:"webhook"`
	Secret  string     `json:"secret"`
}

// apiListWebhooks lists the tenant's endpoints; there are few.
func (s *server) apiListWebhooks(c echo.Context) error {
	found, err := s.Store.Webhooks(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, map[string]any{"webhooks": web.Map(found, newAPIWebhook)})
}

// webhookInput is the body of POST /webhooks.
type webhookInput struct {
	URL   string   `json:"url"`
	Kinds []string `json:"kinds"`
}

// apiCreateWebhook creates an endpoint. It takes no Idempotency-Key: that would store the answer, which contains the
// secret.
func (s *server) apiCreateWebhook(c echo.Context) error {
	var in webhookInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	if err := webhook.CheckTarget(in.URL, s.networks); err != nil {
		return err
	}
	w, secret, err := s.Store.AddWebhook(c.Request().Context(), s.Who(c), in.URL, in.Kinds)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Location", "/api/v1/webhooks/"+w.ID)
	c.Response().Header().Set("ETag", web.Etag(w.ID, w.Revision))
	return web.SendJSON(c, http.StatusCreated, apiWebhookSecret{newAPIWebhook(w), secret})
}

// apiShowWebhook returns one endpoint.
func (s *server) apiShowWebhook(c echo.Context) error {
	w, err := s.Store.Webhook(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("ETag", web.Etag(w.ID, w.Revision))
	return web.SendJSON(c, http.StatusOK, newAPIWebhook(w))
}

// webhookChange is the body of PATCH /webhooks/{id}; members that are left out stay unchanged.
type webhookChange struct {
	URL     *string  `json:"url"`
	Kinds   []string `json:"kinds"`
	Enabled *bool    `json:"enabled"`
}

// apiUpdateWebhook changes an endpoint, at the revision that If-Match names.
func (s *server) apiUpdateWebhook(c echo.Context, in webhookChange) (web.Reply, error) {
	if in.URL != nil {
		if err := webhook.CheckTarget(*in.URL, s.networks); err != nil {
			return web.Reply{}, err
		}
	}
	check := func(w webhook.Endpoint) error { return web.CheckMatch(c, w.ID, w.Revision) }
	w, err := s.Store.UpdateWebhook(c.Request().Context(), s.Who(c), c.Param("id"), db.WebhookChange(in), check)
	tag := map[string]string{"ETag": web.Etag(w.ID, w.Revision)}
	return web.Reply{Status: http.StatusOK, Body: newAPIWebhook(w), Headers: tag}, err
}

// apiRemoveWebhook deletes an endpoint.
func (s *server) apiRemoveWebhook(c echo.Context) (web.Reply, error) {
	err := s.Store.RemoveWebhook(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusNoContent}, err
}

// apiRotateWebhook replaces the secret of an endpoint; for its lack of an Idempotency-Key see apiCreateWebhook.
func (s *server) apiRotateWebhook(c echo.Context) error {
	if err := web.DecodeIfAny(c, &struct{}{}); err != nil {
		return err
	}
	w, secret, err := s.Store.RotateWebhook(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	c.Response().Header().Set("ETag", web.Etag(w.ID, w.Revision))
	return web.SendJSON(c, http.StatusOK, apiWebhookSecret{newAPIWebhook(w), secret})
}

// apiQueued names a message that was queued.
type apiQueued struct {
	ID string `json:"delivery_id"`
}

// apiTestWebhook queues a test message to an endpoint.
func (s *server) apiTestWebhook(c echo.Context) (web.Reply, error) {
	id, err := s.Store.TestWebhook(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusAccepted, Body: apiQueued{id}}, err
}

// apiDelivery is one message to an endpoint.
type apiDelivery struct {
	ID        string  `json:"delivery_id"`
	Kind      string  `json:"kind"`
	State     string  `json:"state"`
	Attempts  int     `json:"attempts"`
	Status    *int    `json:"status"` // of the last answer; null if none
	Reason    *string `json:"reason"` // why the last attempt failed; null if it did not
	CreatedAt string  `json:"created_at"`
	NextAt    *string `json:"next_at"`
	EndedAt   *string `json:"ended_at"`
}

func newAPIDelivery(d webhook.Delivery) apiDelivery {
	out := apiDelivery{
		ID: d.ID, Kind: d.Kind, State: d.State, Attempts: d.Attempts,
		Reason:    web.OrNull(d.Reason),
		CreatedAt: web.FormatTime(d.CreatedAt), NextAt: web.TimeOrNull(d.NextAt), EndedAt: web.TimeOrNull(d.EndedAt),
	}
	if d.Status != 0 {
		out.Status = &d.Status
	}
	return out
}

// apiListDeliveries lists the messages to an endpoint, newest first: those that are waiting, and the most recent of
// those that are finished.
func (s *server) apiListDeliveries(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	found, next, err := s.Store.Deliveries(c.Request().Context(), s.Who(c).Tenant, c.Param("id"),
		c.QueryParam("after"), limit)
	if err != nil {
		return err
	}
	return web.SendPage(c, "deliveries", web.Map(found, newAPIDelivery), next)
}
