package auditlog

import "sanad/internal/db/sqldb"

// A log's seal is made with the master key when the log begins, and says that it exists. Whoever deletes a tenant's
// log cannot have the server begin another one: without its head the seal shows that there was one, and without the
// seal what the log holds is not believed (rule LOG-9).

// LogSealContext binds the seal of a log to its tenant.
func LogSealContext(tenant string) string { return "log/" + tenant }

// sealLog notes that a tenant has a log, unless that is noted already.
func (store *Store) sealLog(t *sqldb.Tx, tenant string) error {
	sealed, err := store.Box.Seal(LogSealContext(tenant), []byte(tenant))
	if err != nil {
		return err
	}
	_, err = t.Exec("INSERT INTO log_seals (tenant_id, sealed) VALUES (?, ?) ON CONFLICT (tenant_id) DO NOTHING",
		tenant,
		sealed)
	return err
}

// sealFault returns what is wrong with a tenant's seal, "" if nothing is. begun says that the log has a head.
func (store *Store) sealFault(t *sqldb.Tx, tenant string, begun bool) (string, error) {
	var sealed []byte
	err := t.Row("SELECT sealed FROM log_seals WHERE tenant_id = ?", []any{tenant}, &sealed)
	switch {
	case err != nil && !sqldb.NoRow(err):
		return "", err
	case begun && sqldb.NoRow(err):
		return "nothing sealed with the master key says that it exists", nil
	case begun:
		if name, err := store.Box.Open(LogSealContext(tenant), sealed); err != nil || string(name) != tenant {
			return "its seal was not made with the master key", nil //nolint:nilerr // a result, not an error
		}
		return "", nil
	case !sqldb.NoRow(err):
		return "it is gone, although its seal says that it existed", nil
	}
	var content bool
	err = t.Row(`SELECT EXISTS (SELECT 1 FROM sessions WHERE tenant_id = ?) OR EXISTS (SELECT 1 FROM memberships
		WHERE tenant_id = ?)
		OR EXISTS (SELECT 1 FROM evidence_packs WHERE tenant_id = ?)`, []any{tenant, tenant, tenant}, &content)
	if content {
		return "it is gone, although the tenant has sessions, people or packs", err
	}
	return "", err
}
