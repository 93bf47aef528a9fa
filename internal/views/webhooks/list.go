// Package webhooks draws webhooks and their deliveries.
package webhooks

import (
	"slices"
	"strconv"

	"sanad/internal/domain/webhook"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Form is what was typed to add an endpoint.
type Form struct {
	URL     string
	Kinds   []string
	Confirm string        // where the password is given again, "" if it was given recently
	Fault   *ui.FormFault // fields url, kinds
}

// ListPage lists the endpoints of a tenant and adds to them.
type ListPage struct {
	ui.Chrome
	Rows  []Line
	Count string
	Form  Form
	Kinds []ui.Option
	Done  string
}

// Line is one endpoint, laid out.
type Line struct {
	URL, Href, Kinds, By string
	Events               []ui.Option // value and label
	Waiting, Missed      string      // "" if none
	Made                 say.Moment
	Disabled             bool
}

// NewListPage lays out the list. Pure.
func NewListPage(c ui.Chrome, rows []webhook.Endpoint, form Form) *ListPage {
	p := &ListPage{Chrome: c, Form: form, Count: c.N("wh_n", len(rows)), Done: c.Notice("wh_done_", "removed")}
	for _, r := range rows {
		p.Rows = append(p.Rows, webhookLine(&c, r, ""))
	}
	for _, k := range webhook.Kinds {
		p.Kinds = append(p.Kinds, ui.Option{Value: k, Label: c.EventWord(k), Selected: slices.Contains(form.Kinds, k)})
	}
	return p
}

func webhookLine(c *ui.Chrome, r webhook.Endpoint, maker string) Line {
	l := Line{
		URL: r.URL, Href: "/admin/webhooks/" + r.ID, Kinds: c.N("wh_kinds_n", len(r.Kinds)),
		By:   c.ActorName(r.CreatedBy, maker),
		Made: c.Minute(r.CreatedAt), Disabled: r.Disabled,
	}
	for _, k := range r.Kinds {
		l.Events = append(l.Events, ui.Option{Value: k, Label: c.EventWord(k)})
	}
	if r.Waiting > 0 {
		l.Waiting = c.Num(r.Waiting)
	}
	if r.Missed > 0 {
		l.Missed = c.Num(r.Missed)
	}
	return l
}

// urlField is the form's field for the address to send to.
func (p *ListPage) urlField() ui.TextField {
	return ui.TextField{ID: "w-url", Name: "url", Label: p.T("wh_url"), Help: p.T("wh_url_help"), Value: p.Form.URL,
		Fault: p.FaultAt(p.Form.Fault, "url"),
		Kind:  "url", Complete: "off", Required: true, Dir: "ltr"}
}

// Page is one endpoint with its last messages and what may be done with it.
type Page struct {
	ui.Chrome
	Line  Line
	Rows  []DeliveryLine
	Pager ui.Pager
	Done  string
	Fault string // why the action could not be done
}

// DeliveryLine is one message, laid out.
type DeliveryLine struct {
	Event, State, StateWord, Attempts, Why string
	Status                                 string // "" for no answer
	Made, Next                             say.Moment
}

// NewPage lays out one endpoint; maker is the shown name of who made it, "" if unknown. Pure.
func NewPage(
	c ui.Chrome, e webhook.Endpoint, maker string, messages []webhook.Delivery, list ui.AdminList, fault *ui.FormFault,
) *Page {
	p := &Page{
		Chrome: c, Line: webhookLine(&c, e, maker), Done: c.Notice("wh_done_", "tested", "enabled", "disabled"),
		Fault: c.FaultWords(fault),
	}
	p.Pager = list.Pager(p.Line.Href)
	for _, m := range messages {
		l := DeliveryLine{
			Event: c.EventWord(m.Kind), State: m.State, StateWord: c.T("wh_state_" + m.State),
			Attempts: c.Num(m.Attempts), Made: c.Minute(m.CreatedAt), Next: c.Minute(m.NextAt),
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

// SecretPage shows the secret of an endpoint, once.
type SecretPage struct {
	ui.Chrome
	Title, URL, Secret, Href string
}

// NewSecretPage lays out a secret; renewed says that there was another before. Pure.
func NewSecretPage(c ui.Chrome, e webhook.Endpoint, secret string, renewed bool) *SecretPage {
	title := c.T("wh_made")
	if renewed {
		title = c.T("wh_renewed")
	}
	return &SecretPage{
		Chrome: c, Title: title, URL: e.URL, Secret: secret, Href: "/admin/webhooks/" + e.ID,
	}
}
