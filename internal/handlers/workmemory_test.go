package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
	"sanad/internal/quota"
	"sanad/internal/thorough"
)

// heap returns the bytes of the heap's objects, dead ones that are not yet collected included.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// peak returns by how much the heap grew at most while do ran.
func peak(do func()) int64 {
	runtime.GC()
	runtime.GC()
	before := heap()
	var most atomic.Int64
	ctx, stop := context.WithCancel(context.Background())
	var watch sync.WaitGroup
	watch.Go(func() {
		for tick := time.NewTicker(200 * time.Microsecond); ; <-tick.C {
			most.Store(max(most.Load(), heap()-before))
			if ctx.Err() != nil {
				return
			}
		}
	})
	do()
	stop()
	watch.Wait()
	return most.Load()
}

// uploadForm returns the form of a new session with one document, and its content type.
func uploadForm(answer, name, content string) (body, kind string) {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	_ = m.WriteField("answer", answer)
	w, _ := m.CreateFormFile("documents", name)
	_, _ = w.Write([]byte(content))
	_ = m.Close()
	return b.String(), m.FormDataContentType()
}

// sentences returns words of that many bytes, in paragraphs that differ.
func sentences(length int) string {
	var b strings.Builder
	for i := 0; b.Len() < length; i++ {
		fmt.Fprintf(&b, "Item %d of section %d is covered for %d days, and a further day for each year of service.\n\n", i,
			i%97, i%30)
	}
	return b.String()[:length]
}

// work is a request whose memory is measured.
type work struct {
	kind, name         string
	method, path, body string
	headers            []string
	want               int
}

// works returns one request of each kind of work, over sizes, against a server that holds what they need.
func works(s *webtest.Server) (out []work) {
	add := func(kind, name, method, path, body string, headers []string, want int) {
		out = append(out, work{kind: kind, name: name, method: method, path: path, body: body, headers: headers, want: want})
	}
	for _, size := range []int{16 << 10, 256 << 10, 1 << 20, 4 << 20, 9 << 20} {
		mib := fmt.Sprintf("%.2g MiB", float64(size)/(1<<20))
		want := http.StatusSeeOther
		answer := "Item 15 is covered for 15 days."
		for name, text := range map[string]string{
			"text": sentences(size), "Arabic": strings.Repeat("تُحفظ بيانات العميل داخل المملكة.\n\n", size/64),
			"short paragraphs": strings.Repeat("a\n\n", size/3), "one line": strings.Repeat("word ", size/5),
		} {
			body, kind := uploadForm(answer, "a.txt", text)
			add("upload", name+" "+mib, "POST", "/sessions", body, []string{"Content-Type", kind}, want)
		}
		if size > 5<<20 {
			want = http.StatusAccepted
		} else {
			want = http.StatusCreated
		}
		text, _ := json.Marshal(sentences(size))
		add("upload", "JSON, text "+mib, "POST", "/api/v1/sessions", `{"format":"sanad.session/v1",
			"session":{"title":"T","answer":"`+answer+`"},"documents":[{"id":"d","filename":"a.txt","text":`+string(text)+`}]}`, nil, want)
		var chunks strings.Builder
		for i := 0; chunks.Len() < size-300; i++ {
			fmt.Fprintf(&chunks, `%s{"id":"c%d","text":"Item %d is covered."}`, strings.Repeat(",", min(i, 1)), i, i)
		}
		if size <= 4<<20 {
			add("upload", "JSON, chunks "+mib, "POST", "/api/v1/sessions", `{"format":"sanad.session/v1",
				"session":{"title":"T","answer":"`+answer+`"},"documents":[{"id":"d","filename":"a.txt","chunks":[`+chunks.String()+`]}]}`, nil, want)
		}
		if size <= 4<<20 {
			id := s.Create(webtest.ToJudge(fmt.Sprint("add ", size), 3)).SessionID
			add("upload", "document add "+mib, "POST", "/api/v1/sessions/"+id+"/documents",
				`{"documents":[{"filename":"b.txt","text":`+string(text)+`}]}`, []string{"If-Match", "*"}, 0)
		}
		add("lake", "write "+mib, "PUT", "/api/v1/lake/"+fmt.Sprint(len(out)), strings.Repeat("x", size*5),
			nil, 201)
		add("lake", "read "+mib, "GET", "/api/v1/lake/"+fmt.Sprint(len(out)-1), "", nil, 200)
	}
	big, _ := json.Marshal(sentences(4 << 20))
	large := s.Create(strings.Replace(webtest.ToJudge("large", 1000), `"documents":[`,
		`"documents":[{"id":"big","filename":"a.txt","text":`+string(big)+`},`, 1)).SessionID
	add("judge", "1000 claims, 4 MiB", "POST", "/api/v1/sessions/"+large+"/judge", "{}",
		[]string{"If-Match", "*"}, 0)
	add("export", "json 1000 claims, 4 MiB", "GET", "/sessions/"+large+"/export/json", "", nil, 0)
	add("export", "pdf 1000 claims, 4 MiB", "GET", "/sessions/"+large+"/export/pdf", "", nil, 0)
	for _, n := range []int{100, 1000} {
		id := s.Create(webtest.ManyClaims(n)).SessionID
		name := fmt.Sprint(n, " claims")
		add("judge", name, "POST", "/api/v1/sessions/"+id+"/judge", "{}", []string{"If-Match", "*"}, 0)
		for _, f := range []string{"pdf", "json", "markdown", "csv", "xlsx"} {
			add("export", f+" "+name, "GET", "/sessions/"+id+"/export/"+f, "", nil, 0)
		}
	}
	for _, n := range []int{10, 100} {
		id := s.SignedWith(fmt.Sprint("dec-", n), n).PackID
		leave := func(kind, id string) string {
			return `{"kind":"` + kind + `","id":"` + id + `","reason":"customer data","rule":"PDPL 29"}`
		}
		add("redact", fmt.Sprint(n, " sources"), "POST", "/api/v1/packs/"+id+"/redacted",
			`{"redactions":[`+leave("excerpt", "E3")+`]}`,
			nil, 200)
		add("export", fmt.Sprint("pack, ", n, " sources"), "GET", "/api/v1/packs/"+id+"/reading.pdf", "", nil, 200)
	}
	return out
}

// BenchmarkWorkMemory prints by how much the heap grows at most for a request of each kind, for rule SEC-23:
//
//	go test ./internal/handlers -run xxx -bench WorkMemory -benchtime 1x
func BenchmarkWorkMemory(b *testing.B) {
	s := webtest.BenchServer(b).As("admin")
	for _, w := range works(s) {
		b.Run(w.kind+"/"+w.name, func(b *testing.B) {
			var most int64
			var code int
			var said string
			for b.Loop() {
				most = max(most, peak(func() {
					r := webtest.Request(w.method, w.path, w.body, append(w.headers, "Authorization",
						"Bearer "+s.Person("approver").Token,
						"Cookie", "sanad="+s.Person("approver").Cookie)...)
					if !strings.HasPrefix(w.path, "/api/") {
						r.Header.Del("Authorization")
					}
					rec := httptest.NewRecorder()
					s.Handler.ServeHTTP(rec, r)
					code, said = rec.Code, rec.Body.String()
				}))
			}
			if w.want != 0 && code != w.want || code >= 400 {
				b.Logf("status %d %.200s", code, said)
			}
			b.ReportMetric(float64(most)/(1<<20), "MiB")
			b.ReportMetric(float64(most)/float64(max(1, len(w.body))), "B/B")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// Sixteen requests at once of one person stay within the person's share and a quarter of it, because what each may take
// was measured. make test sends one kind of request, make thorough all three.
func TestParallelUploadsStayWithinTheShare(t *testing.T) {
	const share = 512 << 20
	s, pool := sharedFor(t, quota.Limits{All: 4 * share, Tenant: 2 * share, Person: share, Queue: 50,
		Wait: 5 * time.Minute})
	s = s.As("reviewer")
	s.Person("reviewer")
	text, err := json.Marshal(sentences(512 << 10))
	require.NoError(t, err)
	requests := map[string]func(i int) *http.Request{
		"text upload": func(i int) *http.Request {
			body, kind := uploadForm(fmt.Sprintf("Item %d is covered for %d days.", i, i), "a.txt", sentences(512<<10))
			return webtest.Request("POST", "/sessions", body, "Content-Type", kind, "Cookie",
				"sanad="+s.Person("reviewer").Cookie)
		},
		"many short paragraphs": func(i int) *http.Request {
			body, kind := uploadForm(fmt.Sprintf("Item %d is covered.", i), "a.txt", strings.Repeat("a\n\n", 64<<10))
			return webtest.Request("POST", "/sessions", body, "Content-Type", kind, "Cookie",
				"sanad="+s.Person("reviewer").Cookie)
		},
		"JSON import": func(i int) *http.Request {
			return webtest.Request("POST", "/api/v1/sessions", fmt.Sprintf(`{"format":"sanad.session/v1",
				"session":{"title":"T%d","answer":"Item 15 is covered for 15 days."},
				"documents":[{"id":"d","filename":"a.txt","text":%s}]}`, i, text),
				"Authorization", "Bearer "+s.Person("reviewer").Token)
		},
	}
	for _, name := range thorough.Sample(thorough.Random(t), slices.Sorted(maps.Keys(requests)), 1) {
		t.Run(name, func(t *testing.T) {
			var codes [16]int
			all := make([]*http.Request, len(codes))
			for i := range all {
				all[i] = requests[name](i)
			}
			most := peak(func() {
				var wait sync.WaitGroup
				for i := range all {
					wait.Go(func() {
						w := httptest.NewRecorder()
						s.Handler.ServeHTTP(w, all[i])
						codes[i] = w.Code
					})
				}
				wait.Wait()
			})
			t.Logf("%d MiB at most", most>>20)
			for i, code := range codes {
				require.Contains(t, []int{201, 303}, code, i)
			}
			require.LessOrEqual(t, most, int64(share+share/4))
			require.Zero(t, pool.Use().Waiting)
		})
	}
}
