package db

import (
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/notify"
)

// noticeStore stores what people are told, on pages and by mail.
type noticeStore struct {
	*receipts.Store
	Needs noticeNeeds
}

// noticeNeeds is what the facade gives this room.
type noticeNeeds struct {
	Mail  *notify.Schedule // when the daily mail is sent; nil if none are mailed
	Packs packsDue
}

// packsDue knows who is to do what is due of a pack.
type packsDue interface {
	DueFor(t *sqldb.Tx, tenant, packID string) (people []string, err error)
}
