package webtest

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/importers"
)

// ImportNow imports a session of any size without a job, and returns its id.
func (s *Server) ImportNow(body string) string {
	s.T.Helper()
	read, err := importers.Read([]byte(body), importers.Options{})
	require.NoError(s.T, err)
	a := access.Actor{Tenant: s.Tenant.ID, ID: s.Person(s.Who).ID, Role: access.Reviewer}
	taken, err := app.Importer{Store: s.Store, Actor: a, Now: s.Clock.Now(),
		NewID: uuid.NewString}.Import(context.Background(), read, nil)
	require.NoError(s.T, err)
	return taken.SessionID
}

// Queue adds a job to the main tenant that no worker runs.
func (s *Server) Queue(upload string) job.Job {
	s.T.Helper()
	ctx := context.Background()
	in, err := s.Store.PutJobInput(ctx, strings.NewReader(upload))
	require.NoError(s.T, err)
	a := access.Actor{Tenant: s.Tenant.ID, ID: s.Person("reviewer").ID, Role: access.Reviewer}
	work, created, err := s.Store.AddJob(ctx, a, in, job.File, "big.json", nil)
	require.NoError(s.T, err)
	require.True(s.T, created)
	return work
}
