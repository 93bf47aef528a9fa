package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// fault is why a try failed.
type fault struct {
	code  string         // short, for records and counts
	said  domain.Message // safe to show: no word of the endpoint, no key
	cause error          // for the log alone
	again bool           // another try may succeed
	after time.Duration
	most  int // how often a question may fail so, 0 for as often as it is tried
}

// An endpoint that is not there, or that does not answer in its time, is tried less often than one that says it is
// busy: no wait mends it, and each try may take as long as the endpoint's timeout.
const (
	mostUnreached = 4 // some three seconds: a gateway that is being restarted is back by then
	mostTimeouts  = 3
)

// err is the fault as what keeps a claim unjudged.
func (f *fault) err() error {
	return &domain.Error{Kind: domain.Unavailable, Op: "llm", Message: f.said, Err: f.cause}
}

// notSpent is the fault of a request that its budget did not allow.
func notSpent(ctx context.Context, err error) *fault {
	if ctx.Err() != nil {
		return ofConnection(ctx.Err())
	}
	f := &fault{code: "budget", said: words.Msg("cause_model_budget"), cause: err}
	var e *domain.Error
	if errors.As(err, &e) && e.Text() != "" {
		f.said = e.Message
	}
	return f
}

// ofConnection names what went wrong before an answer was read whole.
func ofConnection(err error) *fault {
	var (
		timeout net.Error
		name    *net.DNSError
		alert   tls.AlertError
		invalid *tls.CertificateVerificationError
		header  tls.RecordHeaderError
		at      *url.Error
	)
	if errors.As(err, &at) { // its text has the address, whose query may hold a secret
		err = at.Err
	}
	f := &fault{cause: err}
	switch {
	case errors.Is(err, context.Canceled):
		f.code, f.said = "cancelled", words.Msg("cause_model_cancelled")
	// alike whether a name of the operator's own network is there or not: who tests an endpoint must not find out
	case errors.Is(err, errForbidden), errors.As(err, &name) && !name.Timeout():
		f.code, f.said = "forbidden", words.Msg("cause_model_forbidden")
	case errors.As(err, &invalid):
		f.code, f.said = "certificate", words.Msg("cause_model_certificate")
	case errors.As(err, &alert), errors.As(err, &header), strings.Contains(err.Error(),
		"server gave HTTP response to HTTPS client"):
		f.code, f.said = "tls", words.Msg("cause_model_tls")
	case errors.Is(err, errUnreached) && !errors.As(err, &name):
		f.code, f.said, f.again, f.most = "connection", words.Msg("cause_model_away"), true, mostUnreached
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.code, f.said, f.again, f.most = "timeout", words.Msg("cause_model_timeout"), true, mostTimeouts
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.code, f.said, f.again = "cut", words.Msg("cause_model_cut"), true
	default:
		f.code, f.said, f.again, f.most = "connection", words.Msg("cause_model_away"), true, mostUnreached
	}
	return f
}

// ofStatus names what a status other than 200 says, nil for 200.
func ofStatus(res *http.Response, now time.Time) *fault {
	f := &fault{code: fmt.Sprintf("status %d", res.StatusCode)}
	switch s := res.StatusCode; {
	case s == http.StatusOK:
		return nil
	case s >= 300 && s < 400:
		f.said = words.Msg("cause_model_redirects")
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		f.said = words.Msg("cause_model_key", "Status", s)
	case s == http.StatusNotFound:
		f.said = words.Msg("cause_model_path")
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests:
		f.said, f.again = words.Msg("cause_model_busy", "Status", s), true
	case s >= 500:
		f.said, f.again = words.Msg("cause_model_server", "Status", s), true
	default:
		f.said = words.Msg("cause_model_request", "Status", s)
	}
	f.after = retryAfter(res.Header.Get("Retry-After"), now)
	return f
}

// retryAfter reads the header of that name: seconds or a time.
func retryAfter(header string, now time.Time) time.Duration {
	if s, err := time.ParseDuration(strings.TrimSpace(header) + "s"); err == nil && s > 0 {
		return s
	}
	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// tooLong is, as those below it, a fault of an answer that came.
func tooLong() *fault {
	return &fault{code: "too long", said: words.Msg("cause_model_too_long")}
}

func malformed(err error) *fault {
	return &fault{code: "malformed", said: words.Msg("cause_model_malformed"), cause: err}
}

// inside is an error that stands in an answer with status 200.
func inside(code string) *fault {
	f := &fault{code: "error inside", said: words.Msg("cause_model_inside")}
	for _, word := range []string{"429", "rate_limit", "overloaded", "500", "502", "503", "unavailable", "timeout"} {
		f.again = f.again || strings.Contains(strings.ToLower(code), word)
	}
	return f
}
