package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A folder of the store has at most mostFiles files, and at most largestCircle of them reach one another, tests apart.
const (
	mostFiles     = 40
	largestCircle = 20
)

// shape is what a package looks like inside.
type shape struct {
	files  int
	circle int // the most files of which each uses, by way of others, something of each other
}

// wide holds the packages outside of the store that are over its bounds, as they were when the bounds were set. These
// figures may only fall: when one has, write the new one here.
var wide = map[string]shape{
	"cmd/web":                {files: 72, circle: 55},
	"internal/domain/judge":  {circle: 35},
	"internal/domain/ledger": {files: 46},
	"internal/domain/pack":   {files: 60, circle: 36},
	"internal/handlers/web":  {circle: 32},
	"internal/importers":     {files: 94, circle: 68},
	"internal/views/ledger":  {files: 61, circle: 22},
	"internal/views/packs":   {files: 47},
	"internal/views/ui":      {files: 45},
}

// TestWalls holds how many files lie in a folder, and how many of them form a circle.
func TestWalls(t *testing.T) {
	for name, now := range shapes(t) {
		store := name == "internal/db" || strings.HasPrefix(name, "internal/db/")
		held, known := wide[name]
		if store {
			t.Logf("%s: %d files, largest circle %d", name, now.files, now.circle)
			assert.False(t, known, "%s is in the store, whose bounds have no exception", name)
		}
		assert.LessOrEqual(t, now.files, max(mostFiles, held.files), "files in %s: a folder with more holds two rooms", name)
		assert.LessOrEqual(t, now.circle, max(largestCircle, held.circle),
			"files of %s that all reach one another: cut the arrow that points up", name)
		if known {
			assert.Equal(t, shape{max(mostFiles, now.files), max(largestCircle, now.circle)},
				shape{max(mostFiles, held.files), max(largestCircle, held.circle)}, "%s has become smaller: write the new figure", name)
		}
	}
}

// shapes returns the shape of each of our packages.
func shapes(t *testing.T) map[string]shape {
	t.Helper()
	out := map[string]shape{}
	for name, uses := range usesOfFiles(t) {
		out[name] = shape{len(uses), circle(uses)}
	}
	require.Greater(t, len(out), 50, "the walk found the code")
	return out
}

// usesOfFiles returns for each of our packages which of its files use something that is declared in which others: a
// function, a type, a method, a field, a variable or a constant.
func usesOfFiles(t *testing.T) map[string]map[string]map[string]bool {
	t.Helper()
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	text, err := cmd.Output()
	require.NoError(t, err)
	var ours []listed
	exported := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		exported[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, "sanad/") {
			ours = append(ours, p)
		}
	}
	set := token.NewFileSet()
	from := goimporter.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if exported[path] == "" {
			return nil, fmt.Errorf("nothing is exported by %s", path)
		}
		return os.Open(exported[path])
	})
	out := map[string]map[string]map[string]bool{}
	for _, p := range ours {
		uses := map[string]map[string]bool{}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, f)
			uses[name] = map[string]bool{}
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		pkg, err := (&types.Config{Importer: from}).Check(p.ImportPath, set, files, info)
		require.NoError(t, err)
		for id, o := range info.Uses {
			if o.Pkg() != pkg || !o.Pos().IsValid() {
				continue
			}
			a, b := filepath.Base(set.Position(id.Pos()).Filename), filepath.Base(set.Position(o.Pos()).Filename)
			if a != b && uses[a] != nil && uses[b] != nil { // lines of templates name another file
				uses[a][b] = true
			}
		}
		out[strings.TrimPrefix(p.ImportPath, "sanad/")] = uses
	}
	return out
}

// circle returns the size of the largest set of files that all reach one another (Tarjan's strongly connected
// components).
func circle(uses map[string]map[string]bool) int {
	type mark struct {
		index, low int
		open       bool
	}
	largest, next := 0, 0
	marks, stack := map[string]*mark{}, []string(nil)
	var visit func(string) *mark
	visit = func(v string) *mark {
		m := &mark{next, next, true}
		next++
		marks[v], stack = m, append(stack, v)
		for w := range uses[v] {
			switch seen := marks[w]; {
			case seen == nil:
				m.low = min(m.low, visit(w).low)
			case seen.open:
				m.low = min(m.low, seen.index)
			}
		}
		if m.low == m.index {
			i := slices.Index(stack, v)
			for _, w := range stack[i:] {
				marks[w].open = false
			}
			largest, stack = max(largest, len(stack)-i), stack[:i]
		}
		return m
	}
	for v := range uses {
		if marks[v] == nil {
			visit(v)
		}
	}
	return largest
}

func TestCircle(t *testing.T) {
	to := func(names ...string) map[string]bool {
		out := map[string]bool{}
		for _, n := range names {
			out[n] = true
		}
		return out
	}
	for name, c := range map[string]struct {
		uses map[string]map[string]bool
		want int
	}{
		"none":            {nil, 0},
		"a chain":         {map[string]map[string]bool{"a": to("b"), "b": to("c"), "c": nil}, 1},
		"two":             {map[string]map[string]bool{"a": to("b"), "b": to("a"), "c": to("a")}, 2},
		"three and a way": {map[string]map[string]bool{"a": to("b"), "b": to("c"), "c": to("a", "d"), "d": nil}, 3},
		"two circles":     {map[string]map[string]bool{"a": to("b"), "b": to("a", "c"), "c": to("d"), "d": to("e"), "e": to("c")}, 3},
	} {
		require.Equal(t, c.want, circle(c.uses), name)
	}
}
