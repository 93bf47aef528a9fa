package handlers

import (
	"context"

	"sanad/internal/db"
	"sanad/internal/domain/redact"
)

// redactorOf masks the built-in kinds and the tenant's own.
func redactorOf(ctx context.Context, store *db.Store, tenant string) (*redact.Redactor, error) {
	own, err := store.Patterns(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return redact.New(own)
}
