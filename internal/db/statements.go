package db

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// maxStatements bounds how many distinct reading statements are kept prepared; filters combine to more than these.
const maxStatements = 300

// statements keeps the statements of reading transactions prepared: to prepare takes SQLite about as long as to answer.
type statements struct {
	mu    sync.RWMutex
	known map[string]*sql.Stmt
}

func (s *statements) get(query string) *sql.Stmt {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[query]
}

// learn prepares a query for the next time. It waits for a connection, so the caller must hold none, and neither the
// lock is held meanwhile: where everybody holds something and waits for a connection, nobody gets one.
func (s *statements) learn(ctx context.Context, pool *sql.DB, query string) {
	if s.full(query) {
		return
	}
	stmt, err := pool.PrepareContext(ctx, query)
	if err != nil {
		return // it is sent unprepared, as it was this time
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[query] != nil {
		_ = stmt.Close() // another was faster
		return
	}
	if s.known == nil {
		s.known = map[string]*sql.Stmt{}
	}
	s.known[query] = stmt
}

// full reports whether query need not be learned, or cannot be.
func (s *statements) full(query string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[query] != nil || len(s.known) >= maxStatements
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, stmt := range s.known {
		errs = append(errs, stmt.Close())
	}
	s.known = nil
	return errors.Join(errs...)
}
