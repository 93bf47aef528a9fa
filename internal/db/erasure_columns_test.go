package db_test

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/everyfield"
)

// partOf names the kinds whose objects are parts of others: what goes with the whole must say what becomes of it when a
// part goes.
var partOf = map[erasure.Kind]erasure.Kind{erasure.Session: erasure.Document, erasure.Bundle: erasure.Artifact}

// claimFaults compares the claims of all rooms with a schema: by table, each column, and whether it is of text or
// bytes.
func claimFaults(rooms map[string][]auditlog.Claim, schema map[string]map[string]bool) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	owners, claimed := map[string]string{}, map[string]map[erasure.Kind]map[string]int{}
	for room, claims := range rooms {
		for _, c := range claims {
			if c.Does == auditlog.Keeps && c.Why == "" {
				fault("%s keeps %v: say why", room, c.Of)
			}
			if c.Files != "" { // see fileFaults
				continue
			}
			for _, of := range c.Of {
				columns, there := schema[of.Table]
				if !there {
					fault("%s claims %s, which is not there", room, of.Table)
					continue
				}
				if owner := owners[of.Table]; owner != "" && owner != room {
					fault("%s and %s claim %s", owner, room, of.Table)
				}
				owners[of.Table] = room
				names := of.Each()
				if len(names) == 0 {
					names = slices.Collect(maps.Keys(columns))
					if c.Does != auditlog.Deletes {
						fault("%s %s all of %s: name the columns, so that a new one is thought about", room, c.Does,
							of.Table)
					}
				}
				if claimed[of.Table] == nil {
					claimed[of.Table] = map[erasure.Kind]map[string]int{}
				}
				if claimed[of.Table][c.Kind] == nil {
					claimed[of.Table][c.Kind] = map[string]int{}
				}
				for _, name := range names {
					if _, there := columns[name]; !there {
						fault("%s claims %s.%s, which is not there", room, of.Table, name)
					}
					claimed[of.Table][c.Kind][name]++
				}
			}
		}
	}
	for table, columns := range schema {
		kinds := claimed[table]
		for name, text := range columns {
			if !text || name == "tenant_id" {
				continue
			}
			total := 0
			for kind, of := range kinds {
				n := of[name]
				if kind != "" {
					n += kinds[""][name]
				}
				if n != 1 && (kind != "" || len(kinds) == 1) {
					fault("%s.%s is claimed %d times for an erasure of kind %q", table, name, n, kind)
				}
				total += n
			}
			if total == 0 {
				fault("%s.%s is claimed by no room: see ErasureClaims", table, name)
			}
			for whole, part := range partOf {
				if kinds[whole][name] > 0 && kinds[part][name]+kinds[""][name] == 0 {
					fault("%s.%s is claimed for kind %q and not for %q", table, name, whole, part)
				}
			}
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// claimable returns the columns of all tables, but for those in which SQLite keeps an index of words.
func claimable(t *testing.T, dir string) map[string]map[string]bool {
	t.Helper()
	d, schema := raw(t, dir), map[string]map[string]bool{}
	for _, table := range textsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		if strings.Contains(table, "_search_") || strings.HasPrefix(table, "sqlite_") {
			continue
		}
		schema[table] = map[string]bool{}
		for _, c := range schemaOf(t, d, table) {
			schema[table][c.name] = c.kind == "TEXT" || c.kind == "BLOB"
		}
	}
	return schema
}

// TestEveryColumnIsClaimed: a column of text or bytes is added with what an erasure does to it.
func TestEveryColumnIsClaimed(t *testing.T) {
	schema := claimable(t, newFixture(t).dir)
	require.Empty(t, claimFaults(db.ErasureClaims(), schema))

	t.Run("a new column", func(t *testing.T) {
		for _, table := range []string{"documents", "users", "jobs"} {
			schema[table]["added"] = true
			assert.Contains(t, strings.Join(claimFaults(db.ErasureClaims(), schema), "\n"), table+".added is claimed")
			delete(schema[table], "added")
		}
	})
	t.Run("a new table", func(t *testing.T) {
		schema["added"] = map[string]bool{"text": true, "no": false}
		assert.Equal(t, []string{"added.text is claimed by no room: see ErasureClaims"},
			claimFaults(db.ErasureClaims(), schema))
		delete(schema, "added")
	})
	t.Run("a column that is gone", func(t *testing.T) {
		delete(schema["chunks"], "text")
		assert.Equal(t, []string{"sessions claims chunks.text, which is not there"},
			claimFaults(db.ErasureClaims(), schema))
		schema["chunks"]["text"] = true
	})
	t.Run("two owners", func(t *testing.T) {
		rooms := db.ErasureClaims()
		rooms["live"] = append(slices.Clone(rooms["live"]),
			auditlog.Claim{Does: auditlog.Deletes, Of: auditlog.Rows("chunks")})
		assert.Contains(t, strings.Join(claimFaults(rooms, schema), "\n"), "claim chunks")
	})
}

// TestOwnersClaim: the room that inserts rows of a table is the one that claims it.
func TestOwnersClaim(t *testing.T) {
	owners := map[string]string{}
	for room, claims := range db.ErasureClaims() {
		for _, c := range claims {
			for _, of := range c.Of {
				owners[of.Table] = room
			}
		}
	}
	inserts, seen := regexp.MustCompile(`INSERT INTO (\w+)`), 0
	eachSource(t, func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				text, _ := strconv.Unquote(lit.Value)
				for _, m := range inserts.FindAllStringSubmatch(text, -1) {
					if owner := owners[m[1]]; owner != "" {
						seen++
						assert.Equal(t, owner, filepath.Dir(path), "%s inserts into %s", path, m[1])
					}
				}
			}
			return true
		})
	})
	require.Greater(t, seen, 40, "the statements were found")
}

// cellsOf returns the texts and bytes of all tables, with the columns where each stands.
func cellsOf(t *testing.T, dir string) map[string][]string {
	t.Helper()
	d, cells := raw(t, dir), map[string][]string{}
	for table, columns := range claimable(t, dir) {
		for name, text := range columns {
			if !text || strings.HasSuffix(table, "_search") {
				continue
			}
			rows, err := d.Query("SELECT DISTINCT " + name + " FROM " + table + " WHERE " + name + " IS NOT NULL")
			require.NoError(t, err)
			for rows.Next() {
				var value []byte
				require.NoError(t, rows.Scan(&value))
				cells[string(value)] = append(cells[string(value)], table+"."+name)
			}
			require.NoError(t, rows.Err())
			require.NoError(t, rows.Close())
		}
	}
	return cells
}

// erasedColumns returns the columns that an erasure of a kind deletes, empties or renews.
func erasedColumns(kind erasure.Kind, schema map[string]map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, claims := range db.ErasureClaims() {
		for _, c := range claims {
			if c.Files != "" || c.Does == auditlog.Keeps || c.Kind != kind && c.Kind != "" {
				continue
			}
			for _, of := range c.Of {
				names := of.Each()
				if len(names) == 0 {
					names = slices.Collect(maps.Keys(schema[of.Table]))
				}
				for _, name := range names {
					if schema[of.Table][name] && name != "tenant_id" {
						out[of.Table+"."+name] = true
					}
				}
			}
		}
	}
	return out
}

// TestErasedColumnsAreNowhere: what came with an object into the columns that its erasure claims, and stands in no
// column that is kept, is in no column afterwards.
func TestErasedColumnsAreNowhere(t *testing.T) {
	ofSecret := func(text string) bool {
		return slices.ContainsFunc(append(secretWords, "unreleased"),
			func(w string) bool { return strings.Contains(text, w) })
	}
	for name, c := range map[string]struct {
		kind   erasure.Kind
		least  int                    // columns with a text of their own
		leaves []string               // tables of what an erasure leaves by design
		is     func(text string) bool // nil: all that came with it
		made   func(t *testing.T, b *board, m *model.Endpoint) (id string)
	}{
		"a session": {kind: erasure.Session, least: 80,
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				s := everyfield.Session()
				s.BundleID, s.Follows, s.Seats = "", ledger.Follows{}, ledger.Seats{}
				b.insert(t, s)
				b.judgeAgain(t, s.ID, "run again")
				b.answered(t, s.ID, m)
				return s.ID
			}},
		"a document judged again": {kind: erasure.Document, is: ofSecret, least: 9,
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				s := b.storeSecret(t)
				b.answered(t, s.ID, m)
				return s.Documents[0].ID
			}},
		"a document": {kind: erasure.Document, is: ofSecret, least: 10,
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				s := secretSession()
				b.insert(t, s)
				return s.Documents[0].ID
			}},
		"a pack": {kind: erasure.Pack, least: 19, leaves: []string{"pack_tombstones", "erased_packs"},
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				return b.signed(t, "dec-erased").Life.PackID
			}},
		"a bundle": {kind: erasure.Bundle, least: 19,
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				in := built(t, "docs/none.md", "Zanzibarite quixotrope", strings.Repeat("القسطاسيات ", 20))
				b.insertBundle(t, in)
				return in.Bundle.BundleID
			}},
		"an artifact": {kind: erasure.Artifact, least: 4,
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				artifact := db.ArtifactOf("files/Zanzibarite.txt", []byte("Zanzibarite"))
				_, err := b.AddArtifact(b.ctx, b.drafter, artifact)
				require.NoError(t, err)
				return artifact.Path
			}},
		"an upload": {kind: erasure.Upload, least: 1,
			made: func(t *testing.T, b *board, m *model.Endpoint) string {
				in, err := b.PutJobInput(b.ctx, strings.NewReader("upload"))
				require.NoError(t, err)
				added, _, err := b.AddJob(b.ctx, b.drafter, in, job.File, "Zanzibarite.json", nil)
				require.NoError(t, err)
				_, err = b.CancelJob(b.ctx, b.drafter, added.ID)
				require.NoError(t, err)
				return added.ID
			}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBoard(t)
			b.signed(t, "dec-kept")
			b.insert(t, identify(fullSession()))
			m, err := b.AddModelEndpoint(b.ctx, b.admin, anEndpoint("Small"), "")
			require.NoError(t, err)
			before := cellsOf(t, b.dir)
			id := c.made(t, b, &m)
			erased := erasedColumns(c.kind, claimable(t, b.dir))
			own, columns := map[string]bool{}, map[string]bool{}
			for text, places := range cellsOf(t, b.dir) {
				kept := slices.ContainsFunc(places, func(p string) bool { return !erased[p] })
				if len(before[text]) == 0 && len(text) > 3 && !kept && (c.is == nil || c.is(text)) {
					own[text] = true
					for _, p := range places {
						columns[p] = true
					}
				}
			}
			names := slices.Sorted(maps.Keys(columns))
			require.GreaterOrEqual(t, len(columns), c.least, "columns with texts of the object: %v", names)
			t.Logf("%d texts in %d of %d columns", len(own), len(columns), len(erased))
			b.erase(t, c.kind, id)
			require.NoError(t, b.FinishErasures(b.ctx, func(context.Context, string, string) error { return nil }))
			for text, places := range cellsOf(t, b.dir) {
				places = slices.DeleteFunc(places, func(p string) bool {
					table, _, _ := strings.Cut(p, ".")
					return slices.Contains(c.leaves, table)
				})
				if len(places) > 0 && own[text] {
					t.Errorf("%q is still in %v", text, places)
				}
			}
		})
	}
}

// answered stores that a model was asked about a session.
func (b *board) answered(t *testing.T, sessionID string, m *model.Endpoint) {
	t.Helper()
	require.NoError(t, b.SaveModelCalls(b.ctx, b.tenant.ID, sessionID, 0,
		[]model.Answered{questioned(m, "digest of the question", true)}))
}
