package main

import (
	"context"
	"runtime/debug"
	"time"
)

// settleAfter is how long after its start a server gives back memory. By then it has opened its store, has tried its
// readers, and a balancer has asked whether it is ready.
const settleAfter = 5 * time.Second

// settle gives back, once, the memory of the heap that only the start needed.
func settle(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(settleAfter):
		debug.FreeOSMemory()
	}
}
