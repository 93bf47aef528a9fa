package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"sanad/internal/domain"
)

// Receipt is the answer that was given to a request with an Idempotency-Key, so that a repetition gets it again.
type Receipt struct {
	Key    string
	Digest string // of the request: the same key for another request is refused
	Status int
	Body   []byte
}

// Receipt gives the receipt for a key, nil where there is none.
func (s *Store) Receipt(ctx context.Context, tenant, key string) (*Receipt, error) {
	r := &Receipt{Key: key}
	err := s.read(ctx, "Receipt", func(t *tx) error {
		err := t.row("SELECT digest, status, body FROM receipts WHERE tenant_id = ? AND key = ?", []any{tenant, key}, &r.Digest, &r.Status, &r.Body)
		if errors.Is(err, sql.ErrNoRows) {
			r = nil
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// saveReceipt keeps r, where there is one, in the transaction of what it answers. Of two requests with the same key at
// once the second one gets Conflict and nothing of it is stored.
func saveReceipt(t *tx, tenant string, r *Receipt, now time.Time) error {
	if r == nil {
		return nil
	}
	body := r.Body
	if body == nil {
		body = []byte{}
	}
	_, err := t.exec("INSERT INTO receipts (tenant_id, key, digest, status, created_at, body) VALUES (?, ?, ?, ?, ?, ?)",
		tenant, r.Key, r.Digest, r.Status, stamp(now), body)
	if taken(err) {
		return domain.Conflictf("A request with this Idempotency-Key is being answered; send it again.")
	}
	return err
}
