package mails_test

import (
	"context"
	"io"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/e2e/interop"
	"sanad/internal/mails"
)

const grace = notify.MailGrace + time.Second

// A mention is told by one mail over TLS with a login, in both parts and languages; it holds no word of the comment,
// the claim or the title, and what machines need to know about it.
func TestMail(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		t.Run(lang, func(t *testing.T) {
			d := newDesk(t, relayOptions{})
			d.settings("approver", func(s *db.MailSettings) { s.Lang = lang })
			id := d.session()
			d.mention(id, "approver")
			d.run()
			d.calm()
			require.Empty(t, d.relay.all(), "it waits a little, for what is read at once")
			d.Clock.Move(grace)
			d.until("it came", func() bool { return len(d.relay.all()) == 1 })
			d.calm()
			got := d.relay.all()
			require.Len(t, got, 1)
			require.True(t, got[0].secure)
			require.True(t, got[0].login)
			require.Equal(t, "approver@people.test", got[0].to)
			require.Equal(t, "sanad@sanad.test", got[0].from)

			l := read(t, got[0].data)
			to, err := l.header.AddressList("To")
			require.NoError(t, err)
			require.Equal(t, []*mail.Address{{Address: "approver@people.test"}}, to)
			at, err := l.header.Date()
			require.NoError(t, err)
			require.WithinDuration(t, d.Clock.Now(), at, time.Second)
			require.Regexp(t, `^<[0-9a-f-]{36}@sanad\.test>$`, l.header.Get("Message-Id"))
			require.Equal(t, "auto-generated", l.header.Get("Auto-Submitted"))
			require.Equal(t, "List-Unsubscribe=One-Click", l.header.Get("List-Unsubscribe-Post"))
			require.Equal(t, lang, l.header.Get("Content-Language"))
			require.Empty(t, l.header.Get("X-Mailer"), "no word of what sends it")

			place := "https://sanad.test/sessions/" + id + "?claim=2#claim-2"
			for _, part := range []string{l.text, l.html, l.subject} {
				for _, secret := range []string{"Zanzibarite", "Leave", "annual", "Carryover"} {
					require.NotContains(t, part, secret)
				}
			}
			require.Contains(t, l.text, place+"\n")
			require.Contains(t, l.text, "\u2068The reviewer\u2069", "the name keeps its own direction")
			doc, err := html.Parse(strings.NewReader(l.html))
			require.NoError(t, err)
			var links []string
			dirs := 0
			for n := range doc.Descendants() {
				for _, a := range n.Attr {
					if n.Data == "a" && a.Key == "href" {
						links = append(links, a.Val)
					}
					if n.Data == "div" && a.Key == "dir" {
						dirs++
						require.Equal(t, map[string]string{"en": "ltr", "ar": "rtl"}[lang], a.Val)
					}
					require.NotEqual(t, "src", a.Key, "nothing is loaded from anywhere")
				}
				require.NotContains(t, []string{"script", "img", "link", "form", "iframe"}, n.Data)
			}
			require.Equal(t, 1, dirs)
			off := strings.Trim(l.header.Get("List-Unsubscribe"), "<>")
			require.Equal(t, []string{place, "https://sanad.test/account#mail", off}, links)
			require.True(t, strings.HasPrefix(off, "https://sanad.test/mail/off?t="))
			if lang == "en" {
				require.Equal(t, "Somebody mentioned you in a comment", l.subject)
				require.Contains(t, l.text, "mentioned you in a comment on claim 2:")
			} else {
				require.Equal(t, "أُشير إليك في تعليق", l.subject)
				require.Contains(t, l.text, "على الإفادة 2:")
				require.Contains(t, l.html, `lang="ar"`)
			}
		})
	}
}

// Titles are named where the tenant allows it, and nothing in them or in names becomes a header or markup.
func TestNothingIsInjected(t *testing.T) {
	d := newDesk(t, relayOptions{})
	evil := `"><script>alert(1)</script> Bcc: all@people.test`
	body := strings.Replace(sessionTitled(evil), "\n", "", 1)
	id := d.Create(body).SessionID
	_, err := d.Store.AddUser(d.ctx, access.AtCommandLine(d.Tenant.ID), db.User{Login: "evil", Name: `Evil", <x@y.test> =?utf-8?q?a?=`}, access.Reviewer)
	require.NoError(t, err)
	require.NoError(t, d.Store.SetMailTitles(d.ctx, d.actor("admin"), true))
	d.mention(id, "approver")
	d.run()
	d.Clock.Move(grace)
	d.until("it came", func() bool { return len(d.relay.all()) == 1 })
	l := read(t, d.relay.all()[0].data)
	require.Contains(t, l.text, "\u2068"+evil+"\u2069")
	require.NotContains(t, l.html, "<script")
	require.Contains(t, l.html, "&lt;script&gt;")
	require.Empty(t, l.header.Get("Bcc"))
	require.Len(t, l.header["To"], 1)
}

func sessionTitled(title string) string {
	return `{"format":"sanad.session/v1","session":{"external_id":"t-1","title":` + quote(title) + `,"query":"q","answer":"One. Two.","lang":"en"},
	"documents":[{"id":"a","filename":"a.pdf","chunks":[{"id":"c1","text":"One."}]}],
	"claims":[{"claim_id":"c1","claim_text":"One","importance":"minor","matches":[]},{"claim_id":"c2","claim_text":"Two","importance":"minor","matches":[]}]}`
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// What happens together is one mail; who got many within the hour gets the rest with the daily one.
func TestNobodyIsFlooded(t *testing.T) {
	d := newDesk(t, relayOptions{})
	d.run()
	id := d.session()
	for range 3 {
		d.mention(id, "approver")
	}
	d.Clock.Move(grace)
	d.until("it came", func() bool { return len(d.relay.all()) == 1 })
	require.Equal(t, "3 notifications from Sanad", read(t, d.relay.all()[0].data).subject)
	for range notify.MailsPerHour + 3 {
		d.mention(id, "approver")
		d.Clock.Move(grace)
		d.calm()
	}
	require.Len(t, d.relay.all(), notify.MailsPerHour)
	d.Clock.Move(24 * time.Hour)
	d.until("the daily mail came", func() bool { return len(d.relay.all()) == notify.MailsPerHour+1 })
	d.calm()
	require.Len(t, d.relay.all(), notify.MailsPerHour+1)
	require.Equal(t, "Your day in Sanad: 4 notifications", read(t, d.relay.all()[notify.MailsPerHour].data).subject)
}

// The daily mail comes once a day at its hour, with what is unread then.
func TestDailyMail(t *testing.T) {
	d := newDesk(t, relayOptions{})
	d.settings("approver", func(s *db.MailSettings) { s.Choices = notify.Choices{notify.Mentioned: notify.Daily} })
	d.run()
	id := d.session()
	for range 40 {
		d.mention(id, "approver")
	}
	d.Clock.Move(21 * time.Hour) // from 09:00 to 06:00
	d.calm()
	require.Empty(t, d.relay.all())
	list, err := d.Store.Notices(d.ctx, d.actor("approver"), true, 0, 100)
	require.NoError(t, err)
	require.NoError(t, d.Store.ReadNotice(d.ctx, d.actor("approver"), list[0].No))
	d.Clock.Move(time.Hour)
	d.until("it came", func() bool { return len(d.relay.all()) == 1 })
	l := read(t, d.relay.all()[0].data)
	require.Equal(t, "Your day in Sanad: 39 notifications", l.subject)
	require.Contains(t, l.text, "And 9 more notifications\nhttps://sanad.test/notifications\n")
	require.Equal(t, notify.PerMail, strings.Count(l.text, "#claim-2"))
	d.Clock.Move(48 * time.Hour)
	d.calm()
	require.Len(t, d.relay.all(), 1, "each is told once")
}

// deny denies everybody one action.
type deny struct{ what access.Action }

func (x deny) Allowed(ctx context.Context, who access.Actor, what access.Action, on access.Object) (bool, error) {
	if what == x.what {
		return false, nil
	}
	return access.ByRole{}.Allowed(ctx, who, what, on)
}

// Who has left, was disabled, may no longer see it, has read it, wants no mail or has no address gets none.
func TestWhoGetsNothing(t *testing.T) {
	operator := func(d *desk) access.Actor { return access.AtCommandLine(d.Tenant.ID) }
	for name, c := range map[string]struct {
		do     func(t *testing.T, d *desk, session string)
		reason string // of a mail that was put together, "" if none
	}{
		"disabled by the operator": {func(t *testing.T, d *desk, _ string) {
			require.NoError(t, d.Store.SetUserDisabled(d.ctx, operator(d), d.Person("approver").ID, true))
		}, notify.MailNobody},
		"disabled in the tenant": {func(t *testing.T, d *desk, _ string) {
			require.NoError(t, d.Store.SetMemberDisabled(d.ctx, operator(d), d.Person("approver").ID, true))
		}, notify.MailNobody},
		"no address any more": {func(_ *testing.T, d *desk, _ string) { d.address("approver", "") }, notify.MailNobody},
		"may not see it":      {func(_ *testing.T, d *desk, _ string) { d.may = deny{access.ReadLedger} }, notify.MailNothingLeft},
		"wants none any more": {func(_ *testing.T, d *desk, _ string) {
			d.settings("approver", func(s *db.MailSettings) { s.Choices = notify.AllOff() })
		}, notify.MailNothingLeft},
		"has read it": {func(t *testing.T, d *desk, _ string) {
			require.NoError(t, d.Store.ReadNotices(d.ctx, d.actor("approver"), 1<<40))
		}, ""},
		"it is three days old": {func(_ *testing.T, d *desk, _ string) { d.Clock.Move(notify.MailStale) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, relayOptions{})
			id := d.session()
			d.mention(id, "approver")
			c.do(t, d, id)
			d.Clock.Move(grace)
			post, stop := d.run()
			if c.reason != "" {
				d.until("it was dropped", func() bool { return post.Counts.Dropped.Load() == 1 })
			}
			d.calm()
			stop()
			require.Empty(t, d.relay.all())
			all, err := d.Store.MailSummary(d.ctx, d.Tenant.ID, 10)
			require.NoError(t, err)
			require.Zero(t, all.Queued)
			dropped := 0
			if c.reason != "" {
				dropped = 1
			}
			require.Equal(t, dropped, all.Dropped)
			require.EqualValues(t, dropped, post.Counts.Dropped.Load())
		})
	}
}

// Who wanted no mail when it happened has nothing in the queue.
func TestOffQueuesNothing(t *testing.T) {
	d := newDesk(t, relayOptions{})
	d.settings("approver", func(s *db.MailSettings) { s.Choices = notify.Choices{notify.Mentioned: notify.Off} })
	d.mention(d.session(), "approver")
	all, err := d.Store.MailSummary(d.ctx, d.Tenant.ID, 10)
	require.NoError(t, err)
	require.Zero(t, all.Queued)
}

// The reply codes decide: 4xx and broken connections are tried again, 5xx about the mail is final.
func TestRefusals(t *testing.T) {
	answer := func(code int) error { return &smtp.SMTPError{Code: code, Message: "approver@people.test says no"} }
	for name, c := range map[string]struct {
		set   func(d *desk)
		want  string
		tries bool // it is sent once the fault is over
	}{
		"the recipient is unknown": {set: func(d *desk) { d.relay.onRcpt = func(string) error { return answer(550) } }, want: "failed refused"},
		"the sender is refused":    {set: func(d *desk) { d.relay.onMail = func(string) error { return answer(553) } }, want: "failed refused"},
		"the content is refused": {set: func(d *desk) {
			d.relay.onData = func(int, *smtp.Conn, io.Reader) error { return answer(554) }
		}, want: "failed refused"},
		"greylisted":        {set: func(d *desk) { d.relay.onRcpt = func(string) error { return answer(451) } }, want: "waiting put_off", tries: true},
		"full":              {set: func(d *desk) { d.relay.onMail = func(string) error { return answer(452) } }, want: "waiting put_off", tries: true},
		"shutting down":     {set: func(d *desk) { d.relay.onMail = func(string) error { return answer(421) } }, want: "waiting put_off", tries: true},
		"a login is needed": {set: func(d *desk) { d.relay.onMail = func(string) error { return answer(530) } }, want: "waiting login", tries: true},
		"cut within the data": {set: func(d *desk) {
			d.relay.onData = func(_ int, c *smtp.Conn, r io.Reader) error {
				_, _ = r.Read(make([]byte, 10))
				_ = c.Close()
				return answer(451)
			}
		}, want: "waiting connect", tries: true},
		"too slow": {set: func(d *desk) {
			d.edit = func(o *mails.Options) { o.Server.Timeout = 300 * time.Millisecond }
			d.relay.onData = func(_ int, c *smtp.Conn, r io.Reader) error {
				_, _ = io.Copy(io.Discard, r)
				_, err := c.Conn().Read(make([]byte, 1)) // until the client gives up
				return err
			}
		}, want: "waiting timeout", tries: true},
		"the certificate is another's": {set: func(d *desk) {
			d.edit = func(o *mails.Options) { _, _, o.Server.Roots = interop.NewCertificate(d.t, d.t.TempDir(), 9) }
		}, want: "waiting tls", tries: true},
		"the wrong password": {set: func(d *desk) {
			d.edit = func(o *mails.Options) { o.Server.Password = "wrong" }
		}, want: "waiting login", tries: true},
		"nobody listens": {set: func(d *desk) {
			d.edit = func(o *mails.Options) { o.Server.Port = 1 }
		}, want: "waiting connect", tries: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, relayOptions{})
			c.set(d)
			d.mention(d.session(), "approver")
			d.Clock.Move(grace)
			_, stop := d.run()
			d.until(c.want, func() bool { all := d.summary(); return len(all) == 1 && all[0] == c.want })
			stop()
			require.Empty(t, d.relay.all())
			require.NotContains(t, d.log.String(), password)
			require.NotContains(t, d.log.String(), "approver@people.test", "the log names nobody's address")
			d.relay.onMail, d.relay.onRcpt, d.relay.onData, d.edit = nil, nil, nil, nil
			d.Clock.Move(time.Hour)
			d.run()
			d.calm()
			if !c.tries {
				require.Empty(t, d.relay.all())
				require.Equal(t, []string{c.want}, d.summary())
				return
			}
			require.Len(t, d.relay.all(), 1)
			require.Empty(t, d.summary())
		})
	}
}

// A mail is given up after the last attempt, and an administrator sees it.
func TestGivingUp(t *testing.T) {
	d := newDesk(t, relayOptions{})
	d.relay.onRcpt = func(string) error { return &smtp.SMTPError{Code: 451, Message: "later"} }
	d.mention(d.session(), "approver")
	d.Clock.Move(grace)
	p, _ := d.run()
	for range notify.MailAttempts {
		d.calm()
		d.Clock.Move(6 * time.Hour)
	}
	d.until("given up", func() bool { return p.Counts.Failed.Load() == 1 })
	all, err := d.Store.MailSummary(d.ctx, d.Tenant.ID, 10)
	require.NoError(t, err)
	require.Equal(t, 1, all.Failed)
	require.Equal(t, notify.MailAttempts, all.Recent[0].Attempts)
	require.Equal(t, 451, all.Recent[0].Status)
	require.Equal(t, "The approver", all.Recent[0].Name)
	require.EqualValues(t, notify.MailAttempts-1, p.Counts.PutOff.Load())
	other, err := d.Store.MailSummary(d.ctx, d.Other.ID, 10)
	require.NoError(t, err)
	require.Equal(t, notify.MailSummary{}, other, "another tenant sees nothing of it")
	d.Clock.Move(notify.MailsKept + time.Hour)
	n, err := d.Store.PruneMails(d.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

// Without TLS nothing is sent, not even the password, unless the operator says so.
func TestTLSIsDemanded(t *testing.T) {
	for name, c := range map[string]struct {
		relay relayOptions
		mode  mails.Mode
		user  string
		want  string // "" if it is sent
	}{
		"no STARTTLS":           {relay: relayOptions{noTLS: true}, mode: mails.StartTLS, user: user, want: "waiting tls"},
		"implicit":              {relay: relayOptions{implicit: true}, mode: mails.TLS, user: user},
		"plain, and said so":    {relay: relayOptions{noTLS: true}, mode: mails.Plain, user: user},
		"plain without a login": {relay: relayOptions{noTLS: true, noAuth: true}, mode: mails.Plain},
		"no login is offered":   {relay: relayOptions{noAuth: true}, mode: mails.StartTLS, user: user, want: "waiting login"},
		"implicit to a server that begins in the clear": {mode: mails.TLS, user: user, want: "waiting tls"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, c.relay)
			d.edit = func(o *mails.Options) { o.Server.Mode, o.Server.User = c.mode, c.user }
			d.mention(d.session(), "approver")
			d.Clock.Move(grace)
			d.run()
			if c.want != "" {
				d.until(c.want, func() bool { all := d.summary(); return len(all) == 1 && all[0] == c.want })
				require.Zero(t, d.relay.logins)
				require.Empty(t, d.relay.all())
				return
			}
			d.until("it came", func() bool { return len(d.relay.all()) == 1 })
			require.Equal(t, c.mode != mails.Plain, d.relay.all()[0].secure)
		})
	}
}

// A kill between the server's 250 and our commit sends the mail once more, with the same Message-ID.
func TestKillAfterAcceptance(t *testing.T) {
	d := newDesk(t, relayOptions{})
	base := dbtest.Raw(t, d.Dir)
	_, err := base.ExecContext(d.ctx, "CREATE TRIGGER killed BEFORE UPDATE OF state ON mails BEGIN SELECT RAISE(ABORT, 'killed'); END")
	require.NoError(t, err)
	d.mention(d.session(), "approver")
	d.Clock.Move(grace)
	d.edit = func(o *mails.Options) { o.Breather = time.Hour }
	_, stop := d.run()
	d.until("it came", func() bool { return strings.Contains(d.log.String(), "cannot be recorded") })
	stop()
	require.Len(t, d.relay.all(), 1)
	_, err = base.ExecContext(d.ctx, "DROP TRIGGER killed")
	require.NoError(t, err)
	d.Clock.Move(time.Minute) // until then it belonged to the one that was killed
	_, stop = d.run()
	d.calm()
	stop()
	got := d.relay.all()
	require.Len(t, got, 2)
	require.Equal(t, read(t, got[0].data).header.Get("Message-Id"), read(t, got[1].data).header.Get("Message-Id"))
	_, stop = d.run()
	d.calm()
	stop()
	require.Len(t, d.relay.all(), 2, "and no more")
}

// A shutdown does not wait for a slow server, and what it cut off is sent later.
func TestShutdown(t *testing.T) {
	d := newDesk(t, relayOptions{})
	hold := make(chan struct{})
	d.relay.onData = func(int, *smtp.Conn, io.Reader) error { <-hold; return &smtp.SMTPError{Code: 451} }
	d.mention(d.session(), "approver")
	d.Clock.Move(grace)
	_, stop := d.run()
	d.until("it is being sent", func() bool { return d.relay.tries() == 1 })
	stop() // while the server still holds it
	close(hold)
	require.Equal(t, []string{"waiting"}, d.summary(), "the attempt does not count")
	d.relay.mu.Lock()
	d.relay.onData = nil
	d.relay.mu.Unlock()
	d.run()
	d.until("it came", func() bool { return len(d.relay.all()) == 1 })
}

// An administrator's test message goes to themselves alone, and not without end.
func TestTestMail(t *testing.T) {
	d := newDesk(t, relayOptions{})
	for range 5 {
		require.NoError(t, d.Store.QueueTestMail(d.ctx, d.actor("admin")))
	}
	require.Equal(t, domain.Conflict, domain.KindOf(d.Store.QueueTestMail(d.ctx, d.actor("admin"))))
	d.address("viewer", "")
	require.Equal(t, domain.Conflict, domain.KindOf(d.Store.QueueTestMail(d.ctx, d.actor("viewer"))))
	d.run()
	d.until("they came", func() bool { return len(d.relay.all()) == 5 })
	require.Equal(t, "Test message from Sanad", read(t, d.relay.all()[0].data).subject)
	require.Equal(t, "admin@people.test", d.relay.all()[0].to)
	p := mails.New(d.options())
	require.NoError(t, p.Server.Check(d.ctx))
	_, err := p.SendTest(d.ctx, "id", "somebody@people.test", "ar")
	require.NoError(t, err)
	l := read(t, d.relay.all()[5].data)
	require.Equal(t, "رسالة تجريبية من سند", l.subject)
	require.NotContains(t, l.text, "https://")
}

// Nobody is mailed of a sealed comment before the seal falls: it is no notification until then.
func TestSealedCommentsAreNotMailed(t *testing.T) {
	d := newDesk(t, relayOptions{})
	id := d.session()
	res := d.As("admin").Do("POST", "/api/v1/sessions/"+id+"/reviewers", `{"second_review":"blind","first_reviewer":"`+
		d.Person("reviewer").ID+`","second_reviewer":"`+d.Person("approver").ID+`"}`)
	require.Equal(t, 200, res.Code, res.Body.String())
	d.mention(id, "approver")
	d.Clock.Move(grace)
	_, stop := d.run()
	d.calm()
	stop()
	require.Len(t, d.relay.all(), 2, "both are told of their seat")
	for _, m := range d.relay.all() {
		require.Equal(t, "A review was assigned to you", read(t, m.data).subject)
	}
}

// Two servers send from one store: each mail goes out once.
func TestTwoServersSendOnce(t *testing.T) {
	const mailed = notify.MailsPerHour
	d := newDesk(t, relayOptions{})
	id := d.session()
	for range mailed {
		d.mention(id, "approver")
		d.Clock.Move(grace)
		_, err := d.Store.GatherMails(d.ctx, 10) // a mail of its own for each
		require.NoError(t, err)
		d.Clock.Move(time.Minute)
	}
	a, _ := d.run()
	b, _ := d.run()
	d.calm()
	require.EqualValues(t, mailed, a.Counts.Sent.Load()+b.Counts.Sent.Load())
	seen := map[string]bool{}
	for _, m := range d.relay.all() {
		seen[read(t, m.data).header.Get("Message-Id")] = true
	}
	require.Len(t, d.relay.all(), mailed)
	require.Len(t, seen, mailed)
	t.Logf("%d by one, %d by the other", a.Counts.Sent.Load(), b.Counts.Sent.Load())
}
