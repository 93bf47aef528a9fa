package models

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/erasure"
)

// ForgetSession deletes what models were asked and answered about a session.
func (store *Store) ForgetSession(t *sqldb.Tx, tenant, _ string, no int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Session, tenant, "session_no = ?", no)
}

// ForgetWords deletes what models answered about a session, which may repeat an erased document, with the digests of
// it.
func (store *Store) ForgetWords(t *sqldb.Tx, tenant, _ string, no int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Document, tenant, "session_no = ?", no)
}
