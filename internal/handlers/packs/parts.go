package packs

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

// showParts lists the parts of a signed pack that can be proved alone or left out of a copy (rule P-15).
func (s *server) showParts(c echo.Context) error {
	return s.partsPage(c, http.StatusOK, packsviews.PartsInput{})
}

func (s *server) partsPage(c echo.Context, status int, in packsviews.PartsInput) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if view.SignedAt.IsZero() {
		return web.NotFound()
	}
	in.PackID, in.Title, in.Parts = view.Life.PackID, view.Content.Title, view.Content.Parts()
	return s.Render(c, status, packsviews.Parts(packsviews.NewPartsPage(s.ChromeAt(c, "/packs/"+in.PackID+"/parts"),
		in)))
}

// provePart sends the proof of the part that the form names.
func (s *server) provePart(c echo.Context) error {
	kind, id, _ := strings.Cut(c.FormValue("one"), "/")
	return s.sendProof(c, kind, id)
}

// redactParts sends a copy without the ticked parts, all for one reason and by one rule.
func (s *server) redactParts(c echo.Context) error {
	in := packsviews.PartsInput{Chosen: c.Request().PostForm["part"], Reason: c.FormValue("reason"),
		Rule: c.FormValue("rule")}
	var without []pack.Redaction
	for _, name := range slices.Compact(slices.Sorted(slices.Values(in.Chosen))) {
		kind, id, _ := strings.Cut(name, "/")
		without = append(without, pack.Redaction{Kind: kind, ID: id, Reason: in.Reason, Rule: in.Rule})
	}
	err := s.sendRedacted(c, without)
	if kind := domain.KindOf(err); err == nil || kind != domain.Invalid && kind != domain.TooLarge {
		return err
	}
	var said *pack.StillQuotedError
	switch {
	case errors.As(err, &said):
		in.Quoting, in.Fault = said.Parts, web.FieldFault("", "parts_quoted")
	case len(without) == 0:
		in.Fault = web.FieldFault("", "parts_none")
	case strings.TrimSpace(in.Reason) == "" || strings.TrimSpace(in.Rule) == "":
		in.Fault = web.FieldFault("", "parts_reason")
	default:
		in.Fault = web.FormFault(err, "", nil)
	}
	return s.partsPage(c, web.StatusOf[domain.KindOf(err)], in)
}
