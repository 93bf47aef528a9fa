package notify

import (
	"net/url"
	"strings"

	"sanad/internal/domain/notify"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// MailInput is what a mail tells (rule N-5). It holds no text of a source, claim or document.
type MailInput struct {
	Lang    string
	Kind    string // notify.MailNotices, MailDigest or MailTest
	Base    string // the server's address, without a slash at its end
	Org     string // name of the tenant
	Notices []notify.Notice
	Titles  bool   // name the sessions and packs
	Off     string // address that stops all such mails
}

// Mail is a mail, laid out.
type Mail struct {
	ui.Chrome
	Subject     string
	Lead        string
	Lines       []MailLine
	More        string // that there are more, "" if not
	All         string // address of all notifications
	Why         string
	Change, Off string // addresses
}

// MailLine is one notification.
type MailLine struct{ Text, Link, Href string }

// NewMail words a mail. Pure.
func NewMail(in *MailInput) *Mail {
	c := ui.NewChrome(ui.ChromeInput{Lang: in.Lang, Digits: "latn", URL: &url.URL{}})
	m := &Mail{Chrome: c, All: in.Base + "/notifications", Change: in.Base + "/account#mail", Off: in.Off}
	if in.Org != "" {
		m.Why = c.T("mail_why", "Org", say.Isolated(in.Org))
	}
	if in.Kind == notify.MailTest {
		m.Subject, m.Lead = c.T("mail_subject_test"), c.T("mail_lead_test")
		return m
	}
	n := len(in.Notices)
	m.Lead = c.N("mail_lead", n, "Org", say.Isolated(in.Org))
	switch {
	case in.Kind == notify.MailDigest:
		m.Subject = c.N("mail_subject_digest", n)
	case n == 1 && in.Notices[0].Many() > 0:
		m.Subject = c.N("mail_subject_"+string(in.Notices[0].Kind)+"_many", in.Notices[0].Many())
	case n == 1:
		m.Subject = c.T("mail_subject_" + string(in.Notices[0].Kind))
	default:
		m.Subject = c.N("mail_subject_many", n)
	}
	shown := in.Notices
	if n > notify.PerMail {
		shown = shown[:notify.PerMail]
		m.More = c.N("mail_more", n-notify.PerMail)
	}
	for i := range shown {
		m.Lines = append(m.Lines, m.line(in, &shown[i]))
	}
	return m
}

// line words one notification as the page does, and names its session or pack only if the tenant allows it.
func (m *Mail) line(in *MailInput, n *notify.Notice) MailLine {
	on := (&Page{Chrome: m.Chrome}).line(n)
	l := MailLine{Text: on.Text, Link: m.T("mail_open_" + n.ObjectKind), Href: in.Base + on.Href}
	if in.Titles || n.ObjectKind == notify.Deputies { // which has no title
		l.Link = on.Title
	}
	return l
}

// Text is the mail as plain text.
func (m *Mail) Text(titles bool) string {
	var b strings.Builder
	b.WriteString(m.Lead + "\n")
	for _, l := range m.Lines {
		b.WriteString("\n" + l.Text + "\n")
		if titles {
			b.WriteString(say.Isolated(l.Link) + "\n")
		}
		b.WriteString(l.Href + "\n")
	}
	if m.More != "" {
		b.WriteString("\n" + m.More + "\n" + m.All + "\n")
	}
	if m.Why == "" {
		return b.String()
	}
	b.WriteString("\n-- \n" + m.Why + "\n" + m.T("mail_change") + "\n" + m.Change + "\n")
	if m.Off != "" {
		b.WriteString(m.T("mail_stop") + "\n" + m.Off + "\n")
	}
	return b.String()
}
