package library

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/library"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	libraryviews "sanad/internal/views/library"
	"sanad/internal/views/ui"
)

// compared reads a document and compares two of its versions: ?from= and ?to=, by default the two newest, the older one
// first whatever their order is. A document with one version is compared with nothing.
func (s *server) compared(c echo.Context) (in libraryviews.CompareInput, err error) {
	ctx, tenant, id := c.Request().Context(), s.Who(c).Tenant, c.Param("id")
	names, err := s.Store.LibraryNames(ctx, tenant, []string{id})
	if err != nil {
		return in, err
	}
	d, known := names[id]
	if !known {
		return in, web.NotFound()
	}
	if in.Document = &d; d.Version < 2 {
		return in, nil
	}
	number := func(name string, standard int) int {
		n, err := strconv.Atoi(c.QueryParam(name))
		if err != nil || n < 1 || n > d.Version {
			return standard
		}
		return n
	}
	to := number("to", d.Version)
	from := number("from", max(1, to-1))
	in.Part = 1
	if n, err := strconv.Atoi(c.QueryParam("part")); err == nil && n > 0 {
		in.Part = n
	}
	in.Document, in.Versions, err = s.Store.LibraryTexts(ctx, tenant, id, [2]int{min(from, to), max(from, to)})
	if err == nil {
		in.Redline = library.NewRedline(in.Versions[0].Passages, in.Versions[1].Passages)
	}
	return in, err
}

// compare shows what changed between two versions.
func (s *server) compare(c echo.Context) error {
	in, err := s.compared(c)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, libraryviews.Compare(libraryviews.NewComparePage(s.Chrome(c), in)))
}

// comparePDF sends what changed between two versions, as a PDF in the page's language or ?language=. It is sent only when
// it is logged.
func (s *server) comparePDF(c echo.Context) error {
	in, err := s.compared(c)
	if err != nil {
		return err
	}
	if in.Redline == nil {
		return web.NotFound()
	}
	language, err := s.PDFLanguage(c)
	if err != nil {
		return err
	}
	ctx, who := c.Request().Context(), s.Who(c)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	w := ui.NewChrome(ui.ChromeInput{Lang: language})
	r := exporters.Redline{Title: in.Document.Name, Language: language, Letter: &tenant.Letter, Zone: tenant.Zone(),
		Parts: []exporters.RedlinePart{{Shown: []exporters.RedlineShown{}, Said: libraryviews.Said(&w, in.Redline)}}}
	for i := range in.Versions {
		v := &in.Versions[i]
		r.Versions[i] = exporters.RedlineVersion{Name: w.T("lib_is_version", "N", strconv.Itoa(v.No)), At: v.CreatedAt}
	}
	for _, x := range libraryviews.Parts(&w, in.Redline, in.Versions) {
		r.Parts[0].Shown = append(r.Parts[0].Shown, exporters.RedlineShown{Place: x.Place, Pieces: x.Pieces, LeftOut: x.LeftOut})
	}
	var file bytes.Buffer
	if err := exporters.RedlinePDF(&file, &r); err != nil {
		return err
	}
	older, newer := in.Versions[0].No, in.Versions[1].No
	if err := s.Store.LogEvent(ctx, who, db.Event{Action: "library.downloaded", Kind: "library", ObjectID: in.Document.ID,
		Details: map[string]any{"version": newer, "compared_with": older, "language": language}}); err != nil {
		return err
	}
	name := fmt.Sprintf("%s %d-%d.%s%s", web.SafeName(in.Document.Name), older, newer, language, filetype.PDF.Extension())
	c.Response().Header().Set("Content-Disposition", web.Attachment(name))
	return c.Blob(http.StatusOK, filetype.PDF.MediaType, file.Bytes())
}
