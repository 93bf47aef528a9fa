package db_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

var listedColumns = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([a-z]+) \\| ([a-z0-9_ ]+) \\|$")

// digestedKinds are the kinds of columns in docs/integrity.md that are part of a row's digest.
var digestedKinds = []string{"content", "derived"}

// TestEveryColumnIsListed checks that docs/integrity.md says of every column of every table what protects it, and that
// exactly those that it calls content or derived are digested, and exactly those that it calls recorded are recorded.
func TestEveryColumnIsListed(t *testing.T) {
	h := dbtest.New(t)
	d := dbtest.Raw(t, h.Dir)
	text, err := os.ReadFile("../../docs/integrity.md")
	require.NoError(t, err)
	listed, digested, recorded := map[string][]string{}, map[string][]string{}, map[string][]string{}
	for _, m := range listedColumns.FindAllStringSubmatch(string(text), -1) {
		columns := strings.Fields(m[3])
		listed[m[1]] = append(listed[m[1]], columns...)
		if slices.Contains(digestedKinds, m[2]) {
			digested[m[1]] = append(digested[m[1]], columns...)
		}
		if m[2] == "recorded" {
			recorded[m[1]] = append(recorded[m[1]], columns...)
		}
	}
	for _, table := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		var columns []string
		for _, c := range dbtest.SchemaOf(t, d, table) {
			columns = append(columns, c.Name)
		}
		if dbtest.OnPostgres() && strings.HasSuffix(table, "_search") { // whose rows name their tenant only there
			columns = slices.DeleteFunc(columns, func(name string) bool { return name == "tenant_id" })
		}
		assert.ElementsMatch(t, columns, listed[table],
			"table %s: list its columns in docs/integrity.md, and what is content or derived in content.go too", table)
		delete(listed, table)
	}
	if dbtest.OnPostgres() { // SQLite keeps an index of words in tables of its own
		maps.DeleteFunc(listed, func(table string, _ []string) bool {
			return strings.Contains(table, "_search_") || table == "sqlite_sequence"
		})
	}
	require.Empty(t, listed, "docs/integrity.md lists tables that are not there")
	for table, columns := range db.DigestedColumns() {
		var names []string
		for name, nullable := range columns {
			names = append(names, name)
			for _, c := range dbtest.SchemaOf(t, d, table) {
				if c.Name == name {
					require.Equal(t, c.Nullable, nullable, "%s.%s can be NULL (a ? in content.go)", table, name)
				}
			}
		}
		require.ElementsMatch(t, digested[table], names, "table %s", table)
		delete(digested, table)
	}
	require.Empty(t, digested, "docs/integrity.md calls columns content that are not digested")
	for table, columns := range db.RecordedColumns() {
		require.ElementsMatch(t, recorded[table], columns, "table %s", table)
		delete(recorded, table)
	}
	require.Empty(t, recorded, "docs/integrity.md calls columns recorded that are not")
}
