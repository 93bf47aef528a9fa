package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of CONTRIBUTING.md lists exactly the SANAD_ variables that tests and scripts of .ci read and that are not a
// flag of the program.
func TestVariablesOfTheTests(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `(SANAD_[A-Z_]+)` \\| `([^`]+)` \\|")
	variable := regexp.MustCompile(`SANAD_[A-Z]+(?:_[A-Z]+)*`)
	files := ourFiles(t)
	flags := variables()
	read := map[string][]string{} // the files that name a variable
	for path, text := range files {
		test := strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/e2e/")
		script := strings.HasPrefix(path, ".ci/") || path == "Makefile"
		if !test && !script || path == "cmd/web/docs_variables_test.go" || strings.HasSuffix(path, ".md") {
			continue
		}
		if test {
			text = strings.ReplaceAll(text, "$SANAD_", "") // an example for a shell, which a page shows
		}
		for _, name := range variable.FindAllString(text, -1) {
			if !flags[name] {
				read[name] = append(read[name], path)
			}
		}
	}
	delete(read, "SANAD_TOKEN") // the shell's own, in examples of the API that tests run
	named := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(files["CONTRIBUTING.md"], -1) {
		named[m[1]] = m[2]
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(read)), slices.Collect(maps.Keys(named)))
	for name, place := range named {
		require.True(t, slices.ContainsFunc(read[name],
			func(path string) bool { return strings.HasPrefix(path, place) }),
			"%s is not read in %s but in %v", name, place, read[name])
	}
}

func TestUnknownVariables(t *testing.T) {
	require.Equal(t, []string{"SANAD_DATBASE", "SANAD_HOSTS"}, unknownVariables([]string{"SANAD_HOSTS=a", "SANAD_HOST=a",
		"SANAD_DATBASE=postgres://u:secret@h/d", "SANAD_MASTER_KEY=x", "PATH=/bin", "SANAD_SERVICE_HOST=10.0.0.1",
		"SANAD_PORT_8080_TCP_ADDR=10.0.0.1", "SANAD_WEB_SERVICE_PORT_HTTP=80", "SANAD_PORT=tcp://10.0.0.1:80"}))
}
