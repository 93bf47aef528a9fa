package packs

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// apiSetHold puts a pack under legal hold, with the reason (rule P-17).
func (s *server) apiSetHold(c echo.Context) (web.Reply, error) {
	return s.changeHold(c, s.Store.SetLegalHold)
}

// apiLiftHold ends a legal hold, with the reason.
func (s *server) apiLiftHold(c echo.Context) (web.Reply, error) {
	return s.changeHold(c, s.Store.LiftLegalHold)
}

type holdChange func(ctx context.Context, a access.Actor, id string, revision int, reason string) (*db.PackView, error)

func (s *server) changeHold(c echo.Context, change holdChange) (web.Reply, error) {
	var in reasonInput
	if err := web.Decode(c, &in); err != nil {
		return web.Reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, _ db.Answering) (*db.PackView, error) {
		return change(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, in.Reason)
	})
}

// apiPurge is a request for a purge, with what its dry run found.
type apiPurge struct {
	ID       string  `json:"purge_id"`
	PackID   string  `json:"pack_id"`
	Title    string  `json:"title"`
	Status   string  `json:"status"`
	AskedBy  string  `json:"asked_by"`
	AskedAt  *string `json:"asked_at"`
	Files    int     `json:"files"`
	Bytes    int64   `json:"bytes"`
	Decision bool    `json:"decision_too"`
}

func newAPIPurge(p pack.Purge) apiPurge {
	return apiPurge{
		ID: p.ID, PackID: p.PackID, Title: p.Title, Status: p.State, AskedBy: p.AskedBy,
		AskedAt: web.TimeOrNull(p.AskedAt), Files: p.Files, Bytes: p.Bytes, Decision: p.Decision,
	}
}

// apiPurges answers GET /pack-purges.
type apiPurges struct {
	Purges     []apiPurge       `json:"purges"`
	Candidates []apiPackRow     `json:"candidates"`
	Tombstones []pack.Tombstone `json:"tombstones"`
}

// apiListPurges lists the requests that wait for a second person, the packs that may be purged, and the tombstones of
// purged ones.
func (s *server) apiListPurges(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	waiting, err := s.Store.Purges(ctx, tenant)
	if err != nil {
		return err
	}
	candidates, err := s.Store.PurgeCandidates(ctx, tenant, apidoc.MaxListLimit)
	if err != nil {
		return err
	}
	gone, err := s.Store.Tombstones(ctx, tenant, apidoc.MaxListLimit)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK,
		apiPurges{web.Map(waiting, newAPIPurge), packRows(candidates), append([]pack.Tombstone{}, gone...)})
}

// apiAskPurge makes the dry run and the request: nothing is deleted before a second person confirms.
func (s *server) apiAskPurge(c echo.Context) (web.Reply, error) {
	view, err := s.pack(c)
	if err != nil {
		return web.Reply{}, err
	}
	p, err := s.Store.AskPurge(c.Request().Context(), s.Who(c), view.Life.PackID)
	return web.Reply{Status: http.StatusCreated, Body: newAPIPurge(p)}, err
}

// apiConfirmPurge is the second person's confirmation, with the password given again: the pack is deleted, its
// tombstone stays.
func (s *server) apiConfirmPurge(c echo.Context, in passwordInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	stone, err := s.purge(c, c.Param("id"))
	return web.Reply{Status: http.StatusOK, Body: stone}, err
}

// apiRefusePurge refuses a request for a purge.
func (s *server) apiRefusePurge(c echo.Context) (web.Reply, error) {
	err := s.Store.RefusePurge(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusNoContent}, err
}
