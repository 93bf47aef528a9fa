package app

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/importers"
	"sanad/internal/keys"
	"sanad/internal/lake"
)

var testTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// session returns a file with n claims to judge.
func session(n int) string {
	claims := make([]string, n)
	for i := range claims {
		claims[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees are entitled to %d days of leave"}`, i, 15+i)
	}
	return `{"format":"sanad.session/v1","session":{"external_id":"hr","title":"Leave","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[
	  {"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave."}]}],
	 "claims":[` + strings.Join(claims, ",") + `]}`
}

type fixture struct {
	ctx    context.Context
	store  *db.Store
	actor  access.Actor
	folder string
	later  atomic.Int64 // nanoseconds that the store's clock is ahead of testTime
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	box, err := keys.New([]byte(strings.Repeat("k", 32)))
	require.NoError(t, err)
	f := &fixture{ctx: context.Background(), folder: t.TempDir()}
	f.store, err = db.Open(f.ctx, db.Options{
		Dir: f.folder, Now: func() time.Time { return testTime.Add(time.Duration(f.later.Load())) }, NewID: uuid.NewString, Keys: box,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.store.Close()) })
	tenant, err := f.store.EnsureTenant(f.ctx, "main", "Main")
	require.NoError(t, err)
	f.actor = access.AtCommandLine(tenant.ID)
	return f
}

func (f *fixture) importer() Importer {
	return Importer{Store: f.store, Actor: f.actor, Now: testTime, NewID: uuid.NewString}
}

func (f *fixture) rejudger() Rejudger {
	return Rejudger{Store: f.store, Actor: f.actor, Now: testTime.Add(time.Hour), NewID: uuid.NewString}
}

func read(t *testing.T, data string) *importers.Result {
	t.Helper()
	result, err := importers.Read([]byte(data), importers.Options{})
	require.NoError(t, err)
	return result
}

func TestSameContentIsStoredOnce(t *testing.T) {
	f := newFixture(t)
	first, err := f.importer().Import(f.ctx, read(t, session(2)), nil)
	require.NoError(t, err)
	require.True(t, first.Created)
	again, err := f.importer().Import(f.ctx, read(t, session(2)), nil)
	require.NoError(t, err)
	require.Equal(t, []any{first.SessionID, false}, []any{again.SessionID, again.Created})
	stored, err := f.store.Session(f.ctx, f.actor.Tenant, first.SessionID)
	require.NoError(t, err)
	require.Equal(t, testTime, stored.CreatedAt)
	require.NotEmpty(t, stored.Claims[0].Matches, "it was judged")
}

// Only an import that is watched, as a job or at the command line, may judge any number of claims.
func TestImportWhileACallerWaits(t *testing.T) {
	f := newFixture(t)
	_, err := f.importer().Import(f.ctx, read(t, session(1001)), nil)
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
	in := f.importer()
	in.Watch = func(string, int, int) error { return nil }
	_, err = in.Import(f.ctx, read(t, session(1001)), nil)
	require.NoError(t, err)
	in.Watch = func(string, int, int) error { return context.Canceled }
	_, err = in.Import(f.ctx, read(t, session(1002)), nil)
	require.ErrorIs(t, err, context.Canceled)
	rows, _, err := f.store.Sessions(f.ctx, f.actor.Tenant, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 1)
}

// If another run was stored first, a run stores nothing.
func TestRejudgeConflict(t *testing.T) {
	f := newFixture(t)
	done, err := f.importer().Import(f.ctx, read(t, session(2)), nil)
	require.NoError(t, err)
	loaded, err := f.store.Session(f.ctx, f.actor.Tenant, done.SessionID)
	require.NoError(t, err)
	req, any := db.JudgeRequest{SessionID: done.SessionID}, func(*ledger.Session) error { return nil }
	run, err := f.rejudger().Rejudge(f.ctx, loaded, req, RejudgeInput{Judge: "lexical"}, any, nil)
	require.NoError(t, err)
	require.Equal(t, 2, run.Number)
	_, err = f.rejudger().Rejudge(f.ctx, loaded, req, RejudgeInput{Judge: "lexical"}, any, nil)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	now, err := f.store.Session(f.ctx, f.actor.Tenant, done.SessionID)
	require.NoError(t, err)
	require.Equal(t, run.Ledger.Session.Revision, now.Revision)
}

func TestRejudgeInput(t *testing.T) {
	f := newFixture(t)
	for name, c := range map[string]struct {
		in   RejudgeInput
		path string
	}{
		"defaults":       {},
		"lexical":        {in: RejudgeInput{Judge: "lexical"}},
		"unknown judge":  {in: RejudgeInput{Judge: "oracle"}, path: "judge"},
		"unknown bundle": {in: RejudgeInput{BundleID: "b"}, path: "bundle_id"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.in.Check(f.ctx, f.store, f.actor.Tenant)
			if c.path == "" {
				require.NoError(t, err)
				return
			}
			var refused *domain.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, c.path, refused.Path)
		})
	}
}

// export returns the export of a session.
func (f *fixture) export(t *testing.T, s *ledger.Session, format exporters.Format) string {
	t.Helper()
	file, err := ExportLedger(f.ctx, f.store, f.actor, s.ID, format, "")
	require.NoError(t, err)
	var b strings.Builder
	_, err = file.WriteTo(&b)
	require.NoError(t, err)
	return b.String()
}

// An export is logged, and importing the file elsewhere yields an equal ledger.
func TestExportIsLogged(t *testing.T) {
	f := newFixture(t)
	done, err := f.importer().Import(f.ctx, read(t, session(2)), nil)
	require.NoError(t, err)
	s, err := f.store.Session(f.ctx, f.actor.Tenant, done.SessionID)
	require.NoError(t, err)
	format, err := exporters.FormatByName("json")
	require.NoError(t, err)
	data := f.export(t, s, format)
	events, err := f.store.Events(f.ctx, f.actor.Tenant, 0, 100)
	require.NoError(t, err)
	require.Equal(t, "session.exported", events[len(events)-1].Action)
	other := newFixture(t)
	again, err := other.importer().Import(other.ctx, read(t, data), nil)
	require.NoError(t, err)
	require.True(t, again.Created)
}

// TestExportLeavesNoFile checks that the file of an export has no name in the folder of temporary files while it is made,
// sent or dropped, and that a folder that cannot hold it is an error, with nothing logged.
func TestExportLeavesNoFile(t *testing.T) {
	f := newFixture(t)
	done, err := f.importer().Import(f.ctx, read(t, session(2)), nil)
	require.NoError(t, err)
	folder := t.TempDir()
	for _, format := range exporters.Formats {
		t.Setenv("TMPDIR", folder)
		file, err := ExportLedger(f.ctx, f.store, f.actor, done.SessionID, format, "")
		require.NoError(t, err)
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left, format.Name)
		_, err = file.WriteTo(brokenPipe{})
		require.ErrorIs(t, err, io.ErrClosedPipe)
		var b strings.Builder
		n, err := file.WriteTo(&b) // again
		require.NoError(t, err)
		require.Len(t, b.String(), int(n))
		require.NoError(t, file.Close())
		if !format.Streams {
			continue
		}
		t.Setenv("TMPDIR", filepath.Join(folder, "none"))
		before, err := f.store.Events(f.ctx, f.actor.Tenant, 0, 100)
		require.NoError(t, err)
		_, err = ExportLedger(f.ctx, f.store, f.actor, done.SessionID, format, "")
		require.ErrorIs(t, err, fs.ErrNotExist)
		after, err := f.store.Events(f.ctx, f.actor.Tenant, 0, 100)
		require.NoError(t, err)
		require.Len(t, after, len(before))
	}
}

// brokenPipe is a connection that is gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFormRoundTrip(t *testing.T) {
	form := importers.Form{
		Title: "T", Query: "Q", Answer: "A", Lang: "ar", Files: []importers.File{{Name: "a.txt", Data: []byte("a")}},
	}
	data, err := EncodeForm(form)
	require.NoError(t, err)
	got, err := decodeForm(strings.NewReader(string(data)))
	require.NoError(t, err)
	require.Equal(t, form, got)
}

// The same request finds the bundle as it was first written, and a changed artifact is reported as such.
func TestBuildIsIdempotent(t *testing.T) {
	f := newFixture(t)
	artifacts, err := lake.Open(f.ctx, "", filepath.Join(f.folder, "lake"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, artifacts.Close()) })
	area := artifacts.Of(f.actor.Tenant)
	req := func() *importers.BundleRequest {
		r, err := importers.ReadBundleRequest([]byte(
			`{"evidence_refs":{"documents":[{"document_id":"faq","text":"Leave is requested in the portal."}]}}`))
		require.NoError(t, err)
		return r
	}
	data, made, created, err := BundleBuilder{Store: f.store, Area: area, Now: testTime}.Build(f.ctx, f.actor, req())
	require.NoError(t, err)
	require.True(t, created)
	later := BundleBuilder{Store: f.store, Area: area, Now: testTime.Add(time.Hour)}
	again, same, created, err := later.Build(f.ctx, f.actor, req())
	require.NoError(t, err)
	require.False(t, created)
	require.Equal(t, []string{string(data), made.BundleID}, []string{string(again), same.BundleID})

	artifact, err := f.store.BundleArtifact(f.ctx, f.actor.Tenant, made.BundleID)
	require.NoError(t, err)
	artifact.SHA256 = strings.Repeat("0", 64)
	_, err = ReadArtifact(f.ctx, area, artifact)
	require.ErrorIs(t, err, ErrArtifactChanged)
}
