package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
	"sanad/internal/domain/notify"
	"sanad/internal/mails"
)

// mailFlags configure the mail server, if one is used (rule N-5).
type mailFlags struct {
	host, security, user, passwordFile string
	port                               int
	from, daily, zone                  string
}

func (f *mailFlags) add(cmd *cobra.Command) {
	f.addServer(cmd)
	cmd.Flags().StringVar(&f.daily, "mail-daily", "07:00", "time of day at which the daily mails are sent")
	cmd.Flags().StringVar(&f.zone, "mail-zone", "UTC", "time zone of --mail-daily, as Asia/Riyadh or +03:00")
}

// addServer adds the flags of the mail server alone.
func (f *mailFlags) addServer(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.host, "smtp-host", "",
		"host name of the mail server that notifications are sent through; needs --mail-from and --public-url "+
			"(default: no mail)")
	cmd.Flags().IntVar(&f.port, "smtp-port", 0, "its port (default: 587, with --smtp-tls tls 465, with plain 25)")
	cmd.Flags().StringVar(&f.security, "smtp-tls", string(mails.StartTLS),
		"starttls, tls (from the first byte), or plain: without TLS, for a relay that you trust the way to")
	cmd.Flags().StringVar(&f.user, "smtp-user", "", "user name at the mail server (default: no login)")
	cmd.Flags().StringVar(&f.passwordFile, "smtp-password-file", "", "file with the password of --smtp-user")
	cmd.Flags().StringVar(&f.from, "mail-from", "", "address that mails come from, as sanad@example.org")
}

// mailing is the checked configuration of mailFlags.
type mailing struct {
	server mails.Server
	from   string
	daily  notify.Schedule
}

// mailPorts are the ports of each mode.
var mailPorts = map[mails.Mode]int{mails.StartTLS: 587, mails.TLS: 465, mails.Plain: 25}

// read checks the flags and reads the password; nil if no mail server is configured. It does not use the network.
func (f *mailFlags) read(public string) (*mailing, error) {
	if f.host == "" {
		if f.user+f.passwordFile+f.from != "" || f.port != 0 {
			return nil, errors.New("--smtp-host is needed: the mail server's name")
		}
		return nil, nil
	}
	if public == "" {
		return nil, errors.New("--smtp-host needs --public-url: mails link to there")
	}
	if strings.ContainsAny(f.host, "/@ ") || strings.Contains(f.host, ":") && !auth.IsLoopback(f.host) {
		return nil, fmt.Errorf("--smtp-host %q: give only a name, such as mail.example.org, and the port with --smtp-port",
			f.host)
	}
	m := &mailing{server: mails.Server{Host: f.host, Port: f.port, Mode: mails.Mode(f.security), User: f.user,
		Hello: "localhost"}}
	if !slices.Contains(mails.Modes, m.server.Mode) {
		return nil, fmt.Errorf("--smtp-tls %q is not one of starttls, tls, plain", f.security)
	}
	if m.server.Port == 0 {
		m.server.Port = mailPorts[m.server.Mode]
	}
	if m.server.Port < 1 || m.server.Port > 65535 {
		return nil, fmt.Errorf("--smtp-port %d is no port", f.port)
	}
	a, err := mail.ParseAddress(f.from)
	if err != nil || a.Address != f.from || strings.ContainsFunc(f.from, func(r rune) bool { return r > '~' }) {
		return nil, fmt.Errorf("--mail-from %q: give an address, such as sanad@example.org", f.from)
	}
	m.from = f.from
	if u, err := url.Parse(public); err == nil && u.Hostname() != "" {
		m.server.Hello = u.Hostname()
	}
	if err := f.login(&m.server); err != nil {
		return nil, err
	}
	if f.daily != "" || f.zone != "" {
		if m.daily, err = notify.ParseSchedule(f.daily, f.zone); err != nil {
			return nil, fmt.Errorf("--mail-daily, --mail-zone: %w", err)
		}
	}
	return m, nil
}

// login reads the password. It is never sent in the clear over a network.
func (f *mailFlags) login(s *mails.Server) (err error) {
	if (f.user == "") != (f.passwordFile == "") {
		return errors.New("--smtp-user and --smtp-password-file go together: give both, or none")
	}
	if f.user != "" && s.Mode == mails.Plain && !auth.IsLoopback(f.host) {
		return fmt.Errorf("--smtp-tls plain would send the password in the clear to %s; "+
			"it takes a login only on this machine", f.host)
	}
	s.Password, err = secretFile("--smtp-password-file", f.passwordFile)
	return err
}

// newMail returns the command that tries the mail server.
func newMail(io streams) *cobra.Command {
	var f mailFlags
	var lang string
	cmd := &cobra.Command{
		Use: "test ADDRESS", Args: cobra.ExactArgs(1),
		Short: "Send a test message to an address, at once, with the same flags as sanad serve",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.host == "" {
				return errors.New("--smtp-host is needed: the mail server's name")
			}
			m, err := f.read("http://localhost") // the message has no link
			if err != nil {
				return err
			}
			if lang != "en" && lang != "ar" {
				return fmt.Errorf("--lang %q is not one of en, ar", lang)
			}
			post := mails.New(mails.Options{Now: time.Now, Server: m.server, From: m.from, FromName: "Sanad"})
			if why, err := post.SendTest(cmd.Context(), newID(), args[0], lang); err != nil {
				return failure{fmt.Errorf("%s: %s: %w", m.server.Address(), mailFaults[why], err)}
			}
			fmt.Fprintf(io.out, "%s took the message to %s\n", m.server.Address(), args[0])
			return nil
		},
	}
	f.addServer(cmd)
	cmd.Flags().StringVar(&lang, "lang", "en", "language of the message: en or ar")
	return group("mail", "Try the mail server that notifications are sent through", "", cmd)
}

// mailFaults say what is wrong, by reason.
var mailFaults = map[string]string{
	notify.MailRefused: "it refuses the message for good", notify.MailPutOff: "it refuses the message for now",
	notify.MailTimeout: "it does not answer in time", notify.MailConnect: "it cannot be reached",
	notify.MailTLS: "the connection cannot be secured", notify.MailLogin: "it refuses the login",
	notify.MailUnreadable: "the message cannot be written",
}

// mailServer connects to the mail server and logs in there, as for a mail, and sends none.
func (d *doctor) mailServer() {
	const check = "mail server"
	reached, err := d.c.reach.read()
	if err != nil || d.c.mail.host == "" {
		return // configuration has said it
	}
	m, err := d.c.mail.read(reached.public)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	m.server.Timeout = doctorWait
	if err := m.server.Check(ctx); err != nil {
		d.fault(check,
			"check --smtp-host, --smtp-port, --smtp-tls and the login (docs/operating.md), and that this machine reaches it",
			"%s: %s: %v", m.server.Address(), mailFaults[mails.ReasonOf(err)], err)
		return
	}
	if m.server.Mode == mails.Plain && !auth.IsLoopback(m.server.Host) {
		d.warn(check, "give --smtp-tls starttls or tls", "%s takes mails, but they go there without TLS", m.server.Address())
		return
	}
	with := "no login"
	if m.server.User != "" {
		with = "login " + m.server.User
	}
	d.ok(check, "%s (%s, %s); mails come from %s", m.server.Address(), m.server.Mode, with, m.from)
}
