package limits

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/quota"
)

// BusyFor is when who was refused for want of room may ask again.
const BusyFor = 10 * time.Second

// IsBusy reports whether a request waited in vain for its share of what the server has, or found too many others
// waiting.
func IsBusy(err error) bool {
	var full *quota.Refused
	return errors.As(err, &full)
}

// Busy sets Retry-After and returns 503.
func Busy(c echo.Context) int {
	TooMany(c, BusyFor)
	return http.StatusServiceUnavailable
}

// TooMany sets Retry-After, in whole seconds, and returns 429.
func TooMany(c echo.Context, wait time.Duration) int {
	c.Response().Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return http.StatusTooManyRequests
}
