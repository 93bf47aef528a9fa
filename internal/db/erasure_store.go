package db

import "sync"

// erasureStore stores erasures: what was asked to be erased, by whom, and how far it is.
type erasureStore struct {
	*auditLog
	erasing sync.Mutex // one FinishErasures at a time
}
