package web

import (
	"context"
	"net/netip"

	"sanad/internal/domain/model"
)

// ModelTest is how an endpoint that judges sessions is tested; the zero value is a server that tests none.
type ModelTest struct {
	Allow []netip.Prefix // networks that endpoints may be in although they are not public, also without TLS
	Try   func(ctx context.Context, e model.Endpoint, key string) model.Tried
	// Question is what Try asks, as a model reads it
	Question func() string
}

// Example returns the question of a test, "" if none is asked.
func (m ModelTest) Example() string {
	if m.Question == nil {
		return ""
	}
	return m.Question()
}
