package static

import (
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
)

// Served holds the files as they are sent: our style sheets and scripts minified. What is vendored is sent as it is.
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
	m, out := minify.New(), map[string][]byte{}
	m.Add(".css", &css.Minifier{})
	m.Add(".js", &js.Minifier{})
	names, err := fs.Glob(FS, "*")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		kind := path.Ext(name)
		if kind != ".css" && kind != ".js" || vendored(name) {
			continue
		}
		data, err := FS.ReadFile(name)
		if err != nil {
			panic(err)
		}
		if out[name], err = m.Bytes(kind, data); err != nil {
			panic(err)
		}
	}
	return out
})

func vendored(name string) bool {
	return strings.Contains(name, ".min.") || strings.Contains(name, "_nowasm_")
}
