package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// treeRoot is the root of the repository, as the tests of this package see it.
const treeRoot = "../.."

// ourFiles returns the files that people write, by path from the root: no generated or vendored files, no test data.
func ourFiles(t *testing.T) map[string]string {
	t.Helper()
	written := []string{".go", ".templ", ".sql", ".js", ".css", ".html", ".md", ".toml", ".yml"}
	out := map[string]string{}
	err := filepath.WalkDir(treeRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			hidden := strings.HasPrefix(name, ".") && path != treeRoot && name != ".ci"
			if hidden || slices.Contains([]string{"bin", "node_modules", "pdfjs"}, name) {
				return filepath.SkipDir
			}
			return nil
		}
		generated := strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, ".min.js") ||
			strings.HasSuffix(name, ".min.mjs")
		ours := slices.Contains(written, filepath.Ext(name)) || name == "Makefile" ||
			filepath.Base(filepath.Dir(path)) == ".ci"
		if generated || !ours {
			return nil
		}
		rel, err := filepath.Rel(treeRoot, path)
		if err != nil {
			return err
		}
		if strings.Contains(filepath.ToSlash(rel), "/testdata/") && name != "README.md" {
			return nil
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(out), 500, "the walk found the tree")
	return out
}

// ourPages returns the Markdown files among ourFiles.
func ourPages(t *testing.T) map[string]string {
	t.Helper()
	pages := ourFiles(t)
	for path := range pages {
		if filepath.Ext(path) != ".md" {
			delete(pages, path)
		}
	}
	return pages
}

// Every file that our pages link to exists, and so does the heading if the link names one.
func TestLinksOfTheDocs(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	found, missing := 0, []string{}
	for page, text := range ourPages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target := filepath.Join(filepath.Dir(page), m[1])
			if m[1] == "" {
				target = page
			}
			data, err := os.ReadFile(filepath.Join(treeRoot, target))
			if err != nil {
				_, err = os.Stat(filepath.Join(treeRoot, target)) // a folder
			}
			if err != nil {
				missing = append(missing, page+" links to "+m[1])
			} else if m[2] != "" {
				if !slices.Contains(anchorsOf(string(data)), m[2]) {
					missing = append(missing, page+" links to a heading #"+m[2])
				}
			}
			found++
		}
	}
	require.Empty(t, missing)
	require.Greater(t, found, 40)
}

// anchorsOf returns the anchors that a code host generates for a page's headings.
func anchorsOf(page string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		anchor := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		out = append(out, strings.ReplaceAll(anchor, " ", "-"))
	}
	return out
}

// Every file, folder and test that our pages name in code type exists. A name with * must match at least one file. A
// bare file name is searched for beside the page, or anywhere if the page is in docs.
func TestPathsOfTheDocs(t *testing.T) {
	files := ourFiles(t)
	tests := testsOf(files)
	code := regexp.MustCompile("`([^`\n]+)`")
	path := regexp.MustCompile(`^\.?[A-Za-z0-9_*-][A-Za-z0-9_.*-]*(?:/[A-Za-z0-9_.*-]+)*/?$`)
	rooms := []string{"cmd/", "internal/", "docs/", "static/", "fonts/", ".ci/", "deploy/", "clients/"}
	found, missing := 0, []string{}
	for page, text := range ourPages(t) {
		for _, m := range code.FindAllStringSubmatch(text, -1) {
			name := m[1]
			fromRoot := slices.ContainsFunc(rooms, func(room string) bool { return strings.HasPrefix(name, room) })
			if !path.MatchString(name) || strings.HasPrefix(name, "_") || page == "CHANGELOG.md" {
				continue
			}
			if regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`).MatchString(name) {
				found++
				if !tests[name] {
					missing = append(missing, page+" names "+name)
				}
				continue
			}
			if fromRoot {
				at, err := filepath.Glob(filepath.Join(treeRoot, name))
				require.NoError(t, err)
				found++
				if len(at) == 0 {
					missing = append(missing, page+" names "+name)
				}
				continue
			}
			if ext := filepath.Ext(name); strings.Contains(name, "/") ||
				!slices.Contains([]string{".go", ".templ", ".sql"}, ext) {
				continue
			}
			found++
			if !isNear(files, page, name) {
				missing = append(missing, page+" names "+name)
			}
		}
	}
	require.Empty(t, missing)
	require.Greater(t, found, 40)
}

// isNear reports whether a file of the name, which may hold a *, stands in the folder of a page or below it; below
// docs, anywhere.
func isNear(files map[string]string, page, name string) bool {
	folder := filepath.Dir(page) + "/"
	if strings.HasPrefix(page, "docs/") || folder == "./" {
		folder = ""
	}
	for path := range files {
		if ok, err := filepath.Match(name, filepath.Base(path)); err == nil && ok && strings.HasPrefix(path, folder) {
			return true
		}
	}
	return false
}

// testsOf returns the names of all tests, fuzz targets and benchmarks.
func testsOf(files map[string]string) map[string]bool {
	out := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	for path, text := range files {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
	}
	return out
}
