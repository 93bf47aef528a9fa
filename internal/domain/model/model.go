// Package model holds the rules of the endpoints that judge sessions (rules J-10 and SEC-28): what one has, what may be
// spent on it, and how much a question is expected to cost.
package model

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Kind is the protocol of an endpoint. Kinds are stored.
type Kind string

// The kinds.
const (
	OpenAI     Kind = "openai"     // chat completions
	Anthropic  Kind = "anthropic"  // messages
	NLI        Kind = "nli"        // a scorer of pairs; the end of its address says which shape
	Embeddings Kind = "embeddings" // vectors for retrieval; it judges nothing
)

// Kinds lists them in the order that pages show.
var Kinds = []Kind{OpenAI, Anthropic, NLI, Embeddings}

// Judges reports whether an endpoint of this kind can judge a session.
func (k Kind) Judges() bool { return k == OpenAI || k == Anthropic || k == NLI }

// Endpoint is what a tenant's sessions may be judged by, without its key.
type Endpoint struct {
	ID       string
	Name     string // unique in the tenant, may change
	Kind     Kind
	URL      string // base address; for NLI the whole address
	Model    string // "" where the address says which
	HasKey   bool
	Trust    Trust
	Price    Price
	Run      Budget // bounds of one run
	Day      Budget // bounds of one day in UTC, over all runs
	Parallel int    // questions at a time in one run
	Timeout  time.Duration
	Redact   bool // personal data is replaced before anything is sent
	Enabled  bool

	Revision             int
	CreatedAt, ChangedAt time.Time
	CreatedBy, ChangedBy string // ids of actors
}

// Trust is the measured share of a model's words that people found right, 0 to 1; 0 if it was not measured.
type Trust struct{ Supported, Contradicted float64 }

// Measured is what the tenant's own reviews say of a model's words (rule J-12).
type Measured struct{ Supported, Contradicted MeasuredShare }

// MeasuredShare is the lower bound of the share of one word that people found right, and how many reviews it stands on.
type MeasuredShare struct {
	Right, Reviews int     // claims of which the model said the word: those that people agreed on, and all that they settled
	Share          float64 // 0 if there are too few, or none was right
	Missing        int     // how many more reviews it takes before anything is said
}

// Enough reports whether there are enough reviews for the share to say something: that none was right is something too.
func (m MeasuredShare) Enough() bool { return m.Reviews > 0 && m.Missing == 0 }

// Some reports whether something was measured.
func (m *Measured) Some() bool { return m.Supported.Enough() || m.Contradicted.Enough() }

// Over returns a trust with what was measured in the place of what was set; an error if nothing was.
func (m *Measured) Over(t Trust) (Trust, error) {
	if !m.Some() {
		return t, domain.Refuse(domain.Conflict, "", "refused_too_few_claims")
	}
	if m.Supported.Enough() {
		t.Supported = m.Supported.Share
	}
	if m.Contradicted.Enough() {
		t.Contradicted = m.Contradicted.Share
	}
	return t, nil
}

// Price is the cost of a million tokens, in millionths of the currency that the tenant counts in; 0 if unknown.
type Price struct{ In, Out int64 }

// Cost returns what tokens cost, in millionths, rounded up.
func (p Price) Cost(tokensIn, tokensOut int) int64 {
	const million = 1_000_000
	return (int64(tokensIn)*p.In + int64(tokensOut)*p.Out + million - 1) / million
}

// Budget bounds what may be spent; 0 is no bound. Cost is in millionths.
type Budget struct{ Tokens, Cost int64 }

// Spending is what was spent on an endpoint.
type Spending struct {
	Calls, Failed       int
	TokensIn, TokensOut int64
	Cost                int64 // millionths
}

// Add adds a call.
func (s *Spending) Add(c *Call) {
	s.Calls++
	if c.Fault != "" {
		s.Failed++
	}
	s.TokensIn += int64(c.TokensIn)
	s.TokensOut += int64(c.TokensOut)
	s.Cost += c.Cost
}

// Tokens returns those of questions and answers.
func (s Spending) Tokens() int64 { return s.TokensIn + s.TokensOut }

// Fits reports whether more tokens and cost are within the bounds, where s was spent already.
func (b Budget) Fits(s Spending, tokens, cost int64) bool {
	return (b.Tokens == 0 || s.Tokens()+tokens <= b.Tokens) && (b.Cost == 0 || s.Cost+cost <= b.Cost)
}

// What an endpoint has where nobody chose otherwise.
const (
	DefaultParallel = 8
	DefaultTimeout  = time.Minute
)

// Bounds of an endpoint's fields. Without a bound on prices, a cost could exceed an int64.
const (
	MaxEndpoints = 50 // of a tenant
	MaxParallel  = 64
	MinTimeout   = time.Second
	MaxTimeout   = 10 * time.Minute
	maxName      = 80   // code points
	maxModel     = 200  // code points
	maxURL       = 2000 // bytes
	maxKey       = 4096 // bytes
	maxAmount    = 1_000_000_000_000
)

// reserved are names that mean another judge.
var reserved = []string{"embedded", "lexical", "given", "none", "all"}

// Check returns an error that names the first field that cannot be, and how to mend it. It trims the texts.
func (e *Endpoint) Check() error {
	e.Name, e.URL, e.Model = strings.TrimSpace(e.Name), strings.TrimSpace(e.URL), strings.TrimSpace(e.Model)
	for _, check := range []func() error{e.checkName, e.checkAddress, e.checkModel, e.checkAmounts, e.checkBounds} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (e *Endpoint) checkName() error {
	switch n := utf8.RuneCountInString(e.Name); {
	case n == 0:
		return domain.Refuse(domain.Invalid, "name", "refused_endpoint_name_such")
	case n > maxName || !printable(e.Name):
		return domain.Refuse(domain.Invalid, "name", "refused_name_line_most", "N", maxName)
	case slices.Contains(reserved, strings.ToLower(e.Name)):
		return domain.Refuse(domain.Invalid, "name", "refused_meaning_own_choose", "Name", words.Quoted(e.Name))
	}
	return nil
}

func (e *Endpoint) checkAddress() error {
	if !slices.Contains(Kinds, e.Kind) {
		return domain.Refuse(domain.Invalid, "kind", "refused_kind_choose_openai", "Name",
			words.Quoted(string(e.Kind)))
	}
	u, err := url.Parse(e.URL)
	switch {
	case len(e.URL) > maxURL:
		return domain.Refuse(domain.Invalid, "url", "refused_address_most_characters", "N", maxURL)
	case err != nil || u.Hostname() == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "http" || !printable(e.URL) ||
		strings.ContainsFunc(e.URL, unicode.IsSpace):
		return domain.Refuse(domain.Invalid, "url", "refused_address_such_https")
	case u.User != nil:
		return CheckSecrets(e.URL)
	case u.Fragment != "":
		return domain.Refuse(domain.Invalid, "url", "refused_leave_follows_out")
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }):
		return domain.Refuse(domain.Invalid, "url", "refused_write_host_name")
	case oddNumber(u.Hostname()):
		return domain.Refuse(domain.Invalid, "url", "refused_write_host_number")
	case e.Kind == NLI && !slices.Contains(scorers, path.Base(strings.TrimSuffix(u.Path, "/"))):
		return domain.Refuse(domain.Invalid, "url", "refused_whole_address_scorer")
	}
	return nil
}

// oddNumber reports whether a host is an IPv4 address in a short, hexadecimal or octal spelling (127.1, 0x7f000001),
// which resolvers take and CheckReach would not see through. A name never ends in a number
// (https://url.spec.whatwg.org, "ends in a number checker").
func oddNumber(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	last := host[strings.LastIndexByte(host, '.')+1:]
	digits := "0123456789"
	if hex, is := strings.CutPrefix(last, "0x"); is {
		return strings.Trim(hex, digits+"abcdef") == ""
	}
	return last != "" && strings.Trim(last, digits) == ""
}

// scorers are the ends of addresses that say which shape a scorer has.
var scorers = []string{"predict", "rerank", "infer", "classify", "score"}

func (e *Endpoint) checkModel() error {
	switch {
	case e.Model == "" && e.Kind != NLI:
		return domain.Refuse(domain.Invalid, "model", "refused_name_model_asked")
	case utf8.RuneCountInString(e.Model) > maxModel || !printable(e.Model):
		return domain.Refuse(domain.Invalid, "model", "refused_model_name_line", "N", maxModel)
	}
	return nil
}

func (e *Endpoint) checkAmounts() error {
	for _, x := range []struct {
		path  string
		share float64
	}{{"trust_supported", e.Trust.Supported}, {"trust_contradicted", e.Trust.Contradicted}} {
		if !(x.share >= 0 && x.share <= 1) { // NaN too
			return domain.Refuse(domain.Invalid, x.path, "refused_share_such_if")
		}
	}
	const million = 1_000_000
	for _, x := range []struct {
		path         string
		amount, unit int64 // of what people type
	}{
		{"price_in", e.Price.In, million}, {"price_out", e.Price.Out, million},
		{"run_tokens", e.Run.Tokens, 1}, {"run_cost", e.Run.Cost, million},
		{"day_tokens", e.Day.Tokens, 1}, {"day_cost", e.Day.Cost, million},
	} {
		if x.amount < 0 || x.amount > maxAmount {
			return domain.Refuse(domain.Invalid, x.path, "refused_number_bound_price", "N", int(maxAmount/x.unit))
		}
	}
	for _, x := range []struct {
		path string
		b    Budget
	}{{"run_cost", e.Run}, {"day_cost", e.Day}} {
		if x.b.Cost > 0 && e.Price == (Price{}) {
			return domain.Refuse(domain.Invalid, x.path, "refused_bound_cost_needs")
		}
	}
	return nil
}

func (e *Endpoint) checkBounds() error {
	switch {
	case e.Parallel < 1 || e.Parallel > MaxParallel:
		return domain.Refuse(domain.Invalid, "parallel", "refused_questions_time", "N", MaxParallel)
	case e.Timeout < MinTimeout || e.Timeout > MaxTimeout:
		return domain.Refuse(domain.Invalid, "timeout", "refused_time_seconds", "N", int(MinTimeout.Seconds()),
			"Most", int(MaxTimeout.Seconds()))
	}
	return nil
}

// CheckKey returns an error if a key cannot be sent in a header. "" is no key.
func CheckKey(key string) error {
	if len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return domain.Refuse(domain.Invalid, "key", "refused_key_line_most", "N", maxKey)
	}
	return nil
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError })
}
