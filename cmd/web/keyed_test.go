package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyedFrom is the number of fields from which on a struct literal must name them (rule H-4).
const keyedFrom = 4

// TestStructLiteralsAreKeyed exists because two swapped values of an unkeyed literal pass the compiler and most tests.
func TestStructLiteralsAreKeyed(t *testing.T) {
	const root = "../.."
	sources := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != root || d.Name() == "node_modules" ||
			d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(name, ".go") {
			rel, err := filepath.Rel(root, name)
			sources[filepath.ToSlash(rel)] = "" // read from the file
			return err
		}
		return nil
	})
	require.NoError(t, err)
	found, literals := unkeyed(t, root, sources)
	require.Empty(t, found, "name the fields of these literals")
	require.Greater(t, literals, 1000, "the walk found the code")
}

// TestUnkeyedLiteralsAreFound tries each way in which a literal can state or omit its type.
func TestUnkeyedLiteralsAreFound(t *testing.T) {
	sources := map[string]string{
		"a/a.go": "package a\ntype T struct{ A, B, C, D int }\ntype List []T\ntype Same = T\ntype G[X any] struct{ A, B, C, D X }\n" +
			"type Pair struct{ A, B int }\ntype Four [4]int\n",
		"b/b.go": "package b\nimport other \"sanad/a\"\n" +
			"var imported = other.T{1, 2, 3, 4}\n" +
			"var pointer = &other.T{1, 2, 3, 4}\n" +
			"var slice = []other.T{{1, 2, 3, 4}}\n" +
			"var pointers = []*other.T{{1, 2, 3, 4}}\n" +
			"var table = map[string][]other.T{\"x\": {{1, 2, 3, 4}}}\n" +
			"var keys = map[other.T]int{{1, 2, 3, 4}: 1}\n" +
			"var named = other.List{{1, 2, 3, 4}}\n" +
			"var alias = other.Same{1, 2, 3, 4}\n" +
			"var generic = other.G[int]{1, 2, 3, 4}\n" +
			"var anonymous = []struct{ A, B, C, D int }{{1, 2, 3, 4}}\n" +
			"type mine other.T\nvar derived = mine{1, 2, 3, 4}\n" +
			"func f() {\n\ttype local struct{ A, B, C, D int }\n\t_ = local{1, 2, 3, 4}\n}\n" +
			"var fine = []any{other.T{A: 1, B: 2}, other.Pair{1, 2}, []int{1, 2, 3, 4}, other.Four{1, 2, 3, 4}, map[string]int{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}}\n",
		"b/b_test.go": "package b_test\nimport \"sanad/a\"\nvar _ = a.T{1, 2, 3, 4}\n",
	}
	found, _ := unkeyed(t, "", sources)
	require.Equal(t, []string{
		"b/b.go:10", "b/b.go:11", "b/b.go:12", "b/b.go:14", "b/b.go:17", "b/b.go:3", "b/b.go:4", "b/b.go:5",
		"b/b.go:6", "b/b.go:7", "b/b.go:8",
		"b/b.go:9", "b/b_test.go:3",
	}, found)
}

// unkeyed lists the places of struct literals with keyedFrom or more fields and no names, sorted, and counts all
// literals. sources has the text of each file by its path below root; "" is read from the file.
func unkeyed(t *testing.T, root string, sources map[string]string) (found []string, literals int) {
	t.Helper()
	tree := syntax{types: map[string]typeDecl{}}
	files, set := map[string]*ast.File{}, token.NewFileSet()
	for name, text := range sources {
		var src any
		if text != "" {
			src = text
		}
		f, err := parser.ParseFile(set, filepath.Join(root, name), src, parser.SkipObjectResolution)
		require.NoError(t, err)
		files[name] = f
		tree.declare(scopeOf(name, f), f)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		l := literalFinder{syntax: tree, scope: scopeOf(name, files[name])}
		ast.Inspect(files[name], l.visit)
		literals += l.count
		for _, at := range l.found {
			found = append(found, fmt.Sprintf("%s:%d", name, set.Position(at).Line))
		}
	}
	slices.Sort(found)
	return slices.Compact(found), literals
}

// scope is what the names in a file mean.
type scope struct {
	dir, pkg string
	imports  map[string]string // folder of our packages, by the name that the file calls them
}

func scopeOf(name string, f *ast.File) scope {
	s := scope{dir: path.Dir(name), pkg: f.Name.Name, imports: map[string]string{}}
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		dir, ours := strings.CutPrefix(imported, "sanad/")
		if !ours {
			continue
		}
		called := path.Base(dir)
		if spec.Name != nil {
			called = spec.Name.Name
		}
		s.imports[called] = dir
	}
	return s
}

// typeDecl is what a type is declared as, and where.
type typeDecl struct {
	expr  ast.Expr
	scope scope
}

// syntax has the declared types, also those inside of functions, by folder, package and name. If a package declares a
// name more than once, the struct is kept: at worst a literal must name fields that it need not.
type syntax struct{ types map[string]typeDecl }

func (x syntax) declare(s scope, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			key := s.dir + " " + s.pkg + "." + spec.Name.Name
			if _, isStruct := x.types[key].expr.(*ast.StructType); !isStruct {
				x.types[key] = typeDecl{spec.Type, s}
			}
		}
		return true
	})
}

// underlying resolves a type to the struct, list or map that it is, with the scope of its parts. It returns nil for any
// other type and for types that are not ours.
func (x syntax) underlying(e ast.Expr, s scope) (ast.Expr, scope) {
	for range 100 { // stops at a type that is declared in terms of itself
		switch v := e.(type) {
		case *ast.ParenExpr:
			e = v.X
		case *ast.IndexExpr:
			e = v.X
		case *ast.IndexListExpr:
			e = v.X
		case *ast.Ident:
			d, known := x.types[s.dir+" "+s.pkg+"."+v.Name]
			if !known {
				return nil, s
			}
			e, s = d.expr, d.scope
		case *ast.SelectorExpr:
			called, _ := v.X.(*ast.Ident)
			if called == nil || s.imports[called.Name] == "" {
				return nil, s
			}
			d, known := x.in(s.imports[called.Name], v.Sel.Name)
			if !known {
				return nil, s
			}
			e, s = d.expr, d.scope
		default:
			return e, s
		}
	}
	return nil, s
}

// in finds a type of the package in a folder; the package's name may differ from the folder's.
func (x syntax) in(dir, name string) (typeDecl, bool) {
	if d, known := x.types[dir+" "+path.Base(dir)+"."+name]; known {
		return d, true
	}
	for key, d := range x.types {
		if strings.HasPrefix(key, dir+" ") && !strings.HasSuffix(d.scope.pkg, "_test") && strings.HasSuffix(key,
			"."+name) {
			return d, true
		}
	}
	return typeDecl{}, false
}

// literalFinder finds the literals of one file.
type literalFinder struct {
	syntax
	scope scope
	found []token.Pos
	count int
}

func (l *literalFinder) visit(n ast.Node) bool {
	// those without a type are reached from the one around them
	if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil {
		l.check(lit, lit.Type, l.scope)
	}
	return true
}

// check checks a literal of a type that is written in scope s, and the literals in it that omit their type.
func (l *literalFinder) check(lit *ast.CompositeLit, of ast.Expr, s scope) {
	l.count++
	e, in := l.underlying(of, s)
	switch v := e.(type) {
	case *ast.StructType:
		if len(lit.Elts) < keyedFrom {
			return
		}
		if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
			l.found = append(l.found, lit.Pos())
		}
	case *ast.ArrayType:
		for _, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			l.inner(x, v.Elt, in)
		}
	case *ast.MapType:
		for _, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				l.inner(kv.Key, v.Key, in)
				l.inner(kv.Value, v.Value, in)
			}
		}
	}
}

func (l *literalFinder) inner(x, of ast.Expr, s scope) {
	lit, ok := x.(*ast.CompositeLit)
	if !ok || lit.Type != nil {
		return
	}
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	l.check(lit, of, s)
}
