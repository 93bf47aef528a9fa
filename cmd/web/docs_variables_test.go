package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// The table of CONTRIBUTING.md lists exactly the SANAD_ variables that tests and scripts of .ci read and that are not a
// flag of the program.
func TestVariablesOfTheTests(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `(SANAD_[A-Z_]+)` \\| `([^`]+)` \\|")
	variable := regexp.MustCompile(`SANAD_[A-Z]+(?:_[A-Z]+)*`)
	files := ourFiles(t)
	flags := flagVariables()
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

// flagVariables returns the variables that the program itself reads: one for each flag of its commands, and the master
// key.
func flagVariables() map[string]bool {
	out := map[string]bool{masterKeyVariable: true}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				out["SANAD_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))] = true
			})
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(streams{}))
	return out
}
