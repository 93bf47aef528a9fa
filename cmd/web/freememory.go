package main

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"
)

// freeAfter is how long after its start a server returns memory. By then it has opened its store, has tried its
// readers, and a balancer has asked whether it is ready.
const freeAfter = 5 * time.Second

// freeStartMemory returns memory that only the start needed to the system, once: the heap's, and pages of the program's
// own file, most of which are tables and code that ran once.
func freeStartMemory(ctx context.Context, log *slog.Logger) {
	select {
	case <-ctx.Done():
	case <-time.After(freeAfter):
		debug.FreeOSMemory()
		if err := freeProgramPages(); err != nil {
			log.Debug("the pages of the program stay in memory", "err", err)
		}
	}
}
