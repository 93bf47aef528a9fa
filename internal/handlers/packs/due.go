package packs

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// dueOfPack is the object of a pack's due date.
const dueOfPack = "pack"

// dueEndpoints are the endpoints of the due date of a pack.
func (s *server) dueEndpoints() []web.Endpoint {
	calls := s.DueCalls("/api/v1/packs/:id/due", web.EvidencePack, dueOfPack, "packs", "Pack",
		"Reviewers and above set it, until the pack is signed.",
		func(echo.Context) web.DueChecker { return maySetDue })
	calls[0].Action, calls[1].Action = access.ReadPack, access.DraftPack
	return append(calls, web.Endpoint{
		Method: http.MethodPost, Path: "/packs/:id/due", Action: access.DraftPack, Object: web.EvidencePack,
		Handle: web.SmallForm(s.setDue),
	})
}

// maySetDue lets everybody set the due date of a pack who may call the endpoint.
func maySetDue(*db.DueNow) error { return nil }

// setDue handles the form of the due date: 303 to the pack, or the pack with what is wrong.
func (s *server) setDue(c echo.Context) error {
	err := s.SaveDue(c, dueOfPack, maySetDue)
	switch kind := domain.KindOf(err); {
	case err == nil:
		return web.SeeOther(c, "/packs/"+c.Param("id")+"#due")
	case kind == domain.Invalid, kind == domain.Conflict:
		return s.packPage(c, web.StatusOf[kind], func(in *packsviews.Input) {
			in.Due.Typed, in.Due.Fault = c.FormValue("due_on"), web.FormFault(err, "", nil)
		})
	}
	return err
}

// duePart returns the due date of a pack, and whether the reader may change it.
func (s *server) duePart(c echo.Context, packID string) (in ui.DueInput, err error) {
	who := s.Who(c)
	if in.Date, err = s.Store.Due(c.Request().Context(), who.Tenant, dueOfPack, packID); err != nil {
		return in, err
	}
	if in.May = web.MayOf(who).DraftPack; in.May {
		tenant, err := s.Store.Tenant(c.Request().Context(), who.Tenant)
		in.Zone = tenant.TimeZone
		return in, err
	}
	return in, nil
}
