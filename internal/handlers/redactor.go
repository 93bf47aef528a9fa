package handlers

import (
	"context"

	"sanad/internal/domain/redact"
)

// redactor masks the built-in kinds and the tenant's own.
func (s *Server) redactor(ctx context.Context, tenant string) (*redact.Redactor, error) {
	own, err := s.store.Patterns(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return redact.New(own)
}
