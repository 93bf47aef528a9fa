package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// capabilityOf returns the capability that a room of views or handlers belongs to, "" if none.
func capabilityOf(room string) string {
	for _, c := range capabilities {
		if room == "internal/views/"+c || room == "internal/handlers/"+c {
			return c
		}
	}
	return ""
}

// everybodys is the room that every other may use: what the program says.
const everybodys = "internal/words"

// pure lists what the packages below internal/domain, and those that they import, must not import: I/O, HTTP and
// randomness. They may use package time except for the clock, see checkClock.
var pure = []string{"os", "io/fs", "net", "net/http", "database/sql", "math/rand", "math/rand/v2", "crypto/rand",
	"log", "log/slog"}

// isPure reports whether a package may have no I/O, clock or randomness.
func isPure(room string) bool {
	return strings.HasPrefix(room, "internal/domain") || room == everybodys || room == "internal/strictjson"
}

// echoRooms may import Echo; it is confined because version 5 changes every signature (docs/adr/0001).
var echoRooms = []string{"internal/handlers", "cmd/web"}

// handlersFiles are the files of cmd/web that may import the web app: serve and demo run it (demo through serve),
// modeltest is a part of serve, and openapi prints the description that is made of its endpoints. Every other command
// uses internal/app.
var handlersFiles = []string{"serve.go", "modeltest.go", "openapi.go"}

func TestRooms(t *testing.T) {
	const root = "../.."
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); d.IsDir() && err == nil && path != root {
			return filepath.SkipDir // a module of its own: no part of the program
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		room := filepath.ToSlash(rel)
		seen[room] = true
		allowed, known := rooms[room]
		require.True(t, known, "package %s has no row in the table of rooms", room)
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			checkImport(t, path, room, name, allowed)
		}
		checkClock(t, path, room, f)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(seen), 10, "the walk found the code")
}

func checkImport(t *testing.T, path, room, name string, allowed []string) {
	t.Helper()
	if ours, ok := strings.CutPrefix(name, "sanad/"); ok && ours != everybodys {
		assert.Contains(t, allowed, ours, "%s imports %s, an arrow that does not point down", path, ours)
		if from, to := capabilityOf(room), capabilityOf(ours); from != "" && to != "" {
			require.Equal(t, from, to, "%s imports %s: what two capabilities share lives in ui or web", path, ours)
		}
	}
	from, inStore := strings.CutPrefix(room, "internal/db/")
	to, ofStore := strings.CutPrefix(name, "sanad/internal/db/")
	if inStore && ofStore && slices.Contains(storeRooms, from) {
		require.NotContains(t, storeRooms, to, "%s imports %s: what one room needs of another is an interface in its Needs", path, name)
	}
	if isPure(room) {
		require.NotContains(t, pure, name, "%s: %s is pure", path, room)
	}
	if strings.HasPrefix(name, "github.com/labstack/echo") {
		require.True(t, slices.ContainsFunc(echoRooms, func(r string) bool {
			return room == r || strings.HasPrefix(room, r+"/") && r == "internal/handlers"
		}), "%s imports Echo", path)
	}
}

// checkClock refuses time.Now and similar functions in pure packages: time is passed in.
func checkClock(t *testing.T, path, room string, f *ast.File) {
	t.Helper()
	if !isPure(room) {
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" {
				require.NotContains(t, []string{"Now", "Since", "Until", "After", "Tick", "Sleep"}, sel.Sel.Name,
					"%s reads the clock", path)
			}
		}
		return true
	})
}

// TestMapOfTheCode compares the first column of the map in docs/architecture.md with the table of rooms.
func TestMapOfTheCode(t *testing.T) {
	page := ourPages(t)["docs/architecture.md"]
	var named []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|").FindAllStringSubmatch(page, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			folder, parts, several := strings.Cut(strings.TrimSuffix(name[1], "}"), "{")
			if !several {
				named = append(named, folder)
				continue
			}
			for _, part := range strings.Split(parts, ",") {
				named = append(named, folder+part)
			}
		}
	}
	slices.Sort(named)
	require.Equal(t, slices.Sorted(maps.Keys(rooms)), named)
}

func TestOnlyTheServerReachesHandlers(t *testing.T) {
	var found []string
	for _, dir := range []string{".", "demo"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(path, "sanad/internal/handlers") {
					found = append(found, filepath.ToSlash(name))
				}
			}
		}
	}
	require.ElementsMatch(t, handlersFiles, found)
}

// internal/app works without a web server: it needs neither Echo nor a page.
func TestAppNeedsNoWebFramework(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "sanad/internal/app").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "sanad/internal/db", "the list is the packages that it needs")
	for _, dep := range deps {
		require.NotContains(t, dep, "labstack/echo")
		require.NotContains(t, dep, "sanad/internal/handlers")
		require.NotContains(t, dep, "sanad/internal/views")
	}
}

// databaseDrivers are packages that talk to a database. Only the store imports them, and what its tests stand on: nobody
// else knows which engine holds it.
var databaseDrivers = []string{"modernc.org/sqlite", "github.com/jackc/pgx"}

// TestOnlyTheStoreKnowsADriver looks at every file, tests too.
func TestOnlyTheStoreKnowsADriver(t *testing.T) {
	store := 0
	for path, text := range ourFiles(t) {
		if !strings.HasSuffix(path, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if !slices.ContainsFunc(databaseDrivers, func(d string) bool { return name == d || strings.HasPrefix(name, d+"/") }) {
				continue
			}
			store++
			assert.True(t, strings.HasPrefix(path, "internal/db/"), "%s imports %s, which only internal/db may", path, name)
		}
	}
	require.Greater(t, store, 1, "internal/db imports both")
}

// readingRoom is the one package whose tests run the shipped weights.
const readingRoom = "internal/reader/weights"

// TestShippedWeightsRunInOnePackage: reading takes its time, so tests elsewhere are given verdicts, or a reader of
// their own. They neither import the weights nor open the file, and what they build of the program has no reader.
func TestShippedWeightsRunInOnePackage(t *testing.T) {
	here := 0
	for path, text := range ourFiles(t) {
		if !strings.HasSuffix(path, "_test.go") || path == "cmd/web/rooms_check_test.go" {
			continue
		}
		runs := strings.Contains(text, `"sanad/internal/reader/weights"`) || strings.Contains(text, "weights/reader.bin") ||
			strings.HasPrefix(path, "cmd/web/") && strings.Contains(text, "shipped()") ||
			strings.Contains(text, `"build"`) && strings.Contains(text, `"sanad/cmd/web"`) && !strings.Contains(text, `"noreader"`)
		if filepath.ToSlash(filepath.Dir(path)) == readingRoom {
			if runs {
				here++
			}
			continue
		}
		assert.False(t, runs, "%s runs the shipped weights, which only tests of %s may", path, readingRoom)
	}
	require.Greater(t, here, 1, "tests of %s run the weights, and build the program with them", readingRoom)
}
