// Package jobs serves imports and judgings in the background: how far they are, and how they ended.
package jobs

import "sanad/internal/handlers/web"

// server answers the requests of this capability.
type server struct {
	*web.Server

	stopping <-chan struct{} // closed when the server is about to stop; nil for never
	watchers watchers        // open event streams
}
