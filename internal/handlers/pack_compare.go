package handlers

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
)

// comparePack shows what changed between a pack and another of its versions, its predecessor where none is named.
func (s *Server) comparePack(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	with := c.QueryParam("with")
	if with == "" {
		with = view.Life.Supersedes
	}
	if !slices.ContainsFunc(view.Versions, func(r db.PackRow) bool { return r.PackID == with }) {
		return notFound()
	}
	ctx, tenant := c.Request().Context(), s.who(c).Tenant
	other, err := s.store.Pack(ctx, tenant, with)
	if err != nil {
		return err
	}
	names, err := s.store.ActorNames(ctx, tenant, packActors(view))
	if err != nil {
		return err
	}
	older, newer := other, view
	if older.Content.Version > newer.Content.Version {
		older, newer = newer, older
	}
	in := packsviews.CompareInput{
		Title: newer.Content.Title, Shown: view.Life.PackID, Names: names, Changes: pack.Compare(&older.Content, &newer.Content), Session: newer.Content.LedgerSessionID,
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
	return s.render(c, http.StatusOK, packsviews.Compare(packsviews.NewComparePage(s.chrome(c), in)))
}
