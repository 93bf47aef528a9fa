package static

import (
	"bytes"
	"io/fs"
	"path"
	"strings"
	"testing"
)

func TestLeanStyle(t *testing.T) {
	for in, want := range map[string]string{
		"/* a */\n.a  .b { color: red; margin: 0 1px; }\n\n.c,\n.d:hover > e { x: y }\n": ".a .b{color:red;margin:0 1px}.c,.d:hover > e{x:y}",
		`.a::before { content: " /* not; one */ : "; }`:                                  `.a::before{content:" /* not; one */ : "}`,
		".a :is(.b, .c) { width: calc(1px + 2px); }":                                     ".a :is(.b,.c){width:calc(1px + 2px)}",
		"@media (max-width: 3px) and (x: y) { .a { b: c; } }":                            "@media (max-width:3px) and (x:y){.a{b:c}}",
		".a{}/* x */.b { --y: ; }":                                                       ".a{}.b{--y:}",
		".a :not(.b) {} .a:not(.b) {}":                                                   ".a :not(.b){}.a:not(.b){}",
	} {
		if got := string(leanStyle([]byte(in))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestLeanScript(t *testing.T) {
	in := "// about\n\"use strict\";\n\n/** One. */\nfunction f() {\n  // why\n  return \"// no comment\"; // kept\n}\n/**\n * More.\n */\nf();\n"
	want := "\"use strict\";\nfunction f() {\nreturn \"// no comment\"; // kept\n}\nf();\n"
	if got := string(leanScript([]byte(in))); got != want {
		t.Errorf("got %s", got)
	}
}

// Our scripts have no texts of several lines, whose lines would be taken for comments, and no comments between /* and
// */ that begin a line.
func TestScriptsCanBeLean(t *testing.T) {
	names, err := fs.Glob(FS, "*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if vendored(name) {
			if sent, err := Served.ReadFile(name); err != nil || !bytes.Equal(sent, data) {
				t.Errorf("%s is not sent as it is", name)
			}
			continue
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.Count(line, "`")%2 == 1 && !strings.Contains(line, "/") {
				t.Errorf("%s:%d: a text of several lines", name, i+1)
			}
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "/*") && !strings.HasPrefix(trimmed, "/**") {
				t.Errorf("%s:%d: write // or /**", name, i+1)
			}
		}
	}
	for name, data := range leanFiles() {
		if len(data) < 200 || path.Ext(name) == ".css" && bytes.Contains(data, []byte("/*")) {
			t.Errorf("%s: %d bytes", name, len(data))
		}
		if path.Ext(name) != ".css" {
			continue
		}
		if open, closed := bytes.Count(data, []byte("{")), bytes.Count(data, []byte("}")); open != closed {
			t.Errorf("%s has %d { and %d }", name, open, closed)
		}
	}
}
