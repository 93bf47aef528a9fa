package bundle_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/words"
)

var noon = time.Date(2024, 1, 15, 10, 30, 0, 123, time.UTC)

// lake holds the artifacts of a test by path.
type lake map[string]string

func (l lake) load(uri string) ([]byte, error) {
	data, ok := l[uri]
	if !ok {
		return nil, &domain.Error{Kind: domain.NotFound, Message: words.AsWritten("There is no such artifact.")}
	}
	return []byte(data), nil
}

func policy(change func(*bundle.Policy)) *bundle.Policy {
	p := bundle.DefaultPolicy()
	change(&p)
	return &p
}

func build(t testing.TB, req bundle.Request, l lake) *bundle.Result {
	t.Helper()
	got, err := bundle.Build(&req, noon, l.load, nil)
	require.NoError(t, err)
	return got
}

func inline(texts ...string) bundle.Request {
	var r bundle.Request
	for _, s := range texts {
		r.JobInput.ExtraParams.Evidence.Items = append(r.JobInput.ExtraParams.Evidence.Items, bundle.Inline{Text: s})
	}
	return r
}

func ids(b bundle.Bundle) []string {
	out := []string{}
	for _, it := range b.Items {
		out = append(out, it.EvidenceID)
	}
	return out
}

// sqlOf returns a stored result of numbered cells: r0c0, r0c1, ….
func sqlOf(rows, cols int) string {
	var a struct {
		Columns []string `json:"columns"`
		Rows    [][]any  `json:"rows"`
	}
	a.Columns, a.Rows = []string{}, [][]any{}
	for c := range cols {
		a.Columns = append(a.Columns, fmt.Sprint("c", c))
	}
	for r := range rows {
		row := []any{}
		for c := range cols {
			row = append(row, fmt.Sprintf("r%dc%d", r, c))
		}
		a.Rows = append(a.Rows, row)
	}
	data, _ := json.Marshal(a)
	return string(data)
}

func request(t testing.TB, src string) bundle.Request {
	t.Helper()
	var r bundle.Request
	require.NoError(t, json.Unmarshal([]byte(src), &r))
	return r
}

// everything returns a request that refers to all seven types of evidence, and its lake; some of them are damaged.
func everything(t testing.TB) (bundle.Request, lake) {
	l := lake{
		"docs/bio.md":    "Luke Skywalker is a Jedi. Write to luke@example.com.",
		"http/r.json":    `{"status":200,"headers":{"Set-Cookie":["a=1","b=2"],"Content-Type":"text/html","authorization":"Bearer x","B":"1","A":"2"},"body":"<p>hi</p>"}`,
		"results/f.json": sqlOf(30, 3),
		"docs/long.txt":  strings.Repeat("نص طويل جداً. ", 900),
	}
	return request(t, `{"job_input":{"entity_type":"character","entity_id":"luke","extra_params":{"evidence":[{"text":"Inline one","source_uri":"wookieepedia"},{"text":""},7,{"text":"Inline four"}]}},
		"evidence_refs":{"lake_text":["docs/bio.md","docs/none.md","../x"],"lake_http":["http/r.json","docs/bio.md"],
		"sql_results":[{"lake_uri":"results/f.json","query_key":"facts"}],"sql_query_defs":[{"query_key":"facts","sql":"select 1"}],
		"documents":[{"document_id":"d1","lake_uri":"docs/long.txt"}],"transcripts":[{"document_id":"t1","text":"A said. B said."}],"lake_pdf":["a.pdf"]},
		"policy":{"max_sql_rows":10,"max_item_bytes":4000}}`), l
}
