package library

import (
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// Erase deletes a document of the library with its versions. Sessions that were made of it keep what they have of it:
// that is erased with them, or as documents of theirs (rule LIB-5).
func (store *Store) Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, _ []string) (auditlog.Event, error) {
	auditlog.Record(t, by.Tenant, auditlog.Deleted("library_documents", e.ObjectID))
	return auditlog.Event{Action: "library.erased", Kind: "library", ObjectID: e.ObjectID}, errors.Join(
		auditlog.DeletedRows(t, by.Tenant, "library_versions", " AND r.document_id = ?2", e.ObjectID),
		auditlog.ForgetTexts(t, by.Tenant, "library", e.ObjectID),
		auditlog.Erase(t, ErasureClaims, e.Kind, by.Tenant, "document_id = ?", e.ObjectID),
		auditlog.Erase(t, ErasureClaims, e.Kind, by.Tenant, "id = ?", e.ObjectID))
}
