package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// addInput is the body of POST /sessions/{id}/documents.
type addInput struct {
	Documents []importers.AddedDocument `json:"documents" limit:"1000"`
}

// apiAdded answers it.
type apiAdded struct {
	apiJudged
	Documents []apiAddedDocument `json:"documents"`
	Warnings  []domain.Warning   `json:"warnings"`
}

// apiAddedDocument is a document that was added.
type apiAddedDocument struct {
	DocumentID string `json:"document_id"`
	ID         string `json:"id"` // the caller's, or one made here
	Filename   string `json:"filename"`
}

// apiAddDocuments adds documents to a session and judges what may change: 200 with the run and counts of what it
// changed, under the new ETag; 202 with a job if there is much to judge.
func (s *server) apiAddDocuments(c echo.Context) (web.Reply, error) {
	given, err := s.apiGiven(c)
	if err != nil {
		return web.Reply{}, err
	}
	named := importers.LakeOf(given.Documents)
	if len(named) == 0 {
		return s.apiAdd(c, given)
	}
	theirs, err := s.lakeSize(c, named, newLakeRoom())
	if err != nil {
		return web.Reply{}, err
	}
	var out web.Reply
	err = s.withLake(c, given.Size()+theirs, named, func(c echo.Context, files []importers.File) (err error) {
		given.Files = files
		out, err = s.apiAdd(c, given)
		return err
	})
	return out, err
}

// apiAdd adds what was read.
func (s *server) apiAdd(c echo.Context, given *app.AddInput) (web.Reply, error) {
	ctx, id := c.Request().Context(), c.Param("id")
	loaded, check, err := s.unchanged(c, s.Store.SessionFor)
	if err != nil {
		return web.Reply{}, err
	}
	large := s.embedded.NeedsJob(loaded) || isSlow(given.Files) || given.Size() > app.SmallImport
	var added *importers.Added
	if !large || given.Files == nil { // files of a large one are read by its job, documents are read at once
		if added, err = given.Read(ctx, s.imports); err != nil && !documents.Slow(err) {
			return web.Reply{}, partFault(err)
		}
		if err == nil {
			err = app.CheckAdded(loaded, added)
		}
		if large = large || documents.Slow(err); err != nil && !documents.Slow(err) {
			return web.Reply{}, err
		}
	}
	if large {
		if err := importers.CheckFiles(given.Files, s.imports); err != nil { // now, rather than in the job
			return web.Reply{}, partFault(err)
		}
		answered := func(j job.Job) (*db.Receipt, error) { return jobAccepted(j).Receipt(c) }
		work, _, err := app.QueueAdd(ctx, s.Store, s.Who(c), loaded, given, answered)
		return jobAccepted(work), err
	}
	var out web.Reply
	req := db.JudgeRequest{SessionID: id, ReceiptKey: web.ReceiptKey(c)}
	_, err = s.rejudger(c).Add(ctx, loaded, req, added, check, func(d *db.Judged) (*db.Receipt, error) {
		body := apiAdded{apiJudged: newAPIJudged(d, s.Who(c).ID), Warnings: web.NotNull(added.Warnings)}
		for _, x := range d.Ledger.Session.Documents[len(loaded.Documents):] {
			body.Documents = append(body.Documents, apiAddedDocument{x.ID, x.Key, x.Filename})
		}
		out = web.Reply{Status: http.StatusOK, Body: body, Headers: web.LedgerTag(c, d.Ledger.Session)}
		return out.Receipt(c)
	})
	return out, err
}

// addDocuments shows the form that adds documents.
func (s *server) addDocuments(c echo.Context) error {
	return s.addPage(c, http.StatusOK, nil, false)
}

// addPage shows the form with what is wrong with it; again says that its files have to be chosen again.
func (s *server) addPage(c echo.Context, status int, fault *ui.FormFault, again bool) error {
	now, err := s.Store.ShowSession(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	offer, err := s.OfferLibrary(c)
	if err != nil {
		return err
	}
	in := ledgerviews.AddInput{Session: now.SessionRow, DocumentMiB: s.documentMiB(), Fault: fault, Library: offer,
		Again: again}
	return s.Render(c, status, ledgerviews.Add(ledgerviews.NewAddPage(s.Chrome(c), in)))
}

// takeDocuments handles that form: 303 to what changed, or to the job of a large session.
func (s *server) takeDocuments(c echo.Context) error {
	r := c.Request()
	ctx, who, id := r.Context(), s.Who(c), c.Param("id")
	if err := s.Store.HasSession(ctx, who.Tenant, id); err != nil {
		return err
	}
	if err := web.ParseFiles(c, maxUpload, formMemory); err != nil {
		return err
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	return s.withChosen(c, s.takeOfForm)
}

// takeOfForm is takeDocuments once the form was parsed.
func (s *server) takeOfForm(c echo.Context) error {
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	if web.SearchesLibrary(c) {
		return s.addPage(c, http.StatusOK, nil, web.SentFiles(c))
	}
	loaded, err := s.Store.SessionFor(ctx, who, id)
	if err != nil {
		return err
	}
	files, err := s.documentsOf(c)
	if err != nil {
		return s.refuseDocuments(c, err)
	}
	given := app.AddInput{Files: files}
	if s.embedded.NeedsJob(loaded) || isSlow(files) || given.Size() > app.SmallImport {
		if err := importers.CheckFiles(files, s.imports); err != nil { // now, rather than in the job
			return s.refuseDocuments(c, err)
		}
		work, _, err := app.QueueAdd(ctx, s.Store, who, loaded, &given, nil)
		if err != nil {
			return s.refuseDocuments(c, err)
		}
		return web.SeeOther(c, "/jobs/"+work.ID)
	}
	added, err := given.Read(ctx, s.imports)
	if err == nil {
		err = app.CheckAdded(loaded, added)
	}
	if err != nil {
		return s.refuseDocuments(c, err)
	}
	out, err := s.rejudger(c).Add(ctx, loaded, db.JudgeRequest{SessionID: id}, added,
		func(*ledger.Session) error { return nil }, nil)
	if err != nil {
		return s.refuseDocuments(c, err)
	}
	return web.SeeOther(c, runPath(id, out.Number))
}

// refuseDocuments shows the form again; internal errors go to the error page.
func (s *server) refuseDocuments(c echo.Context, err error) error {
	if s.isOurs(c, err) || domain.KindOf(err) == domain.NotFound {
		return err
	}
	return s.addPage(c, web.FaultOf(err).Status, web.UploadFault(err), false)
}
