// Command web is Sanad: it serves the app, and its sub-commands offer the same functions in a shell.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"sanad/internal/app"
	"sanad/internal/reader/weights"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, embedded: app.NewEmbedded(weights.File),
	})
	stop()
	os.Exit(code)
}
