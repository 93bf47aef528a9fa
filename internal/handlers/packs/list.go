package packs

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

const packsPerPage = 50

// listPacks shows the packs, filtered and paged by key, with the decisions that lack a pack above them.
func (s *server) listPacks(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	q, left := pack.Filters.Read(c.QueryParam)
	q.After, q.Limit = c.QueryParam("after"), packsPerPage
	q.Reader = s.Who(c)
	rows, next, err := s.Store.Packs(ctx, tenant, q)
	if err != nil {
		return err
	}
	if err := s.Store.MarkWaiting(ctx, q.Reader, rows); err != nil {
		return err
	}
	missing, _, err := s.Store.Decisions(ctx, tenant, pack.DecisionQuery{Missing: true, Limit: web.QueueLength})
	if err != nil {
		return err
	}
	count, err := s.Store.MissingPacks(ctx, tenant)
	if err != nil {
		return err
	}
	chrome := s.Chrome(c)
	chrome.LeftFilters = left
	return s.Render(c, web.ListStatus(&chrome), packsviews.List(packsviews.NewListPage(chrome, packsviews.ListInput{
		Rows: rows, Query: q, Next: next, Missing: missing, NMissing: count,
	})))
}
