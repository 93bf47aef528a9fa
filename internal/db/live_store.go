package db

import "sanad/internal/db/auditlog"

// liveStore stores spans of traces until their session is made.
type liveStore struct {
	*auditlog.Store
}
