// Command web is Sanad: it serves the app, and its sub-commands offer the same functions in a shell.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, embedded: shipped()})
	stop()
	os.Exit(code)
}
