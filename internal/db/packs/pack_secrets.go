package packs

import (
	"encoding/hex"
	"io"

	"sanad/internal/db/sqldb"
)

// secretSize is the length of the secrets that salts are derived from.
const secretSize = 32

// restrictedSecret is the purpose of the tenant secret from which the salts of S3 content
// are derived (pack.SealRestricted).
const restrictedSecret = "s3"

func (store *Store) newSecret() ([]byte, error) {
	secret := make([]byte, secretSize)
	_, err := io.ReadFull(store.Random, secret)
	return secret, err
}

// tenantSecret returns a tenant's secret for a purpose, and creates it when first needed. It never changes, so that the
// same content always has the same hash.
func (store *Store) tenantSecret(t *sqldb.Tx, tenant, purpose string) ([]byte, error) {
	context := TenantSecretContext(tenant, purpose)
	var sealed []byte
	err := t.Row("SELECT sealed FROM tenant_secrets WHERE tenant_id = ? AND purpose = ?", []any{tenant, purpose},
		&sealed)
	if err == nil {
		return store.Box.Open(context, sealed)
	}
	if !sqldb.NoRow(err) {
		return nil, err
	}
	secret, err := store.newSecret()
	if err != nil {
		return nil, err
	}
	if sealed, err = store.Box.Seal(context, secret); err != nil {
		return nil, err
	}
	_, err = t.Exec("INSERT INTO tenant_secrets (tenant_id, purpose, sealed, created_at) VALUES (?, ?, ?, ?)", tenant,
		purpose, sealed, sqldb.Stamp(store.Now()))
	return secret, err
}

// TenantSecretContext binds a sealed secret of a tenant to it and to its purpose.
func TenantSecretContext(tenant, purpose string) string { return "secret/" + tenant + "/" + purpose }

// PackSecretContext binds a pack's sealed secret to the pack.
func PackSecretContext(tenant, packID string) string { return "pack/" + tenant + "/" + packID }

// newPackID returns a random id for a pack.
func (store *Store) newPackID() (string, error) {
	random := make([]byte, 8)
	_, err := io.ReadFull(store.Random, random)
	return "pack_" + hex.EncodeToString(random), err
}
