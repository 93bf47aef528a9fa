package db

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

// wrongMasterKey is ErrWrongMasterKey with what the database knows of its keys.
type wrongMasterKey struct {
	given   string // fingerprints
	inUse   string // "" if unknown
	retired string // when the given one was; "" if it was not
}

func (e *wrongMasterKey) Error() string {
	switch {
	case e.retired != "":
		return fmt.Sprintf("this is the old master key (%s): sanad key rotate-master replaced it at %s by %s; give that one",
			e.given, e.retired, e.inUse)
	case e.inUse != "":
		return fmt.Sprintf("%s: that is %s, and this one is %s", ErrWrongMasterKey, e.inUse, e.given)
	}
	return ErrWrongMasterKey.Error()
}

func (*wrongMasterKey) Is(target error) bool { return target == ErrWrongMasterKey }

// checkMasterKey returns ErrWrongMasterKey if none of the stored keys opens; a single one that does not
// open is damaged.
func (s *auditLog) checkMasterKey(t *sqldb.Tx) error {
	seen, opens := 0, false
	err := t.Each("SELECT tenant_id, "+keyColumns+" FROM keys WHERE retired_at = ''", nil, func(r sqldb.Scanner) error {
		var tenant string
		var k tenantKey
		err := r.Scan(&tenant, &k.ID, &k.Purpose, &k.Public, sqldb.TimeInto(&k.CreatedAt), sqldb.TimeOrNoneInto(&k.RetiredAt),
			&k.sealed)
		if err != nil {
			return err
		}
		seen++
		if _, err := s.opened.open(s.box, tenant, &k); !errors.Is(err, keys.ErrWrongKey) {
			opens = true
		}
		return nil
	})
	if err == nil && seen > 0 && !opens {
		return s.wrongKey(t)
	}
	return err
}

// wrongKey returns the error for a key that opens nothing.
func (s *auditLog) wrongKey(t *sqldb.Tx) error {
	e := &wrongMasterKey{given: s.box.Fingerprint()}
	err := t.Each("SELECT fingerprint, retired_at FROM master_keys", nil, func(r sqldb.Scanner) error {
		var name, retired string
		err := r.Scan(&name, &retired)
		if retired == "" {
			e.inUse = name
		} else if name == e.given {
			e.retired = retired
		}
		return err
	})
	return errors.Join(err, e)
}

// nameMasterKey notes which master key a database was sealed by, unless that is noted, or nothing is sealed yet.
func (s *auditLog) nameMasterKey(ctx context.Context) error {
	var sealed, named bool
	err := s.Read(ctx, "nameMasterKey", func(t *sqldb.Tx) error {
		return t.Row("SELECT EXISTS (SELECT 1 FROM keys), EXISTS (SELECT 1 FROM master_keys WHERE retired_at = '')", nil,
			&sealed, &named)
	})
	if err != nil || !sealed || named {
		return err
	}
	return s.Write(ctx, sqldb.EveryTenant, "nameMasterKey", func(t *sqldb.Tx) error { return nameKeyInUse(t, s.box, "") })
}

// nameKeyInUse enters a key as the one in use. Another process may have entered it meanwhile.
func nameKeyInUse(t *sqldb.Tx, box *keys.Box, since string) error {
	_, err := t.Exec(`INSERT INTO master_keys (fingerprint, since, retired_at, receipts) VALUES (?, ?, '', x'')
		ON CONFLICT DO NOTHING`, box.Fingerprint(), since)
	return err
}

// earlierContext is what the MAC key of a retired master key is sealed for.
func earlierContext(fingerprint string) string { return "master-key/" + fingerprint }

// EarlierKeys returns the retired master keys that made the digests of receipts which were kept when the store was
// opened, so that repeated requests are recognised across a rotation.
func (s *auditLog) EarlierKeys() []*keys.Earlier { return s.earlier }

// loadEarlierKeys reads them. The key is replaced only while nobody else has the store open, so once is enough.
func (s *auditLog) loadEarlierKeys(ctx context.Context) error {
	return s.Read(ctx, "loadEarlierKeys", func(t *sqldb.Tx) error {
		return t.Each("SELECT fingerprint, receipts FROM master_keys WHERE retired_at > ? AND length(receipts) > 0",
			[]any{sqldb.Stamp(s.Now().Add(-receiptAge))}, func(r sqldb.Scanner) error {
				var name string
				var handed []byte
				if err := r.Scan(&name, &handed); err != nil {
					return err
				}
				k, err := s.box.TakeOver(earlierContext(name), handed)
				if err != nil {
					s.Logger.Error("requests from before the master key was replaced are not recognised", "key", name, "err", err)
					return nil
				}
				s.earlier = append(s.earlier, k)
				return nil
			})
	})
}

// retireMasterKey enters a new key in the place of the one in use. Older ones lose what nobody needs any more.
func (s *auditLog) retireMasterKey(t *sqldb.Tx, fresh *keys.Box, at time.Time) error {
	if err := nameKeyInUse(t, s.box, ""); err != nil {
		return err
	}
	name := s.box.Fingerprint()
	handed, err := s.box.HandOver(fresh, earlierContext(name))
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
		sqldb.Stamp(at.Add(-receiptAge))); err != nil {
		return err
	}
	return nameKeyInUse(t, fresh, sqldb.Stamp(at))
}

// receiptAge is how long answers to requests are kept, and so how long the master key that sealed them may be asked for.
const receiptAge = 7 * 24 * time.Hour
