package ledger

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
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
	form, x := ledgerviews.VersionForm{}, documentRemoval{check: check}
	no := c.FormValue("library_version")
	if form.FromLibrary = no != ""; form.FromLibrary {
		form.LibraryReason = c.FormValue("reason")
	} else {
		form.Reason = c.FormValue("reason")
	}
	if x.reason, err = withdrawReason(c.FormValue("reason")); err != nil {
		form.NoReason = true
		return s.documentPage(c, http.StatusUnprocessableEntity, documentForms{version: form})
	}
	if !form.FromLibrary {
		files, err := uploaded(r.MultipartForm.File["file"])
		return s.replaceWith(c, form, x, files, err)
	}
	named, err := s.libraryVersion(c, no)
	size := 0
	if err == nil {
		size, err = s.lakeSize(c, named, newLakeRoom())
	}
	if err != nil {
		return s.replaceWith(c, form, x, nil, err)
	}
	return s.withLake(c, size, named, func(c echo.Context, files []importers.File) error {
		return s.replaceWith(c, form, x, files, nil)
	})
}

// libraryVersion names the version of the library with which the form replaces the document, which was taken from it.
func (s *server) libraryVersion(c echo.Context, no string) ([]importers.LakeDocument, error) {
	p, err := s.Store.DocumentPage(c.Request().Context(), s.Who(c), c.Param("id"), -1, 0, 1)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(no)
	if of := p.Document.Library; err != nil || of.ID == "" || n <= of.No {
		return nil, domain.Refuse(domain.Invalid, "file", "refused_library_none")
	}
	return []importers.LakeDocument{{Library: library.Ref{ID: p.Document.Library.ID, No: n}}}, nil
}

// replaceWith replaces the document with the version in files, of which there should be one; err says why it could not
// be read.
func (s *server) replaceWith(c echo.Context, form ledgerviews.VersionForm, x documentRemoval, files []importers.File,
	err error) error {
	var warned []domain.Warning
	if err == nil {
		x.newer, x.original, warned, err = s.versionOf(c, files)
	}
	if err != nil {
		if s.isOurs(c, err) {
			return err
		}
		form.FileFault = web.UploadFault(err)
		return s.documentPage(c, web.FaultOf(err).Status, documentForms{version: form})
	}
	_, err = s.removeDocument(c, x)
	if err != nil && domain.KindOf(err) == domain.Conflict {
		if form.Changed = web.AsError(err).Path != "documents"; !form.Changed { // the library lost the version meanwhile
			form.FileFault = web.UploadFault(err)
		}
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

// versionOf reads the file of a new version.
func (s *server) versionOf(c echo.Context, files []importers.File) (*ledger.Document, *db.Original, []domain.Warning, error) {
	if len(files) != 1 {
		return nil, nil, nil, domain.Refuse(domain.Invalid, "file", "refused_choose_file_new")
	}
	d, original, warned, err := importers.UploadedVersion(c.Request().Context(), files[0], s.imports)
	if err != nil {
		return nil, nil, nil, err
	}
	d.Library, d.Origin = files[0].Library, files[0].Origin() // of an uploaded file there is none
	d.Title = cmp.Or(files[0].Title, d.Title)
	return s.identified(d), &db.Original{MediaType: original.MediaType, Data: original.Data}, warned, nil
}
