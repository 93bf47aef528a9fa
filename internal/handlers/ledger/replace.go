package ledger

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	ledgerviews "sanad/internal/views/ledger"
)

// replaceInput is the body of POST /documents/{id}/replace: why, and the new version.
type replaceInput struct {
	Reason string `json:"reason"`
	importers.Version
}

// apiReplaced answers it.
type apiReplaced struct {
	apiWithdrawn
	Newer    string           `json:"newer_document_id"`
	Warnings []domain.Warning `json:"warnings"`
}

// identified assigns ids to a new version.
func (s *server) identified(d *ledger.Document) *ledger.Document {
	d.ID = s.NewID()
	for i := range d.Chunks {
		d.Chunks[i].ID = s.NewID()
	}
	return d
}

// apiReplace replaces a document with a new version: 200 with its id and the number of claims that rested on the older
// one, under the session's new ETag.
func (s *server) apiReplace(c echo.Context, in replaceInput) (web.Reply, error) {
	var warned []domain.Warning
	return s.apiRemoveDocument(c, in.Reason, func(x *documentRemoval) (err error) {
		if x.newer, warned, err = in.Document(s.imports); err != nil {
			return err
		}
		s.identified(x.newer)
		return nil
	}, func(w *db.Withdrawal) any {
		return apiReplaced{s.newAPIWithdrawn(c, w), w.Newer.ID, web.NotNull(warned)}
	})
}

// replaceDocument handles the form on the document's page: 303 to the new version; 200 with its page if there are
// warnings; or the older version's page again with the fault and what was typed, also if the ledger has changed
// meanwhile.
func (s *server) replaceDocument(c echo.Context) error {
	r, most := c.Request(), cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes)+web.MaxSmallForm
	if _, err := s.Store.DocumentPage(r.Context(), s.Who(c), c.Param("id"), -1, 0, 1); err != nil {
		return err
	}
	if err := web.ParseFiles(c, int64(most), formMemory); err != nil {
		return err
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	check, err := s.seenRevision(c)
	if err != nil {
		return err
	}
	form := ledgerviews.VersionForm{Reason: c.FormValue("reason")}
	reason, err := withdrawReason(form.Reason)
	if err != nil {
		form.NoReason = true
		return s.documentPage(c, http.StatusUnprocessableEntity, documentForms{version: form})
	}
	x := documentRemoval{reason: reason, check: check}
	var warned []domain.Warning
	if x.newer, x.original, warned, err = s.uploadedVersion(r); err != nil {
		if s.isOurs(c, err) {
			return err
		}
		form.FileFault = web.UploadFault(err)
		return s.documentPage(c, web.FaultOf(err).Status, documentForms{version: form})
	}
	_, err = s.removeDocument(c, x)
	if err != nil && domain.KindOf(err) == domain.Conflict {
		form.Changed = true
		return s.documentPage(c, http.StatusConflict, documentForms{version: form})
	}
	if err != nil {
		return err
	}
	if len(warned) > 0 {
		return s.documentPage(c, http.StatusOK, documentForms{replacedBy: x.newer.ID, warnings: warned})
	}
	return web.SeeOther(c, "/documents/"+x.newer.ID)
}

// uploadedVersion reads the file of the form.
func (s *server) uploadedVersion(r *http.Request) (*ledger.Document, *db.Original, []domain.Warning, error) {
	files, err := uploaded(r.MultipartForm.File["file"])
	if err != nil {
		return nil, nil, nil, err
	}
	if len(files) != 1 {
		return nil, nil, nil, domain.Refuse(domain.Invalid, "file", "refused_choose_file_new")
	}
	d, original, warned, err := importers.UploadedVersion(r.Context(), files[0], s.imports)
	if err != nil {
		return nil, nil, nil, err
	}
	return s.identified(d), &db.Original{MediaType: original.MediaType, Data: original.Data}, warned, nil
}
