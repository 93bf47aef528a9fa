package web

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/quota"
)

// busyFor is when who was refused for want of room may ask again.
const busyFor = 10 * time.Second

// IsBusy reports whether a request waited in vain for its share of what the server has, or found too many others
// waiting.
func IsBusy(err error) bool {
	var full *quota.Refused
	return errors.As(err, &full)
}

// Busy sets Retry-After and returns 503.
func Busy(c echo.Context) int {
	TooMany(c, busyFor)
	return http.StatusServiceUnavailable
}

// fullFault words a refusal for programs: 429 if the bound is the caller's own or its tenant's, 503 if it is the
// server's. Pages have words of their own.
func fullFault(full *quota.Refused) Fault {
	f := Fault{Status: http.StatusTooManyRequests, err: full}
	switch full.Whose {
	case quota.Person:
		f.Msg = "Your other requests take all the memory that one person may use"
	case quota.Tenant:
		f.Msg = "Your organisation's other requests take all the memory that it may use"
	default:
		f.Status, f.Msg = http.StatusServiceUnavailable, "The server has too much to do at the moment"
	}
	f.Msg += ", so nothing was done; Retry-After says how many seconds to wait."
	return f
}
