package handlers

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
)

var update = flag.Bool("update", false, "write the golden file again")

// The golden file has a line for each endpoint, so that a change of its permissions shows in a diff.
func TestEndpoints(t *testing.T) {
	const golden = "testdata/endpoints.golden"
	all := endpoints(&web.Server{}, Options{})
	slices.SortFunc(all, func(a, b web.Endpoint) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	var lines []string
	for _, e := range all {
		line := fmt.Sprintf("%-6s %-48s %s", e.Method, e.Path, e.Action)
		if e.Object != "" {
			line += " of:" + e.Object
		}
		if e.Reauth {
			line += " reauth"
		}
		lines = append(lines, line)
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./internal/handlers -run TestEndpoints -update writes the list again")
}
