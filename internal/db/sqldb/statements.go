package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// maxStatements is the maximum number of read statements kept prepared; filters can be combined to more than that.
const maxStatements = 300

// statements caches prepared statements of read transactions: preparing takes SQLite about as long as answering.
type statements struct {
	mu    sync.RWMutex
	known map[string]*sql.Stmt
}

func (s *statements) get(query string) *sql.Stmt {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[query]
}

// learn prepares a query for the next time, by the text that the engine has made of it. It waits for a connection, so
// callers must not hold one, and it releases the lock meanwhile, to avoid deadlock.
func (s *statements) learn(ctx context.Context, pool *sql.DB, query, text string) {
	if s.full(query) {
		return
	}
	stmt, err := pool.PrepareContext(ctx, text)
	if err != nil {
		return // it is sent unprepared again next time
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[query] != nil {
		_ = stmt.Close() // another goroutine prepared it meanwhile
		return
	}
	if s.known == nil {
		s.known = map[string]*sql.Stmt{}
	}
	s.known[query] = stmt
}

// full reports whether query is known or the cache is full.
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
