package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/bundle"
)

// bundleRequest has all seven types of evidence, and items that are cut, masked, left out and failed.
const bundleRequest = `{"job_input":{"extra_params":{"evidence":[{"text":"رصيد الإجازة السنوية 15 يومًا، للاستفسار: salem@example.com أو 0551234567.","source_uri":"hr"},7]}},
	"evidence_refs":{"lake_text":["docs/leave.md","docs/a-very-long-name-of-a-file-that-is-not-there-and-must-not-widen-the-page.md"],"lake_http":["http/answer.json"],
	"sql_results":[{"lake_uri":"results/staff.json","query_key":"staff"}],"sql_query_defs":[{"query_key":"staff","sql":"select * from staff"}],
	"documents":[{"document_id":"policy","lake_uri":"docs/leave.md"}],"transcripts":[{"document_id":"call","text":"A said. B said."},{"document_id":"call","text":"again"}]},
	"policy":{"enable_redaction":true,"max_item_bytes":900,"max_sql_rows":10,"max_items":9,"chunk_size":600}}`

// addBundle builds a bundle with the API and returns its address.
func (a *app) addBundle(t *testing.T) string {
	t.Helper()
	ctx, area := context.Background(), a.lake.Of(a.actor.Tenant)
	put := func(path string, data []byte) bundle.Artifact {
		_, err := area.Put(ctx, path, data)
		require.NoError(t, err)
		return db.ArtifactOf(path, data)
	}
	rows := make([]string, 40)
	for i := range rows {
		rows[i] = fmt.Sprintf(`["employee %d",%d,null]`, i, 1000+i)
	}
	put("docs/leave.md", []byte(strings.Repeat("Leave is 15 days. الإجازة 15 يومًا. ", 60)))
	put("http/answer.json", []byte(`{"status":200,"headers":{"Set-Cookie":"a=1","Content-Type":"text/plain"},"body":"fine"}`))
	put("results/staff.json", []byte(`{"columns":["name","salary","note"],"rows":[`+strings.Join(rows, ",")+`]}`))
	var req bundle.Request
	require.NoError(t, json.Unmarshal([]byte(bundleRequest), &req))
	built, err := bundle.Build(&req, today, area.Load(ctx), nil)
	require.NoError(t, err)
	require.NotEmpty(t, built.Bundle.DroppedItems)
	require.Len(t, built.Bundle.FailedSources, 2)
	data, err := built.Bundle.Bytes()
	require.NoError(t, err)
	in := db.BuiltBundle{Bundle: &built.Bundle, RunID: "judge-run-2026-11-21",
		Artifact: put("evidence/bundles/x.json", data)}
	for _, w := range built.Writes {
		in.Writes = append(in.Writes, put(w.LakeURI, w.Data))
	}
	_, err = a.store.InsertBundle(ctx, a.actor, in)
	require.NoError(t, err)
	return "/bundles/" + built.Bundle.BundleID
}

// The pages of bundles with every text unfolded, in both languages and themes, wide and narrow: axe-core finds nothing,
// nothing scrolls sideways.
func TestBundlePagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	pages := map[string]string{"bundles-none": "/bundles"}
	look := func() {
		for name, path := range pages {
			for _, l := range looks(t) {
				b.look(path, l)
				eval[bool](b, "document.querySelectorAll('main details').forEach(d => d.open = true), true")
				b.picture(l.name(name))
				b.accessible(l.name(name))
			}
		}
	}
	look()
	pages = map[string]string{"bundle": a.addBundle(t), "bundles": "/bundles"}
	pages["bundle-replay"] = pages["bundle"] + "/replay"
	look()
}
