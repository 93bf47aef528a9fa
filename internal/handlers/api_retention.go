package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// apiSetHold puts a pack under legal hold, with the reason (rule P-17).
func (s *Server) apiSetHold(c echo.Context) (reply, error) {
	return s.changeHold(c, s.store.SetLegalHold)
}

// apiLiftHold ends a legal hold, with the reason.
func (s *Server) apiLiftHold(c echo.Context) (reply, error) {
	return s.changeHold(c, s.store.LiftLegalHold)
}

type holdChange func(ctx context.Context, a domain.Actor, id string, revision int, reason string) (*db.PackView, error)

func (s *Server) changeHold(c echo.Context, change holdChange) (reply, error) {
	var in reasonInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, _ db.Answering) (*db.PackView, error) {
		return change(c.Request().Context(), s.who(c), p.Life.PackID, p.Life.Revision, in.Reason)
	})
}

// apiPurge is a purge that was asked for, with what its dry run found.
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

func newAPIPurge(p db.Purge) apiPurge {
	return apiPurge{
		ID: p.ID, PackID: p.PackID, Title: p.Title, Status: p.State, AskedBy: p.AskedBy,
		AskedAt: timeOrNull(p.AskedAt), Files: p.Files, Bytes: p.Bytes, Decision: p.Decision,
	}
}

// apiPurges answers GET /pack-purges.
type apiPurges struct {
	Purges     []apiPurge       `json:"purges"`
	Candidates []apiPackRow     `json:"candidates"`
	Tombstones []pack.Tombstone `json:"tombstones"`
}

// apiListPurges lists what waits for a second person, what may be purged, and what is left of what was.
func (s *Server) apiListPurges(c echo.Context) error {
	ctx, tenant := c.Request().Context(), s.who(c).Tenant
	waiting, err := s.store.Purges(ctx, tenant)
	if err != nil {
		return err
	}
	candidates, err := s.store.PurgeCandidates(ctx, tenant, listMost)
	if err != nil {
		return err
	}
	gone, err := s.store.Tombstones(ctx, tenant, listMost)
	if err != nil {
		return err
	}
	return sendJSON(c, http.StatusOK, apiPurges{each(waiting, newAPIPurge), packRows(candidates), append([]pack.Tombstone{}, gone...)})
}

// apiAskPurge is the dry run: nothing is deleted, and the request waits for a second person.
func (s *Server) apiAskPurge(c echo.Context) (reply, error) {
	if err := decodeIfAny(c, &struct{}{}); err != nil {
		return reply{}, err
	}
	view, err := s.pack(c)
	if err != nil {
		return reply{}, err
	}
	p, err := s.store.AskPurge(c.Request().Context(), s.who(c), view.Life.PackID)
	return reply{status: http.StatusCreated, body: newAPIPurge(p)}, err
}

// apiConfirmPurge is the second person's word, with the password given again: the pack is deleted, its tombstone stays.
func (s *Server) apiConfirmPurge(c echo.Context) (reply, error) {
	var in passwordInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	if err := s.stepUp(c, in.Password, in.Code); err != nil {
		return reply{}, err
	}
	stone, err := s.store.ConfirmPurge(c.Request().Context(), s.who(c), c.Param("id"))
	return reply{status: http.StatusOK, body: stone}, err
}

// apiRefusePurge ends a request for a purge.
func (s *Server) apiRefusePurge(c echo.Context) (reply, error) {
	if err := decodeIfAny(c, &struct{}{}); err != nil {
		return reply{}, err
	}
	err := s.store.RefusePurge(c.Request().Context(), s.who(c), c.Param("id"))
	return reply{status: http.StatusNoContent}, err
}
