package db

// Trace tells f of every statement until the function it gives is called.
func (s *Store) Trace(f func(query string, args []any)) (stop func()) {
	s.trace = f
	return func() { s.trace = nil }
}
