package notify

import (
	"sanad/internal/domain/notify"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// MailAdminInput is what an administrator may know about their tenant's mails.
type MailAdminInput struct {
	On          bool   // a mail server is set up
	From, Daily string // where one is
	Address     string // of the administrator, "" if none
	Summary     notify.MailSummary
	Fault       *ui.FormFault // of the test message
}

// MailAdminPage shows how mails fare.
type MailAdminPage struct {
	ui.Chrome
	In    MailAdminInput
	Facts []ui.Option // label and value
	Rows  []MailAdminRow
	Fault string
	Done  string
}

// MailAdminRow is one mail, laid out.
type MailAdminRow struct {
	Name, Kind, State, Attempts, Why string
	Failed                           bool
	Created, Next                    say.Moment
}

// NewMailAdminPage lays out the page. Pure.
func NewMailAdminPage(c ui.Chrome, in MailAdminInput) *MailAdminPage {
	p := &MailAdminPage{Chrome: c, In: in, Fault: c.FaultAt(in.Fault, ""), Done: c.Notice("madm_done_", "test", "saved")}
	if in.On {
		p.Facts = append(p.Facts, ui.Option{Label: c.T("madm_from"), Value: in.From},
			ui.Option{Label: c.T("madm_daily"), Value: in.Daily})
	}
	s := &in.Summary
	p.Facts = append(p.Facts, ui.Option{Label: c.T("madm_queued"), Value: c.Num(s.Queued)},
		ui.Option{Label: c.T("madm_waiting"), Value: c.Num(s.Waiting)}, ui.Option{Label: c.T("madm_sent"), Value: c.Num(s.Sent)},
		ui.Option{Label: c.T("madm_failed"), Value: c.Num(s.Failed)}, ui.Option{Label: c.T("madm_dropped"), Value: c.Num(s.Dropped)})
	for i := range s.Recent {
		p.Rows = append(p.Rows, p.row(&s.Recent[i]))
	}
	return p
}

func (p *MailAdminPage) row(m *notify.MailRow) MailAdminRow {
	r := MailAdminRow{Name: m.Name, Kind: p.T("madm_kind_" + m.Kind), State: p.T("madm_state_" + m.State),
		Attempts: p.Num(m.Attempts), Failed: m.State == notify.MailFailed, Created: p.Minute(m.CreatedAt)}
	if r.Name == "" {
		r.Name = p.T("madm_gone")
	}
	if m.Reason != "" {
		r.Why = p.Known("madm_reason_", m.Reason)
		if m.Status != 0 {
			r.Why = p.T("madm_code", "Reason", r.Why, "N", p.Num(m.Status))
		}
	}
	if !m.NextAt.IsZero() {
		r.Next = p.Minute(m.NextAt)
	}
	return r
}
