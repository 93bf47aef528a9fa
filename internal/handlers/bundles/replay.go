package bundles

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	bundlesviews "sanad/internal/views/bundles"
)

// replay builds a bundle again and compares (rule B-16). Like building, one at a time per tenant.
func (s *server) replay(
	ctx context.Context, tenant, id string, req *importers.BundleRequest,
) (*bundle.Comparison, error) {
	area, err := s.areaOf(tenant)
	if err != nil {
		return nil, err
	}
	unlock, err := s.Locks.Lock(ctx, "bundle\n"+tenant)
	if err != nil {
		return nil, err
	}
	defer unlock()
	got, err := app.BundleBuilder{Store: s.Store, Area: area, Now: s.Now()}.Replay(ctx, tenant, id, req)
	if errors.Is(err, app.ErrArtifactChanged) {
		err = domain.Refuse(domain.Conflict, "", "refused_artifact_bundle_changed")
	}
	return got, err
}

// apiReplay builds a bundle again from what its record and the lake keep.
func (s *server) apiReplay(c echo.Context) error {
	got, err := s.replay(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), nil)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, got)
}

// apiReplayRequest builds a bundle again from the request that is sent.
func (s *server) apiReplayRequest(c echo.Context) error {
	data, err := web.Body(c, importers.MaxBundleRequest+1)
	if err != nil {
		return err
	}
	req, err := importers.ReadBundleRequest(data)
	if err != nil {
		return web.BadRequest(err)
	}
	got, err := s.replay(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), req)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, got)
}

// showReplay shows how a bundle that is built again from its record agrees with it.
func (s *server) showReplay(c echo.Context) error {
	got, err := s.replay(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), nil)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, bundlesviews.Replay(bundlesviews.NewReplayPage(s.Chrome(c), got)))
}
