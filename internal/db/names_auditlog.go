package db

import "sanad/internal/db/auditlog"

// What callers know of package auditlog by the store's name.
type (
	ContentError = auditlog.ContentError
	ContentPass  = auditlog.ContentPass
	Event        = auditlog.Event
	TrustedKey   = auditlog.TrustedKey
	auditLog     = auditlog.Store
)

// What callers know of package auditlog by the store's name.
const (
	CheckpointFileMissing = auditlog.CheckpointFileMissing
)

// What callers know of package auditlog by the store's name.
var (
	ClaimReviewed     = auditlog.ClaimReviewed
	ErrWrongMasterKey = auditlog.ErrWrongMasterKey
	SessionExported   = auditlog.SessionExported
)
