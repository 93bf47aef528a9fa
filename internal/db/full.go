package db

import (
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
)

// noteFull remembers that there was no room for a change, until a change that appends to a log is stored.
func (s *Store) noteFull(err error) {
	if !sqldb.NoRoom(err) {
		return
	}
	now := s.Now()
	if s.full.Swap(&now) == nil {
		s.Logger.Error("no room is left to store anything: changes are refused until there is", "err", err)
	}
}

// noteRoom remembers that there is room again.
func (s *Store) noteRoom(t *sqldb.Tx) error {
	if len(auditlog.LogOf.Of(t).Logs) > 0 && s.full.Swap(nil) != nil {
		s.Logger.Info("there is room to store changes again")
	}
	return nil
}

// Full says that there was no room for the newest change; "" if it was stored.
func (s *Store) Full() string {
	at := s.full.Load()
	if at == nil {
		return ""
	}
	return "no room was left to store a change at " + at.UTC().Format(time.RFC3339) + "; changes are refused until there is"
}
