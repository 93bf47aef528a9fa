package ledger

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/library"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	ledgerviews "sanad/internal/views/ledger"
)

// maxUpload bounds the whole form, in bytes. The part that is held in memory before files go to disk is far smaller.
const (
	maxUpload  = importers.MaxBytes + 1<<20
	maxTyped   = 8 << 20 // of a form without files: an answer of the most letters, percent-encoded
	formMemory = 8 << 20
)

// newSession shows the form, empty but for documents of the library that the address names.
func (s *server) newSession(c echo.Context) error {
	return s.sessionForm(c, http.StatusOK, ledgerviews.SessionForm{})
}

// sessionForm shows the form, with the size limit of documents.
func (s *server) sessionForm(c echo.Context, status int, form ledgerviews.SessionForm) error {
	form.DocumentMiB = s.documentMiB()
	var err error
	if form.Library, err = s.OfferLibrary(c); err != nil {
		return err
	}
	return s.Render(c, status, ledgerviews.NewSession(ledgerviews.NewNewSessionPage(s.ChromeAt(c, "/sessions/new"),
		form)))
}

// documentMiB is the size limit of a document.
func (s *server) documentMiB() int {
	return cmp.Or(s.imports.DocumentBytes, importers.DocumentBytes) >> 20
}

// createSession handles the form: a pasted answer with documents, or an interchange file. It answers 303 to the ledger,
// or shows the form again with the fault and what was typed.
func (s *server) createSession(c echo.Context) error {
	r := c.Request()
	if err := web.ParseFiles(c, maxUpload, formMemory); err != nil {
		return s.refuseSession(c, ledgerviews.SessionForm{}, err)
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	return s.withChosen(c, s.createOfForm)
}

// createOfForm is createSession once the form was parsed.
func (s *server) createOfForm(c echo.Context) error {
	r := c.Request()
	form := ledgerviews.SessionForm{
		Title: r.FormValue("title"), Query: r.FormValue("query"), Answer: r.FormValue("answer"),
		Lang: r.FormValue("lang"),
	}
	if web.SearchesLibrary(c) {
		form.Again = web.SentFiles(c)
		return s.sessionForm(c, http.StatusOK, form)
	}
	file, typed, err := s.uploads(c, &form)
	form.Import = file != nil
	if err != nil {
		return s.refuseSession(c, form, err)
	}
	var read *importers.Result
	if !isSlow(typed.Files) && formSize(typed) <= app.SmallImport { // else a job reads it
		if read, err = s.readForm(r.Context(), file, typed); err != nil && !documents.Slow(err) { // a job has more time
			return s.refuseSession(c, form, err)
		}
	}
	if read == nil || s.embedded.ManyClaims(&read.Session) {
		if file == nil {
			if err := typed.Check(s.imports); err != nil { // now, rather than in the job
				return s.refuseSession(c, form, err)
			}
		}
		if err := s.queueForm(c, file, typed); err != nil {
			return s.refuseSession(c, form, err)
		}
		return nil
	}
	in := s.importer(c)
	if file != nil {
		in.File = file.Filename
	}
	taken, err := in.Import(r.Context(), read, nil)
	if err != nil {
		return s.refuseSession(c, form, err)
	}
	if len(taken.Warnings) > 0 || !taken.Created {
		return s.Render(c, http.StatusOK,
			ledgerviews.Taken(ledgerviews.NewTakenPage(s.Chrome(c), taken.SessionID, taken.Created,
				taken.Warnings)))
	}
	return web.SeeOther(c, "/sessions/"+taken.SessionID)
}

// uploads returns the interchange file of a form, or nil and the form's other contents if it has no such file. An
// answer in a file is put into the form.
func (s *server) uploads(c echo.Context,
	form *ledgerviews.SessionForm) (*multipart.FileHeader, importers.Form, error) {
	r := c.Request()
	for _, h := range r.MultipartForm.File["file"] {
		if kind, ok := filetype.Of(h.Filename, filetype.Documents); ok && !kind.Text {
			return h, importers.Form{}, domain.Refuse(domain.Unsupported, "", "refused_file_document", "Name", h.Filename)
		}
		if h.Filename != "" || h.Size > 0 {
			return h, importers.Form{}, nil
		}
	}
	files, err := s.documentsOf(c)
	if err != nil {
		return nil, importers.Form{}, err
	}
	answers, err := uploaded(r.MultipartForm.File["answer_file"])
	if err != nil {
		return nil, importers.Form{}, err
	}
	if len(answers) > 0 && strings.TrimSpace(form.Answer) != "" {
		return nil, importers.Form{}, domain.Refuse(domain.Invalid, "answer", "refused_pasted_answer_answer")
	}
	if len(answers) > 0 {
		if form.Answer, err = importers.Text(r.Context(), answers[0], s.imports); err != nil {
			return nil, importers.Form{}, err
		}
	}
	return nil, importers.Form{Title: form.Title, Query: form.Query, Answer: form.Answer, Lang: form.Lang,
		Files: files}, nil
}

// readForm reads the interchange file if there is one, else answer and documents. It returns nil for a file that is too
// large to read within the request.
func (s *server) readForm(ctx context.Context, file *multipart.FileHeader,
	typed importers.Form) (*importers.Result, error) {
	if file == nil {
		return importers.FromForm(ctx, typed, s.imports)
	}
	if file.Size > app.SmallImport {
		return nil, nil
	}
	data, err := uploaded([]*multipart.FileHeader{file})
	if err != nil {
		return nil, err
	}
	return importers.Read(data[0].Data, s.imports)
}

// slowUpload is the size, in bytes, above which PDF, RTF, mails and archives such as Word files are read by a job,
// whose page shows its progress.
const slowUpload = 512 << 10

// slowKinds are how files begin that take long to read.
var slowKinds = []string{"%PDF-", "PK", "{\\rtf"}

// isSlow reports whether extracting the text of the files takes longer than a request should.
func isSlow(files []importers.File) bool {
	n := 0
	for _, x := range files {
		_, mail := filetype.Of(x.Name, filetype.Mails)
		if mail || slices.ContainsFunc(slowKinds, func(begin string) bool { return bytes.HasPrefix(x.Data, []byte(begin)) }) {
			n += len(x.Data)
		}
	}
	return n > slowUpload
}

// documentsOf reads the documents of a page's form: the files that were uploaded, and those of documents of the library
// that were chosen, each in its newest version.
func (s *server) documentsOf(c echo.Context) ([]importers.File, error) {
	form := c.Request().MultipartForm
	files, err := uploaded(form.File["documents"])
	if err != nil {
		return nil, err
	}
	named := chosenOf(form)
	if len(files)+len(named) > web.MostFiles {
		return nil, domain.Refuse(domain.TooLarge, "documents", "refused_most_files_once", "N", web.MostFiles)
	}
	if len(named) == 0 {
		return files, nil
	}
	if _, err := s.lakeSize(c, named, newLakeRoom()); err != nil {
		return nil, atDocuments(err)
	}
	chosen, err := s.lakeFiles(c, named)
	return append(files, chosen...), atDocuments(err)
}

// chosenOf returns the documents of the library that a form names.
func chosenOf(form *multipart.Form) (named []importers.LakeDocument) {
	for i, id := range form.Value["library"] {
		named = append(named, importers.LakeDocument{Index: i, Library: library.Ref{ID: id}})
	}
	return named
}

// withChosen handles a page's form when there is memory for the documents of the library that it names too: the request
// has taken memory for its body only. What is wrong with them is said by documentsOf.
func (s *server) withChosen(c echo.Context, handle echo.HandlerFunc) error {
	r := c.Request()
	named, length := chosenOf(r.MultipartForm), r.ContentLength
	if len(named) == 0 || len(named) > web.MostFiles {
		return handle(c)
	}
	theirs, err := s.lakeSize(c, named, newLakeRoom())
	if err != nil {
		return handle(c)
	}
	defer func() {
		r.ContentLength = length
		c.SetRequest(r)
	}()
	return s.WithRoom(c, limits.FormUpload, int(max(0, length))+theirs, handle)
}

// atDocuments names the field of a form that a fault in a chosen document is about.
func atDocuments(err error) error {
	var fault *domain.Error
	if !errors.As(err, &fault) || fault.Path == "" {
		return err
	}
	out := *fault
	out.Path = "documents"
	return &out
}

// uploaded reads the files of one field; none if the field was left empty.
func uploaded(headers []*multipart.FileHeader) ([]importers.File, error) {
	if len(headers) > web.MostFiles {
		return nil, domain.Refuse(domain.TooLarge, "documents", "refused_most_files_once", "N", web.MostFiles)
	}
	var out []importers.File
	for _, h := range headers {
		if h.Filename == "" && h.Size == 0 {
			continue
		}
		f, err := h.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		out = append(out, importers.File{Name: h.Filename, Data: data})
	}
	return out, nil
}

// refuseSession shows the form again; internal errors go to the error page.
func (s *server) refuseSession(c echo.Context, form ledgerviews.SessionForm, err error) error {
	if s.isOurs(c, err) {
		return err
	}
	form.Fault = web.UploadFault(err)
	return s.sessionForm(c, web.FaultOf(err).Status, form)
}

// isOurs reports whether an error is internal and has no place on the form's page. "Too many files are being read" is
// shown on the form, because the same form may be sent again; it is logged too.
func (s *server) isOurs(c echo.Context, err error) bool {
	if documents.Busy(err) {
		s.Log.Warn("an upload was refused: too many files are being read", "request_id", web.RequestID(c), "err", err)
		return false
	}
	return web.FaultOf(err).Status >= http.StatusInternalServerError
}

// importer returns the importer for this request.
func (s *server) importer(c echo.Context) app.Importer {
	return app.Importer{Store: s.Store, Actor: s.Who(c), Now: s.Now().UTC(), NewID: s.NewID, Embedded: s.embedded}
}
