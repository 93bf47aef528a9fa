package packs

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// newPack shows what a pack would be assembled from, or asks for the decision.
func (s *server) newPack(c echo.Context) error {
	return s.newPackPage(c, http.StatusOK, strings.TrimSpace(c.QueryParam("decision")), nil)
}

func (s *server) newPackPage(c echo.Context, status int, decisionID string, fault *ui.FormFault) error {
	ctx, tenant, in := c.Request().Context(), s.Who(c).Tenant, packsviews.DraftInput{Wanted: decisionID, Fault: fault}
	if decisionID != "" {
		d, err := s.Store.Decision(ctx, tenant, decisionID)
		if err != nil && domain.KindOf(err) != domain.NotFound {
			return err
		}
		if err == nil {
			aboutDecision(&in, d)
		} else if status == http.StatusOK {
			status = http.StatusNotFound
		}
	}
	var err error
	if in.Decision != nil {
		if in.Library, err = s.OfferLibrary(c); err != nil {
			return err
		}
	}
	if in.Decision == nil {
		if in.Missing, _, err = s.Store.Decisions(ctx, tenant,
			pack.DecisionQuery{Missing: true, Limit: packsPerPage}); err != nil {
			return err
		}
	}
	return s.Render(c, status, packsviews.Draft(packsviews.NewDraftPage(s.Chrome(c), in)))
}

// aboutDecision fills in what there is to assemble.
func aboutDecision(in *packsviews.DraftInput, d *db.StoredDecision) {
	in.Decision, in.Requirement, in.Existing = &d.Decision.Header, d.Requirement, d.Packs
	in.Sources, in.Calls = len(d.Decision.Evidence), len(d.Decision.ToolCalls)
	for _, t := range d.Decision.Calls() {
		if t.Contradicts() || t.Failed() {
			in.Failed++
		}
	}
}

// createPack assembles a draft for a decision, with the files of documents of the library that were chosen, and opens it;
// or it shows the form again with what was searched for there.
func (s *server) createPack(c echo.Context) error {
	id := strings.TrimSpace(c.FormValue("decision"))
	if err := s.mayCopyLedger(c, id); err != nil {
		return err
	}
	if web.SearchesLibrary(c) {
		return s.newPackPage(c, http.StatusOK, id, nil)
	}
	files, err := s.chosenFiles(c)
	if kind := domain.KindOf(err); err != nil && (kind == domain.Invalid || kind == domain.TooLarge) {
		return s.newPackPage(c, web.StatusOf[kind], id, packFault(err))
	}
	if err != nil {
		return err
	}
	view, err := s.Store.CreatePack(c.Request().Context(), s.Who(c), id, db.Answering{}, files...)
	switch domain.KindOf(err) {
	case domain.NotFound:
		return s.newPackPage(c, http.StatusNotFound, id, nil)
	case domain.Conflict:
		return s.newPackPage(c, http.StatusConflict, id, web.FieldFault("", "pack_has"))
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"/edit")
}
