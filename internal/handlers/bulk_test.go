package handlers_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

const (
	bulkItems  = 10_000_000
	mostItems  = 1_040_000   // nearly as many as a body of the API may have
	listItems  = 99_990      // nearly as many as a list may have
	bulkMemory = 64 << 20    // what a request that is refused may add to the server's memory, in bytes
	hadMemory  = 192 << 20   // and one that is taken, which reserves a KiB for each value
	bulkTime   = time.Second // of the processor, for one that is refused
	hadTime    = 3 * bulkTime
)

// bulk is a body made as it is read: a head, an item as often as n says, and a tail.
type bulk struct {
	name       string // for the test's log
	place      string // what the refusal names
	head, tail string
	item       func(to []byte, i int) []byte
	n          int
	taken      bool // it has no more than is taken, so that it may be refused for what it says, or not at all
	only       int  // what it may be refused with beside 413 and 422, if not its items are too many; 0 for nothing
}

// same returns an item that is the same each time.
func same(s string) func([]byte, int) []byte {
	return func(to []byte, _ int) []byte { return append(to, s...) }
}

// numbered returns an item with its number in place of %d.
func numbered(s string) func([]byte, int) []byte {
	return func(to []byte, i int) []byte { return fmt.Appendf(to, s, i) }
}

// reader returns the body. It holds 64 KiB of it at a time.
func (b *bulk) reader() io.Reader {
	return io.MultiReader(strings.NewReader(b.head), &items{of: b}, strings.NewReader(b.tail))
}

type items struct {
	of         *bulk
	i          int
	made, left []byte
}

func (r *items) Read(p []byte) (int, error) {
	if len(r.left) == 0 {
		r.made = r.made[:0]
		for ; r.i < r.of.n && len(r.made) < 64<<10; r.i++ {
			r.made = r.of.item(r.made, r.i)
		}
		r.left = r.made
	}
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// jsonBulks returns the bodies that every call that takes JSON gets, whatever it knows.
func jsonBulks() []bulk {
	one := func(name, place, head, item, tail string) bulk {
		return bulk{name: name, place: place, head: head, item: same(item), n: bulkItems, tail: tail}
	}
	broken := func(name, head, item, tail string) bulk {
		b := one(name, "", head, item, tail)
		b.only = 400
		return b
	}
	spaces := one("empty lines", "", ``, "\n", `{}`)
	spaces.taken = true
	return []bulk{
		one("unknown list", "unknown", `{"unknown":[`, `{},`, `{}]}`),
		one("list in place of an object", "", `[`, `{},`, `{}]`),
		one("repeated names", "", `{`, `"a":0,`, `"a":0}`),
		{name: "members", head: `{"unknown":{`, item: numbered(`"%d":0,`), n: bulkItems, tail: `"x":0}}`, place: "unknown"},
		one("rows", "", ``, "{}\n", ``),
		broken("deep lists", `{"unknown":`, `[`, ``),
		broken("deep objects", `{"unknown":`, `{"a":`, ``),
		broken("a long name", `{"`, `x`, `":0}`),
		broken("a long text", `{"unknown":"`, `x`, `"}`),
		broken("a long number", `{"unknown":1`, `0`, `}`),
		spaces,
	}
}

// lists returns a body for each list that a schema of the API knows, at any level; seen are the schemas around it.
func lists(doc, schema map[string]any, place, head, tail string, seen []string) (out []bulk) {
	if ref, is := schema["$ref"].(string); is {
		if slices.Contains(seen, ref) {
			return nil
		}
		var at any = doc
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[step]
		}
		return lists(doc, at.(map[string]any), place, head, tail, append(slices.Clip(seen), ref))
	}
	for _, kind := range []string{"allOf", "oneOf", "anyOf"} {
		of, _ := schema[kind].([]any)
		for _, one := range of {
			out = append(out, lists(doc, one.(map[string]any), place, head, tail, seen)...)
		}
	}
	if items, is := schema["items"].(map[string]any); is {
		empty := emptyOf(doc, items)
		out = append(out, bulk{
			name: "list " + place, place: strings.TrimSuffix(place, "."), head: head + "[",
			item: same(empty + ","), n: bulkItems, tail: empty + "]" + tail,
		})
		out = append(out, lists(doc, items, place+"[0].", head+"[", "]"+tail, seen)...)
	}
	properties, _ := schema["properties"].(map[string]any)
	if place != "" && !strings.HasSuffix(place, ".") {
		place += "."
	}
	for name, of := range properties {
		inner, is := of.(map[string]any)
		if !is { // true: any value
			continue
		}
		out = append(out, lists(doc, inner, place+name, head+`{"`+name+`":`, "}"+tail, seen)...)
	}
	if of, is := schema["additionalProperties"].(map[string]any); is {
		out = append(out, bulk{name: "members " + place, place: strings.TrimSuffix(place, "."), head: head + "{",
			item: numbered(`"%d":` + emptyOf(doc, of) + ","), n: bulkItems, tail: `"x":` + emptyOf(doc, of) + "}" + tail})
	}
	return out
}

// emptyOf returns the smallest value of a schema.
func emptyOf(doc, schema map[string]any) string {
	if ref, is := schema["$ref"].(string); is {
		var at any = doc
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[step]
		}
		return emptyOf(doc, at.(map[string]any))
	}
	kind := fmt.Sprint(schema["type"])
	for _, c := range []struct{ kind, empty string }{{"object", "{}"}, {"array", "[]"}, {"string", `""`}} {
		if strings.Contains(kind, c.kind) {
			return c.empty
		}
	}
	return "0"
}

// processor returns the time of the processor that this process has taken.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// allocated returns how many bytes were ever taken from the heap.
func allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// bound runs do, and fails the test if that takes too much memory or time of the processor. What do took from the heap
// in all is no less than what it held at once; only where that is too much is it run again, and the heap watched. So it
// is with the time, because the garbage of others is collected meanwhile.
func (w *walk) bound(t *testing.T, what string, b *bulk, do func()) {
	t.Helper()
	limit, most := int64(bulkMemory), bulkTime
	if b.taken {
		limit, most = hadMemory, hadTime
	}
	from, began := allocated(), processor()
	do()
	took, memory := processor()-began, allocated()-from
	if memory > bulkMemory {
		memory = peak(do)
	}
	if took > most {
		began = processor()
		do()
		took = processor() - began
	}
	w.memory, w.time, w.n = max(w.memory, memory), max(w.time, took), w.n+1
	if memory > bulkMemory/2 || took > bulkTime/2 {
		t.Logf("%s: %d MiB, %v", what, memory>>20, took.Round(time.Millisecond))
	}
	if memory > limit {
		t.Errorf("%s: the server grows by %d MiB", what, memory>>20)
	}
	if took > most {
		t.Errorf("%s: the processor works for %v", what, took)
	}
}

// walk is what a walk measured at most.
type walk struct {
	memory int64
	time   time.Duration
	n      int
}

// end logs it.
func (w *walk) end(t *testing.T) {
	t.Helper()
	t.Logf("%d requests; at most %d MiB and %v of the processor", w.n, w.memory>>20, w.time.Round(time.Millisecond))
	require.NotZero(t, w.n)
}

// sent answers a bulky body.
func sent(w *webtest.World, method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(w.T.Context(), method, "http://127.0.0.1"+path, body)
	r.ContentLength = -1
	if p := w.Person("admin"); webtest.TakesTokens(path) {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	} else {
		r.Header.Set("Cookie", "sanad="+p.Cookie)
	}
	r.Header.Set("If-Match", "*")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.Handler.ServeHTTP(rec, r)
	return rec
}

// template returns a route's address as the description writes it.
func template(path string) string {
	steps := strings.Split(strings.ReplaceAll(path, `\:`, "\x00"), "/")
	for i, s := range steps {
		if strings.HasPrefix(s, ":") {
			steps[i] = "{" + s[1:] + "}"
		}
	}
	return strings.ReplaceAll(strings.Join(steps, "/"), "\x00", ":")
}
