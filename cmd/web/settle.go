package main

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"
)

// settleAfter is how long after its start a server gives back memory. By then it has opened its store, has tried its
// readers, and a balancer has asked whether it is ready.
const settleAfter = 5 * time.Second

// settle gives back, once, the memory that only the start needed: the heap's, and the pages of the program's own file,
// most of which are tables and code that ran once. What is used again comes from the system's cache within microseconds.
func settle(ctx context.Context, log *slog.Logger) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(settleAfter):
	}
	debug.FreeOSMemory()
	if err := dropProgram(); err != nil {
		log.Debug("the pages of the program stay in memory", "err", err)
	}
}
