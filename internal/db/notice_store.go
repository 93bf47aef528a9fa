package db

import (
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/notify"
)

// noticeStore stores what people are told, on pages and by mail.
type noticeStore struct {
	*receipts.Store
	mail  *notify.Schedule // Options.Mail; may be nil
	packs packsDue
}

// packsDue knows who is to do what is due of a pack.
type packsDue interface {
	DueFor(t *sqldb.Tx, tenant, packID string) (people []string, err error)
}
