package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/webhook"
	"sanad/internal/views/ui"
	webhooksviews "sanad/internal/views/webhooks"
)

// listWebhooks shows the endpoints that are told of what happens in the tenant.
func (s *Server) listWebhooks(c echo.Context) error {
	return s.webhooksPage(c, http.StatusOK, webhooksviews.Form{})
}

func (s *Server) webhooksPage(c echo.Context, status int, form webhooksviews.Form) error {
	found, err := s.store.Webhooks(c.Request().Context(), s.who(c).Tenant)
	if err != nil {
		return err
	}
	rows := each(found, func(w db.Webhook) webhooksviews.Row { return webhookRow(w, nil) })
	form.Confirm = s.confirmFirst(c)
	return s.render(c, status, webhooksviews.List(webhooksviews.NewListPage(s.chrome(c), rows, form)))
}

// webhookRow is an endpoint for its page; names are those of people by id.
func webhookRow(w db.Webhook, names map[string]string) webhooksviews.Row {
	return webhooksviews.Row{ID: w.ID, URL: w.URL, Kinds: w.Kinds, Waiting: w.Waiting, Missed: w.Missed, CreatedAt: w.CreatedAt,
		By: w.CreatedBy, ByName: names[w.CreatedBy], Disabled: w.Disabled}
}

// addWebhook makes an endpoint, whose secret the answer shows once.
func (s *Server) addWebhook(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	form := webhooksviews.Form{URL: c.FormValue("url"), Kinds: c.Request().PostForm["kind"]}
	var w db.Webhook
	var secret string
	err := webhook.CheckTarget(form.URL, s.webhookAllow)
	if err == nil {
		w, secret, err = s.store.AddWebhook(c.Request().Context(), s.who(c), form.URL, form.Kinds)
	}
	form.Fault = formFault(err, "", map[domain.Kind]string{domain.Conflict: "webhook_many"})
	if form.Fault != nil {
		if form.Fault.Field != "" {
			form.Fault.Word = "webhook_" + form.Fault.Field
		}
		if errors.Is(err, webhook.ErrTarget) {
			form.Fault.Word = "webhook_target"
		}
		return s.webhooksPage(c, faultOf(err).status, form)
	}
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, webhooksviews.Secret(webhooksviews.NewSecretPage(s.chrome(c), webhookRow(w, nil), secret, false)))
}

// showWebhook shows one endpoint with its last messages.
func (s *Server) showWebhook(c echo.Context) error { return s.webhookPage(c, http.StatusOK, nil) }

func (s *Server) webhookPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, tenant, list := c.Request().Context(), s.who(c).Tenant, ui.AdminList{After: c.QueryParam("after")}
	w, err := s.store.Webhook(ctx, tenant, c.Param("id"))
	if err != nil {
		return err
	}
	found, next, err := s.store.Deliveries(ctx, tenant, w.ID, list.After, rowsPerPage)
	if err != nil {
		return err
	}
	list.Next = next
	names, err := s.store.ActorNames(ctx, tenant, []string{w.CreatedBy})
	if err != nil {
		return err
	}
	rows := each(found, func(d db.Delivery) webhooksviews.DeliveryRow {
		return webhooksviews.DeliveryRow{Kind: d.Kind, State: d.State, Reason: d.Reason, Attempts: d.Attempts, Status: d.Status, CreatedAt: d.CreatedAt, NextAt: d.NextAt, EndedAt: d.EndedAt}
	})
	return s.render(c, status, webhooksviews.Show(webhooksviews.NewPage(s.chrome(c), webhookRow(w, names), rows, list, fault)))
}

// testWebhook puts a test into the outbox of an endpoint.
func (s *Server) testWebhook(c echo.Context) error {
	_, err := s.store.TestWebhook(c.Request().Context(), s.who(c), c.Param("id"))
	if domain.KindOf(err) == domain.Conflict {
		return s.webhookPage(c, http.StatusConflict, fieldFault("", "webhook_full"))
	}
	return s.webhookDone(c, err, "tested")
}

// disableWebhook stops what is sent to an endpoint at once.
func (s *Server) disableWebhook(c echo.Context) error { return s.switchWebhook(c, false, "disabled") }

// enableWebhook has an endpoint told of what happens from now on.
func (s *Server) enableWebhook(c echo.Context) error { return s.switchWebhook(c, true, "enabled") }

func (s *Server) switchWebhook(c echo.Context, on bool, done string) error {
	_, err := s.store.UpdateWebhook(c.Request().Context(), s.who(c), c.Param("id"), db.WebhookChange{Enabled: &on}, nil)
	return s.webhookDone(c, err, done)
}

func (s *Server) webhookDone(c echo.Context, err error, done string) error {
	if err != nil {
		return err
	}
	return seeOther(c, "/admin/webhooks/"+c.Param("id")+"?done="+done)
}

// rotateWebhook gives an endpoint another secret, which the answer shows once.
func (s *Server) rotateWebhook(c echo.Context) error {
	w, secret, err := s.store.RotateWebhook(c.Request().Context(), s.who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, webhooksviews.Secret(webhooksviews.NewSecretPage(s.chrome(c), webhookRow(w, nil), secret, true)))
}

// removeWebhook deletes an endpoint.
func (s *Server) removeWebhook(c echo.Context) error {
	if err := s.store.RemoveWebhook(c.Request().Context(), s.who(c), c.Param("id")); err != nil {
		return err
	}
	return seeOther(c, "/admin/webhooks?done=removed")
}
