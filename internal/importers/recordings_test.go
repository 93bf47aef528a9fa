package importers

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"sanad/internal/recode"
)

// TestRecordings reads what the variable SANAD_RECORDINGS names, as `.ci/recordings` does: a folder of cassettes (of
// VCR and its kin), each with requests to providers and their answers. It counts those whose request has results of
// tools, and of these the ones that are read, and that have the results as documents.
func TestRecordings(t *testing.T) {
	folder := os.Getenv("SANAD_RECORDINGS")
	if folder == "" {
		t.Skip("run by .ci/recordings, with a folder of recorded requests")
	}
	sums := map[string]*recordingFigures{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		for i, x := range exchanges(path, data) {
			f := cmp.Or(sums[first], &recordingFigures{})
			sums[first] = f
			t.Logf("%s#%d: %s", name, i, f.count(&x))
		}
		return nil
	}))
	whole := &recordingFigures{}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		t.Logf("%-40s %s", name, sums[name])
		whole.add(sums[name])
	}
	t.Logf("%-40s %s", "together", whole)
}

// exchange is a request with its answer.
type exchange struct {
	request, response string
	answers           bool // whether the answer has words
}

// cassette is a recording of VCR, and of pydantic-ai's, which has bodies as YAML.
type cassette struct {
	Interactions []struct {
		Request  cassetteBody `yaml:"request"`
		Response cassetteBody `yaml:"response"`
	} `yaml:"interactions"`
}

type cassetteBody struct {
	Body   any `yaml:"body"`
	Parsed any `yaml:"parsed_body"`
}

// text returns a body as it was sent.
func (b *cassetteBody) text() string {
	if b.Parsed != nil {
		out, _ := json.Marshal(b.Parsed)
		return string(out)
	}
	body := b.Body
	if m, ok := body.(map[string]any); ok {
		body = cmp.Or(m["string"], m["base64_string"])
	}
	switch said := body.(type) {
	case string:
		zipped, err := gzip.NewReader(strings.NewReader(said))
		if err != nil {
			return said
		}
		out, _ := io.ReadAll(zipped)
		return string(out)
	case nil:
		return ""
	}
	out, _ := json.Marshal(body)
	return string(out)
}

// answerWords tells answers with words, in any provider's shape.
var answerWords = regexp.MustCompile(`"(text|content|output_text|delta)": ?"[^"]*[\p{L}\d]`)

// exchanges returns the requests of a cassette that have results of tools.
func exchanges(path string, data []byte) (out []exchange) {
	var c cassette
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json":
		if !bytes.Contains(data, []byte("interactions")) || yaml.Unmarshal(data, &c) != nil {
			return nil
		}
	}
	for i := range c.Interactions {
		x := exchange{request: c.Interactions[i].Request.text(), response: c.Interactions[i].Response.text()}
		if json.Valid([]byte(x.request)) && toolResult.MatchString(x.request) {
			x.answers = answerWords.MatchString(x.response)
			out = append(out, x)
		}
	}
	return out
}

// toolResult tells requests that have what a tool returned.
var toolResult = regexp.MustCompile(
	`"role": ?"tool"|"type": ?"tool_result"|function_call_output|"functionResponse"|"function_response"|"toolResult"`)

// file returns the exchange as a file that Sanad takes.
func (x *exchange) file() []byte {
	if json.Valid([]byte(x.response)) {
		return []byte(`{"request":` + x.request + `,"response":` + x.response + `}`)
	}
	events, err := recode.Events(x.response)
	if err != nil {
		return []byte(x.response)
	}
	return []byte(`{"request":` + x.request + "," + strings.TrimPrefix(events, "{"))
}

// recordingFigures counts exchanges with results of tools.
type recordingFigures struct{ all, silent, taken, sourced int }

// count reads an exchange and says how it went.
func (f *recordingFigures) count(x *exchange) string {
	f.all++
	r, err := Read(x.file(), Options{Claimless: true})
	if err != nil && !x.answers {
		f.silent++
		return "silent"
	}
	if err != nil {
		return "refused " + err.Error()
	}
	f.taken++
	if len(r.Session.Documents) == 0 {
		return "bare    " + r.Format
	}
	f.sourced++
	return fmt.Sprintf("sourced %s, %d documents", r.Format, len(r.Session.Documents))
}

func (f *recordingFigures) add(g *recordingFigures) {
	f.all, f.silent, f.taken, f.sourced = f.all+g.all, f.silent+g.silent, f.taken+g.taken, f.sourced+g.sourced
}

func (f *recordingFigures) String() string {
	return fmt.Sprintf("%d with results of tools, %d without words in the answer, %d taken, %d with documents",
		f.all, f.silent, f.taken, f.sourced)
}
