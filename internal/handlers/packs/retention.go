package packs

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// holdPack sets a legal hold, with its reason.
func (s *server) holdPack(c echo.Context) error {
	return s.changeHoldPage(c, s.Store.SetLegalHold, "held")
}

// unholdPack lifts a legal hold, with the reason.
func (s *server) unholdPack(c echo.Context) error {
	return s.changeHoldPage(c, s.Store.LiftLegalHold, "lifted")
}

func (s *server) changeHoldPage(c echo.Context,
	change func(context.Context, access.Actor, string, int, string) (*db.PackView, error), done string) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	_, err = change(c.Request().Context(), s.Who(c), view.Life.PackID, revision, c.FormValue("reason"))
	if f := packFault(err); f != nil {
		return s.packPage(c, web.FaultOf(err).Status,
			func(in *packsviews.Input) { in.Manage.Reason, in.Manage.Fault = c.FormValue("reason"), f })
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"?done="+done)
}

// tombstonesShown is how many purged packs the page lists.
const tombstonesShown = 100

// showRetention lists packs that may be purged, requests that wait for a second person, and tombstones.
func (s *server) showRetention(c echo.Context) error {
	return s.retentionPage(c, http.StatusOK, nil)
}

func (s *server) retentionPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, who := c.Request().Context(), s.Who(c)
	in := packsviews.RetentionInput{Reader: who.ID, Fault: fault}
	var err error
	if in.Candidates, err = s.Store.PurgeCandidates(ctx, who.Tenant, packsPerPage); err != nil {
		return err
	}
	if in.Purges, err = s.Store.Purges(ctx, who.Tenant); err != nil {
		return err
	}
	if in.Gone, err = s.Store.Tombstones(ctx, who.Tenant, tombstonesShown); err != nil {
		return err
	}
	if in.Names, err = s.Store.ActorNames(ctx, who.Tenant, purgers(in.Gone)); err != nil {
		return err
	}
	return s.Render(c, status, packsviews.Retention(packsviews.NewRetentionPage(s.ChromeAt(c, "/admin/retention"), in)))
}

// purgers lists the people who purged packs.
func purgers(gone []pack.Tombstone) []string {
	var out []string
	for _, x := range gone {
		out = append(out, x.PurgedBy, x.SecondBy)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// askPurge makes the dry run and the request: nothing is deleted before a second person confirms.
func (s *server) askPurge(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	_, err = s.Store.AskPurge(c.Request().Context(), s.Who(c), view.Life.PackID)
	return s.afterPurge(c, err, "asked")
}

// confirmPurge is the second person's confirmation: the pack is deleted, and a tombstone stays.
func (s *server) confirmPurge(c echo.Context) error {
	_, err := s.purge(c, c.Param("purge"))
	return s.afterPurge(c, err, "purged")
}

// purge deletes a pack and its traces. If these cannot be deleted now, operators are told, and the next start does it.
func (s *server) purge(c echo.Context, id string) (pack.Tombstone, error) {
	ctx := c.Request().Context()
	stone, err := s.Store.ConfirmPurge(ctx, s.Who(c), id)
	if err != nil {
		return stone, err
	}
	if err := app.FinishErasures(ctx, s.Store, s.Lake); err != nil {
		s.Log.Error("traces of a purged pack are not deleted", "pack", stone.PackID, "err", err)
	}
	return stone, nil
}

// refusePurge refuses a request for a purge.
func (s *server) refusePurge(c echo.Context) error {
	return s.afterPurge(c, s.Store.RefusePurge(c.Request().Context(), s.Who(c), c.Param("purge")), "refused")
}

func (s *server) afterPurge(c echo.Context, err error, done string) error {
	switch domain.KindOf(err) {
	case domain.Conflict, domain.Denied:
		return s.retentionPage(c, web.FaultOf(err).Status, web.FormFault(err, "", nil))
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/retention?done="+done)
}
