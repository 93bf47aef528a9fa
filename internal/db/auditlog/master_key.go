package auditlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/keys"
)

// ErrWrongMasterKey means that a store can't be opened because its keys were sealed with another master key.
var ErrWrongMasterKey = errors.New("the master key is not the one that sealed this database's keys")

// WrongMasterKey is ErrWrongMasterKey with what the database knows of its keys.
type WrongMasterKey struct {
	given   string // fingerprints
	inUse   string // "" if unknown
	Retired string // when the given one was; "" if it was not
}

func (wrongMasterKey *WrongMasterKey) Error() string {
	switch {
	case wrongMasterKey.Retired != "":
		return fmt.Sprintf("this is the old master key (%s): sanad key rotate-master replaced it at %s by %s; give that one",
			wrongMasterKey.given, wrongMasterKey.Retired, wrongMasterKey.inUse)
	case wrongMasterKey.inUse != "":
		return fmt.Sprintf("%s: that is %s, and this one is %s", ErrWrongMasterKey, wrongMasterKey.inUse,
			wrongMasterKey.given)
	}
	return ErrWrongMasterKey.Error()
}

func (*WrongMasterKey) Is(target error) bool { return target == ErrWrongMasterKey }

// CheckMasterKey returns ErrWrongMasterKey if none of the stored keys opens; a single one that does not
// open is damaged.
func (store *Store) CheckMasterKey(t *sqldb.Tx) error {
	seen, opens := 0, false
	err := t.Each("SELECT tenant_id, "+keyColumns+" FROM keys WHERE retired_at = ''", nil, func(r sqldb.Scanner) error {
		var tenant string
		var k TenantKey
		err := r.Scan(&tenant, &k.ID, &k.Purpose, &k.Public, sqldb.TimeInto(&k.CreatedAt),
			sqldb.TimeOrNoneInto(&k.RetiredAt),
			&k.sealed)
		if err != nil {
			return err
		}
		seen++
		if _, err := store.opened.open(store.Box, tenant, &k); !errors.Is(err, keys.ErrWrongKey) {
			opens = true
		}
		return nil
	})
	if err == nil && seen > 0 && !opens {
		return store.wrongKey(t)
	}
	return err
}

// wrongKey returns the error for a key that opens nothing.
func (store *Store) wrongKey(t *sqldb.Tx) error {
	e := &WrongMasterKey{given: store.Box.Fingerprint()}
	err := t.Each("SELECT fingerprint, retired_at FROM master_keys", nil, func(r sqldb.Scanner) error {
		var name, retired string
		err := r.Scan(&name, &retired)
		if retired == "" {
			e.inUse = name
		} else if name == e.given {
			e.Retired = retired
		}
		return err
	})
	return errors.Join(err, e)
}

// nameMasterKey notes which master key a database was sealed by, unless that is noted, or nothing is sealed yet.
func (store *Store) nameMasterKey(ctx context.Context) error {
	var sealed, named bool
	err := store.Read(ctx, "nameMasterKey", func(t *sqldb.Tx) error {
		return t.Row("SELECT EXISTS (SELECT 1 FROM keys), EXISTS (SELECT 1 FROM master_keys WHERE retired_at = '')",
			nil,
			&sealed, &named)
	})
	if err != nil || !sealed || named {
		return err
	}
	return store.Write(ctx, sqldb.EveryTenant, "nameMasterKey",
		func(t *sqldb.Tx) error { return nameKeyInUse(t, store.Box, "") })
}

// nameKeyInUse enters a key as the one in use. Another process may have entered it meanwhile.
func nameKeyInUse(t *sqldb.Tx, box *keys.Box, since string) error {
	_, err := t.Exec(`INSERT INTO master_keys (fingerprint, since, retired_at, receipts) VALUES (?, ?, '', x'')
		ON CONFLICT DO NOTHING`, box.Fingerprint(), since)
	return err
}

// EarlierContext is what the MAC key of a retired master key is sealed for.
func EarlierContext(fingerprint string) string { return "master-key/" + fingerprint }

// EarlierKeys returns the retired master keys that made the digests of receipts which were kept when the store was
// opened, so that repeated requests are recognised across a rotation.
func (store *Store) EarlierKeys() []*keys.Earlier { return store.earlier }

// LoadEarlierKeys reads those that were retired within the time for which receipts are kept. The key is replaced only
// while nobody else has the store open, so once is enough.
func (store *Store) LoadEarlierKeys(ctx context.Context, kept time.Duration) error {
	return store.Read(ctx, "loadEarlierKeys", func(t *sqldb.Tx) error {
		return t.Each("SELECT fingerprint, receipts FROM master_keys WHERE retired_at > ? AND length(receipts) > 0",
			[]any{sqldb.Stamp(store.Now().Add(-kept))}, func(r sqldb.Scanner) error {
				var name string
				var handed []byte
				if err := r.Scan(&name, &handed); err != nil {
					return err
				}
				k, err := store.Box.TakeOver(EarlierContext(name), handed)
				if err != nil {
					store.Logger.Error("requests from before the master key was replaced are not recognised", "key",
						name,
						"err", err)
					return nil
				}
				store.earlier = append(store.earlier, k)
				return nil
			})
	})
}

// RetireMasterKey enters a new key in the place of the one in use. Older ones lose what nobody needs any more, because
// it is longer ago than receipts are kept.
func (store *Store) RetireMasterKey(t *sqldb.Tx, fresh *keys.Box, at time.Time, kept time.Duration) error {
	if err := nameKeyInUse(t, store.Box, ""); err != nil {
		return err
	}
	name := store.Box.Fingerprint()
	handed, err := store.Box.HandOver(fresh, EarlierContext(name))
	if err != nil {
		return err
	}
	changed, err := t.Exec("UPDATE master_keys SET retired_at = ?, receipts = ? WHERE fingerprint = ? AND retired_at = ''",
		sqldb.Stamp(at), handed, name)
	another := errors.New("the database names another master key as the one in use")
	if err := sqldb.RefuseUnlessOne(changed, err, another); err != nil {
		return err
	}
	if _, err := t.Exec("UPDATE master_keys SET receipts = x'' WHERE retired_at <> '' AND retired_at <= ?",
		sqldb.Stamp(at.Add(-kept))); err != nil {
		return err
	}
	return nameKeyInUse(t, fresh, sqldb.Stamp(at))
}
