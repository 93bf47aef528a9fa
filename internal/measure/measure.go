package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxColumns is the longest line allowed; a tab counts as tabWidth columns.
const (
	maxColumns = 120
	tabWidth   = 4
)

// stretch is how many consecutive lines must be equal to count as repeated.
const stretch = 6

// source is one hand-written Go file that is not a test.
type source struct {
	name  string // slash-separated, from the root
	text  string
	files *token.FileSet
	file  *ast.File
}

// lines returns the file's lines without line ends.
func (s source) lines() []string { return strings.Split(strings.TrimSuffix(s.text, "\n"), "\n") }

// room returns the file's folder.
func (s source) room() string { return filepath.ToSlash(filepath.Dir(s.name)) }

// readSources reads every hand-written Go file below root that is not a test, in order of name.
func readSources(root string) ([]source, error) {
	var out []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && path != root
			if hidden || d.Name() == "testdata" || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, "_templ.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(name), string(text))
		out = append(out, s)
		return err
	})
	return out, err
}

func parse(name, text string) (source, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, text, parser.ParseComments)
	return source{name: name, text: text, files: files, file: f}, err
}

// figures holds the measurements; lengths are in lines.
type figures struct {
	functions, fileLengths []int
	exported, documented   int
	lines, long            int
	rooms                  map[string]int // lines by folder
	repeated, stretches    int            // number of lines in repeated stretches, and number of such stretches
}

func measure(sources []source) figures {
	f := figures{rooms: map[string]int{}}
	for _, s := range sources {
		lines := s.lines()
		f.fileLengths = append(f.fileLengths, len(lines))
		f.rooms[s.room()] += len(lines)
		f.lines += len(lines)
		for _, l := range lines {
			if columns(l) > maxColumns {
				f.long++
			}
		}
		f.declarations(s)
	}
	f.repeated, f.stretches = repeats(sources)
	return f
}

// columns returns the width of a line.
func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// declarations counts the functions and the exported names of a file. A name in a group is documented by its own
// comment or by the group's.
func (f *figures) declarations(s source) {
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				from, to := s.files.Position(d.Pos()).Line, s.files.Position(d.End()).Line
				f.functions = append(f.functions, to-from+1)
			}
			if d.Name.IsExported() && exportedReceiver(d) {
				f.count(d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						f.count(spec.Doc, d.Doc, spec.Comment)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							f.count(spec.Doc, d.Doc, spec.Comment)
						}
					}
				}
			}
		}
	}
}

// exportedReceiver reports whether d is a function, or a method of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// count counts an exported name, and counts it as documented if any of the comments is present.
func (f *figures) count(comments ...*ast.CommentGroup) {
	f.exported++
	if slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
		f.documented++
	}
}

// repeats counts the lines in stretches that also occur elsewhere. It ignores empty lines, comments, imports and lines
// of brackets only, so that layout neither hides a copy nor looks like one.
func repeats(sources []source) (lines, stretches int) {
	type place struct{ source, line int }
	code := make([][]string, len(sources))
	seen := map[string][]place{}
	for i, s := range sources {
		code[i] = significant(s)
		for at := range max(0, len(code[i])-stretch+1) {
			key := strings.Join(code[i][at:at+stretch], "\n")
			seen[key] = append(seen[key], place{source: i, line: at})
		}
	}
	marked := map[place]bool{}
	for _, places := range seen {
		if len(places) < 2 {
			continue
		}
		for _, p := range places {
			for n := range stretch {
				marked[place{source: p.source, line: p.line + n}] = true
			}
		}
	}
	for p := range marked {
		if !marked[place{source: p.source, line: p.line - 1}] {
			stretches++
		}
	}
	return len(marked), stretches
}

// significant returns the lines of a file that repeats compares, without their indentation.
func significant(s source) []string {
	imports := map[int]bool{}
	for _, d := range s.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			for n := s.files.Position(g.Pos()).Line; n <= s.files.Position(g.End()).Line; n++ {
				imports[n] = true
			}
		}
	}
	var out []string
	for i, l := range s.lines() {
		l = strings.TrimSpace(l)
		if imports[i+1] || strings.HasPrefix(l, "//") || strings.HasPrefix(l, "package ") ||
			strings.Trim(l, "(){}[],; ") == "" {
			continue
		}
		out = append(out, l)
	}
	return out
}

// String returns the figures, one per line.
func (f figures) String() string {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%-28s"+format+"\n", append([]any{what}, args...)...)
	}
	line("files", "%d, %d lines", len(f.fileLengths), f.lines)
	line("function, median / p90", "%d / %d lines (%d functions)", quantile(f.functions, 50),
		quantile(f.functions, 90), len(f.functions))
	line("file, median / p90", "%d / %d lines", quantile(f.fileLengths, 50), quantile(f.fileLengths, 90))
	line("exported names documented", "%s of %d", percent(f.documented, f.exported), f.exported)
	line("lines over 120 columns", "%s (%d)", percent(f.long, f.lines), f.long)
	rooms := slices.SortedFunc(maps.Keys(f.rooms), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.rooms[b], f.rooms[a]), cmp.Compare(a, b))
	})
	for i, r := range rooms[:min(3, len(rooms))] {
		line([]string{"largest room", "second", "third"}[i], "%s, %d lines", r, f.rooms[r])
	}
	line(fmt.Sprintf("repeated, %d lines or more", stretch), "%d lines in %d stretches", f.repeated, f.stretches)
	return b.String()
}

// quantile returns the value that p percent of the values do not exceed; 0 if there are no values.
func quantile(values []int, p int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)*p/100]
}

func percent(n, of int) string {
	if of == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
