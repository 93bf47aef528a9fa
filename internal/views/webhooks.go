package views

import (
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain/webhook"
)

// WebhookRow is an endpoint that is told of what happens.
type WebhookRow struct {
	ID, URL         string
	Kinds           []string
	Waiting, Missed int
	CreatedAt       time.Time
	By, ByName      string // who made it: id, and shown name where it is known
	Disabled        bool
}

// WebhookForm is what was typed to add an endpoint.
type WebhookForm struct {
	URL     string
	Kinds   []string
	Confirm string     // where the password is given again, "" while it is fresh
	Fault   *FormFault // fields url, kinds
}

// WebhooksPage lists the endpoints of a tenant and adds to them.
type WebhooksPage struct {
	Chrome
	Rows  []WebhookLine
	Count string
	Form  WebhookForm
	Kinds []Option
	Done  string
}

// WebhookLine is one endpoint, laid out.
type WebhookLine struct {
	URL, Href, Kinds, By string
	Events               []Option // value and label
	Waiting, Missed      string   // "" for none
	Made                 Moment
	Disabled             bool
}

// NewWebhooksPage lays out the list. Pure.
func NewWebhooksPage(c Chrome, rows []WebhookRow, form WebhookForm) *WebhooksPage {
	p := &WebhooksPage{Chrome: c, Form: form, Count: c.N("wh_n", len(rows)), Done: c.notice("wh_done_", "removed")}
	for _, r := range rows {
		p.Rows = append(p.Rows, webhookLine(&c, r))
	}
	for _, k := range webhook.Kinds {
		p.Kinds = append(p.Kinds, Option{k, c.eventWord(k), slices.Contains(form.Kinds, k)})
	}
	return p
}

func webhookLine(c *Chrome, r WebhookRow) WebhookLine {
	l := WebhookLine{
		URL: r.URL, Href: "/admin/webhooks/" + r.ID, Kinds: c.N("wh_kinds_n", len(r.Kinds)), By: c.actorName(r.By, r.ByName),
		Made: c.minute(r.CreatedAt), Disabled: r.Disabled,
	}
	for _, k := range r.Kinds {
		l.Events = append(l.Events, Option{Value: k, Label: c.eventWord(k)})
	}
	if r.Waiting > 0 {
		l.Waiting = c.Num(r.Waiting)
	}
	if r.Missed > 0 {
		l.Missed = c.Num(r.Missed)
	}
	return l
}

// address is the field of the form for where to send.
func (p *WebhooksPage) address() TextField {
	return TextField{ID: "w-url", Name: "url", Label: p.T("wh_url"), Help: p.T("wh_url_help"), Value: p.Form.URL, Fault: p.faultAt(p.Form.Fault, "url"),
		Kind: "url", Complete: "off", Required: true, Dir: "ltr"}
}

// DeliveryRow is one message to an endpoint.
type DeliveryRow struct {
	Kind, State, Reason        string
	Attempts, Status           int
	CreatedAt, NextAt, EndedAt time.Time
}

// WebhookPage is one endpoint with its last messages and what may be done with it.
type WebhookPage struct {
	Chrome
	Line  WebhookLine
	Rows  []DeliveryLine
	Pager Pager
	Done  string
	Fault string // why what was asked could not be done
}

// DeliveryLine is one message, laid out.
type DeliveryLine struct {
	Event, State, StateWord, Attempts, Why string
	Status                                 string // "" for no answer
	Made, Next                             Moment
}

// NewWebhookPage lays out one endpoint. Pure.
func NewWebhookPage(c Chrome, row WebhookRow, messages []DeliveryRow, list AdminList, fault *FormFault) *WebhookPage {
	p := &WebhookPage{
		Chrome: c, Line: webhookLine(&c, row), Done: c.notice("wh_done_", "tested", "enabled", "disabled"),
		Fault: c.faultWords(fault),
	}
	p.Pager = list.pager(p.Line.Href)
	for _, m := range messages {
		l := DeliveryLine{
			Event: c.eventWord(m.Kind), State: m.State, StateWord: c.T("wh_state_" + m.State),
			Attempts: c.Num(m.Attempts), Made: c.minute(m.CreatedAt), Next: c.minute(m.NextAt),
		}
		if m.Reason != "" {
			l.Why = c.T("wh_why_" + m.Reason)
		}
		if m.Status != 0 {
			l.Status = strconv.Itoa(m.Status)
		}
		p.Rows = append(p.Rows, l)
	}
	return p
}

// WebhookSecretPage shows the secret of an endpoint, once.
type WebhookSecretPage struct {
	Chrome
	Title, URL, Secret, Href string
}

// NewWebhookSecretPage lays out a secret; renewed says that there was another before. Pure.
func NewWebhookSecretPage(c Chrome, row WebhookRow, secret string, renewed bool) *WebhookSecretPage {
	title := c.T("wh_made")
	if renewed {
		title = c.T("wh_renewed")
	}
	return &WebhookSecretPage{
		Chrome: c, Title: title, URL: row.URL, Secret: secret, Href: "/admin/webhooks/" + row.ID,
	}
}
