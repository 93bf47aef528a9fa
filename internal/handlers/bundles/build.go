package bundles

import (
	"context"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
	"sanad/internal/lake"
	"sanad/internal/words"
)

// area returns the part of the lake that belongs to the caller's tenant.
func (s *server) area(c echo.Context) (*lake.Area, error) { return s.areaOf(s.Who(c).Tenant) }

func (s *server) areaOf(tenant string) (*lake.Area, error) {
	if s.Lake == nil {
		return nil, &domain.Error{Kind: domain.Unavailable, Op: "handlers.area",
			Message: words.Msg("refused_lake_server")}
	}
	return s.Lake.Of(tenant), nil
}

// buildBundle builds a bundle. It builds one at a time per tenant, so that requests cannot exhaust the machine's
// memory.
func (s *server) buildBundle(
	ctx context.Context, who access.Actor, req *importers.BundleRequest,
) (artifact []byte, b *bundle.Bundle, created bool, err error) {
	area, err := s.areaOf(who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	unlock, err := s.Locks.Lock(ctx, "bundle\n"+who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	defer unlock()
	return app.BundleBuilder{Store: s.Store, Area: area, Now: s.Now()}.Build(ctx, who, req)
}
