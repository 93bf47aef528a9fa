// Package models stores endpoints of models, what they were asked, and measures how reviewers judged them.
package models

import "sanad/internal/db/auditlog"

// Store stores the settings of models, what they were asked, and how reviewers judged them.
type Store struct {
	*auditlog.Store
}
