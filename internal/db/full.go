package db

import (
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
)

// noteFull remembers that there was no room for a change, until a change that appends to a log is stored.
func (store *Store) noteFull(err error) {
	if !sqldb.NoRoom(err) {
		return
	}
	now := store.Now()
	if store.full.Swap(&now) == nil {
		store.Logger.Error("no room is left to store anything: changes are refused until there is", "err", err)
	}
}

// noteRoom remembers that there is room again.
func (store *Store) noteRoom(t *sqldb.Tx) error {
	if len(auditlog.LogOf.Of(t).Logs) > 0 && store.full.Swap(nil) != nil {
		store.Logger.Info("there is room to store changes again")
	}
	return nil
}

// Full says that there was no room for the newest change; "" if it was stored.
func (store *Store) Full() string {
	at := store.full.Load()
	if at == nil {
		return ""
	}
	return "no room was left to store a change at " + at.UTC().Format(time.RFC3339) + "; changes are refused until there is"
}
