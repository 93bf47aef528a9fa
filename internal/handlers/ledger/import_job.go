package ledger

import (
	"bytes"
	"cmp"
	"io"
	"mime/multipart"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain/job"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// queueForm stores the contents of a form and redirects to the page of the job that imports them, or to the ledger if
// they were imported before.
func (s *server) queueForm(c echo.Context, file *multipart.FileHeader, typed importers.Form) error {
	kind, name, upload, err := formUpload(file, typed)
	if err != nil {
		return err
	}
	defer upload.Close() //nolint:errcheck // only read
	ctx := c.Request().Context()
	in, err := s.Store.PutJobInput(ctx, upload)
	if err != nil {
		return err
	}
	work, _, err := s.Store.AddJob(ctx, s.Who(c), in, kind, name, nil)
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/jobs/"+work.ID)
}

// formUpload returns the input of a form's job: the interchange file as uploaded, or the form's fields and documents.
func formUpload(file *multipart.FileHeader, typed importers.Form) (kind, name string, upload io.ReadCloser, err error) {
	if file != nil {
		upload, err = file.Open()
		return job.File, file.Filename, upload, err
	}
	data, err := app.EncodeForm(typed)
	if err != nil {
		return "", "", nil, err
	}
	name = typed.Title
	if name == "" && len(typed.Files) > 0 {
		name = typed.Files[0].Name
	}
	return job.Form, cmp.Or(name, typed.Query), io.NopCloser(bytes.NewReader(data)), nil
}

// formSize is the size of a form's contents, in bytes.
func formSize(f importers.Form) int {
	n := len(f.Answer) + len(f.Session)
	for _, x := range f.Files {
		n += len(x.Data)
	}
	return n
}
