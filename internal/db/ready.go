package db

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/words"
)

// HealthCheck is the state of something that a store needs to do its work. The message of an Unavailable error is for
// operators and reveals nothing stored.
type HealthCheck struct {
	Name string // database, files, log, content or witness; operators' programs read it
	Err  error  // nil if it is ready
}

// HealthChecks checks everything that the store needs. It does not wait for a running write.
func (store *Store) HealthChecks(ctx context.Context) []HealthCheck {
	database := store.databaseReady(ctx)
	checks := []HealthCheck{{Name: "database", Err: database}, {Name: "files", Err: store.filesReady(ctx)}}
	if database == nil { // which says what the log is
		checks = append(checks, HealthCheck{Name: "log", Err: store.logReady(ctx)})
	}
	return append(checks, HealthCheck{Name: "content", Err: sqldb.Unready(store.ContentUnready(), nil)},
		HealthCheck{Name: "witness", Err: store.witnessReady()})
}

// Ready returns nil if the store can be read and written, else the first reason.
func (store *Store) Ready(ctx context.Context) error {
	for _, check := range store.HealthChecks(ctx) {
		if check.Err != nil {
			return check.Err
		}
	}
	return nil
}

func (store *Store) databaseReady(ctx context.Context) error {
	err := store.Read(ctx, "Ready", store.SchemaReady)
	if err != nil || store.WritersBusy() { // running writes show that writing works
		return err
	}
	return store.Write(ctx, sqldb.SingleRow, "Ready", func(*sqldb.Tx) error { return nil })
}

// filesReady checks the bucket of originals; fileblob does not report a missing folder.
func (store *Store) filesReady(ctx context.Context) error {
	if store.files.Folder != "" {
		if _, err := os.Stat(store.files.Folder); err != nil {
			return sqldb.Unready(words.Msg("refused_place_original_files"), err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, sqldb.ReadyWait)
	defer cancel()
	ok, err := store.files.IsAccessible(ctx)
	if err == nil && ok {
		return nil
	}
	return sqldb.Unready(words.Msg("refused_place_original_files"),
		cmp.Or(err, errors.New("the bucket of originals is not accessible")))
}

func (store *Store) logReady(ctx context.Context) error {
	reason, err := store.Stopped(ctx)
	if err != nil || reason == "" {
		return err
	}
	return sqldb.Unready(words.Msg("refused_only_reads", "Why", reason), nil)
}

func (store *Store) witnessReady() error {
	err := store.Checkpoints.Retry()
	if err == nil {
		err = store.Checkpoints.Ready()
	}
	if err == nil {
		return nil
	}
	return sqldb.Unready(words.Msg("refused_log_checkpoints_outside"), err)
}

// Queue is how much waits to be done.
type Queue struct {
	Waiting, Running int           // jobs
	Oldest           time.Duration // how long the oldest waiting job has waited; 0 if none waits
	Messages         int           // of webhooks that wait to be sent or to be tried again
}

// Queue returns how much waits to be done, over all tenants.
func (store *Store) Queue(ctx context.Context) (q Queue, err error) {
	oldest := ""
	err = store.Read(ctx, "Queue", func(t *sqldb.Tx) error {
		err := t.Row(`SELECT coalesce(sum(CASE state WHEN 'queued' THEN 1 ELSE 0 END), 0),
			coalesce(sum(CASE state WHEN 'running' THEN 1 ELSE 0 END), 0),
			coalesce(min(CASE state WHEN 'queued' THEN created_at END), '')
			FROM jobs WHERE state IN ('queued', 'running')`, nil, &q.Waiting, &q.Running, &oldest)
		if err != nil {
			return err
		}
		return t.Row("SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting'", nil, &q.Messages)
	})
	if err == nil && oldest != "" {
		at, parseErr := time.Parse(time.RFC3339, oldest)
		if parseErr != nil {
			return q, sqldb.Fail("Queue", parseErr)
		}
		q.Oldest = max(0, store.Now().Sub(at))
	}
	return q, err
}
