package db

import "time"

// noteRoom remembers that there was no room for a change, until a change that appends to a log is stored.
func (s *Store) noteRoom(t *tx, err error) {
	switch {
	case full(err):
		now := s.now()
		if s.full.Swap(&now) == nil {
			s.log.Error("no room is left to store anything: changes are refused until there is", "err", err)
		}
	case err == nil && len(logOf.of(t).logs) > 0:
		if s.full.Swap(nil) != nil {
			s.log.Info("there is room to store changes again")
		}
	}
}

// Full says that there was no room for the newest change; "" if it was stored.
func (s *Store) Full() string {
	at := s.full.Load()
	if at == nil {
		return ""
	}
	return "no room was left to store a change at " + at.UTC().Format(time.RFC3339) + "; changes are refused until there is"
}
