package db_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
)

// storedFile is a file outside of the tables, as a store keeps it.
type storedFile struct{ place, key, digest string }

// filesOf returns the files of a store, with their paths as the claims say them.
func filesOf(t *testing.T, b *dbtest.Board) (files []storedFile) {
	t.Helper()
	tenants := dbtest.TextsOf(t, dbtest.Raw(t, b.Dir), "SELECT id FROM tenants")
	for _, root := range []string{b.Dir, b.Dir + "-checkpoints"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			f := storedFile{place: filepath.ToSlash("data" + strings.TrimPrefix(path, b.Dir))}
			f.key = strings.TrimPrefix(f.place, "data/originals/")
			for _, id := range tenants {
				f.key = strings.TrimPrefix(f.key, "data/lake/"+id+"/")
				f.place = strings.ReplaceAll(f.place, "/"+id+"/", "/TENANT/")
			}
			data, err := os.ReadFile(path)
			sum := sha256.Sum256(data)
			f.digest = hex.EncodeToString(sum[:])
			files = append(files, f)
			return err
		}))
	}
	return files
}

// everyFile stores a file of each kind: originals, an attachment, uploads, artifacts of the lake. The erasures of an
// upload and of an artifact are on their way.
func everyFile(t *testing.T, b *dbtest.Board) {
	t.Helper()
	b.StoreSecret(t)
	attached(t, b, "dec_file")
	_, err := b.AddLibraryDocument(b.Ctx, b.Approver, &library.Document{Name: "Leave"},
		&library.Version{Filename: "leave.txt"}, []byte("Leave is 15 days."), db.LibraryAnswering{})
	require.NoError(t, err)
	id := uploaded(t, b, "upload")
	_, err = b.CancelJob(b.Ctx, b.Drafter, id)
	require.NoError(t, err)
	b.Erase(t, erasure.Upload, id)
	uploaded(t, b, "another upload")
	in := dbtest.Built(t, "", "words", strings.Repeat("القسطاسيات ", 20))
	b.AddBundle(t, in)
	data, err := in.Bundle.Bytes()
	require.NoError(t, err)
	artifact := db.ArtifactOf("files/Zanzibarite.txt", []byte("Zanzibarite"))
	_, err = b.AddArtifact(b.Ctx, b.Drafter, artifact)
	require.NoError(t, err)
	_, err = b.AskErasure(b.Ctx, b.Admin, erasure.Artifact, artifact.Path, "A request of the person.")
	require.NoError(t, err)
	for path, data := range map[string][]byte{in.Artifact.Path: data, in.Writes[0].Path: []byte("words"),
		artifact.Path: []byte("Zanzibarite")} {
		file(t, b, "lake/"+b.Tenant.ID+"/"+path, data)
	}
}

// file writes a file below the folder of the data.
func file(t *testing.T, b *dbtest.Board, name string, data []byte) {
	t.Helper()
	path := filepath.Join(b.Dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// attached returns a draft with a file of its own.
func attached(t *testing.T, b *dbtest.Board, decision string) *db.PackView {
	t.Helper()
	v := b.Draft(t, decision, "A2")
	v, err := b.AttachToPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision,
		[]db.NewFile{{Name: "a.txt", MediaType: "text/plain", Data: []byte("Zanzibarite attached to " + decision)}}, "asked for", db.Answering{})
	require.NoError(t, err)
	return v
}

// uploaded returns a job for a file.
func uploaded(t *testing.T, b *dbtest.Board, text string) (id string) {
	t.Helper()
	in, err := b.PutJobInput(b.Ctx, strings.NewReader(text))
	require.NoError(t, err)
	added, _, err := b.AddJob(b.Ctx, b.Drafter, in, job.File, "Zanzibarite.json", nil)
	require.NoError(t, err)
	return added.ID
}

// ofFiles are names that columns have which name files in the bucket or in the lake.
var ofFiles = regexp.MustCompile("blob|lake")

// fileFaults compares the claims of all rooms with the files of a store: each lies in a place that is claimed, and so
// is each column that names one, by its key or its digest, or that is called so.
func fileFaults(rooms map[string][]auditlog.Claim, schema map[string]map[string]bool, files []storedFile,
	cells map[string][]string) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	claimed, used := map[string]map[erasure.Kind]bool{}, map[auditlog.Place]bool{}
	for room, claims := range rooms {
		for _, c := range claims {
			if c.Files == "" {
				continue
			}
			if !used[c.Files] {
				used[c.Files] = false
			}
			if c.Does == auditlog.Keeps && c.Why == "" {
				fault("%s keeps files in %s: say why", room, c.Files)
			}
			for _, of := range append(slices.Clone(c.Unless), c.Of...) {
				for _, name := range of.Each() {
					if !schema[of.Table][name] {
						fault("%s claims files of %s.%s, which is not there", room, of.Table, name)
					}
				}
			}
			for _, of := range c.Of {
				for _, name := range of.Each() {
					column := of.Table + "." + name
					if claimed[column] == nil {
						claimed[column] = map[erasure.Kind]bool{}
					}
					claimed[column][c.Kind] = true
				}
			}
		}
	}
	refers := map[string]bool{}
	for table, columns := range schema {
		for name, text := range columns {
			refers[table+"."+name] = text && ofFiles.MatchString(name)
		}
	}
	for _, f := range files {
		found := false
		for place := range used {
			if strings.HasPrefix(f.place, string(place)) {
				found, used[place] = true, true
			}
		}
		if !found {
			fault("%s lies in a place that no room claims: see ErasureClaims", f.place)
		}
		for text, places := range cells {
			if strings.Contains(text, f.key) || text == f.digest {
				for _, column := range places {
					refers[column] = true
				}
			}
		}
	}
	for column, names := range refers {
		if names && claimed[column] == nil {
			fault("%s names files, and no room claims them: see ErasureClaims", column)
		}
		for whole, part := range partOf {
			if of := claimed[column]; of[whole] && !of[part] && !of[""] {
				fault("files of %s are claimed for kind %q and not for %q", column, whole, part)
			}
		}
	}
	for place, met := range used {
		if !met && !(dbtest.OnPostgres() && place == auditlog.Database) { // a file of SQLite
			fault("no file lies in %s", place)
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// TestEveryFileIsClaimed: a folder, a prefix of the bucket and a column that names files are added with what an erasure
// does to the files.
func TestEveryFileIsClaimed(t *testing.T) {
	b := dbtest.NewBoard(t)
	everyFile(t, b)
	schema, files, cells := claimable(t, b.Dir), filesOf(t, b), columnsOf(cellsOf(t, b.Dir))
	require.Empty(t, fileFaults(db.ErasureClaims(), schema, files, cells))

	t.Run("a new column", func(t *testing.T) {
		schema["reviews"]["picture_blob"] = true
		assert.Equal(t, []string{"reviews.picture_blob names files, and no room claims them: see ErasureClaims"},
			fileFaults(db.ErasureClaims(), schema, files, cells))
		delete(schema["reviews"], "picture_blob")
	})
	t.Run("a column that nobody claims any more", func(t *testing.T) {
		for room, want := range map[string]string{"packs": "pack_attachments.blob, pack_attachments.sha256",
			"jobs": "jobs.blob, jobs.digest", "sessions": "documents.blob, documents.blob_sha256",
			"bundles": "evidence_builds.lake_uri, evidence_builds.sha256, evidence_items.full_ref, " +
				"lake_artifacts.path, lake_artifacts.sha256"} {
			rooms := db.ErasureClaims()
			rooms[room] = slices.DeleteFunc(slices.Clone(rooms[room]),
				func(c auditlog.Claim) bool { return c.Files != "" })
			faults := strings.Join(fileFaults(rooms, schema, files, cells), "\n")
			for column := range strings.SplitSeq(want, ", ") {
				assert.Contains(t, faults, column+" names files, and no room claims them")
			}
		}
	})
	t.Run("a new folder", func(t *testing.T) {
		for _, name := range []string{"exports/ledger.pdf", "originals/pictures/1.png", "lake/thumbnails/1.png"} {
			file(t, b, name, []byte("x"))
			assert.Equal(t, []string{"data/" + name + " lies in a place that no room claims: see ErasureClaims"},
				fileFaults(db.ErasureClaims(), schema, filesOf(t, b), cells))
			require.NoError(t, os.Remove(filepath.Join(b.Dir, filepath.FromSlash(name))))
		}
	})
	t.Run("a part without a claim", func(t *testing.T) {
		rooms := db.ErasureClaims()
		rooms["sessions"] = slices.DeleteFunc(slices.Clone(rooms["sessions"]),
			func(c auditlog.Claim) bool { return c.Files != "" && c.Kind == erasure.Document })
		assert.Contains(t, fileFaults(rooms, schema, files, cells),
			`files of documents.blob are claimed for kind "session" and not for "document"`)
	})
}

// TestPurgeDeletesFiles: the files of a purged pack go, but for originals of a session.
func TestPurgeDeletesFiles(t *testing.T) {
	b := dbtest.NewBoard(t)
	dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Off, pack.PolicyRules...)
	d := dbtest.DecisionOf("dec_1", "A2", 2)
	s := b.WithOriginal(t, "Zanzibarite original")
	_, err := b.ReviewClaim(s.ID, 2, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "x"})
	require.NoError(t, err)
	d.LedgerSessionID = s.ID
	b.Decide(t, d)
	v, err := b.CreatePack(b.Ctx, b.Drafter, d.DecisionID, db.Answering{})
	require.NoError(t, err)
	v, err = b.AttachToPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision,
		[]db.NewFile{{Name: "a.txt", MediaType: "text/plain", Data: []byte("Zanzibarite attached")}}, "asked for", db.Answering{})
	require.NoError(t, err)
	v = b.Approve(t, b.Approver, b.Submit(t, v))
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 2)
	b.Purge(t, v.Life.PackID)
	b.Reopen(t, func() {})
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 2, "still there if the server was killed")
	require.NoError(t, b.FinishErasures(b.Ctx, dbtest.NoLake))
	require.Empty(t, dbtest.Traces(t, b.Dir, "Zanzibarite attached"))
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 1)
	require.Zero(t, dbtest.Count(t, dbtest.Raw(t, b.Dir), "scrub_due"))
}

// TestFilesStayWhileOthersNameThem: a file that two objects name goes with the second.
func TestFilesStayWhileOthersNameThem(t *testing.T) {
	t.Run("bundles", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		text := strings.Repeat("القسطاسيات ", 20)
		one, two := dbtest.Built(t, "", "words", text), dbtest.Built(t, "", "other words", text)
		require.Equal(t, one.Writes[0].Path, two.Writes[0].Path)
		b.AddBundle(t, one)
		b.AddBundle(t, two)
		for _, c := range []struct {
			in   db.BuiltBundle
			want []string
		}{{one, []string{one.Artifact.Path}}, {two, []string{two.Artifact.Path, two.Writes[0].Path}}} {
			e := b.Erase(t, erasure.Bundle, c.in.Bundle.BundleID)
			var dropped []string
			require.NoError(t, b.FinishErasures(b.Ctx, func(_ context.Context, _, path string) error {
				dropped = append(dropped, path)
				return nil
			}))
			require.ElementsMatch(t, c.want, dropped)
			require.Equal(t, len(c.want), e.Files)
		}
	})
	t.Run("packs", func(t *testing.T) {
		b := dbtest.NewBoard(t)
		first := b.Approve(t, b.Approver, b.Submit(t, attached(t, b, "dec_1")))
		second, err := b.NewVersion(b.Ctx, b.Drafter, first.Life.PackID, db.Answering{})
		require.NoError(t, err)
		second, err = b.DiscardPack(b.Ctx, b.Drafter, second.Life.PackID, second.Life.Revision, "Not needed.",
			db.Answering{})
		require.NoError(t, err)
		e := b.Erase(t, erasure.Pack, second.Life.PackID)
		require.Zero(t, e.Files)
		b.Finish(t, e.ID)
		require.NotEmpty(t, dbtest.Traces(t, b.Dir, "Zanzibarite attached"))
		e = b.Erase(t, erasure.Pack, first.Life.PackID)
		require.Equal(t, 1, e.Files)
		b.Finish(t, e.ID)
		require.Empty(t, dbtest.Traces(t, b.Dir, "Zanzibarite attached"))
	})
}
