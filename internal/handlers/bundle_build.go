package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
	"sanad/internal/lake"
)

// area is the asker's part of the lake.
func (s *Server) area(c echo.Context) (*lake.Area, error) { return s.areaOf(s.who(c).Tenant) }

func (s *Server) areaOf(tenant string) (*lake.Area, error) {
	if s.lake == nil {
		return nil, &domain.Error{Kind: domain.Unavailable, Op: "handlers.area", Msg: "This server has no lake; ask its operator for one."}
	}
	return s.lake.Of(tenant), nil
}

// buildBundle builds a bundle, one of a tenant at a time, so that requests cannot exhaust the machine's memory.
func (s *Server) buildBundle(
	ctx context.Context, who domain.Actor, req *importers.BundleRequest,
) (artifact []byte, b *bundle.Bundle, created bool, err error) {
	area, err := s.areaOf(who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	unlock, err := s.locks.lock(ctx, "bundle\n"+who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	defer unlock()
	return app.BundleBuilder{Store: s.store, Area: area, Now: s.now()}.Build(ctx, who, req)
}
