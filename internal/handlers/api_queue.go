package handlers

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
func (s *Server) apiQueue(c echo.Context, upload io.Reader) error {
	ctx := c.Request().Context()
	sum := sha256.New()
	fmt.Fprint(sum, toldBy(c)) // as replay does
	in, err := s.store.PutJobInput(ctx, io.TeeReader(upload, sum))
	if err != nil {
		return err
	}
	receipt, done, err := s.replayOf(c, func() string { return hex.EncodeToString(sum.Sum(nil)) })
	if err != nil || done {
		s.store.DropJobInput(ctx, in)
		return err
	}
	name := "POST " + c.Request().URL.Path
	location := "/api/v1/jobs/" + in.ID
	queued := db.Job{ID: in.ID, State: db.JobQueued, Name: name, Bytes: in.Bytes, CreatedAt: in.At}
	if receipt, err = keep(receipt, http.StatusAccepted, newAPIJob(queued), "Location", location); err != nil {
		s.store.DropJobInput(ctx, in)
		return err
	}
	job, created, err := s.store.AddJob(ctx, s.who(c), in, db.JobFile, name, receipt)
	if err != nil {
		return orAgain(c, err, receipt)
	}
	if job.State == db.JobDone {
		return s.apiImported(c, job, receipt)
	}
	location = "/api/v1/jobs/" + job.ID
	if !created {
		if err := s.keepAfter(c, receipt, http.StatusAccepted, newAPIJob(job), "Location", location); err != nil {
			return orAgain(c, err, receipt)
		}
	}
	c.Response().Header().Set("Location", location)
	return sendJSON(c, http.StatusAccepted, newAPIJob(job))
}

// apiImported answers with the session of a job that is done.
func (s *Server) apiImported(c echo.Context, job db.Job, receipt *db.Receipt) error {
	answer := newAPISession(app.Imported{
		SessionID: job.SessionID,
		Warnings:  each(job.Warnings, func(w db.JobWarning) importers.Warning { return importers.Warning(w) }),
	})
	if err := s.keepAfter(c, receipt, http.StatusOK, answer, "Location", answer.LedgerURL); err != nil {
		return orAgain(c, err, receipt)
	}
	c.Response().Header().Set("Location", answer.LedgerURL)
	return sendJSON(c, http.StatusOK, answer)
}
