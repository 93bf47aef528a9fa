package handlers_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"sanad/internal/domain"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
	"sanad/internal/thorough"
)

// Walks over every route, tool and format with bodies of ten million empty items, and of nearly as many as are taken
// (rule SEC-9): none may cost much memory or time of the processor, and whatever reads a body refuses one with too many
// items and names the place. Routes come from the router, lists from the API's description and the tools' schemas,
// formats from the importers' samples, so that a new one is walked without being entered here. make test takes a sample
// of the bodies at each.

// unrefused are the calls that need not refuse a body for its items: one takes bytes of any kind, the other says first
// that the world's pack is no draft.
var unrefused = map[string]bool{"PUT /api/v1/lake/*": true, "DELETE /api/v1/packs/:id/attachments": true}

// bodyOf returns what a call of the API says of its JSON body, nil if it takes none.
func bodyOf(r handlers.Route) map[string]any {
	for _, o := range webtest.Described().Operations {
		if o.Method != r.Method || o.Path != template(r.Path) {
			continue
		}
		body, _ := o.Operation["requestBody"].(map[string]any)
		content, _ := body["content"].(map[string]any)
		media, _ := content["application/json"].(map[string]any)
		schema, _ := media["schema"].(map[string]any)
		return schema
	}
	return nil
}

// pathOf returns the address of a route in the world of a test.
func pathOf(w *webtest.World, r handlers.Route) string {
	if path := matrix[r.Method+" "+r.Path].path; path != "" {
		return w.Fill(path)
	}
	return w.Fill(r.Path)
}

// fewer is a body with nearly as many items as are taken.
func (b bulk) fewer() bulk {
	b.n, b.name, b.taken = mostItems, b.name+", as many as are taken", true
	return b
}

// list is a body with nearly as many items as a list may have.
func (b bulk) list() bulk {
	b.n, b.name, b.taken = listItems, b.name+", as many as a list has", true
	return b
}

func TestBulkOfTheAPI(t *testing.T) {
	w, most, random := webtest.NewWorld(t), &walk{}, thorough.Random(t)
	defer func() { most.end(t) }()
	for _, r := range handlers.Routes() {
		if r.Method == http.MethodGet || !strings.HasPrefix(r.Path, "/api/") {
			continue
		}
		key, all := r.Method+" "+r.Path, jsonBulks()
		if schema := bodyOf(r); schema != nil {
			all = append(all, lists(webtest.Described().Doc, schema, "", "", "", nil)...)
		}
		for _, b := range all[:len(all):len(all)] {
			all = append(all, b.fewer(), b.list())
		}
		for _, b := range thorough.Sample(random, all, 2) {
			var rec *httptest.ResponseRecorder
			most.bound(t, key+", "+b.name, &b, func() {
				rec = sent(w, r.Method, pathOf(w, r), b.reader(), "Content-Type", "application/json")
			})
			checkBulk(t, key, &b, rec, bodyOf(r) != nil)
		}
	}
}

// checkBulk checks the answer to a body of the API.
func checkBulk(t *testing.T, key string, b *bulk, rec *httptest.ResponseRecorder, reads bool) {
	t.Helper()
	switch {
	case !reads || unrefused[key] || b.taken:
		require.Less(t, rec.Code, 500, "%s, %s: %s", key, b.name, rec.Body)
		return
	case b.only != 0:
		// 202: a job reads a large import; 200: the packer of sources never fails (rule S-3)
		require.Contains(t, []int{b.only, 413, 422, 202, 200}, rec.Code, "%s, %s: %s", key, b.name, rec.Body)
		return
	}
	p := webtest.Get[webtest.Problem](t, rec, 413)
	require.Contains(t, p.Path, b.place, "%s, %s", key, b.name)
	require.NotEmpty(t, p.Detail, "%s, %s", key, b.name)
}

// formless are the pages that read no form, whatever is sent, and those of somebody who is not asked for a code.
var formless = map[string]bool{
	"/account/devices/end": true, "/account/totp/new": true, "/admin/keys/:purpose/rotate": true,
	"/admin/models/:id/test": true, "/admin/tokens/:id/revoke": true, "/admin/users/:id/disable": true,
	"/admin/users/:id/enable": true, "/admin/users/:id/password": true, "/admin/users/:id/totp-off": true,
	"/admin/webhooks/:id/disable": true, "/admin/webhooks/:id/enable": true, "/admin/webhooks/:id/remove": true,
	"/admin/webhooks/:id/rotate": true, "/admin/webhooks/:id/test": true, "/audit/verify": true, "/jobs/:id/cancel": true,
}

// A page reads no form of ten million fields, whichever kind it has.
func TestBulkOfForms(t *testing.T) {
	w, most := webtest.NewWorld(t), &walk{}
	defer func() { most.end(t) }()
	part := "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n"
	const typed, parts = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
	type form struct {
		kind string
		bulk
	}
	kinds := []form{
		{typed, bulk{name: "empty fields", item: same("a&"), n: bulkItems}},
		{typed, bulk{name: "fields", item: numbered("%d=&"), n: bulkItems}},
		{typed, bulk{name: "a long field", head: "answer=", item: same("x"), n: bulkItems}},
		{typed, bulk{name: "nearly a long field", head: "answer=", item: same("x"), n: 8_000_000, taken: true}},
		{parts, bulk{name: "parts", item: same(part), n: bulkItems / 10, tail: "--b--\r\n"}},
		{parts, bulk{name: "parts' headers", head: "--b\r\n", item: numbered("X-%d: 0\r\n"), n: bulkItems}},
		{parts, bulk{name: "a part's long header", head: "--b\r\nX: ", item: same("x"), n: bulkItems}},
		{parts, bulk{name: "a long part", head: strings.TrimSuffix(part, "\r\n"), item: same("x"), n: bulkItems}},
		{parts, bulk{name: "boundaries", item: same("--b\r\n"), n: bulkItems}},
	}
	random := thorough.Random(t)
	for _, r := range handlers.Routes() {
		if r.Method == http.MethodGet || webtest.TakesTokens(r.Path) && bodyOf(r) == nil || r.Path == "/logout" {
			continue
		}
		for _, b := range thorough.Sample(random, kinds, 2) {
			key := r.Method + " " + r.Path + ", " + b.name
			var rec *httptest.ResponseRecorder
			most.bound(t, key, &b.bulk, func() {
				rec = sent(w, r.Method, pathOf(w, r), b.reader(), "Content-Type", b.kind)
			})
			require.Less(t, rec.Code, 500, "%s: %s", key, rec.Body)
			if !b.taken && !formless[r.Path] {
				require.GreaterOrEqual(t, rec.Code, 400, key)
			}
		}
	}
}

// Addresses have as many parameters as the server's bound of a request's head leaves room for.
func TestBulkOfParameters(t *testing.T) {
	w, most := webtest.NewWorld(t), &walk{}
	defer func() { most.end(t) }()
	for _, r := range handlers.Routes() {
		if r.Method != http.MethodGet || strings.Contains(r.Path, "events") {
			continue
		}
		queries := []string{"q=" + strings.Repeat("x", 60_000), strings.Repeat("q&", 30_000),
			"q=" + strings.Repeat("a+", 30_000), "limit=" + strings.Repeat("9", 60_000), "cursor=" + strings.Repeat("x", 60_000), strings.Repeat("verdict=x&", 6_000)}
		for _, q := range queries {
			at, _, _ := strings.Cut(pathOf(w, r), "?")
			var rec *httptest.ResponseRecorder
			most.bound(t, r.Path+"?"+q[:9], &bulk{}, func() { rec = sent(w, r.Method, at+"?"+q, nil) })
			require.NotEqual(t, 500, rec.Code, "%s?%s: %s", r.Path, q[:9], rec.Body)
		}
	}
}

// Every tool of agents, with the lists of its schema.
func TestBulkOfTools(t *testing.T) {
	w, most, random := webtest.NewWorld(t), &walk{}, thorough.Random(t)
	defer func() { most.end(t) }()
	post := func(body io.Reader) *httptest.ResponseRecorder {
		return sent(w, "POST", "/mcp", body, "Content-Type", "application/json",
			"Accept", "application/json, text/event-stream")
	}
	type tool struct {
		Name        string
		InputSchema map[string]any
	}
	known := webtest.Get[struct{ Result struct{ Tools []tool } }](t,
		post(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)), 200).Result.Tools
	require.Greater(t, len(known), 5)
	for _, x := range known {
		all := append(jsonBulks(), lists(x.InputSchema, x.InputSchema, "", "", "", nil)...)
		for _, b := range all[:len(all):len(all)] {
			few := b.fewer()
			few.n /= 2 // a message has half as many bytes
			all = append(all, few)
		}
		for _, b := range thorough.Sample(random, all, 2) {
			b.head = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + x.Name + `","arguments":` + b.head
			b.tail += "}}"
			var rec *httptest.ResponseRecorder
			most.bound(t, x.Name+", "+b.name, &b, func() { rec = post(b.reader()) })
			require.Less(t, rec.Code, 500, "%s, %s: %s", x.Name, b.name, rec.Body)
			if !b.taken && b.only == 0 {
				require.Equal(t, 413, rec.Code, "%s, %s: %s", x.Name, b.name, rec.Body)
				require.Contains(t, rec.Body.String(), `"params`, "%s, %s", x.Name, b.name)
				require.Contains(t, rec.Body.String(), b.place, "%s, %s", x.Name, b.name)
			}
		}
	}
}

// around returns the beginning of messages of protobuf within one another, whose innermost has length bytes.
func around(length int, numbers ...protowire.Number) string {
	var out string
	for _, n := range slices.Backward(numbers) {
		head := protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.BytesType), uint64(length))
		out = string(head) + out
		length += len(head)
	}
	return out
}

// packed returns a body in gzip.
func packed(t *testing.T, body io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.Copy(z, body)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// Traces in both encodings, packed and as they are.
func TestBulkOfTraces(t *testing.T) {
	w, most := webtest.NewWorld(t), &walk{}
	defer func() { most.end(t) }()
	empty := func(name string, field protowire.Number, n int, numbers ...protowire.Number) bulk {
		item := protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.BytesType), 0)
		return bulk{name: name, place: "resourceSpans", head: around(n*len(item), numbers...), item: same(string(item)), n: n}
	}
	var proto []bulk
	for _, n := range []int{7_900_000, mostItems, 90_000} {
		for _, x := range []struct {
			name    string
			field   protowire.Number
			numbers []protowire.Number
		}{
			{"resources", 1, nil}, {"resource attributes", 1, []protowire.Number{1, 1}}, {"scopes", 2, []protowire.Number{1}},
			{"scope attributes", 3, []protowire.Number{1, 2, 1}}, {"spans", 2, []protowire.Number{1, 2}},
			{"attributes", 9, []protowire.Number{1, 2, 2}}, {"events", 11, []protowire.Number{1, 2, 2}},
			{"links", 13, []protowire.Number{1, 2, 2}}, {"values", 1, []protowire.Number{1, 2, 2, 9, 2, 5}},
			{"pairs", 1, []protowire.Number{1, 2, 2, 9, 2, 6}}, {"event attributes", 3, []protowire.Number{1, 2, 2, 11}},
			{"unknown fields", 15, []protowire.Number{1, 2, 2}},
		} {
			b := empty(fmt.Sprint(n, " ", x.name), x.field, n, x.numbers...)
			b.taken = n < 7_900_000
			proto = append(proto, b)
		}
	}
	crowded := around(2*90_000, 2) + strings.Repeat("\x4a\x00", 90_000)
	proto = append(proto, bulk{
		name: "many spans of many attributes", head: around(11*len(crowded), 1, 2), item: same(crowded), n: 11, taken: true,
	})
	deep := make([]protowire.Number, 1_000)
	for i := range deep {
		deep[i] = []protowire.Number{5, 1}[i%2]
	}
	proto = append(proto, empty("deep values", 1, 1, append([]protowire.Number{1, 2, 2, 9, 2}, deep...)...))
	proto[len(proto)-1].taken = true
	all := jsonBulks()
	for place, around := range map[string][2]string{
		"resourceSpans": {`{"resourceSpans":[`, `]}`}, "scopeSpans": {`{"resourceSpans":[{"scopeSpans":[`, `]}]}`},
		"spans":      {`{"resourceSpans":[{"scopeSpans":[{"spans":[`, `]}]}]}`},
		"attributes": {`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[`, `]}]}]}]}`},
		"values": {`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":{"arrayValue":{"values":[`,
			`]}}}]}]}]}]}`},
		"resource.attributes": {`{"resourceSpans":[{"resource":{"attributes":[`, `]}}]}`},
	} {
		b := bulk{name: place, place: place, head: around[0], item: same("{},"), n: bulkItems, tail: "{}" + around[1]}
		few := b.fewer()
		least := few
		least.n = 90_000
		all = append(all, b, few, least)
	}
	for kind, list := range map[string][]bulk{"application/x-protobuf": proto, "application/json": all} {
		for _, b := range thorough.Sample(thorough.Random(t), list, 5) {
			gz := packed(t, b.reader())
			for way, do := range map[string]func() *httptest.ResponseRecorder{
				"plain": func() *httptest.ResponseRecorder {
					return sent(w, "POST", "/v1/traces", b.reader(), "Content-Type", kind)
				},
				"gzip": func() *httptest.ResponseRecorder {
					return sent(w, "POST", "/v1/traces", bytes.NewReader(gz), "Content-Type", kind, "Content-Encoding", "gzip")
				},
			} {
				key := kind + ", " + way + ", " + b.name
				var rec *httptest.ResponseRecorder
				most.bound(t, key, &b, func() { rec = do() })
				require.Less(t, rec.Code, 500, "%s: %s", key, rec.Body)
				if !b.taken && b.only == 0 {
					require.Equal(t, 413, rec.Code, "%s: %s", key, rec.Body)
					if kind == "application/json" {
						require.Contains(t, rec.Body.String(), b.place, key)
					}
				}
			}
		}
	}
}

// Every format of an import, in each list of each sample.
func TestBulkOfFormats(t *testing.T) {
	most := &walk{}
	defer func() { most.end(t) }()
	names, err := filepath.Glob("../importers/testdata/*/*.json*")
	require.NoError(t, err)
	require.Greater(t, len(names), 20)
	all := []bulk{}
	for _, name := range append(names, "../importers/testdata/leave.json") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		first, _, _ := bytes.Cut(data, []byte("\n{"))
		var v any
		if json.Unmarshal(first, &v) != nil {
			continue
		}
		for place, around := range places(v, "") {
			for _, item := range []string{"{}", `""`, "[]"} {
				all = append(all, bulk{name: strings.TrimPrefix(name, "../importers/testdata/") +
					" " + place + " of " + item, head: around[0], item: same(item + ","), n: mostItems, tail: item + around[1], taken: true})
			}
		}
	}
	slices.SortFunc(all, func(a, b bulk) int { return strings.Compare(a.name, b.name) })
	for _, b := range thorough.Sample(thorough.Random(t), all, 12) {
		data, err := io.ReadAll(b.reader())
		require.NoError(t, err)
		most.bound(t, b.name, &b, func() {
			_, err = importers.Read(data, importers.Options{})
		})
		var fault *domain.Error
		if err != nil {
			require.ErrorAs(t, err, &fault, b.name)
		}
		most.bound(t, b.name+", as a file", &b, func() {
			err = importers.ReadEach(bytes.NewReader(data), int64(len(data)), importers.Options{},
				func(*importers.Result, *domain.Error) error { return nil })
		})
		if err != nil {
			require.ErrorAs(t, err, &fault, b.name)
		}
	}
}

// places returns what stands before and after the items of each list in a value, by the place; of the items of a list,
// the first is looked into.
func places(v any, place string) map[string][2]string {
	out := map[string][2]string{}
	within := func(v any, place string, before, after string) {
		for at, around := range places(v, place) {
			out[at] = [2]string{before + around[0], around[1] + after}
		}
	}
	switch v := v.(type) {
	case []any:
		out[place+"[]"] = [2]string{"[", "]"}
		if len(v) > 0 {
			within(v[0], place+"[]", "[", "]")
		}
	case map[string]any:
		whole, _ := json.Marshal(v)
		rest := strings.TrimSuffix(string(whole), "}")
		out[place+".unknown"] = [2]string{rest + `,"unknown":[`, "]}"}
		for name, value := range v {
			others := map[string]any{}
			for n, o := range v {
				if n != name {
					others[n] = o
				}
			}
			text, _ := json.Marshal(others)
			before := strings.TrimSuffix(string(text), "}")
			if len(others) > 0 {
				before += ","
			}
			quoted, _ := json.Marshal(name)
			within(value, place+"."+name, before+string(quoted)+":", "}")
		}
	}
	return out
}
