package typeset

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// object is a PDF object in qpdf's JSON.
type object = map[string]any

// objectsOf reads a file's objects with qpdf; a stream is represented by its dictionary.
func objectsOf(t *testing.T, file string) map[string]object {
	t.Helper()
	var said struct {
		Qpdf []map[string]json.RawMessage `json:"qpdf"`
	}
	require.NoError(t, json.Unmarshal([]byte(runTool(t, "qpdf", "--json=2", "--json-stream-data=none", file)), &said))
	out := map[string]object{}
	for key, raw := range said.Qpdf[1] {
		var o struct {
			Value  any
			Stream struct{ Dict object }
		}
		require.NoError(t, json.Unmarshal(raw, &o))
		if dict, ok := o.Value.(object); ok {
			out[strings.TrimPrefix(key, "obj:")] = dict
		} else if o.Stream.Dict != nil {
			out[strings.TrimPrefix(key, "obj:")] = o.Stream.Dict
		}
	}
	return out
}

// TestPDFA checks the parts of ISO 19005-3 (PDF/A-3u) that are visible in a file's structure. There is
// no validator here.
func TestPDFA(t *testing.T) {
	for name, d := range map[string]*Doc{"sample": sample(30), "nasty": nastyDoc(nasties[6]),
		"long": nastyDoc(strings.Repeat("ك é ", 2100)), "empty": {}} {
		t.Run(name, func(t *testing.T) {
			file := writeFile(t, d,
				[]Attachment{{Name: "a.json", MIME: "application/json", Relation: "Source", Content: []byte("{}")}})
			checkFileSyntax(t, file)
			objects := objectsOf(t, file)
			checkPDFACatalog(t, objects)
			for key, o := range objects {
				checkPDFAObject(t, key, o, objects)
			}
		})
	}
}

// checkFileSyntax checks header, end and line ends (6.1.2, 6.1.3, 6.1.7.1, 6.1.9).
func checkFileSyntax(t *testing.T, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Regexp(t, `^%PDF-1\.7\n%[^\x00-\x7f]{4}\n`, string(raw[:20]))
	require.True(t, bytes.HasSuffix(raw, []byte("%%EOF\n")))
	require.Equal(t, 1, bytes.Count(raw, []byte("startxref\n")))
	_, trailer, _ := bytes.Cut(raw, []byte("/Type/XRef"))
	trailer, _, _ = bytes.Cut(trailer, []byte("stream\n"))
	require.Regexp(t, `/ID\[<[0-9a-f]{32}><[0-9a-f]{32}>\]`, string(trailer))
	require.NotContains(t, string(trailer), "/Encrypt")
	require.Contains(t, string(raw), "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>",
		"not compressed")
}

func checkPDFACatalog(t *testing.T, objects map[string]object) {
	t.Helper()
	ref := func(v any) object { return objects[v.(string)] }
	root := ref(objects["trailer"]["/Root"])
	require.Equal(t, object{"/Marked": true}, root["/MarkInfo"])
	require.NotNil(t, root["/StructTreeRoot"])
	require.NotEmpty(t, root["/Lang"])
	intents := root["/OutputIntents"].([]any)
	require.Len(t, intents, 1)
	intent := intents[0].(object)
	require.Equal(t, "/GTS_PDFA1", intent["/S"])
	require.EqualValues(t, 3, ref(intent["/DestOutputProfile"])["/N"])
	metadata := ref(root["/Metadata"])
	require.Equal(t, []any{"/Metadata", "/XML", nil},
		[]any{metadata["/Type"], metadata["/Subtype"], metadata["/Filter"]})
	associated := root["/AF"].([]any)
	names := root["/Names"].(object)["/EmbeddedFiles"].(object)["/Names"].([]any)
	require.Len(t, names, 2*len(associated))
	for i, a := range associated {
		require.Equal(t, names[2*i+1], a)
		spec := ref(a)
		require.Contains(t, []any{"/Source", "/Data", "/Alternative", "/Supplement", "/Unspecified"},
			spec["/AFRelationship"])
		require.Equal(t, spec["/F"], spec["/UF"])
		embedded := ref(spec["/EF"].(object)["/F"])
		require.NotEmpty(t, embedded["/Subtype"])
		require.NotEmpty(t, embedded["/Params"].(object)["/ModDate"])
	}
	for _, banned := range []string{"/AA", "/OpenAction", "/AcroForm", "/OCProperties", "/Requirements",
		"/NeedsRendering"} {
		require.NotContains(t, root, banned)
	}
}

// checkPDFAObject checks one object: fonts are embedded with CMaps to Unicode, only allowed filters and limits are
// used, and nothing is transparent, interactive or live.
func checkPDFAObject(t *testing.T, key string, o object, objects map[string]object) {
	t.Helper()
	for _, banned := range []string{"/Group", "/SMask", "/CA", "/ca", "/BM", "/TR", "/TR2", "/HTO", "/Annots", "/AA",
		"/PS", "/OPI", "/Alternates", "/F"} {
		if banned != "/F" || o["/Length"] != nil { // a stream must not refer to an external file
			require.NotContains(t, o, banned, key)
		}
	}
	require.Contains(t, []any{nil, "/FlateDecode"}, o["/Filter"], key)
	require.NotContains(t, []any{"/JavaScript", "/Launch", "/URI", "/GoToR"}, o["/S"], key)
	checkPDFALimits(t, key, o)
	switch o["/Subtype"] {
	case "/Type0":
		require.NotNil(t, objects[o["/ToUnicode"].(string)], key)
		require.Equal(t, "/Identity-H", o["/Encoding"])
		below := objects[o["/DescendantFonts"].([]any)[0].(string)]
		require.Equal(t, []any{"/CIDFontType2", o["/BaseFont"]}, []any{below["/Subtype"], below["/BaseFont"]})
		require.Equal(t, "/Identity", below["/CIDToGIDMap"])
		descriptor := objects[below["/FontDescriptor"].(string)]
		require.Equal(t, o["/BaseFont"], descriptor["/FontName"])
		require.NotNil(t, objects[descriptor["/FontFile2"].(string)])
	case "/Type1", "/TrueType", "/Type3", "/Image", "/PS":
		require.Fail(t, key)
	}
}

// checkPDFALimits checks lengths of names and strings (6.1.13).
func checkPDFALimits(t *testing.T, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "/") {
			require.LessOrEqual(t, len(v), 128, key)
		}
		require.LessOrEqual(t, 2*len([]rune(v)), 32767, key)
	case []any:
		for _, e := range v {
			checkPDFALimits(t, key, e)
		}
	case object:
		for name, e := range v {
			require.LessOrEqual(t, len(name), 128, key)
			checkPDFALimits(t, key, e)
		}
	}
}
