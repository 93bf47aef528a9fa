// Package mails sends by SMTP what people are told of (rule N-5): at once or once a day, as each of them chose, to the
// addresses that the operator or an administrator set, through the one mail server that the operator configured. It
// retries with growing waits until the server takes a mail, refuses it for good, or it is given up. All state is in the
// database, so that a restart continues where the last run stopped. If the process is killed after the server took a
// mail and before that is recorded, the mail is sent once more for each such kill, with the same Message-ID.
package mails

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	notifyviews "sanad/internal/views/notify"
)

const (
	workers  = 4                        // concurrent attempts
	perBatch = 50                       // mails read at once
	pause    = 5 * time.Second          // between looks at the outbox
	breather = 30 * time.Second         // after a fault of the server, so that not each mail runs into it
	lease    = Timeout + 15*time.Second // for how long a mail belongs to the server that sends it
)

// Options configures a Post. The clock and randomness are passed in so that tests can fix them.
type Options struct {
	Store      *db.Store
	Log        *slog.Logger
	Now        func() time.Time
	Jitter     func() float64 // in [0, 1)
	Authorizer access.Authorizer
	MAC        func(context, text string) string // keyed hash, for the links that stop mails
	Server     Server
	From       string // address
	FromName   string
	Base       string // the server's public address, without a slash at its end

	Pause    time.Duration // 0 for five seconds
	Breather time.Duration // 0 for half a minute
}

// Counts are how many mails ended in each way since the start.
type Counts struct{ Sent, PutOff, Failed, Dropped atomic.Uint64 }

// Post sends mails.
type Post struct {
	Options
	Counts  Counts
	sending atomic.Int64 // attempts in progress
}

// New returns a Post.
func New(o Options) *Post {
	if o.Pause == 0 {
		o.Pause = pause
	}
	if o.Breather == 0 {
		o.Breather = breather
	}
	return &Post{Options: o}
}

// Run sends until ctx ends. Attempts that it cuts off count as not made.
func (p *Post) Run(ctx context.Context) {
	for {
		wait := p.Pause
		if broken, more := p.round(ctx); broken {
			wait = p.Breather
		} else if more {
			wait = 0
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// round puts together what is due and sends it. broken reports that the mail server has a fault; more, that there may
// be more to do at once.
func (p *Post) round(ctx context.Context) (broken, more bool) {
	gathered, err := p.Store.GatherMails(ctx, perBatch)
	if err != nil {
		p.fault(ctx, "mails cannot be put together", err)
		return true, false
	}
	due, err := p.Store.DueMails(ctx, perBatch)
	if err != nil {
		p.fault(ctx, "the outbox of mails cannot be read", err)
		return true, false
	}
	var stop atomic.Bool
	var running sync.WaitGroup
	free := make(chan struct{}, workers)
	for i := range due {
		free <- struct{}{}
		if stop.Load() || ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-free }()
			if p.attempt(ctx, &due[i]) {
				stop.Store(true)
			}
		})
	}
	running.Wait()
	return stop.Load(), gathered == perBatch || len(due) == perBatch
}

func (p *Post) fault(ctx context.Context, says string, err error) {
	if ctx.Err() == nil {
		p.Log.Error(says, "err", err)
	}
}

// attempt sends one mail and records how that ended. It reports whether the mail server, or the store, has a fault.
func (p *Post) attempt(ctx context.Context, m *db.DueMail) (broken bool) {
	p.sending.Add(1)
	defer p.sending.Add(-1)
	if taken, err := p.Store.TakeMail(ctx, m, p.Now().Add(lease)); err != nil || !taken {
		if err != nil {
			p.fault(ctx, "a mail waits: it cannot be taken", err)
		}
		return err != nil // else another server has it
	}
	reason, err := p.withhold(ctx, m)
	if err != nil { // nobody can say what they may see: it waits
		p.fault(ctx, "a mail waits: permissions cannot be asked", err)
		p.giveBack(ctx, m)
		return true
	}
	if reason != "" {
		p.Counts.Dropped.Add(1)
		return p.save(ctx, db.MailAttempt{ID: m.ID, State: notify.MailDropped, Reason: reason})
	}
	o := p.send(ctx, m)
	if o.reason != "" && ctx.Err() != nil {
		p.giveBack(ctx, m)
		return false // cut off by our shutdown: it is due again
	}
	a := db.MailAttempt{ID: m.ID, State: notify.MailSent, Status: o.status, Reason: o.reason}
	if o.reason == "" {
		p.Counts.Sent.Add(1)
		return p.save(ctx, a)
	}
	wait, more := notify.MailWait(m.Attempts+1, p.Jitter())
	a.State, a.NextAt = notify.MailWaiting, p.Now().Add(wait)
	says := "a mail was not sent"
	if !more || o.final {
		a.State, says = notify.MailFailed, "a mail was given up"
		p.Counts.Failed.Add(1)
	} else {
		p.Counts.PutOff.Add(1)
	}
	p.Log.Warn(says, "tenant", m.Who.Tenant, "person", m.Who.ID, "mail", m.ID, "reason", o.reason, "status", o.status,
		"cause", p.causeWords(o.cause, m.Address))
	return p.save(ctx, a) || o.broken
}

func (p *Post) giveBack(ctx context.Context, m *db.DueMail) {
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := p.Store.ReturnMail(saving, m); err != nil {
		p.Log.Warn("a mail waits a little: it could not be given back", "mail", m.ID, "err", err)
	}
}

// save records an attempt, also during a shutdown: otherwise a mail would be sent twice. It reports a fault.
func (p *Post) save(ctx context.Context, a db.MailAttempt) (broken bool) {
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := p.Store.SaveMailAttempt(saving, a)
	if err != nil {
		p.Log.Error("an attempt to send a mail cannot be recorded", "mail", a.ID, "err", err)
	}
	return err != nil
}

// withhold takes out of a mail what the person may no longer see or wants no mail of, and returns why nothing is to be
// sent, "" if something is.
func (p *Post) withhold(ctx context.Context, m *db.DueMail) (reason string, err error) {
	if m.Who.Role == "" || m.Address == "" {
		return notify.MailNobody, nil
	}
	if m.Kind == notify.MailTest {
		return "", nil
	}
	kept := m.Notices[:0]
	for _, n := range m.Notices {
		if m.Settings.Choices.Of(n.Kind) == notify.Off {
			continue
		}
		may, err := p.maySee(ctx, m.Who, &n)
		if err != nil {
			return "", err
		}
		if may {
			kept = append(kept, n)
		}
	}
	if m.Notices = kept; len(kept) == 0 {
		return notify.MailNothingLeft, nil
	}
	return "", nil
}

// maySee asks as the page of notifications does.
func (p *Post) maySee(ctx context.Context, who access.Actor, n *notify.Notice) (bool, error) {
	what, on := n.Seen(who.Tenant)
	return p.Authorizer.Allowed(ctx, who, what, on)
}

func (p *Post) send(ctx context.Context, m *db.DueMail) outcome {
	l := letter{id: m.ID, to: m.Address, at: p.Now(), oneClick: strings.HasPrefix(p.Base, "https://"),
		in: notifyviews.MailInput{Lang: m.Settings.Lang, Kind: m.Kind, Base: p.Base, Org: m.TenantName, Notices: m.Notices,
			Titles: m.Titles, Off: p.Base + "/mail/off?t=" + notify.OffToken(p.MAC, m.Who.Tenant, m.Who.ID, p.Now())}}
	composed, err := p.message(ctx, &l)
	if err != nil {
		return outcome{reason: notify.MailUnreadable, final: true, cause: err}
	}
	return p.Server.send(ctx, composed)
}

// SendTest sends a test message to an address that the operator names, at once and past the outbox. reason is one of
// notify.MailReasons if err isn't nil.
func (p *Post) SendTest(ctx context.Context, id, to, lang string) (reason string, err error) {
	l := letter{id: id, to: to, at: p.Now(), in: notifyviews.MailInput{Lang: lang, Kind: notify.MailTest, Base: p.Base}}
	composed, err := p.message(ctx, &l)
	if err != nil {
		return notify.MailUnreadable, err
	}
	o := p.Server.send(ctx, composed)
	return o.reason, o.cause
}

// maxCause bounds, in bytes, what the log takes of a server's words.
const maxCause = 300

// causeWords returns an error's text for the log, without the person's address.
func (p *Post) causeWords(err error, address string) string {
	if err == nil {
		return ""
	}
	words := strings.ReplaceAll(err.Error(), address, "(address)")
	return words[:min(len(words), maxCause)]
}
