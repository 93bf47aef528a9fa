package db

// modelStore stores the settings of models, what they were asked, and how reviewers judged them.
type modelStore struct {
	*auditLog
}
