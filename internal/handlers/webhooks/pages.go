package webhooks

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/webhook"
	"sanad/internal/handlers/web"
	"sanad/internal/views/ui"
	webhooksviews "sanad/internal/views/webhooks"
)

// listWebhooks shows the tenant's webhook endpoints.
func (s *server) listWebhooks(c echo.Context) error {
	typed := s.Typed(c)
	return s.webhooksPage(c, http.StatusOK, webhooksviews.Form{URL: typed.Get("url"), Kinds: typed.Values["kind"]})
}

func (s *server) webhooksPage(c echo.Context, status int, form webhooksviews.Form) error {
	rows, err := s.Store.Webhooks(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	form.Confirm = s.ConfirmFirst(c)
	return s.Render(c, status, webhooksviews.List(webhooksviews.NewListPage(s.Chrome(c), rows, form)))
}

// addWebhook creates an endpoint. Only this answer shows its secret.
func (s *server) addWebhook(c echo.Context) error {
	form := webhooksviews.Form{URL: c.FormValue("url"), Kinds: c.Request().PostForm["kind"]}
	var w webhook.Endpoint
	var secret string
	err := webhook.CheckTarget(form.URL, s.networks)
	if err == nil {
		w, secret, err = s.Store.AddWebhook(c.Request().Context(), s.Who(c), form.URL, form.Kinds)
	}
	form.Fault = web.FormFault(err, "", map[domain.Kind]string{domain.Conflict: "webhook_many"})
	if form.Fault != nil {
		if form.Fault.Field != "" {
			form.Fault.Word = "webhook_" + form.Fault.Field
		}
		if errors.Is(err, webhook.ErrTarget) {
			form.Fault.Word = "webhook_target"
		}
		return s.webhooksPage(c, web.FaultOf(err).Status, form)
	}
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, webhooksviews.Secret(webhooksviews.NewSecretPage(s.Chrome(c), w, secret, false)))
}

// showWebhook shows one endpoint with its most recent messages.
func (s *server) showWebhook(c echo.Context) error { return s.webhookPage(c, http.StatusOK, nil) }

func (s *server) webhookPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, tenant, list := c.Request().Context(), s.Who(c).Tenant, ui.AdminList{After: c.QueryParam("after")}
	w, err := s.Store.Webhook(ctx, tenant, c.Param("id"))
	if err != nil {
		return err
	}
	messages, next, err := s.Store.Deliveries(ctx, tenant, w.ID, list.After, web.RowsPerPage)
	if err != nil {
		return err
	}
	list.Next = next
	names, err := s.Store.ActorNames(ctx, tenant, []string{w.CreatedBy})
	if err != nil {
		return err
	}
	return s.Render(c, status, webhooksviews.Show(webhooksviews.NewPage(s.Chrome(c), w, names[w.CreatedBy], messages,
		list, fault)))
}

// testWebhook queues a test message to an endpoint.
func (s *server) testWebhook(c echo.Context) error {
	_, err := s.Store.TestWebhook(c.Request().Context(), s.Who(c), c.Param("id"))
	if domain.KindOf(err) == domain.Conflict {
		return s.webhookPage(c, http.StatusConflict, web.FieldFault("", "webhook_full"))
	}
	return s.webhookDone(c, err, "tested")
}

// disableWebhook stops all messages to an endpoint at once.
func (s *server) disableWebhook(c echo.Context) error { return s.switchWebhook(c, false, "disabled") }

// enableWebhook resumes messages to an endpoint, from now on.
func (s *server) enableWebhook(c echo.Context) error { return s.switchWebhook(c, true, "enabled") }

func (s *server) switchWebhook(c echo.Context, on bool, done string) error {
	_, err := s.Store.UpdateWebhook(c.Request().Context(), s.Who(c), c.Param("id"), db.WebhookChange{Enabled: &on}, nil)
	return s.webhookDone(c, err, done)
}

func (s *server) webhookDone(c echo.Context, err error, done string) error {
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/webhooks/"+c.Param("id")+"?done="+done)
}

// rotateWebhook replaces the secret of an endpoint; the answer shows the new one once.
func (s *server) rotateWebhook(c echo.Context) error {
	w, secret, err := s.Store.RotateWebhook(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, webhooksviews.Secret(webhooksviews.NewSecretPage(s.Chrome(c), w, secret, true)))
}

// removeWebhook deletes an endpoint.
func (s *server) removeWebhook(c echo.Context) error {
	if err := s.Store.RemoveWebhook(c.Request().Context(), s.Who(c), c.Param("id")); err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/webhooks?done=removed")
}
