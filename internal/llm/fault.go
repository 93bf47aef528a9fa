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
)

// fault is why a try failed.
type fault struct {
	code  string // short, for records and counts
	msg   string // safe to show: no word of the endpoint, no key
	cause error  // for the log alone
	again bool   // another try may succeed
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
	return &domain.Error{Kind: domain.Unavailable, Op: "llm", Msg: f.msg, Err: f.cause}
}

// notSpent is the fault of a request that its budget did not allow.
func notSpent(ctx context.Context, err error) *fault {
	if ctx.Err() != nil {
		return ofConnection(ctx.Err())
	}
	f := &fault{code: "budget", msg: "The endpoint's budget could not be read.", cause: err}
	var e *domain.Error
	if errors.As(err, &e) && e.Text() != "" {
		f.msg = e.Text()
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
		f.code, f.msg = "cancelled", "Asking was cancelled."
	case errors.Is(err, errForbidden):
		f.code, f.msg = "forbidden", "The endpoint's address is neither public nor allowed."
	case errors.As(err, &invalid):
		f.code = "certificate"
		f.msg = "The endpoint's certificate is not valid for it, or was issued by an authority that is not trusted here."
	case errors.As(err, &alert), errors.As(err, &header), strings.Contains(err.Error(),
		"server gave HTTP response to HTTPS client"):
		f.code, f.msg = "tls", "The endpoint does not speak TLS as it should."
	case errors.Is(err, errUnreached) && !errors.As(err, &name):
		f.code, f.msg, f.again, f.most = "connection", "The endpoint cannot be reached.", true, mostUnreached
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.code, f.msg, f.again, f.most = "timeout", "The endpoint did not answer in time.", true, mostTimeouts
	case errors.As(err, &name):
		f.code, f.msg = "name", "The endpoint's name cannot be resolved."
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.code, f.msg, f.again = "cut", "The endpoint's answer was cut off.", true
	default:
		f.code, f.msg, f.again, f.most = "connection", "The endpoint cannot be reached.", true, mostUnreached
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
		f.msg = "The endpoint redirects, which is not followed: give the address that it redirects to."
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		f.msg = fmt.Sprintf("The endpoint does not accept the key (%d).", s)
	case s == http.StatusNotFound:
		f.msg = "The endpoint has no such path or model (404)."
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests:
		f.msg, f.again = fmt.Sprintf("The endpoint is too busy (%d).", s), true
	case s >= 500:
		f.msg, f.again = fmt.Sprintf("The endpoint has an error of its own (%d).", s), true
	default:
		f.msg = fmt.Sprintf("The endpoint does not accept the request (%d).", s)
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
	return &fault{code: "too long", msg: "The endpoint's answer is too long to be read."}
}

func malformed(err error) *fault {
	return &fault{code: "malformed", msg: "The endpoint's answer is not in the form of its kind.", cause: err}
}

// inside is an error that stands in an answer with status 200.
func inside(code string) *fault {
	f := &fault{code: "error inside", msg: "The endpoint answered 200 with an error inside."}
	for _, word := range []string{"429", "rate_limit", "overloaded", "500", "502", "503", "unavailable", "timeout"} {
		f.again = f.again || strings.Contains(strings.ToLower(code), word)
	}
	return f
}
