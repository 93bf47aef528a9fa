package main

import (
	"context"
	"log/slog"
	"time"

	"sanad/internal/app"
	"sanad/internal/db"
)

// work does the store's jobs until ctx ends (docs/adr/0008), unless another process does. The channel is closed when no
// job is running, or when a job that did not stop has had its grace period; that job starts again after the next start.
func (s *server) work(ctx context.Context, store *db.Store, log *slog.Logger) <-chan struct{} {
	worked := make(chan struct{})
	if !s.role.works() {
		close(worked)
		return worked
	}
	w := &app.Worker{Store: store, Log: log, Now: store.Now, NewID: newID, Lake: s.lake}
	w.Import, w.Memory, w.Models = s.readers.whole(s.imports), s.memory, app.Models{Allow: s.modelNetworks}
	w.Embedded = s.embedded
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	go func() {
		defer close(worked)
		<-ctx.Done()
		select {
		case <-ended:
		case <-time.After(stopGrace):
			log.Warn("a job was still reading its upload; it is begun again after the next start")
		}
	}()
	return worked
}
