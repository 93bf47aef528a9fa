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
	"sanad/internal/domain/pack"
)

// storedFile is a file outside of the tables, as a store keeps it.
type storedFile struct{ place, key, digest string }

// filesOf returns the files of a store, with their paths as the claims say them.
func filesOf(t *testing.T, b *board) (files []storedFile) {
	t.Helper()
	tenants := textsOf(t, raw(t, b.dir), "SELECT id FROM tenants")
	for _, root := range []string{b.dir, b.dir + "-checkpoints"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			f := storedFile{place: filepath.ToSlash("data" + strings.TrimPrefix(path, b.dir))}
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
func (b *board) everyFile(t *testing.T) {
	t.Helper()
	b.storeSecret(t)
	b.attached(t, "dec_file")
	id := b.uploaded(t, "upload")
	_, err := b.CancelJob(b.ctx, b.drafter, id)
	require.NoError(t, err)
	b.erase(t, erasure.Upload, id)
	b.uploaded(t, "another upload")
	in := built(t, "", "words", strings.Repeat("القسطاسيات ", 20))
	b.insertBundle(t, in)
	data, err := in.Bundle.Bytes()
	require.NoError(t, err)
	artifact := db.ArtifactOf("files/Zanzibarite.txt", []byte("Zanzibarite"))
	_, err = b.AddArtifact(b.ctx, b.drafter, artifact)
	require.NoError(t, err)
	_, err = b.AskErasure(b.ctx, b.admin, erasure.Artifact, artifact.Path, "A request of the person.")
	require.NoError(t, err)
	for path, data := range map[string][]byte{in.Artifact.Path: data, in.Writes[0].Path: []byte("words"),
		artifact.Path: []byte("Zanzibarite")} {
		b.file(t, "lake/"+b.tenant.ID+"/"+path, data)
	}
}

// file writes a file below the folder of the data.
func (b *board) file(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// attached returns a draft with a file of its own.
func (b *board) attached(t *testing.T, decision string) *db.PackView {
	t.Helper()
	v := b.draft(t, decision, "A2")
	v, err := b.AttachToPack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision,
		pack.Attachment{Name: "a.txt", MediaType: "text/plain"}, []byte("Zanzibarite attached to "+decision),
		"asked for", db.Answering{})
	require.NoError(t, err)
	return v
}

// uploaded returns a job for a file.
func (b *board) uploaded(t *testing.T, text string) (id string) {
	t.Helper()
	in, err := b.PutJobInput(b.ctx, strings.NewReader(text))
	require.NoError(t, err)
	added, _, err := b.AddJob(b.ctx, b.drafter, in, job.File, "Zanzibarite.json", nil)
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
			used[c.Files] = used[c.Files]
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
		if !met {
			fault("no file lies in %s", place)
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// TestEveryFileIsClaimed: a folder, a prefix of the bucket and a column that names files are added with what an erasure
// does to the files.
func TestEveryFileIsClaimed(t *testing.T) {
	b := newBoard(t)
	b.everyFile(t)
	schema, files, cells := claimable(t, b.dir), filesOf(t, b), columnsOf(cellsOf(t, b.dir))
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
			b.file(t, name, []byte("x"))
			assert.Equal(t, []string{"data/" + name + " lies in a place that no room claims: see ErasureClaims"},
				fileFaults(db.ErasureClaims(), schema, filesOf(t, b), cells))
			require.NoError(t, os.Remove(filepath.Join(b.dir, filepath.FromSlash(name))))
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
	b := newBoard(t)
	dbtest.Ask(t, b.Store, b.tenant.ID, pack.Off, pack.PolicyRules...)
	d := decisionOf("dec_1", "A2", 2)
	s := b.withOriginal(t, "Zanzibarite original")
	_, err := b.review(s.ID, 2, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "x"})
	require.NoError(t, err)
	d.LedgerSessionID = s.ID
	b.decide(t, d)
	v, err := b.CreatePack(b.ctx, b.drafter, d.DecisionID, db.Answering{})
	require.NoError(t, err)
	v, err = b.AttachToPack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision,
		pack.Attachment{Name: "a.txt", MediaType: "text/plain"}, []byte("Zanzibarite attached"), "asked for",
		db.Answering{})
	require.NoError(t, err)
	v = b.approve(t, b.approver, b.submit(t, v))
	require.Len(t, originalFiles(t, b.dir), 2)
	b.purge(t, v.Life.PackID)
	b.reopen(t, func() {})
	require.Len(t, originalFiles(t, b.dir), 2, "still there if the server was killed")
	require.NoError(t, b.FinishErasures(b.ctx, noLake))
	require.Empty(t, traces(t, b.dir, "Zanzibarite attached"))
	require.Len(t, originalFiles(t, b.dir), 1)
	require.Zero(t, count(t, raw(t, b.dir), "scrub_due"))
}

// TestFilesStayWhileOthersNameThem: a file that two objects name goes with the second.
func TestFilesStayWhileOthersNameThem(t *testing.T) {
	t.Run("bundles", func(t *testing.T) {
		b := newBoard(t)
		text := strings.Repeat("القسطاسيات ", 20)
		one, two := built(t, "", "words", text), built(t, "", "other words", text)
		require.Equal(t, one.Writes[0].Path, two.Writes[0].Path)
		b.insertBundle(t, one)
		b.insertBundle(t, two)
		for _, c := range []struct {
			in   db.BuiltBundle
			want []string
		}{{one, []string{one.Artifact.Path}}, {two, []string{two.Artifact.Path, two.Writes[0].Path}}} {
			e := b.erase(t, erasure.Bundle, c.in.Bundle.BundleID)
			var dropped []string
			require.NoError(t, b.FinishErasures(b.ctx, func(_ context.Context, _, path string) error {
				dropped = append(dropped, path)
				return nil
			}))
			require.ElementsMatch(t, c.want, dropped)
			require.Equal(t, len(c.want), e.Files)
		}
	})
	t.Run("packs", func(t *testing.T) {
		b := newBoard(t)
		first := b.approve(t, b.approver, b.submit(t, b.attached(t, "dec_1")))
		second, err := b.NewVersion(b.ctx, b.drafter, first.Life.PackID, db.Answering{})
		require.NoError(t, err)
		second, err = b.DiscardPack(b.ctx, b.drafter, second.Life.PackID, second.Life.Revision, "Not needed.",
			db.Answering{})
		require.NoError(t, err)
		e := b.erase(t, erasure.Pack, second.Life.PackID)
		require.Zero(t, e.Files)
		b.finish(t, e.ID)
		require.NotEmpty(t, traces(t, b.dir, "Zanzibarite attached"))
		e = b.erase(t, erasure.Pack, first.Life.PackID)
		require.Equal(t, 1, e.Files)
		b.finish(t, e.ID)
		require.Empty(t, traces(t, b.dir, "Zanzibarite attached"))
	})
}
