package packs

import (
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/due"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

const packsPerPage = 50

// listPacks shows the packs, filtered and paged by key, with the decisions that lack a pack above them.
func (s *server) listPacks(c echo.Context) error {
	ctx, tenant, q := c.Request().Context(), s.Who(c).Tenant, packQuery(c)
	rows, next, err := s.Store.Packs(ctx, tenant, q)
	if err != nil {
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
	chrome.LeftFilters = web.LeftFilters(c, web.ChoiceFilter("state", pack.States),
		web.ChoiceFilter("level", []pack.Level{pack.Mandatory, pack.Recommended, pack.Skip}),
		web.ChoiceFilter("due", due.Filters))
	return s.Render(c, web.ListStatus(&chrome), packsviews.List(packsviews.NewListPage(chrome, packsviews.ListInput{
		Rows: rows, Query: q, Next: next, Missing: missing, NMissing: count,
	})))
}

// packQuery reads the list's filters; the page says which values it could not use.
func packQuery(c echo.Context) pack.Query {
	q := pack.Query{Text: c.QueryParam("q"), After: c.QueryParam("after"), Limit: packsPerPage}
	if v := pack.State(c.QueryParam("state")); slices.Contains(pack.States, v) {
		q.State = v
	}
	q.Due = web.DueFilter(c)
	switch v := pack.Level(c.QueryParam("level")); v {
	case pack.Mandatory, pack.Recommended, pack.Skip:
		q.Level = v
	}
	return q
}
