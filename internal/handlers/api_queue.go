package handlers

import (
	"bytes"
	"cmp"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/importers"
)

// head reads the body of an import: all of a small one; of a larger one, the rest gives the whole as it arrives.
func (s *Server) head(c echo.Context) (data []byte, rest io.Reader, err error) {
	if err := jsonOnly(c.Request()); err != nil && !isLines(c.Request()) {
		return nil, nil, err
	}
	most := int64(cmp.Or(s.imports.Bytes, importers.MaxBytes))
	body := http.MaxBytesReader(c.Response(), c.Request().Body, most)
	data, err = io.ReadAll(io.LimitReader(body, app.SmallImport+1))
	if err != nil || len(data) <= app.SmallImport {
		return data, nil, err
	}
	return nil, io.MultiReader(bytes.NewReader(data), body), nil
}

// apiQueue stores an upload and answers with the job that imports it: 202. What is on its way already is the same job, and
// what has been imported is 200 with its session. Nothing but the store holds the whole of it.
func (s *Server) apiQueue(c echo.Context, upload io.Reader) (reply, error) {
	ctx, sum := c.Request().Context(), s.requestDigest(c)
	in, err := s.store.PutJobInput(ctx, io.TeeReader(upload, sum))
	if err != nil {
		return reply{}, err
	}
	if err := s.checkAnswered(c, sum); err != nil {
		s.store.DropJobInput(ctx, in)
		return reply{}, err
	}
	name := "POST " + c.Request().URL.Path
	queued := db.Job{ID: in.ID, State: db.JobQueued, Name: name, Bytes: in.Bytes, CreatedAt: in.At}
	receipt, err := jobAccepted(queued).receipt(c)
	if err != nil {
		s.store.DropJobInput(ctx, in)
		return reply{}, err
	}
	job, _, err := s.store.AddJob(ctx, s.who(c), in, db.JobFile, name, receipt)
	if err != nil {
		return reply{}, err
	}
	if job.State == db.JobDone {
		return sessionImported(http.StatusOK, app.Imported{
			SessionID: job.SessionID,
			Warnings:  each(job.Warnings, func(w db.JobWarning) importers.Warning { return importers.Warning(w) }),
		}), nil
	}
	return jobAccepted(job), nil
}

// jobAccepted answers with a job that does later what was asked.
func jobAccepted(job db.Job) reply {
	return reply{
		status: http.StatusAccepted, body: newAPIJob(job),
		headers: map[string]string{"Location": "/api/v1/jobs/" + job.ID},
	}
}
