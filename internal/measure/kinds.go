package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// kinds counts the files and lines of each kind that people write.
type kinds map[string]struct{ files, lines int }

// kindNames are the kinds in the order in which they are printed.
var kindNames = []string{"Go", "templ", "tests", "scripts", "SQL"}

// kindOf returns the kind of a file by its slash-separated path from the root, "" if it is not counted.
func kindOf(path string) string {
	switch {
	case strings.HasSuffix(path, "_test.go"):
		return "tests"
	case strings.HasSuffix(path, "_templ.go"):
		return ""
	case strings.HasSuffix(path, ".go"):
		return "Go"
	case strings.HasSuffix(path, ".templ"):
		return "templ"
	case strings.HasSuffix(path, ".sql"):
		return "SQL"
	case strings.HasPrefix(path, ".ci/"), path == "Makefile", strings.HasSuffix(path, ".sh"),
		strings.HasPrefix(path, "deploy/") && filepath.Ext(path) == "":
		return "scripts"
	}
	return ""
}

// countKinds counts the files below root.
func countKinds(root string) (kinds, error) {
	out := kinds{}
	return out, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && path != root && d.Name() != ".ci"
			if hidden || d.Name() == "testdata" || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		kind := kindOf(filepath.ToSlash(name))
		if kind == "" {
			return nil
		}
		text, err := os.ReadFile(path)
		k := out[kind]
		k.files, k.lines = k.files+1, k.lines+bytes.Count(text, []byte("\n"))
		out[kind] = k
		return err
	})
}

// String returns a line for each kind.
func (k kinds) String() string {
	var b strings.Builder
	for _, name := range kindNames {
		fmt.Fprintf(&b, "%-28s%d files, %d lines\n", "written, "+name, k[name].files, k[name].lines)
	}
	return b.String()
}
