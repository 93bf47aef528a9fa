package main

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/s3/s3test"
)

func TestFilePlaces(t *testing.T) {
	for name, c := range map[string]struct {
		flags config
		want  filePlaces
	}{
		"nothing": {},
		"as before": {flags: config{bucket: "file:///b", checkpoints: "/c"},
			want: filePlaces{originals: "file:///b", checkpoints: "/c"}},
		"a folder": {flags: config{files: "/mnt/sh ared"}, want: filePlaces{
			originals:   "file:///mnt/sh%20ared/originals?create_dir=1&dir_file_mode=0700&metadata=skip&no_tmp_dir=1",
			lake:        "file:///mnt/sh%20ared/lake",
			lakeKept:    "file:///mnt/sh%20ared/lake",
			checkpoints: "file:///mnt/sh%20ared/checkpoints"}},
		"a bucket": {flags: config{files: "s3://n?region=x&prefix=sanad/", checkpoints: "/elsewhere"}, want: filePlaces{
			originals:   "s3://n?prefix=sanad%2Foriginals%2F&region=x",
			lake:        "s3://n?prefix=sanad%2Flake%2F&region=x",
			lakeKept:    "s3://n?prefix=sanad%2Flake%2F&region=x",
			checkpoints: "/elsewhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.flags.filePlaces()
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for _, wrong := range []string{"file://relative", "file:///x?y=1", "s3://", "://"} {
		_, err := (&config{files: wrong}).filePlaces()
		require.ErrorContains(t, err, "--files", wrong)
	}
}

// sharedFiles returns a shared folder and a bucket, by --files, with a function that lists the keys in them.
func sharedFiles(t *testing.T) map[string]struct {
	files string
	keys  func() []string
} {
	type place = struct {
		files string
		keys  func() []string
	}
	dir, bucket := filepath.Join(t.TempDir(), "shared"), s3test.Start(t)
	return map[string]place{"bucket": {bucket.URL, bucket.Keys}, "folder": {dir, func() (keys []string) {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := e.Info()
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077, "%s is private", path)
			if rel, _ := filepath.Rel(dir, path); !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				keys = append(keys, filepath.ToSlash(rel))
			}
			return nil
		}))
		return keys
	}}}
}

// withFiles opens the store of a folder with --files.
func withFiles(t *testing.T, dir, files string) (*db.Store, access.Actor) {
	t.Helper()
	c := config{data: dir, database: databaseOf(dir), files: files, tenant: mainTenant, creates: true}
	s, tenant, err := c.open(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // some are closed before
	return s, access.Actor{Tenant: tenant.ID, ID: uuid.NewString(), User: "Noura", Role: access.Admin, Human: true}
}

// What one node writes into a shared folder or a bucket another one reads: originals, uploads of jobs, the lake,
// checkpoints. Nothing is left beside the database. Verification, backup, restore and erasure work as before.
func TestSharedFiles(t *testing.T) {
	ctx := context.Background()
	for name, place := range sharedFiles(t) {
		t.Run(name, func(t *testing.T) {
			dir := dbtest.Dir(t)
			one, noura := withFiles(t, dir, place.files)
			session := &ledger.Session{Answer: "Leave is 15 days.", Title: "t", Format: "sanad.session/v1",
				Documents: []ledger.Document{{Key: "d", Filename: "d.txt", Status: ledger.Ready, MediaType: "text/plain"}}}
			session.Identify(uuid.NewString)
			session.Revision, session.Digest = 1, ledger.TextDigest("x")
			session.CreatedAt = session.CreatedAt.AddDate(2025, 0, 0)
			session.UpdatedAt = session.CreatedAt
			l := ledger.Assess(session, ledger.DefaultFreshness)
			_, _, err := one.InsertSession(ctx, noura, &l,
				[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte("as it came")}}, nil)
			require.NoError(t, err)
			in, err := one.PutJobInput(ctx, strings.NewReader("an upload"))
			require.NoError(t, err)
			_, _, err = one.AddJob(ctx, noura, in, job.File, "a.json", nil)
			require.NoError(t, err)

			two, _ := withFiles(t, dir, place.files)
			document := session.Documents[0].ID
			r, meta, err := two.Original(ctx, noura.Tenant, document)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.EqualValues(t, len("as it came"), meta.Size)
			faults, err := two.VerifySession(ctx, noura.Tenant, session.ID)
			require.NoError(t, err)
			require.Empty(t, faults)
			work, err := two.ClaimJob(ctx, uuid.NewString(), 0, db.PerTenant{})
			require.NoError(t, err)
			require.NotNil(t, work)
			data, err := two.JobInput(ctx, work)
			require.NoError(t, err)
			require.Equal(t, "an upload", string(data))
			require.NoError(t, two.FailJob(ctx, work, job.Fault{Kind: "internal", Msg: "test"}))
			require.NoError(t, one.Close())
			require.NoError(t, two.Close())

			lakeByTwoNodes(t, dir, place.files)
			keys := strings.Join(place.keys(), "\n")
			for _, part := range []string{"originals/" + noura.Tenant + "/" + document, "lake/" + noura.Tenant + "/docs/a",
				"checkpoints/" + noura.Tenant + ".checkpoint"} {
				require.Contains(t, keys, part)
			}
			require.NotContains(t, keys, "jobs/", "the job has ended")
			require.NoDirExists(t, filepath.Join(dir, "originals"))
			require.NoDirExists(t, filepath.Join(dir, "lake"))
			require.NoDirExists(t, dir+"-checkpoints")

			d := desk{t, dir}
			d.does("", "audit", "verify", "--files", place.files)
			backup := filepath.Join(t.TempDir(), "backup")
			d.does("", "backup", backup, "--files", place.files)
			require.FileExists(t, filepath.Join(backup, "lake", noura.Tenant, "docs", "a"))
			restoreElsewhere(t, backup, noura.Tenant, document)
			eraseShared(t, dir, place.files, document)
			require.NotContains(t, strings.Join(place.keys(), "\n"), document)
		})
	}
}

// lakeByTwoNodes writes an artifact by one server and reads it by another one.
func lakeByTwoNodes(t *testing.T, dir, files string) {
	t.Helper()
	out := desk{t, dir}.does("", "token", "add", "--name", "writer", "--role", "reviewer", "--files", files)
	token := "sanad_" + strings.Fields(out[strings.Index(out, "sanad_")+len("sanad_"):])[0]
	for _, method := range []string{http.MethodPut, http.MethodGet} {
		t.Run(method, func(t *testing.T) {
			s := serveWith(t, nil, "--data", dir, "--files", files)
			w := &writer{s.url, token, s.http}
			body := ""
			if method == http.MethodPut {
				body = `"artifact"`
			}
			status, data, _, err := w.send(method, "/api/v1/lake/docs/a", body)
			require.NoError(t, err)
			require.Less(t, status, 300, string(data))
			if method == http.MethodGet {
				require.Equal(t, `"artifact"`, string(data))
			}
		})
	}
}

// restoreElsewhere restores a backup into new folders and a new bucket, where the same is found.
func restoreElsewhere(t *testing.T, backup, tenant, document string) {
	t.Helper()
	bucket, to := s3test.Start(t), filepath.Join(t.TempDir(), "restored")
	bucket.Put("lake/"+tenant+"/docs/a", []byte("damaged"))
	d := desk{t, to}
	d.does("", "restore", backup, "--reason", "test", "--files", bucket.URL)
	d.does("", "audit", "verify", "--files", bucket.URL)
	require.Equal(t, "as it came", string(bucket.Object("originals/"+tenant+"/"+document)))
	require.Equal(t, `"artifact"`, string(bucket.Object("lake/"+tenant+"/docs/a")))
	require.NoDirExists(t, filepath.Join(to, "originals"))
	_, err := os.Stat(to + "-checkpoints")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// eraseShared erases a document, with its original.
func eraseShared(t *testing.T, dir, files, document string) {
	t.Helper()
	ctx := context.Background()
	s, noura := withFiles(t, dir, files)
	second := noura
	for login, a := range map[string]*access.Actor{"noura": &noura, "khalid": &second} {
		u, err := s.AddUser(ctx, access.AtCommandLine(noura.Tenant), db.User{Login: login, Name: login, Password: "x"},
			access.Admin)
		require.NoError(t, err)
		a.ID = u.ID
	}
	e, err := s.AskErasure(ctx, noura, erasure.Document, document, "A request of the person.")
	require.NoError(t, err)
	_, err = s.ConfirmErasure(ctx, second, e.ID)
	require.NoError(t, err)
	require.NoError(t, s.FinishErasures(ctx, func(context.Context, string, string) error { return nil }))
	require.NoError(t, s.Close())
}
