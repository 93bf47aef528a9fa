package db_test

import (
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
)

// partOf names the kinds whose objects are parts of others: what goes with the whole must say what becomes of it when a
// part goes.
var partOf = map[erasure.Kind]erasure.Kind{erasure.Session: erasure.Document, erasure.Bundle: erasure.Artifact}

// claimFaults compares the claims of all rooms with a schema: by table, each column, and whether it is of text or bytes.
func claimFaults(rooms map[string][]auditlog.Claim, schema map[string]map[string]bool) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	owners, claimed := map[string]string{}, map[string]map[erasure.Kind]map[string]int{}
	for room, claims := range rooms {
		for _, c := range claims {
			if c.Does == auditlog.Keeps && c.Why == "" {
				fault("%s keeps %v: say why", room, c.Of)
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
						fault("%s %s all of %s: name the columns, so that a new one is thought about", room, c.Does, of.Table)
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
		assert.Equal(t, []string{"added.text is claimed by no room: see ErasureClaims"}, claimFaults(db.ErasureClaims(), schema))
		delete(schema, "added")
	})
	t.Run("a column that is gone", func(t *testing.T) {
		delete(schema["chunks"], "text")
		assert.Equal(t, []string{"sessions claims chunks.text, which is not there"}, claimFaults(db.ErasureClaims(), schema))
		schema["chunks"]["text"] = true
	})
	t.Run("two owners", func(t *testing.T) {
		rooms := db.ErasureClaims()
		rooms["live"] = append(slices.Clone(rooms["live"]), auditlog.Claim{Does: auditlog.Deletes, Of: auditlog.Rows("chunks")})
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
