package bundles

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	bundlesviews "sanad/internal/views/bundles"
)

const (
	bundlesPerPage = 50
	itemsPerPage   = 50
	// bundleShown is the largest artifact whose texts a page shows.
	bundleShown = 8 << 20
)

// listBundles shows the bundles, paged by key.
func (s *server) listBundles(c echo.Context) error {
	q := bundleQuery(c)
	q.Limit = bundlesPerPage
	rows, next, err := s.Store.Bundles(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, bundlesviews.List(bundlesviews.NewListPage(s.Chrome(c), bundlesviews.ListInput{
		Rows: rows, Query: q, Next: next,
	})))
}

// showBundle shows a bundle with every decision about its evidence, and its texts if the artifact in the lake is
// unchanged.
func (s *server) showBundle(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	from, _ := strconv.Atoi(c.QueryParam("from")) // anything but a number means the beginning
	kept, err := s.Store.Bundle(ctx, tenant, c.Param("id"), from, itemsPerPage)
	if err != nil {
		return err
	}
	names, err := s.Store.ActorNames(ctx, tenant, []string{kept.MadeBy})
	if err != nil {
		return err
	}
	whole, err := s.fillTexts(ctx, tenant, kept)
	if err != nil {
		return err
	}
	in := bundlesviews.Input{Stored: *kept, Names: names, Limit: itemsPerPage, Whole: whole}
	return s.Render(c, http.StatusOK, bundlesviews.Show(bundlesviews.NewPage(s.Chrome(c), in)))
}

// fillTexts adds the texts of the artifact in the lake to a page of items, and returns the artifact's state
// (Whole of bundlesviews.Input).
func (s *server) fillTexts(ctx context.Context, tenant string, kept *bundle.Stored) (whole string, err error) {
	a := kept.Builds[0].Artifact
	if a.Size > bundleShown {
		return "large", nil
	}
	area, err := s.areaOf(tenant)
	if err != nil {
		return "away", nil //nolint:nilerr // the page says so
	}
	data, err := app.ReadArtifact(ctx, area, a)
	var b bundle.Bundle
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case domain.KindOf(err) == domain.NotFound:
		return "missing", nil
	case errors.Is(err, app.ErrArtifactChanged):
		return "changed", nil
	case err != nil:
		s.Log.Error("the lake cannot be read", "err", err)
		return "away", nil
	case json.Unmarshal(data, &b) != nil || len(b.Items) < kept.From+len(kept.Page):
		return "changed", nil //nolint:nilerr // the page says so
	}
	for i := range kept.Page {
		kept.Page[i].Content = b.Items[kept.From+i].Content
	}
	return "good", nil
}

// downloadBundle sends the artifact as a download.
func (s *server) downloadBundle(c echo.Context) error {
	data, _, err := s.bundleArtifact(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", `attachment; filename="bundle-`+c.Param("id")+`.json"`)
	return c.Blob(http.StatusOK, "application/json", data)
}
