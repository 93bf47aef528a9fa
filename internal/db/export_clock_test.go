package db

import "time"

// SetClock gives an open store another clock.
func (s *Store) SetClock(now func() time.Time) { s.now = now }
