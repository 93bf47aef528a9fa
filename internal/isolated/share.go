package isolated

import (
	"context"
	"sync/atomic"
	"time"
)

type shareKey struct{}

// share says for whom files are read, and how long that took so far.
type share struct {
	tenant string
	spent  atomic.Int64 // nanoseconds in processes
}

// For returns a context whose files are read for a tenant; a request or a job has one. Without it, files share the
// slots of the tenant "".
func For(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, shareKey{}, &share{tenant: tenant})
}

func shareOf(ctx context.Context) *share {
	s, _ := ctx.Value(shareKey{}).(*share)
	if s == nil {
		s = &share{}
	}
	return s
}

// since adds the time since start to what was spent.
func (s *share) since(start time.Time) { s.spent.Add(int64(time.Since(start))) }
