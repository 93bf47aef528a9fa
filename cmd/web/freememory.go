package main

import (
	"context"
	"runtime/debug"
	"time"
)

// freeAfter is how long after its start a server returns memory. By then it has opened its store, has tried its
// readers, and a balancer has asked whether it is ready.
const freeAfter = 5 * time.Second

// freeStartMemory returns the heap's memory that only the start needed to the system, once.
func freeStartMemory(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(freeAfter):
		debug.FreeOSMemory()
	}
}
