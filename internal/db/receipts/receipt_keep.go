package receipts

import (
	"context"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
)

// Receipt is the answer to a request with an Idempotency-Key, so that a repetition gets the same answer. It is kept for
// seven days.
type Receipt struct {
	Key     string
	Digest  string // of the request: the same key with another request is refused
	Status  int
	Headers map[string]string // that belong to the answer: "ETag", "Location"
	Body    []byte
}

// ReplayError means that a request with this key has been answered: nothing was done, and Receipt is the answer. The
// caller compares Receipt.Digest to see whether it was the same request. As a domain.Error, it is a Conflict.
type ReplayError struct{ Receipt *Receipt }

func (e *ReplayError) Error() string {
	return "a request with the Idempotency-Key " + e.Receipt.Key + " has been answered"
}

// Unwrap returns the error as a domain.Error.
func (e *ReplayError) Unwrap() error {
	return domain.Refuse(domain.Conflict, "", "refused_request_idempotency_key")
}

// KeptFor is how long answers to requests are kept, and so how long the master key that sealed them may be asked for.
const KeptFor = 7 * 24 * time.Hour

// PruneBatch is how many rows of a kind one write deletes.
const PruneBatch = 100

// Receipt returns the receipt for a key, nil if none.
func (store *Store) Receipt(ctx context.Context, tenant, key string) (r *Receipt, err error) {
	err = store.Read(ctx, "Receipt", func(t *sqldb.Tx) (err error) {
		r, err = store.receipt(t, tenant, key)
		return err
	})
	return r, err
}

// SaveReceipt stores the answer to a request that changed nothing else. It returns a *ReplayError if the key has been
// answered already.
func (store *Store) SaveReceipt(ctx context.Context, tenant string, r *Receipt) error {
	return store.Write(ctx, sqldb.OfTenant(tenant), "SaveReceipt", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, tenant); err != nil {
			return err
		}
		if err := store.Unanswered(t, tenant, r); err != nil {
			return err
		}
		return store.KeepReceipt(t, tenant, r, store.Now())
	})
}

// receipt returns the receipt for a key, nil if none.
func (store *Store) receipt(t *sqldb.Tx, tenant, key string) (*Receipt, error) {
	r := &Receipt{Key: key}
	err := t.Row("SELECT digest, status, headers, body FROM receipts WHERE tenant_id = ? AND key = ?",
		[]any{tenant, key},
		&r.Digest, &r.Status, sqldb.JSONInto(&r.Headers), &r.Body)
	if sqldb.NoRow(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.Body, err = store.openAnswer(t, tenant, key, r.Body)
	return r, err
}

// sealAnswer encrypts the body of an answer with the master key: it may hold a link or another secret that is shown
// once. No body stays empty.
func (store *Store) sealAnswer(t *sqldb.Tx, tenant, key string, body []byte) ([]byte, error) {
	if len(body) == 0 {
		return []byte{}, nil
	}
	return store.Box.Seal(AnswerContext(tenant, key), body)
}

// openAnswer returns what sealAnswer was given.
func (store *Store) openAnswer(t *sqldb.Tx, tenant, key string, body []byte) ([]byte, error) {
	if len(body) == 0 {
		return body, nil
	}
	return store.Box.Open(AnswerContext(tenant, key), body)
}

// AnswerContext is what the body of an answer is sealed for, so that no other can be put in its place. A change of the
// master key seals each answer again for the same.
func AnswerContext(tenant, key string) string { return "receipt/" + tenant + "/" + key }

// Unanswered returns a *ReplayError if there is a receipt with r's key.
func (store *Store) Unanswered(t *sqldb.Tx, tenant string, r *Receipt) error {
	if r == nil || r.Key == "" {
		return nil
	}
	old, err := store.receipt(t, tenant, r.Key)
	if err == nil && old != nil {
		err = &ReplayError{old}
	}
	return err
}

// KeepReceipt stores r, unless it is nil, in the transaction that it answers. Of two concurrent requests with the same
// key, the second gets a Conflict and stores nothing.
func (store *Store) KeepReceipt(t *sqldb.Tx, tenant string, r *Receipt, now time.Time) error {
	if r == nil {
		return nil
	}
	if err := prune(t, tenant, now); err != nil {
		return err
	}
	body, err := store.sealAnswer(t, tenant, r.Key, r.Body)
	if err != nil {
		return err
	}
	headers, err := sqldb.JSONText(r.Headers)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO receipts (tenant_id, key, digest, status, created_at, headers, body)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		tenant, r.Key, r.Digest, r.Status, sqldb.Stamp(now), headers, body)
	return sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "refused_request_idempotency_key_being"))
}

// prune deletes some of the tenant's old receipts. Each write that adds one deletes more than one, so
// they don't accumulate.
func prune(t *sqldb.Tx, tenant string, now time.Time) error {
	_, err := t.Exec(`DELETE FROM receipts WHERE tenant_id = ? AND key IN (
		SELECT key FROM receipts WHERE tenant_id = ? AND created_at < ? ORDER BY created_at LIMIT ?)`,
		tenant, tenant, sqldb.Stamp(now.Add(-KeptFor)), PruneBatch)
	return err
}
