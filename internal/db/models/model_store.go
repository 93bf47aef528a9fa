package models

import "sanad/internal/db/auditlog"

// Store stores the settings of models, what they were asked, and how reviewers judged them.
type Store struct {
	*auditlog.Store
}
