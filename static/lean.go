package static

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Served holds the files as they are sent: our style sheets and scripts without comments and indentation, which are a
// seventh of their bytes after compression. What is vendored is sent as it is.
var Served fs.ReadFileFS = served{}

type served struct{}

func (served) Open(name string) (fs.File, error) { return FS.Open(name) }

// ReadFile returns what is sent under a name.
func (served) ReadFile(name string) ([]byte, error) {
	if data, ok := leanFiles()[name]; ok {
		return data, nil
	}
	return FS.ReadFile(name)
}

var leanFiles = sync.OnceValue(func() map[string][]byte {
	out := map[string][]byte{}
	names, err := fs.Glob(FS, "*")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		lean := map[string]func([]byte) []byte{".css": leanStyle, ".js": leanScript}[path.Ext(name)]
		if lean == nil || vendored(name) {
			continue
		}
		data, err := FS.ReadFile(name)
		if err != nil {
			panic(err)
		}
		out[name] = lean(data)
	}
	return out
})

func vendored(name string) bool {
	return strings.Contains(name, ".min.") || strings.Contains(name, "_nowasm_")
}

// styleParts finds the strings of a style sheet, which stay, its comments, and the white space that says nothing:
// around braces, commas and semicolons, after colons (before one it can join two selectors), and where it is more than
// one.
var styleParts = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?s:/\*.*?\*/)|;?\s*\}\s*|\s*[{;,]\s*|:\s+|\s+`)

// leanStyle leaves out comments and white space.
func leanStyle(css []byte) []byte {
	plain := styleParts.ReplaceAllFunc(css, func(b []byte) []byte {
		if bytes.HasPrefix(b, []byte("/*")) {
			return nil
		}
		return b
	})
	return styleParts.ReplaceAllFunc(bytes.TrimSpace(plain), func(b []byte) []byte {
		if b[0] == '"' || b[0] == '\'' {
			return b
		}
		if t := bytes.TrimSpace(b); len(t) > 0 {
			return t[len(t)-1:]
		}
		return []byte(" ")
	})
}

// leanScript leaves out indentation, and lines that are only a comment. Line ends stay, and so does what stands in a
// line: a script's strings and expressions are not looked into. Our scripts have no text of several lines.
func leanScript(js []byte) []byte {
	var out bytes.Buffer
	comment := false
	for line := range bytes.Lines(js) {
		line = bytes.TrimSpace(line)
		opens := bytes.HasPrefix(line, []byte("/**"))
		switch {
		case len(line) == 0 || bytes.HasPrefix(line, []byte("//")):
		case comment || opens:
			comment = !bytes.HasSuffix(line, []byte("*/"))
		default:
			out.Write(append(line, '\n'))
		}
	}
	return out.Bytes()
}
