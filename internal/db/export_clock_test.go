package db

import "time"

// SetClock replaces the clock of an open store.
func (s *Store) SetClock(now func() time.Time) { s.now = now }
