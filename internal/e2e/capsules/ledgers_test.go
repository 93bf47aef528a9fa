package capsules

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkSessions reads each session by page, API and export.
func (l level) checkSessions(t *testing.T, p place, reader, page visitor) {
	t.Helper()
	for _, s := range l.about.Sessions {
		shown := string(page.get("/sessions/" + s.ID))
		require.Contains(t, shown, escaped(s.Title))
		whole := readLedger(t, []byte(p.does("", "export", "--session", s.ID, "--format", "json")))
		require.Len(t, whole.Sanad.Claims, s.Claims, s.Title)
		require.Equal(t, s.Reviews, whole.reviews(), s.Title)
		require.Len(t, reader.list("/api/v1/sessions/"+s.ID+"/runs", "runs"), s.Runs, s.Title)
		page.get("/sessions/" + s.ID + "/claims/1")
		for run := range s.Runs {
			page.get(fmt.Sprintf("/sessions/%s/runs/%d", s.ID, run+1))
		}
		for _, d := range s.Documents {
			page.get("/documents/" + d)
		}
		for _, format := range []string{"markdown", "json", "pdf"} {
			require.NotEmpty(t, page.get("/sessions/"+s.ID+"/export/"+format))
		}
	}
}

// escaped returns a title as written in a page.
func escaped(s string) string { return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(s) }

// judged are the fields of an exported ledger that hold a judgement or reviews, which settle nothing where the file is
// imported (rule L-32), and its signature. The capsules were judged by version 8 of the judge, so that their matches
// and what follows from them differ; internal/app compares them where one version judged both.
var judged = []string{"judge", "given", "unjudged", "matches", "citation_checks", "quotation_checks", "reviews",
	"stale_reviews", "run", "signature"}

// TestExportedLedgersAreRead imports an exported ledger and exports it again: its content is the same, its judgement
// and reviews are there as what the file said, and the claims are judged again.
func TestExportedLedgersAreRead(t *testing.T) {
	found := 0
	for _, l := range levels(t) {
		files, err := filepath.Glob(filepath.Join(l.dir, "ledgers", "*.json"))
		require.NoError(t, err)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				dir := t.TempDir()
				p := place{t: t, data: filepath.Join(dir, "data"), key: filepath.Join(dir, "master.key")}
				code, _, errs := call(t, "", "key", "init", p.key)
				require.Zero(t, code, errs)
				id, _, _ := strings.Cut(p.does("", "import", file), "\t")
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				again := []byte(p.does("", "export", "--session", id, "--format", "json"))
				var old, now map[string]any
				require.NoError(t, json.Unmarshal(data, &old))
				require.NoError(t, json.Unmarshal(again, &now))
				require.Empty(t, lost("", old["sanad"], now["sanad"], judged))
				require.Empty(t, lost("", said(t, old, filepath.Base(file)), now["sanad"], nil))
				require.Zero(t, readLedger(t, again).reviews(), "a file's reviews settle nothing")
				requireJudgedFromDocumentsInUse(t, now["sanad"].(map[string]any))
			})
			found++
		}
	}
	require.GreaterOrEqual(t, found, 4)
}

// requireJudgedFromDocumentsInUse checks that every claim of an imported ledger was judged, and none by a document that
// the file says is out of use.
func requireJudgedFromDocumentsInUse(t *testing.T, sanad map[string]any) {
	t.Helper()
	unused := map[any]bool{}
	for _, d := range sanad["documents"].([]any) {
		document := d.(map[string]any)
		unused[document["id"]] = document["status"] != "ready" || document["withdrawn"] != nil
	}
	for _, c := range sanad["claims"].([]any) {
		claim := c.(map[string]any)
		require.NotEmpty(t, claim["judge"])
		for _, m := range claim["matches"].([]any) {
			require.False(t, unused[m.(map[string]any)["document_id"]], claim["claim_text"])
		}
	}
}

// said returns the part of a ledger's next export that tells what its file said: the run, and each claim's verdict and
// reviews.
func said(t *testing.T, old map[string]any, file string) map[string]any {
	t.Helper()
	sanad := old["sanad"].(map[string]any)
	run := sanad["run"].(map[string]any)
	entries := old["entries"].([]any)
	var claims []any
	for i, c := range sanad["claims"].([]any) {
		claim, entry := c.(map[string]any), entries[i].(map[string]any)
		is := map[string]any{"import": 0.0, "judge": claim["judge"]}
		for _, field := range []string{"verdict", "machine_verdict", "confidence_score"} {
			if v, there := entry[field]; there && v != 0.0 {
				is[field] = v
			}
		}
		for _, field := range []string{"reviews", "stale_reviews"} {
			if v, there := claim[field]; there {
				is[field] = v
			}
		}
		claims = append(claims, map[string]any{"claim_id": claim["claim_id"], "imported_reviews": []any{is}})
	}
	require.NotEmpty(t, claims)
	return map[string]any{"claims": claims, "imports": []any{map[string]any{
		"file": file, "judge": run["judge"], "version": run["version"], "judged_at": run["at"]}}}
}
