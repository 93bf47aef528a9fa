// Package notices stores what people are told, on pages and by mail, and the dates by which work is due.
package notices

import (
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/notify"
)

// Store stores what people are told, on pages and by mail.
type Store struct {
	*receipts.Store
	Needs Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Mail  *notify.Schedule // when the daily mail is sent; nil if none are mailed
	Packs packsDue
}

// packsDue knows who is to do what is due of a pack.
type packsDue interface {
	DueFor(t *sqldb.Tx, tenant, packID string) (people []string, err error)
}
