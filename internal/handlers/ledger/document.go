package ledger

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// chunksPerPage is how many chunks of a document a page shows: about twenty printed pages.
const chunksPerPage = 40

// showDocument shows a document's text around a chunk.
func (s *server) showDocument(c echo.Context) error {
	return s.documentPage(c, http.StatusOK, documentForms{})
}

// documentForms is the state of the forms that withdraw or replace a document; the zero value is fresh forms.
type documentForms struct {
	withdraw   ledgerviews.WithdrawForm
	version    ledgerviews.VersionForm
	replacedBy string           // id of the version that has just replaced it and is shown instead, "" if none
	warnings   []domain.Warning // of reading the new version
}

// documentPage shows the document with these forms.
func (s *server) documentPage(c echo.Context, status int, forms documentForms) error {
	chunk := chunkParam(c.QueryParams())
	claim, _ := strconv.Atoi(c.QueryParam("claim")) // 0 if the reader does not come from a claim
	id := cmp.Or(forms.replacedBy, c.Param("id"))
	p, err := s.Store.DocumentPage(c.Request().Context(), s.Who(c), id, chunk, claim, chunksPerPage)
	if err != nil {
		return err
	}
	hidden := p.Document.HiddenFrom(s.Who(c).Role)
	if hidden {
		p.Hide()
	}
	if chunk >= 0 {
		s.MarkGuideStep(c, ui.GuideRead, p.SessionID)
	}
	in := ledgerviews.DocumentInput{DocumentPage: *p, Hidden: hidden, Current: chunk, Claim: claim, Matches: c.QueryParam("matches") == "all",
		Withdraw: forms.withdraw, Version: forms.version, Warnings: forms.warnings}
	may := false
	if p.Document.Library.ID != "" {
		if may, err = s.May(c, access.ReadLibrary, access.Object{}); err != nil {
			return err
		}
	}
	if of := p.Document.Library.ID; may {
		names, err := s.Store.LibraryNames(c.Request().Context(), s.Who(c).Tenant, []string{of})
		if err != nil {
			return err
		}
		in.Library = names[of]
	}
	var gone *erasure.GoneError
	if p.Document.Status == ledger.Erased && errors.As(s.Erased(c, erasure.Document, id, nil), &gone) {
		status, in.Erased = http.StatusGone, &gone.Erased
	}
	return s.Render(c, status, ledgerviews.Document(ledgerviews.NewDocumentPage(s.ChromeAt(c, "/documents/"+id), in)))
}

// showCitation redirects from an anchor of an answer to the passage that it cites: in the session itself, else in the
// tenant.
func (s *server) showCitation(c echo.Context) error {
	hash := strings.ToLower(c.Param("hash"))
	if !ledger.IsHash(hash) {
		return web.NotFound()
	}
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	if err := s.Store.HasSession(ctx, tenant, c.Param("id")); err != nil {
		return err
	}
	found, err := s.Store.CitedChunks(ctx, tenant, []string{hash})
	if err != nil {
		return err
	}
	places := found[hash]
	if len(places) == 0 {
		return web.NotFound()
	}
	at := places[max(slices.IndexFunc(places, func(p ledger.Place) bool { return p.SessionID == c.Param("id") }), 0)]
	return web.SeeOther(c, ui.ChunkPath(at.DocumentID, at.Position))
}

// downloadOriginal sends the file as it was uploaded, always as an attachment. The download is logged before the first
// byte.
func (s *server) downloadOriginal(c echo.Context) error {
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	r, meta, err := s.Store.Original(ctx, who.Tenant, id)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read
	if meta.HiddenFrom(who.Role) {
		return &domain.Error{Kind: domain.Denied, Op: "handlers.downloadOriginal",
			Message: words.Msg("refused_document_withdrawn_file")}
	}
	if err := s.Store.LogEvent(ctx, who,
		db.Event{Action: "document.downloaded", Kind: "document", ObjectID: id}); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Disposition", web.Attachment(meta.Filename))
	h.Set("Content-Type", "application/octet-stream")
	c.Response().WriteHeader(http.StatusOK)
	_, err = io.Copy(c.Response(), r)
	return err
}
