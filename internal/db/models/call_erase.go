package models

import (
	"errors"

	"sanad/internal/db/sqldb"
)

// ForgetSession deletes what models were asked and answered about a session.
func (s *Store) ForgetSession(t *sqldb.Tx, tenant, _ string, no int) error {
	_, err1 := t.Exec("DELETE FROM model_answers WHERE tenant_id = ? AND session_no = ?", tenant, no)
	_, err2 := t.Exec("DELETE FROM model_calls WHERE tenant_id = ? AND session_no = ?", tenant, no)
	return errors.Join(err1, err2)
}

// ForgetWords deletes what models answered about a session, which may repeat an erased document, with the digests of it.
func (s *Store) ForgetWords(t *sqldb.Tx, tenant, _ string, no int) error {
	_, err1 := t.Exec("DELETE FROM model_answers WHERE tenant_id = ? AND session_no = ?", tenant, no)
	_, err2 := t.Exec("UPDATE model_calls SET question = '', answer = '' WHERE tenant_id = ? AND session_no = ?", tenant, no)
	return errors.Join(err1, err2)
}
