package ledger

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime/multipart"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/importers"
)

// documentFiles says which files are read as documents.
const documentFiles = "Files, at most 200: PDF, Word, PowerPoint, Excel, OpenDocument text, RTF, HTML, CSV, mails, " +
	"Markdown or text; pictures where OCR is installed."

// sessionParts are the parts of POST /sessions as a form.
var sessionParts = []apidoc.Part{
	{Name: "title", Description: "Made from question or answer if empty.", Text: true},
	{Name: "query", Description: "The question.", Text: true},
	{Name: "answer", Description: "The answer as Markdown, or a file with it."},
	{Name: "lang", Description: "The answer's language, as ar-SA.", Text: true},
	{Name: "session", Description: "In place of these: the session as JSON, sanad.session/v1 or its object session " +
		"alone. A document without text gets that of the file named by its filename."},
	{Name: "documents", Description: documentFiles, File: true, Many: true},
	{Name: "file", Description: "An interchange file of any format, alone.", File: true},
}

// documentParts are the parts of POST /sessions/{id}/documents as a form.
var documentParts = []apidoc.Part{
	{Name: "documents", Description: documentFiles, File: true, Many: true},
}

// maxForm bounds a form of the API, in bytes: as much as a file may have, and its other parts.
func (s *server) maxForm() int64 { return int64(cmp.Or(s.imports.Bytes, importers.MaxBytes)) + 1<<20 }

// apiCreateFromForm is apiCreateSession for a form with files, which are read as those of the page's form are.
func (s *server) apiCreateFromForm(c echo.Context) (web.Reply, error) {
	form, err := s.ReadForm(c, s.maxForm(), sessionParts)
	if err != nil {
		return web.Reply{}, err
	}
	defer form.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	if files := form.File["file"]; len(files) > 0 {
		return s.apiFileOfForm(c, form)
	}
	typed, err := s.typedParts(c, form)
	if err != nil {
		return web.Reply{}, err
	}
	return s.apiImportForm(c, typed, partFault)
}

// apiImportForm imports a form, or queues a large one. Its faults are told as faultAt does.
func (s *server) apiImportForm(c echo.Context, typed importers.Form, faultAt func(error) error) (web.Reply, error) {
	var read *importers.Result
	var err error
	if !isSlow(typed.Files) && formSize(typed) <= app.SmallImport { // else a job reads it
		read, err = importers.FromForm(c.Request().Context(), typed, s.imports)
		if err != nil && !documents.Slow(err) { // a job has more time
			return web.Reply{}, faultAt(err)
		}
	}
	if read != nil && !s.embedded.ManyClaims(&read.Session) {
		return s.apiStore(c, read, "")
	}
	if err := typed.Check(s.imports); err != nil { // now, rather than in the job
		return web.Reply{}, faultAt(err)
	}
	kind, name, input, err := formUpload(nil, typed)
	if err != nil {
		return web.Reply{}, err
	}
	in, err := s.Store.PutJobInput(c.Request().Context(), input)
	if err != nil {
		return web.Reply{}, err
	}
	return s.apiAddJob(c, in, kind, cmp.Or(name, "POST "+c.Request().URL.Path))
}

// apiFileOfForm imports the interchange file of a form, which has no other parts.
func (s *server) apiFileOfForm(c echo.Context, form *multipart.Form) (web.Reply, error) {
	if len(form.File)+len(form.Value) > 1 {
		return web.Reply{}, domain.Refuse(domain.Invalid, "file", "refused_interchange_file_whole")
	}
	h := form.File["file"][0]
	f, err := h.Open()
	if err != nil {
		return web.Reply{}, err
	}
	defer f.Close() //nolint:errcheck // only read
	if h.Size > app.SmallImport {
		return s.apiQueue(c, importers.Count(f, s.imports.Bytes))
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return web.Reply{}, err
	}
	return s.apiImport(c, data, h.Filename)
}

// typedParts returns the session of a form: its texts and documents.
func (s *server) typedParts(c echo.Context, form *multipart.Form) (importers.Form, error) {
	text := func(name string) string { return strings.Join(form.Value[name], "") } // one at most
	typed := importers.Form{Title: text("title"), Query: text("query"), Answer: text("answer"), Lang: text("lang")}
	files, err := uploaded(form.File["documents"])
	if err != nil {
		return typed, err
	}
	typed.Files = files
	sessions, err := uploaded(form.File["session"])
	if err != nil {
		return typed, err
	}
	answers, err := uploaded(form.File["answer"])
	if err != nil {
		return typed, err
	}
	switch {
	case len(sessions) > 0:
		typed.Session = sessions[0].Data
	case form.Value["session"] != nil:
		typed.Session = []byte(text("session"))
	}
	if typed.Session != nil {
		for _, name := range []string{"title", "query", "answer", "lang"} {
			if form.Value[name] != nil || form.File[name] != nil {
				return typed, domain.Refuse(domain.Invalid, name, "refused_part_session_whole", "Name", name)
			}
		}
		typed.Session = append([]byte{}, bytes.TrimSpace(typed.Session)...) // never nil, which would say that there is none
	}
	if len(answers) > 0 {
		if typed.Answer, err = importers.Text(c.Request().Context(), answers[0], s.imports); err != nil {
			return typed, err
		}
	}
	return typed, nil
}

// apiGiven reads the documents that a request adds: those of its JSON, or the files of its form. Artifacts that the
// JSON names are not read yet.
func (s *server) apiGiven(c echo.Context) (*app.AddInput, error) {
	if !web.IsForm(c.Request()) {
		var in addInput
		if err := web.Decode(c, &in); err != nil {
			return nil, err
		}
		return &app.AddInput{Documents: in.Documents}, nil
	}
	form, err := s.ReadForm(c, s.maxForm(), documentParts)
	if err != nil {
		return nil, err
	}
	defer form.RemoveAll() //nolint:errcheck // temporary files; the system clears what stays
	files, err := uploaded(form.File["documents"])
	return &app.AddInput{Files: files}, err
}

// partFault names the part of a form in which a fault is: files are the parts named documents. Broken JSON is a 400.
func partFault(err error) error {
	var fault *domain.Error
	if !errors.As(err, &fault) {
		return err
	}
	out := *fault
	if rest, is := strings.CutPrefix(fault.Path, "files"); is {
		out.Path = "documents" + rest
	}
	return web.BadRequest(&out)
}
