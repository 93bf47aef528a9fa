package handlers

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// holdPack sets a legal hold, with its reason.
func (s *Server) holdPack(c echo.Context) error {
	return s.changeHoldPage(c, s.store.SetLegalHold, "held")
}

// unholdPack lifts a legal hold, with the reason.
func (s *Server) unholdPack(c echo.Context) error {
	return s.changeHoldPage(c, s.store.LiftLegalHold, "lifted")
}

func (s *Server) changeHoldPage(c echo.Context, change func(context.Context, domain.Actor, string, int, string) (*db.PackView, error), done string) error {
	if err := reasonForm(c); err != nil {
		return err
	}
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	revision, err := formRevision(c)
	if err != nil {
		return err
	}
	_, err = change(c.Request().Context(), s.who(c), view.Life.PackID, revision, c.FormValue("reason"))
	if f := packFault(err); f != nil {
		return s.packPage(c, faultOf(err).status, func(in *packsviews.Input) { in.Manage.Reason, in.Manage.Fault = c.FormValue("reason"), f })
	}
	if err != nil {
		return err
	}
	return seeOther(c, "/packs/"+view.Life.PackID+"?done="+done)
}

// tombstonesShown is how many purged packs the page lists.
const tombstonesShown = 100

// showRetention lists what may be purged, what waits for a second person, and what is gone.
func (s *Server) showRetention(c echo.Context) error {
	return s.retentionPage(c, http.StatusOK, nil)
}

func (s *Server) retentionPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, who := c.Request().Context(), s.who(c)
	in := packsviews.RetentionInput{Fault: fault}
	candidates, err := s.store.PurgeCandidates(ctx, who.Tenant, packsPerPage)
	if err != nil {
		return err
	}
	purges, err := s.store.Purges(ctx, who.Tenant)
	if err != nil {
		return err
	}
	if in.Gone, err = s.store.Tombstones(ctx, who.Tenant, tombstonesShown); err != nil {
		return err
	}
	if in.Names, err = s.store.ActorNames(ctx, who.Tenant, buriers(in.Gone)); err != nil {
		return err
	}
	in.Candidates = packLines(candidates)
	in.Purges = each(purges, func(p db.Purge) packsviews.PurgeRow {
		return packsviews.PurgeRow{
			ID: p.ID, PackID: p.PackID, Title: p.Title, AskedBy: p.AskedBy, Name: p.AskedName, AskedAt: p.AskedAt, Files: p.Files, Bytes: p.Bytes,
			Decision: p.Decision, Own: p.AskedBy == who.ID,
		}
	})
	return s.render(c, status, packsviews.Retention(packsviews.NewRetentionPage(s.chromeAt(c, "/admin/retention"), in)))
}

// buriers lists who purged packs.
func buriers(gone []pack.Tombstone) []string {
	var out []string
	for _, x := range gone {
		out = append(out, x.PurgedBy, x.SecondBy)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// askPurge is the dry run: nothing is deleted, and a second person is waited for.
func (s *Server) askPurge(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	_, err = s.store.AskPurge(c.Request().Context(), s.who(c), view.Life.PackID)
	return s.afterPurge(c, err, "asked")
}

// confirmPurge is the second person's word: the pack goes, and a tombstone stays.
func (s *Server) confirmPurge(c echo.Context) error {
	_, err := s.store.ConfirmPurge(c.Request().Context(), s.who(c), c.Param("purge"))
	return s.afterPurge(c, err, "purged")
}

// refusePurge ends a request for a purge.
func (s *Server) refusePurge(c echo.Context) error {
	return s.afterPurge(c, s.store.RefusePurge(c.Request().Context(), s.who(c), c.Param("purge")), "refused")
}

func (s *Server) afterPurge(c echo.Context, err error, done string) error {
	switch domain.KindOf(err) {
	case domain.Conflict, domain.Denied:
		return s.retentionPage(c, faultOf(err).status, formFault(err, "", nil))
	}
	if err != nil {
		return err
	}
	return seeOther(c, "/admin/retention?done="+done)
}
