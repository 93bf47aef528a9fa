package notices

import (
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/notify"
)

// ForgetSession deletes what people were told of a session that is erased, and its due date.
func (store *Store) ForgetSession(t *sqldb.Tx, tenant, id string, _ int) error {
	return errors.Join(store.ForgetNotices(t, tenant, notify.Session, id),
		store.ForgetDue(t, tenant, notify.Session, id))
}

// ForgetWords keeps all: a notification repeats no text of a document.
func (store *Store) ForgetWords(*sqldb.Tx, string, string, int) error { return nil }

// ForgetNotices deletes all notifications about an object that is erased.
func (*Store) ForgetNotices(t *sqldb.Tx, tenant, object, id string) error {
	_, err := t.Exec("DELETE FROM notifications WHERE tenant_id = ? AND object_kind = ? AND object_id = ?", tenant,
		object, id)
	return err
}

// ForgetDue deletes the due date of an object that is erased.
func (*Store) ForgetDue(t *sqldb.Tx, tenant, object, id string) error {
	n, err := t.Exec("DELETE FROM due_dates WHERE tenant_id = ? AND object_kind = ? AND object_id = ?", tenant,
		object, id)
	if err == nil && n > 0 {
		auditlog.Record(t, tenant, auditlog.Deleted("due_dates", object, id))
	}
	return err
}
