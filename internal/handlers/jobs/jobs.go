// Package jobs serves imports and judgings in the background: how far they are, and how they ended.
package jobs

import (
	"sync/atomic"

	"sanad/internal/handlers/web"
)

// server answers the requests of this capability.
type server struct {
	*web.Server

	stopping <-chan struct{} // closed when the server is about to stop; nil for never
	watchers atomic.Int64    // how many requests watch a job
}
