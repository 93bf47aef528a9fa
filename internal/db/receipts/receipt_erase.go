package receipts

import (
	"sanad/internal/db/sqldb"
)

// ForgetAnswers empties the stored answers to requests with an Idempotency-Key. Any of them may repeat a text that is
// erased, and they are kept for seven days only; a repeated request is told so instead of being done twice.
func (*Store) ForgetAnswers(t *sqldb.Tx, tenant string) error {
	_, err := t.Exec("UPDATE receipts SET status = 410, headers = NULL, body = x'' WHERE tenant_id = ? AND length(body) > 0",
		tenant)
	return err
}
