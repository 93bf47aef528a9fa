package ledger

import (
	"bytes"
	"cmp"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/job"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
)

// head reads the body of an import. A small body is returned in full as data; of a larger one, rest streams all of it.
func (s *server) head(c echo.Context) (data []byte, rest io.Reader, err error) {
	if err := web.JSONOnly(c.Request()); err != nil && !web.IsFile(c.Request()) {
		return nil, nil, err
	}
	most := int64(cmp.Or(s.imports.Bytes, importers.MaxBytes))
	body := importers.Count(http.MaxBytesReader(c.Response(), c.Request().Body, most), int(most))
	data, err = io.ReadAll(io.LimitReader(body, app.SmallImport+1))
	if err == nil {
		err = limits.ForValues(c.Request().Context(), body.Values())
	}
	if err != nil || len(data) <= app.SmallImport {
		return data, nil, err
	}
	return nil, io.MultiReader(bytes.NewReader(data), body), nil
}

// apiQueue stores an upload and answers with the job that imports it: 202. If the same upload is queued already it
// answers with that job; if it has been imported, 200 with its session. The upload is streamed into the store and never
// held in memory as a whole.
func (s *server) apiQueue(c echo.Context, upload io.Reader) (web.Reply, error) {
	ctx, sum := c.Request().Context(), s.RequestDigest(c)
	in, err := s.Store.PutJobInput(ctx, io.TeeReader(upload, sum))
	if err != nil {
		return web.Reply{}, err
	}
	if err := s.CheckAnswered(c, sum); err != nil {
		s.Store.DropJobInput(ctx, in)
		return web.Reply{}, err
	}
	return s.apiAddJob(c, in, job.File, "POST "+c.Request().URL.Path)
}

// apiAddJob is apiQueue for an input that is stored.
func (s *server) apiAddJob(c echo.Context, in *db.JobInput, kind, name string) (web.Reply, error) {
	ctx := c.Request().Context()
	queued := job.Job{ID: in.ID, State: job.Queued, Name: name, Bytes: in.Bytes, CreatedAt: in.At}
	receipt, err := jobAccepted(queued).Receipt(c)
	if err != nil {
		s.Store.DropJobInput(ctx, in)
		return web.Reply{}, err
	}
	work, _, err := s.Store.AddJob(ctx, s.Who(c), in, kind, name, receipt)
	if err != nil {
		return web.Reply{}, err
	}
	if work.State == job.Done {
		return sessionImported(http.StatusOK, app.Imported{SessionID: work.SessionID, Warnings: work.Warnings}), nil
	}
	return jobAccepted(work), nil
}

// jobAccepted answers with a job that will do what was asked.
func jobAccepted(work job.Job) web.Reply {
	return web.Reply{
		Status: http.StatusAccepted, Body: web.NewJob(work),
		Headers: map[string]string{"Location": "/api/v1/jobs/" + work.ID},
	}
}
