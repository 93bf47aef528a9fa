package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	ledgerviews "sanad/internal/views/ledger"
)

// newPointers shows the form that checks an answer whose claims point to passages.
func (s *server) newPointers(c echo.Context) error {
	return s.pointersForm(c, http.StatusOK, ledgerviews.PointersForm{})
}

func (s *server) pointersForm(c echo.Context, status int, form ledgerviews.PointersForm) error {
	return s.Render(c, status, ledgerviews.Pointers(ledgerviews.NewPointersPage(s.ChromeAt(c, "/evidence-maps/answers"),
		form)))
}

// checkPointers handles that form: 303 to the ledger, or what is wrong with the pointers.
func (s *server) checkPointers(c echo.Context) error {
	r := c.Request()
	if err := web.ParseForm(c, maxTyped); err != nil {
		return err
	}
	form := ledgerviews.PointersForm{
		Query: c.FormValue("query"), Passages: c.FormValue("passages"), Answer: c.FormValue("answer"),
	}
	refuse := func(err error) error {
		if s.isOurs(c, err) {
			return err
		}
		form.Fault = web.UploadFault(err)
		return s.pointersForm(c, web.FaultOf(err).Status, form)
	}
	in, err := importers.PointersFromText(form.Query, form.Passages, form.Answer)
	if err != nil {
		return refuse(err)
	}
	if len(in.Chunks) == 0 {
		return refuse(domain.Refuse(domain.Invalid, "passages", "fault_pointers_no_passage"))
	}
	read, err := importers.FromPointers(in, s.imports)
	if err != nil {
		return refuse(err)
	}
	taken, err := s.importer(c).Import(r.Context(), read.Result, nil)
	if err != nil {
		return refuse(err)
	}
	if len(read.Ungrounded) == 0 && len(taken.Warnings) == 0 {
		return web.SeeOther(c, "/sessions/"+taken.SessionID)
	}
	pointed := ledgerviews.PointedInput{SessionID: taken.SessionID, Ungrounded: read.Ungrounded, Warnings: taken.Warnings,
		Claims: web.Map(in.Claims, func(x importers.PointerClaim) string { return x.Text })}
	for _, v := range read.Violations {
		pointed.Unknown = append(pointed.Unknown, ledgerviews.UnknownPointer{Claim: v.Claim, Pointer: v.PointerID})
	}
	return s.Render(c, http.StatusOK, ledgerviews.Pointed(ledgerviews.NewPointedPage(s.Chrome(c), pointed)))
}
