package handlers_test

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/importers"
)

// takeIn imports a session of any size while one waits, and gives its id.
func (s *server) takeIn(body string) string {
	s.t.Helper()
	read, err := importers.Read([]byte(body), importers.Options{})
	require.NoError(s.t, err)
	a := domain.Actor{Tenant: s.tenant.ID, ID: s.person(s.who).ID, Role: domain.Reviewer}
	taken, err := app.Importer{Store: s.store, Actor: a, Now: s.clock.now(), NewID: uuid.NewString}.Import(context.Background(), read, nil)
	require.NoError(s.t, err)
	return taken.SessionID
}

// queue makes a job of the main tenant that nobody runs.
func (s *server) queue(upload string) db.Job {
	s.t.Helper()
	ctx := context.Background()
	in, err := s.store.PutJobInput(ctx, strings.NewReader(upload))
	require.NoError(s.t, err)
	a := domain.Actor{Tenant: s.tenant.ID, ID: s.person("reviewer").ID, Role: domain.Reviewer}
	job, created, err := s.store.AddJob(ctx, a, in, db.JobFile, "big.json", nil)
	require.NoError(s.t, err)
	require.True(s.t, created)
	return job
}
