package auditlog

import (
	"context"
	"crypto/ed25519"
	"time"
	"unicode/utf8"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/keys"
)

// TrustedKey is the key of another store whose exported ledgers a tenant believes to be that store's.
type TrustedKey struct {
	ID      string // OpenSSH fingerprint
	Name    string // of the store, as the tenant calls it
	Public  ed25519.PublicKey
	AddedBy string // id of who added it
	AddedAt time.Time
}

// TrustedKeys lists the keys that a tenant trusts, in the order of the stores' names.
func (store *Store) TrustedKeys(ctx context.Context, tenant string) (out []TrustedKey, err error) {
	err = store.Read(ctx, "TrustedKeys", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT id, name, public, added_by, added_at FROM trusted_keys WHERE tenant_id = ?
			ORDER BY name, id`,
			[]any{tenant}, func(r sqldb.Scanner, k *TrustedKey) error {
				return r.Scan(&k.ID, &k.Name, (*[]byte)(&k.Public), &k.AddedBy, sqldb.TimeInto(&k.AddedAt))
			})
		return err
	})
	return out, err
}

const (
	maxStoreName   = 100
	maxTrustedKeys = 100
)

// TrustKey adds the key of another store to those that by's tenant trusts, and logs it.
func (store *Store) TrustKey(ctx context.Context, by access.Actor, name string,
	public ed25519.PublicKey) (TrustedKey, error) {
	k := TrustedKey{ID: keys.Fingerprint(public), Name: name, Public: public, AddedBy: by.ID,
		AddedAt: store.Now().UTC()}
	switch {
	case name == "":
		return k, domain.Refuse(domain.Invalid, "name", "refused_other_store_name")
	case utf8.RuneCountInString(name) > maxStoreName:
		return k, domain.Refuse(domain.TooLarge, "name", "refused_name_longer_characters", "N", maxStoreName)
	}
	err := store.Write(ctx, sqldb.OfTenant(by.Tenant), "TrustKey", func(t *sqldb.Tx) error {
		var have, same int
		if err := t.Row("SELECT count(*), count(*) FILTER (WHERE id = ?) FROM trusted_keys WHERE tenant_id = ?",
			[]any{k.ID, by.Tenant}, &have, &same); err != nil {
			return err
		}
		switch {
		case same > 0:
			return domain.Refuse(domain.Conflict, "", "refused_key_list")
		case have >= maxTrustedKeys:
			return domain.Refuse(domain.Conflict, "", "refused_list_keys_most", "N", have)
		}
		if _, err := t.Exec(`INSERT INTO trusted_keys (tenant_id, id, name, public, added_by, added_at)
			VALUES (?, ?, ?, ?, ?, ?)`,
			by.Tenant, k.ID, k.Name, []byte(k.Public), k.AddedBy, sqldb.Stamp(k.AddedAt)); err != nil {
			return err
		}
		Record(t, by.Tenant, Wrote("trusted_keys", []any{k.ID}))
		return store.AppendEvent(t, by, Event{Action: "key.trusted", Kind: "key", ObjectID: k.ID})
	})
	return k, err
}

// DistrustKey removes a key from the list. What was imported under it keeps the store's name.
func (store *Store) DistrustKey(ctx context.Context, by access.Actor, id string) error {
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "DistrustKey", func(t *sqldb.Tx) error {
		changed, err := t.Exec("DELETE FROM trusted_keys WHERE tenant_id = ? AND id = ?", by.Tenant, id)
		if err := sqldb.RefuseUnlessOne(changed, err,
			domain.Refuse(domain.Invalid, "id", "refused_key_fingerprint_list")); err != nil {
			return err
		}
		Record(t, by.Tenant, Deleted("trusted_keys", id))
		return store.AppendEvent(t, by, Event{Action: "key.distrusted", Kind: "key", ObjectID: id})
	})
}
