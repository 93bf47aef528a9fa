package packs

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/words"
)

// compared returns a pack and another of its versions, by default its predecessor; the older one first.
func (s *server) compared(c echo.Context) (view, older, newer *db.PackView, err error) {
	if view, err = s.pack(c); err != nil {
		return nil, nil, nil, err
	}
	with := c.QueryParam("with")
	if with == "" {
		with = view.Life.Supersedes
	}
	if !slices.ContainsFunc(view.Versions, func(r pack.Row) bool { return r.PackID == with }) {
		return nil, nil, nil, web.NotFound()
	}
	newer = view
	if older, err = s.Store.Pack(c.Request().Context(), s.Who(c).Tenant, with); err != nil {
		return nil, nil, nil, err
	}
	if older.Content.Version > newer.Content.Version {
		older, newer = newer, older
	}
	return view, older, newer, nil
}

// comparePack shows what changed between them.
func (s *server) comparePack(c echo.Context) error {
	view, older, newer, err := s.compared(c)
	if err != nil {
		return err
	}
	names, err := s.Store.ActorNames(c.Request().Context(), s.Who(c).Tenant, packActors(view))
	if err != nil {
		return err
	}
	in := packsviews.CompareInput{
		Title: newer.Content.Title, Shown: view.Life.PackID, Names: names,
		Changes: pack.Compare(&older.Content, &newer.Content), Session: newer.Content.LedgerSessionID,
	}
	for _, v := range packVersions(view) {
		in.Versions = append(in.Versions, v)
		switch v.ID {
		case older.Life.PackID:
			in.Old = v
		case newer.Life.PackID:
			in.New = v
		}
	}
	return s.Render(c, http.StatusOK, packsviews.Compare(packsviews.NewComparePage(s.Chrome(c), in)))
}

// comparePDF sends what changed in the wording of the memo, as a PDF in the page's language or ?language=. It is sent only
// when it is logged.
func (s *server) comparePDF(c echo.Context) error {
	_, older, newer, err := s.compared(c)
	if err != nil {
		return err
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
	w := words.In(language)
	r := exporters.Redline{Title: newer.Content.Title, Language: language, Letter: &tenant.Letter, Zone: tenant.Zone()}
	for i, v := range []*db.PackView{older, newer} {
		at, err := time.Parse(time.RFC3339, v.Content.CreatedAt)
		if err != nil {
			return err
		}
		r.Versions[i] = exporters.RedlineVersion{Name: w.Text("pk_version", "N", strconv.Itoa(v.Content.Version)), At: at}
	}
	for _, m := range pack.Compare(&older.Content, &newer.Content).Memo {
		r.Parts = append(r.Parts, exporters.RedlinePart{Heading: packsviews.MemoPart(w, m.Name, m.Lang), Older: m.Old, Newer: m.New})
	}
	var file bytes.Buffer
	if err := exporters.RedlinePDF(&file, &r); err != nil {
		return err
	}
	event := db.Event{Action: "pack.rendered", Kind: "pack", ObjectID: newer.Life.PackID,
		Details: map[string]any{"language": language, "sha256": pack.Digest(file.Bytes()), "compared_with": older.Life.PackID}}
	if err := s.Store.LogEvent(ctx, who, event); err != nil {
		return err
	}
	name := newer.Life.PackID + "-redline-" + language + filetype.PDF.Extension()
	c.Response().Header().Set("Content-Disposition", web.Attachment(name))
	return c.Blob(http.StatusOK, filetype.PDF.MediaType, file.Bytes())
}
