package importers_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/importers"
)

// The line of a row is that of its first byte, also if rows are longer than what is read at a time.
func TestRowLines(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 600<<10) + `"}`
	for name, c := range map[string]struct {
		file string
		want map[string]int
	}{
		"lines":       {"{}\n\n{\n}\n{}", map[string]int{"[0]": 1, "[1]": 3, "[2]": 5}},
		"list":        {"\n[{},\n\n{\n},{}]\n", map[string]int{"[0]": 2, "[1]": 4, "[2]": 5}},
		"long":        {long + "\n" + long + "\r\n" + long, map[string]int{"[0]": 1, "[1]": 2, "[2]": 3}},
		"marked":      {"\ufeff{}\n{}", map[string]int{"[0]": 1, "[1]": 2}},
		"no rows":     {"nothing", map[string]int{"[0]": 0}},
		"broken rows": {"{}\n{", map[string]int{"[0]": 1, "[1]": 2}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]int{}
			for place := range c.want {
				got[place] = 0
			}
			require.NoError(t, importers.RowLines(bytes.NewReader([]byte(c.file)), int64(len(c.file)), got))
			require.Equal(t, c.want, got)
		})
	}
}
