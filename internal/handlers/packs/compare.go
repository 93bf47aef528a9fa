package packs

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

// comparePack shows what changed between a pack and another of its versions, by default its predecessor.
func (s *server) comparePack(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	with := c.QueryParam("with")
	if with == "" {
		with = view.Life.Supersedes
	}
	if !slices.ContainsFunc(view.Versions, func(r pack.Row) bool { return r.PackID == with }) {
		return web.NotFound()
	}
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	other, err := s.Store.Pack(ctx, tenant, with)
	if err != nil {
		return err
	}
	names, err := s.Store.ActorNames(ctx, tenant, packActors(view))
	if err != nil {
		return err
	}
	older, newer := other, view
	if older.Content.Version > newer.Content.Version {
		older, newer = newer, older
	}
	in := packsviews.CompareInput{
		Title: newer.Content.Title, Shown: view.Life.PackID, Names: names,
		Changes: pack.Compare(&older.Content, &newer.Content), Session: newer.Content.LedgerSessionID,
	}
	for _, v := range packVersions(view) {
		in.Versions = append(in.Versions, v)
		switch v.ID {
		case older.Life.PackID:
			in.Old = v
		case newer.Life.PackID:
			in.New = v
		}
	}
	return s.Render(c, http.StatusOK, packsviews.Compare(packsviews.NewComparePage(s.Chrome(c), in)))
}
