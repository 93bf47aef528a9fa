package live

import (
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/erasure"
)

// ForgetSession empties the traces that a session was made of, and deletes what is left of their spans. That such a
// trace is done with stays until it is pruned, or a late span would make the session again.
func (store *Store) ForgetSession(t *sqldb.Tx, tenant, id string, _ int) error {
	return errors.Join(auditlog.Erase(t, ErasureClaims, erasure.Session, tenant, spansOfSession, id),
		auditlog.Erase(t, ErasureClaims, erasure.Session, tenant, ofSession, id))
}

// ForgetWords removes what is told of the traces that a session was made of, which may quote an erased document.
func (store *Store) ForgetWords(t *sqldb.Tx, tenant, id string, _ int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Document, tenant, ofSession, id)
}
