package llm

import (
	"cmp"
	"context"
	"crypto/x509"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/redact"
	"sanad/internal/domain/webhook"
	"sanad/internal/words"
)

// Kind is the shape of an endpoint.
type Kind string

// The kinds.
const (
	OpenAI    Kind = "openai"    // chat completions
	Anthropic Kind = "anthropic" // messages
	NLI       Kind = "nli"       // a scorer of pairs; the end of its address says which shape
)

// Kinds lists them.
var Kinds = []Kind{OpenAI, Anthropic, NLI}

// Config says where a judge asks, and within which bounds.
type Config struct {
	Kind     Kind
	Endpoint string // base address; for NLI the whole address
	Model    string
	Key      string         // "" for none; never in an error or a record
	Allow    []netip.Prefix // networks that may be reached although they are not public, also without TLS
	Allowing string         // names the flag of Allow in errors, "" for --allow
	Roots    *x509.CertPool // nil for the system's
	Trust    pointer.Trust  // what was measured of this model
	Own      judge.Judge    // the embedded judge, which the model's words are held to; nil compares words only
	Price    Price

	Embeddings Embeddings       // finds passages beside BM25, none if it has no endpoint
	Redact     *redact.Redactor // covers what identifies a person in all that is sent; nil: nothing is covered

	Timeout   time.Duration // of one try
	Tries     int           // at most, of one question
	MaxWait   time.Duration // longest wait between two tries; who asks for more is not waited for
	MaxAnswer int           // bytes of one answer
	MaxTokens int           // that a model may write

	Now    func() time.Time
	Jitter func() float64                             // 0 to 1
	Wait   func(context.Context, time.Duration) error // nil: a timer
	// Record is called after each question, from several goroutines at once; nil for none.
	Record func(Call)
	// Failed is called after each try that failed, with why, also from several at once; nil for none.
	Failed func(why domain.Message)
}

// Price is what a million tokens cost, in whatever currency the operator counts; 0 if unknown.
type Price struct{ In, Out float64 }

// defaults fills what the caller left open.
func (c Config) defaults() Config {
	set := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	set(&c.Timeout, time.Minute)
	set(&c.MaxWait, time.Minute)
	if c.Tries <= 0 {
		c.Tries = 4
	}
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = 1 << 20
	}
	if c.MaxTokens <= 0 {
		c.MaxTokens = 2000
	}
	if c.Wait == nil {
		c.Wait = sleep
	}
	if c.Failed == nil {
		c.Failed = func(domain.Message) {}
	}
	if c.Record == nil {
		c.Record = func(Call) {}
	}
	return c
}

// sleep waits, or returns early with the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// allowing names the flag that allows a network.
func (c *Config) allowing() string { return cmp.Or(c.Allowing, "--allow") }

// check returns the endpoint's address, or what is wrong with the configuration and how to mend it.
func (c *Config) check() (*url.URL, error) {
	if !slices.Contains(Kinds, c.Kind) {
		return nil, domain.Refuse(domain.Invalid, "judge", "refused_judge_judges_over", "Name",
			words.Quoted(string(c.Kind)))
	}
	u, err := url.Parse(c.Endpoint)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, domain.Refuse(domain.Invalid, "endpoint", "refused_address_such_https")
	case u.User != nil || u.Fragment != "":
		return nil, domain.Refuse(domain.Invalid, "endpoint", "refused_leave_user_password")
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }):
		return nil, domain.Refuse(domain.Invalid, "endpoint", "refused_write_host_name")
	case u.Scheme == "http" && len(c.Allow) == 0:
		return nil, domain.Refuse(domain.Invalid, "endpoint", "refused_nothing_sent_without_tls", "Name",
			c.allowing())
	case c.Model == "" && c.Kind != NLI:
		return nil, domain.Refuse(domain.Invalid, "model", "refused_name_model_asked")
	case c.Kind == NLI && shapeOf(u) == "":
		return nil, domain.Refuse(domain.Invalid, "endpoint", "refused_whole_address_scorer")
	}
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && !webhook.MayReach(a, u.Scheme == "https", c.Allow) {
		return nil, domain.Refuse(domain.Invalid, "endpoint", "refused_address_public_allow", "Name", c.allowing(),
			"Other", a.String())
	}
	return u, nil
}
