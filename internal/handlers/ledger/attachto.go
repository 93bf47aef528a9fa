package ledger

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// showAttachTo asks to which claim a passage is attached: the chunk ?chunk= of a document, as found by the search of
// all sessions or seen in the viewer.
func (s *server) showAttachTo(c echo.Context) error { return s.attachToPage(c, http.StatusOK, "") }

// attachToPage shows the form with what is wrong with it.
func (s *server) attachToPage(c echo.Context, status int, fault string) error {
	number, err := strconv.Atoi(c.QueryParam("chunk"))
	if err != nil || number < 1 {
		return web.NotFound()
	}
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	page, err := s.Store.DocumentPage(ctx, who, id, number-1, 0, 1)
	if err != nil {
		return err
	}
	session, err := s.Store.SessionFor(ctx, who, page.SessionID)
	if err != nil {
		return err
	}
	d := session.DocumentByID(id)
	if d == nil || number > len(d.Chunks) {
		return web.NotFound()
	}
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	now := ledger.Assess(session, tenant.FreshnessMonths)
	return s.Render(c, status, ledgerviews.AttachTo(ledgerviews.NewAttachToPage(s.Chrome(c), ledgerviews.AttachToInput{
		Ledger: &now, Document: d, Chunk: &d.Chunks[number-1], Claim: c.FormValue("claim"),
		Passage: c.FormValue("passage"), Fault: fault,
	})))
}

// attachTo handles that form: 303 to the claim.
func (s *server) attachTo(c echo.Context) error {
	page, err := s.Store.DocumentPage(c.Request().Context(), s.Who(c), c.Param("id"), 0, 0, 1)
	if err != nil {
		return err
	}
	again := func(status int, fault string) error { return s.attachToPage(c, status, fault) }
	number, err := strconv.Atoi(c.FormValue("claim"))
	if err != nil || number < 1 {
		return again(http.StatusUnprocessableEntity, "attach_to_choose")
	}
	return s.takePassage(c, page.SessionID, number-1, c.Param("id"), again)
}
