package packs

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

// asksShown bounds how many requests are searched for those about one pack.
const asksShown = 500

// packExports returns what the reader may export of a signed pack, and the requests for copies.
func (s *server) packExports(c echo.Context, view *db.PackView) (packsviews.Exports, error) {
	who, may := s.Who(c), web.MayOf(s.Who(c))
	x := packsviews.Exports{Signed: !view.SignedAt.IsZero(), At: may.ExportPack, Ask: !may.ExportPack && may.AskPack}
	if !x.Signed {
		return x, nil
	}
	mine, err := s.asksFor(c, view.Life.PackID, false)
	if err != nil {
		return x, err
	}
	x.Mine = slices.DeleteFunc(mine, func(e pack.ExportRequest) bool {
		return e.AskedBy != who.ID || may.ExportPack && e.Linked()
	})
	if may.ExportPack {
		x.Waiting, err = s.asksFor(c, view.Life.PackID, true)
	}
	return x, err
}

// asksFor lists the requests for one pack: those that wait, or the reader's own.
func (s *server) asksFor(c echo.Context, packID string, waiting bool) ([]pack.ExportRequest, error) {
	all, err := s.Store.PackExports(c.Request().Context(), s.Who(c), waiting, asksShown)
	return slices.DeleteFunc(all, func(e pack.ExportRequest) bool { return e.PackID != packID }), err
}

// exportInPath checks that the request in the path is about the pack in the path, because access was authorized for
// that pack.
func (s *server) exportInPath(c echo.Context, waiting bool) (string, error) {
	view, err := s.pack(c)
	if err != nil {
		return "", err
	}
	asks, err := s.asksFor(c, view.Life.PackID, waiting)
	if err != nil {
		return "", err
	}
	id := c.Param("export")
	if !slices.ContainsFunc(asks, func(e pack.ExportRequest) bool { return e.ID == id }) {
		return "", web.NotFound()
	}
	return id, nil
}

// makeExport creates a personal link at once for users who may export.
func (s *server) makeExport(c echo.Context) error {
	view, err := s.formatOf(c)
	if err != nil {
		return err
	}
	token := auth.NewSecret()
	e, err := s.Store.MakePackExport(c.Request().Context(), s.Who(c), view.Life.PackID, c.FormValue("format"),
		c.FormValue("reason"), db.HashToken(token))
	if err != nil {
		return s.refuseExport(c, err)
	}
	return s.linkPage(c, e, token)
}

// formatOf reads the format of an export from the form.
func (s *server) formatOf(c echo.Context) (*db.PackView, error) {
	if err := web.ParseForm(c, web.MaxForm); err != nil {
		return nil, err
	}
	view, err := s.pack(c)
	if err != nil {
		return nil, err
	}
	return view, checkPackFormat(c.FormValue("format"))
}

func (s *server) linkPage(c echo.Context, e pack.ExportRequest, token string) error {
	return s.Render(c, http.StatusOK,
		packsviews.Link(packsviews.NewLinkPage(s.ChromeAt(c, "/packs/"+e.PackID), e, packLink(token), e.ExpiresAt)))
}

// askExport requests a copy, which an approver grants.
func (s *server) askExport(c echo.Context) error {
	view, err := s.formatOf(c)
	if err != nil {
		return err
	}
	if _, err := s.Store.RequestExport(c.Request().Context(), s.Who(c), view.Life.PackID, c.FormValue("format"),
		c.FormValue("reason")); err != nil {
		return s.refuseExport(c, err)
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"?done=asked#sec-export")
}

// grantExport grants somebody else's request for a copy.
func (s *server) grantExport(c echo.Context) error {
	id, err := s.exportInPath(c, true)
	if err != nil {
		return err
	}
	if _, err := s.Store.GrantExport(c.Request().Context(), s.Who(c), id); err != nil {
		return s.refuseExport(c, err)
	}
	return web.SeeOther(c, "/packs/"+c.Param("id")+"?done=granted#sec-export")
}

// denyExport refuses a request, with a reason.
func (s *server) denyExport(c echo.Context) error {
	id, err := s.exportInPath(c, true)
	if err != nil {
		return err
	}
	if _, err := s.Store.RefuseExport(c.Request().Context(), s.Who(c), id, c.FormValue("reason")); err != nil {
		return s.refuseExport(c, err)
	}
	return web.SeeOther(c, "/packs/"+c.Param("id")+"?done=refused#sec-export")
}

// linkExport creates the link of a granted request for the requester, and shows it once.
func (s *server) linkExport(c echo.Context) error {
	id, err := s.exportInPath(c, false)
	if err != nil {
		return err
	}
	token := auth.NewSecret()
	e, err := s.Store.ExportLink(c.Request().Context(), s.Who(c), id, db.HashToken(token))
	if err != nil {
		return s.refuseExport(c, err)
	}
	return s.linkPage(c, e, token)
}

// refuseExport shows the pack again with the fault and the reason kept.
func (s *server) refuseExport(c echo.Context, fault error) error {
	f := packFault(fault)
	if f == nil {
		return fault
	}
	if domain.KindOf(fault) == domain.Conflict {
		f.Word = "pack_not_now"
	}
	return s.packPage(c, web.FaultOf(fault).Status, func(in *packsviews.Input) {
		in.Exports.Fault, in.Exports.Reason = f, c.FormValue("reason")
		if !in.Exports.Signed {
			in.Fault = f
		}
	})
}
