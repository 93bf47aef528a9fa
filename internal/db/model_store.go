package db

import "sanad/internal/db/auditlog"

// modelStore stores the settings of models, what they were asked, and how reviewers judged them.
type modelStore struct {
	*auditlog.Store
}
