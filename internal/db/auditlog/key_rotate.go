package auditlog

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/keys"
	"sanad/internal/words"
)

// The purposes of a tenant's keys.
const (
	logPurpose  = "log"  // checkpoints of the log
	signPurpose = "sign" // evidence packs
)

// TenantKey is a stored key of a tenant.
type TenantKey struct {
	audit.PublicKey

	sealed  []byte
	Private ed25519.PrivateKey // set if asked for
}

const keyColumns = "id, purpose, public, created_at, retired_at, sealed"

func scanKey(r sqldb.Scanner, k *TenantKey) error {
	return r.Scan(&k.ID, &k.Purpose, &k.Public, sqldb.TimeInto(&k.CreatedAt), sqldb.TimeOrNoneInto(&k.RetiredAt),
		&k.sealed)
}

// Keys lists a tenant's keys, newest first.
func (store *Store) Keys(ctx context.Context, tenant string) (out []audit.PublicKey, err error) {
	err = store.Read(ctx, "Keys", func(t *sqldb.Tx) error {
		stored, err := loadKeys(t, tenant)
		for i := range stored {
			out = append(out, stored[i].PublicKey)
		}
		return err
	})
	return out, err
}

func loadKeys(t *sqldb.Tx, tenant string) ([]TenantKey, error) {
	return sqldb.Collect(t, "SELECT "+keyColumns+
		" FROM keys k WHERE tenant_id = ? ORDER BY created_at DESC, retired_at <> '', retired_at DESC, "+
		Logged("min", "key", "k", "id")+" DESC",
		[]any{tenant}, scanKey)
}

// RotateKey retires the key in use, creates a new one and logs it.
func (store *Store) RotateKey(ctx context.Context, by access.Actor, purpose string) (audit.PublicKey, error) {
	if purpose != logPurpose && purpose != signPurpose {
		return audit.PublicKey{}, domain.Refuse(domain.Invalid, "purpose", "refused_key", "Name",
			words.Quoted(logPurpose), "Other", words.Quoted(signPurpose))
	}
	var fresh TenantKey
	err := store.Write(ctx, sqldb.OfTenant(by.Tenant), "RotateKey", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, by.Tenant); err != nil {
			return err
		}
		old, err := oneKey(t, by.Tenant, purpose)
		if err != nil && !sqldb.NoRow(err) {
			return err
		}
		if old.ID != "" && by.Tenant != reads.SystemTenant {
			Record(t, by.Tenant, Wrote("keys", []any{old.ID}, "retired_at"))
		}
		if _, err := t.Exec("UPDATE keys SET retired_at = ? WHERE tenant_id = ? AND purpose = ? AND retired_at = ''",
			sqldb.Stamp(store.Now()), by.Tenant, purpose); err != nil {
			return err
		}
		if fresh, err = store.makeKey(t, by.Tenant, purpose); err != nil {
			return err
		}
		return store.AppendEvent(t, by, Event{Action: "key.rotated", Kind: "key", ObjectID: fresh.ID,
			Details: map[string]any{"purpose": purpose, "old": old.ID, "new": fresh.ID}})
	})
	if err != nil {
		return audit.PublicKey{}, err
	}
	return fresh.PublicKey, nil
}

// SignWith signs a message (Ed25519, not hashed first) with the tenant's key for packs. The key is created and logged
// when first needed. The caller logs what was signed.
func (store *Store) SignWith(ctx context.Context, by access.Actor,
	message []byte) (signature []byte, with audit.PublicKey, err error) {
	var k TenantKey
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "SignWith", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, by.Tenant); err != nil {
			return err
		}
		k, err = store.SigningKey(t, by)
		return err
	})
	if err != nil {
		return nil, audit.PublicKey{}, err
	}
	return ed25519.Sign(k.Private, message), k.PublicKey, nil
}

// SigningKey returns the tenant's key for packs. It is created and logged when first needed.
func (store *Store) SigningKey(t *sqldb.Tx, by access.Actor) (TenantKey, error) {
	k, err := store.keyInUse(t, by.Tenant, signPurpose)
	if !sqldb.NoRow(err) {
		return k, err
	}
	if k, err = store.makeKey(t, by.Tenant, signPurpose); err != nil {
		return TenantKey{}, err
	}
	return k, store.AppendEvent(t, by,
		Event{Action: "key.created", Kind: "key", ObjectID: k.ID, Details: map[string]any{"purpose": signPurpose}})
}

// oneKey returns the key in use, without its private part.
func oneKey(t *sqldb.Tx, tenant, purpose string) (TenantKey, error) {
	var k TenantKey
	err := t.Each("SELECT "+keyColumns+" FROM keys WHERE tenant_id = ? AND purpose = ? AND retired_at = ''",
		[]any{tenant, purpose},
		func(r sqldb.Scanner) error { return scanKey(r, &k) })
	if err == nil && k.ID == "" {
		err = sql.ErrNoRows
	}
	return k, err
}

// keyInUse returns the key in use with its private part. The error is sql.ErrNoRows before the first key is made.
func (store *Store) keyInUse(t *sqldb.Tx, tenant, purpose string) (TenantKey, error) {
	k, err := oneKey(t, tenant, purpose)
	if err != nil {
		return TenantKey{}, err
	}
	k.Private, err = store.opened.open(store.Box, tenant, &k)
	return k, err
}

// firstLogKey makes the key that signs a log before its first event, which records it, unless there is one.
func (store *Store) firstLogKey(t *sqldb.Tx, tenant string) error {
	_, err := oneKey(t, tenant, logPurpose)
	if sqldb.NoRow(err) {
		_, err = store.makeKey(t, tenant, logPurpose)
	}
	return err
}

// makeKey creates and stores a key; the next event records it.
func (store *Store) makeKey(t *sqldb.Tx, tenant, purpose string) (TenantKey, error) {
	private, err := keys.NewSigning(store.Random)
	if err != nil {
		return TenantKey{}, err
	}
	public := private.Public().(ed25519.PublicKey)
	k := TenantKey{PublicKey: audit.PublicKey{
		ID: keys.Fingerprint(public), Purpose: purpose, Public: public, CreatedAt: store.Now().UTC(),
	}, Private: private}
	if k.sealed, err = store.Box.Seal(SealContext(tenant, purpose, k.ID), private.Seed()); err != nil {
		return TenantKey{}, err
	}
	_, err = t.Exec(`INSERT INTO keys (tenant_id, id, purpose, public, sealed, created_at, retired_at)
		VALUES (?, ?, ?, ?, ?, ?, '')`,
		tenant, k.ID, purpose, k.Public, k.sealed, sqldb.Stamp(k.CreatedAt))
	if tenant != reads.SystemTenant { // of which no rows are recorded
		Record(t, tenant, Wrote("keys", []any{k.ID}))
	}
	return k, err
}

// SealContext binds a sealed key to its tenant and purpose, so that it can't be used for another.
func SealContext(tenant, purpose, id string) string {
	return "key/" + tenant + "/" + purpose + "/" + id
}

// openedKeys caches private keys by their seal context. Sealed keys never change, so entries stay valid.
type openedKeys struct {
	mu   sync.Mutex
	keys map[string]ed25519.PrivateKey
}

var errKeyChanged = errors.New("the public key stored is not the one of the sealed key")

// open unseals a key. A public key is trusted only if its sealed private key opens; otherwise, whoever can write the
// database file could insert their own key and sign another log with it.
func (o *openedKeys) open(box *keys.Box, tenant string, k *TenantKey) (ed25519.PrivateKey, error) {
	context := SealContext(tenant, k.Purpose, k.ID)
	o.mu.Lock()
	defer o.mu.Unlock()
	private := o.keys[context]
	if private == nil {
		seed, err := box.Open(context, k.sealed)
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", k.ID, err)
		}
		private = ed25519.NewKeyFromSeed(seed)
		if o.keys == nil {
			o.keys = map[string]ed25519.PrivateKey{}
		}
		o.keys[context] = private
	}
	public := private.Public().(ed25519.PublicKey)
	if !public.Equal(ed25519.PublicKey(k.Public)) || keys.Fingerprint(public) != k.ID {
		return nil, fmt.Errorf("key %s: %w", k.ID, errKeyChanged)
	}
	return private, nil
}

// logKeys returns the keys that may have signed a tenant's checkpoints: the one in use, and all including retired ones.
// It leaves out keys that do not open.
func (store *Store) logKeys(t *sqldb.Tx, tenant string) (inUse, all []audit.Key, err error) {
	stored, err := loadKeys(t, tenant)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range stored {
		if k.Purpose != logPurpose {
			continue
		}
		if _, err := store.opened.open(store.Box, tenant, &k); err != nil {
			store.Logger.Error("a log key cannot be used", "tenant", tenant, "err", err)
			continue
		}
		if k.RetiredAt.IsZero() {
			inUse = append(inUse, audit.Key{ID: k.ID, Public: k.Public})
		}
		all = append(all, audit.Key{ID: k.ID, Public: k.Public})
	}
	return inUse, all, nil
}
