package mails

import (
	"context"
	"errors"
	netmail "net/mail"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	notifyviews "sanad/internal/views/notify"
)

// letter is a mail before it has the form of a message.
type letter struct {
	id       string // of the mail: its Message-ID, in every attempt the same
	to       string
	in       notifyviews.MailInput
	oneClick bool // the address that stops mails takes RFC 8058
	at       time.Time
}

// message composes a multipart mail: text, and the same as HTML. Nothing that a person typed is in its header.
func (p *Post) message(ctx context.Context, l *letter) (*mail.Msg, error) {
	shown := notifyviews.NewMail(&l.in)
	var html strings.Builder
	if err := notifyviews.MailHTML(shown).Render(ctx, &html); err != nil {
		return nil, err
	}
	encoding := mail.EncodingQP
	if shown.Lang == "ar" {
		encoding = mail.EncodingB64 // two thirds of the length
	}
	m := mail.NewMsg(mail.WithNoDefaultUserAgent(), mail.WithEncoding(encoding))
	if err := m.FromFormat(p.FromName, p.From); err != nil {
		return nil, err
	}
	if a, err := netmail.ParseAddress(l.to); err != nil || a.Address != l.to {
		return nil, errors.New("the address is not one that mail can go to")
	}
	if err := m.To(l.to); err != nil {
		return nil, err
	}
	m.Subject(shown.Subject)
	m.SetDateWithValue(l.at)
	m.SetMessageIDWithValue(l.id + "@" + p.From[strings.LastIndexByte(p.From, '@')+1:])
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("X-Auto-Response-Suppress", "All") // the same, for Exchange
	m.SetGenHeader("Content-Language", shown.Lang)
	switch {
	case l.oneClick && l.in.Off != "":
		m.SetGenHeaderPreformatted("List-Unsubscribe", "<"+l.in.Off+">")
		m.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	case l.in.Org != "":
		m.SetGenHeaderPreformatted("List-Unsubscribe", "<"+shown.Change+">")
	}
	m.SetBodyString(mail.TypeTextPlain, shown.Text(l.in.Titles))
	m.AddAlternativeString(mail.TypeTextHTML, html.String())
	return m, nil
}
