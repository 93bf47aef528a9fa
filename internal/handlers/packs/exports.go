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

// makeExport makes a copy at once for users who may export, and leads to its page.
func (s *server) makeExport(c echo.Context) error {
	view, err := s.formatOf(c)
	if err != nil {
		return err
	}
	e, err := s.Store.MakePackExport(c.Request().Context(), s.Who(c), view.Life.PackID, c.FormValue("format"),
		c.FormValue("reason"), db.HashToken(auth.NewSecret()))
	if err != nil {
		return s.refuseExport(c, err)
	}
	return web.SeeOther(c, packsviews.CopyHref(&e))
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

// ownCopy returns the copy in the path, which is the reader's own and of the pack in the path. It is downloaded by its
// address and the login alone: nobody is shown the token that its link has for the API.
func (s *server) ownCopy(c echo.Context) (pack.ExportRequest, error) {
	e, err := s.Store.OwnPackExport(c.Request().Context(), s.Who(c), c.Param("export"))
	if err == nil && e.PackID != c.Param("id") {
		err = web.NotFound()
	}
	return e, err
}

// showCopy is the page of a copy: its reader comes back to it, and loads it again, while the copy can be downloaded.
func (s *server) showCopy(c echo.Context) error {
	e, err := s.ownCopy(c)
	if err != nil {
		return err
	}
	data, _, err := s.Store.PackFile(c.Request().Context(), s.Who(c).Tenant, e.PackID, packEnvelope)
	if err != nil {
		return err
	}
	in := packsviews.CopyInput{Copy: e, Over: !s.Now().Before(e.ExpiresAt)}
	if envelope, err := pack.ParseEnvelope(data); err == nil { // one that can't be read is not handed out
		in.KeyID = envelope.KeyID()
	}
	page := packsviews.NewCopyPage(s.ChromeAt(c, "/packs/"+e.PackID), in)
	return s.Render(c, http.StatusOK, packsviews.Copy(page))
}

// downloadCopy sends the file of the reader's own copy.
func (s *server) downloadCopy(c echo.Context) error {
	e, err := s.ownCopy(c)
	if err != nil {
		return err
	}
	return s.sendCopy(c, &e)
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

// linkExport makes the copy of a granted request for the requester, once, and leads to its page.
func (s *server) linkExport(c echo.Context) error {
	id, err := s.exportInPath(c, false)
	if err != nil {
		return err
	}
	e, err := s.Store.ExportLink(c.Request().Context(), s.Who(c), id, db.HashToken(auth.NewSecret()))
	if err != nil {
		return s.refuseExport(c, err)
	}
	return web.SeeOther(c, packsviews.CopyHref(&e))
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
