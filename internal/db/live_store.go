package db

// liveStore stores spans of traces until their session is made.
type liveStore struct {
	*auditLog
}
