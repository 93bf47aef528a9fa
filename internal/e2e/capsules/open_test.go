package capsules

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// level is a folder of capsules, made with a database of this migration level.
type level struct {
	dir   string
	about about
}

// levels returns all levels with the description of their content.
func levels(t *testing.T) []level {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", "*", "about.json"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	var out []level
	for _, file := range dirs {
		l := level{dir: filepath.Dir(file)}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &l.about))
		require.Equal(t, strconv.Itoa(l.about.Level), filepath.Base(l.dir))
		out = append(out, l)
	}
	return out
}

// open unpacks the level's data folder.
func (l level) open(t *testing.T) place {
	t.Helper()
	dir := t.TempDir()
	untar(t, filepath.Join(l.dir, "data.tar.gz"), dir)
	return place{t: t, data: filepath.Join(dir, "data"), key: filepath.Join(dir, "data", "master.key")}
}

// TestCapsulesAreUnchanged checks that the capsules are exactly the files that were made.
func TestCapsulesAreUnchanged(t *testing.T) {
	list, err := os.ReadFile(sumsFile)
	require.NoError(t, err)
	want := map[string]string{}
	for line := range strings.Lines(string(list)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		require.True(t, ok && want[name] == "", line)
		want[name] = sum
	}
	got := map[string]string{}
	require.NoError(t, filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		got[filepath.ToSlash(path)] = sumOf(data)
		return err
	}))
	require.Equal(t, want, got, "a capsule was changed: they are never edited or made again")
}

// TestEveryLevelHasItsDatabase checks that there is a database of every migration level from the first with capsules to
// the one before the binary's own. Before adding a migration, make the capsules of the level before it.
func TestEveryLevelHasItsDatabase(t *testing.T) {
	empty := place{t: t, data: filepath.Join(t.TempDir(), "data"), key: filepath.Join(t.TempDir(), "master.key")}
	code, _, errs := call(t, "", "key", "init", empty.key)
	require.Zero(t, code, errs)
	newest := len(migration.FindAllString(empty.does("", "migrate"), -1))
	var want, got []int
	for _, l := range levels(t) {
		got = append(got, l.about.Level)
	}
	slices.Sort(got)
	for n := got[0]; n < newest || n <= got[len(got)-1]; n++ {
		want = append(want, n)
	}
	require.Equal(t, want, got, "a level has no capsule; README.md says how to make it")
}

// signedBy are packs that hold the public keys, by the key that has signed them.
var signedBy = map[string]string{"first": "plain.zip", "second": "rotated-key.zip"}

// TestExportedPacksVerify verifies each exported pack: a zip completely, a file with the files it needs, a part with
// the key.
func TestExportedPacksVerify(t *testing.T) {
	found := 0
	for _, l := range levels(t) {
		for _, name := range slices.Sorted(maps.Keys(l.about.Exports)) {
			t.Run(fmt.Sprint(l.about.Level, " ", name), func(t *testing.T) {
				e := l.about.Exports[name]
				file, key := filepath.Join(l.dir, "packs", name), l.about.Keys[e.Key]
				if strings.HasSuffix(name, ".zip") {
					verified(t, file, "--fingerprint", key)
					return
				}
				dir := t.TempDir()
				data, err := os.ReadFile(filepath.Join(l.dir, "packs", signedBy[e.Key]))
				require.NoError(t, err)
				public := filepath.Join(dir, "tenant.pub")
				require.NoError(t, os.WriteFile(public, unzip(t, data)["tenant.pub"], 0o600))
				out := verified(t, file, "--key", public, "--fingerprint", key)
				require.Contains(t, out, e.Shows)
			})
			found++
		}
	}
	require.GreaterOrEqual(t, found, 11)
}

// verified verifies a file with the binary; every check must pass.
func verified(t *testing.T, file string, args ...string) string {
	t.Helper()
	code, out, errs := call(t, "", append([]string{"verify", file}, args...)...)
	require.Zero(t, code, out+errs)
	require.True(t, strings.HasSuffix(out, "\nverified\n"), out)
	if strings.HasSuffix(file, ".zip") {
		require.NotContains(t, out, "not checked")
	}
	return out
}

// TestFilesOfAPackVerify verifies the files of a zip individually: pack.json, and the pack.pdf that contains it.
func TestFilesOfAPackVerify(t *testing.T) {
	for _, l := range levels(t) {
		for name := range l.about.Exports {
			if !strings.HasSuffix(name, ".zip") {
				continue
			}
			dir := t.TempDir()
			data, err := os.ReadFile(filepath.Join(l.dir, "packs", name))
			require.NoError(t, err)
			for file, content := range unzip(t, data) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), content, 0o600))
			}
			for _, file := range []string{"pack.json", "pack.pdf"} {
				verified(t, filepath.Join(dir, file), "--dsse", filepath.Join(dir, "pack.dsse.json"), "--key",
					filepath.Join(dir, "tenant.pub"))
			}
		}
	}
}

// TestDatabasesOpen migrates a database of each level, and checks that its whole content is still there,
// shown, and verifies.
func TestDatabasesOpen(t *testing.T) {
	for _, l := range levels(t) {
		t.Run(filepath.Base(l.dir), func(t *testing.T) {
			p := l.open(t)
			p.does("", "migrate")
			l.checkLog(t, p)
			tokens := map[string]string{}
			for login, who := range l.about.People {
				tokens[login] = p.token(login, who.Role)
			}
			s := p.serve("serve")
			reader, page := s.bearer(tokens["sara"]), s.signIn("sara", l.about.People["sara"].Password)
			l.checkSessions(t, p, reader, page)
			l.checkPacks(t, reader, page)
			for id, sum := range l.about.Bundles {
				require.Equal(t, sum, sumOf(reader.get("/api/v1/bundles/"+id)))
				page.get("/bundles/" + id)
			}
			l.checkAnswers(t, reader)
			for _, path := range []string{"/", "/dashboard", "/sessions", "/packs", "/search?q=leave", "/views",
				"/bundles"} {
				page.get(path)
			}
			admin := s.signIn("khalid", l.about.People["khalid"].Password)
			for _, path := range []string{"/audit", "/admin", "/admin/users", "/admin/tokens", "/admin/keys",
				"/admin/webhooks", "/admin/redaction"} {
				admin.get(path)
			}
			require.Contains(t, string(admin.get("/admin/redaction")), "E-[0-9]{3}")
			l.goesOn(t, s, tokens)
			s.stop()
			l.checkLog(t, p)
		})
	}
}

// checkLog checks the audit log; its first events must be byte for byte the original ones.
func (l level) checkLog(t *testing.T, p place) {
	t.Helper()
	p.does("", "audit", "verify")
	events, sum := logOf(p.does("", "audit", "export"), l.about.Log.Events)
	require.Equal(t, logAbout{events, sum}, l.about.Log)
}

// checkSessions reads each session by page, API and export.
func (l level) checkSessions(t *testing.T, p place, reader, page visitor) {
	t.Helper()
	require.Len(t, reader.list("/api/v1/sessions", "sessions"), len(l.about.Sessions))
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

// checkPacks reads each pack by page and API; the signed ones have unchanged files and verify.
func (l level) checkPacks(t *testing.T, reader, page visitor) {
	t.Helper()
	require.Len(t, reader.list("/api/v1/packs", "packs"), len(l.about.Packs))
	keys := slices.Collect(maps.Values(l.about.Keys))
	dir := t.TempDir()
	for _, k := range l.about.Packs {
		var is struct {
			Status, Title, Digest string
			Version               int
		}
		require.NoError(t, json.Unmarshal(reader.get("/api/v1/packs/"+k.ID), &is))
		require.Equal(t, []any{k.Status, k.Title, k.Version}, []any{is.Status, is.Title, is.Version}, k.ID)
		shown := string(page.get("/packs/" + k.ID))
		require.Contains(t, shown, escaped(k.Title))
		if k.Files == nil {
			continue
		}
		require.Equal(t, k.Digest, is.Digest)
		require.Contains(t, shown, k.Digest)
		require.Contains(t, shown, `seal-verdict`)
		require.NotContains(t, shown, `pack-seal is-bad`)
		file := filepath.Join(dir, k.ID+".zip")
		data := reader.export(k.ID, "zip")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		files := unzip(t, data)
		for name, sum := range k.Files {
			require.Equal(t, sum, sumOf(files[name]), "%s of %s", name, k.ID)
		}
		key := keyOf(t, files["pack.dsse.json"])
		require.Contains(t, keys, key)
		verified(t, file, "--fingerprint", key)
	}
}

// keyOf returns the fingerprint in an envelope.
func keyOf(t *testing.T, envelope []byte) string {
	t.Helper()
	var e struct {
		Signatures []struct {
			KeyID string `json:"keyid"`
		} `json:"signatures"`
	}
	require.NoError(t, json.Unmarshal(envelope, &e))
	require.Len(t, e.Signatures, 1)
	return e.Signatures[0].KeyID
}

// goesOn continues the work: a review, a new version of a signed pack, which is signed.
func (l level) goesOn(t *testing.T, s *server, tokens map[string]string) {
	t.Helper()
	reviewer, approver, admin := s.bearer(tokens["yousef"]), s.bearer(tokens["sara"]), s.bearer(tokens["khalid"])
	for _, s := range l.about.Sessions {
		if s.Title == "Remote work" {
			reviewer.post("/api/v1/sessions/"+s.ID+"/reopen", nil)
			reviewer.post("/api/v1/sessions/"+s.ID+"/claims/1/reviews", map[string]any{"action": "confirm"})
			reviewer.post("/api/v1/sessions/"+s.ID+"/judge", map[string]any{})
		}
	}
	for _, k := range l.about.Packs {
		if k.Status == "signed_off" && k.Decision == "dec_hospital_fit" {
			admin.allowUnchecked()
			again, _ := reviewer.post("/api/v1/packs/"+k.ID+"/versions", nil)
			id := fmt.Sprint(again["pack_id"])
			reviewer.mendAndSubmit(id)
			signed := approver.approve(id, l.about.People["sara"].Password)
			require.Equal(t, "signed_off", signed["status"])
			file := filepath.Join(t.TempDir(), "pack.zip")
			require.NoError(t, os.WriteFile(file, approver.export(id, "zip"), 0o600))
			verified(t, file, "--fingerprint", l.about.Keys["second"])
		}
	}
}

// secondStatements are the statements in a second language, by the field that lacks them in a decision of an old level.
var secondStatements = map[string]string{
	"statement_ar": "مستشفى الرياض يطابق ملف العميل المستهدف بدرجة 0.84.",
	"statement_en": "Renew the hosting contract with Sahab for two years.",
}

// mendAndSubmit submits a draft. A decision that came before a second language was asked for (rule P-7) is refused
// for that alone, and submitted once it is mended.
func (v visitor) mendAndSubmit(pack string) {
	v.t.Helper()
	var refused struct {
		Validation []struct{ Severity, Path string }
	}
	require.NoError(v.t, json.Unmarshal(v.get("/api/v1/packs/"+pack), &refused))
	for _, fault := range refused.Validation {
		if fault.Severity == "error" {
			require.Contains(v.t, secondStatements, fault.Path)
			v.change("PATCH", "/api/v1/packs/"+pack, map[string]any{fault.Path: secondStatements[fault.Path],
				"reason": "Older decisions have one language."})
		}
	}
	v.post("/api/v1/packs/"+pack+"/submit", nil)
}

// approve approves a pack, acknowledging all its alarms, and returns the pack.
func (v visitor) approve(pack, password string) map[string]any {
	v.t.Helper()
	var is struct{ Alarms []struct{ ID string } }
	require.NoError(v.t, json.Unmarshal(v.get("/api/v1/packs/"+pack), &is))
	ids := []string{}
	for _, a := range is.Alarms {
		ids = append(ids, a.ID)
	}
	answer, _ := v.post("/api/v1/packs/"+pack+"/approve",
		map[string]any{"password": password, "comment": "Read · قُرئت.", "acknowledged": ids})
	return answer
}

// allowUnchecked changes the sign-off policy so that packs without a checked claim may be signed: decisions of old
// levels have no ledger.
func (v visitor) allowUnchecked() {
	v.t.Helper()
	var policy map[string]any
	require.NoError(v.t, json.Unmarshal(v.get("/api/v1/policy"), &policy))
	for _, r := range policy["rules"].([]any) {
		if rule := r.(map[string]any); rule["rule"] == "claims_checked" {
			rule["A2"], rule["A3"] = "warn", "warn"
		}
	}
	v.change("PUT", "/api/v1/policy", policy)
}

// checkAnswers compares answers of the API with the saved ones; everything in those must be unchanged.
func (l level) checkAnswers(t *testing.T, reader visitor) {
	t.Helper()
	was, err := os.ReadFile(filepath.Join(l.dir, "decision.json"))
	if os.IsNotExist(err) {
		return
	}
	require.NoError(t, err)
	var old, now map[string]any
	require.NoError(t, json.Unmarshal(was, &old))
	require.NoError(t, json.Unmarshal(reader.get(fmt.Sprint("/api/v1/decisions/", old["decision_id"])), &now))
	require.Empty(t, lost("", old, now, nil))
}

// lost returns the places of old whose value is not in now, except in skipped fields.
func lost(at string, old, now any, skip []string) (places []string) {
	switch was := old.(type) {
	case map[string]any:
		is, _ := now.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(was)) {
			if slices.Contains(skip, k) {
				continue
			}
			places = append(places, lost(at+"."+k, was[k], is[k], skip)...)
		}
		return places
	case []any:
		is, _ := now.([]any)
		if len(is) != len(was) {
			return []string{fmt.Sprintf("%s: %d items were %d", at, len(is), len(was))}
		}
		for i := range was {
			places = append(places, lost(fmt.Sprintf("%s[%d]", at, i), was[i], is[i], skip)...)
		}
		return places
	}
	if old != now {
		return []string{fmt.Sprintf("%s: %v was %v", at, now, old)}
	}
	return nil
}

// TestBackupsRestore checks and restores a backup, whose content must be that of its database.
func TestBackupsRestore(t *testing.T) {
	found := 0
	for _, l := range levels(t) {
		packed := filepath.Join(l.dir, "backup.tar.gz")
		if _, err := os.Stat(packed); err != nil {
			continue
		}
		found++
		dir := t.TempDir()
		untar(t, packed, dir)
		source := l.open(t) // for the master key, which no backup contains
		p := place{t: t, data: filepath.Join(dir, "restored"), key: source.key}
		backup := filepath.Join(dir, "backup")
		p.does("", "restore", backup, "--check")
		p.does("", "restore", backup, "--reason", "a test opens a capsule")
		p.does("", "migrate")
		l.checkLog(t, p)
		for _, s := range l.about.Sessions {
			require.Len(t, readLedger(t, []byte(p.does("", "export", "--session", s.ID, "--format",
				"json"))).Sanad.Claims, s.Claims)
		}
	}
	require.NotZero(t, found)
}

// judged are the fields of an exported ledger that hold a judgement or reviews, which settle nothing where the file is
// imported (rule L-32), and its signature. The capsules were judged by version 8 of the judge, so that their matches and
// what follows from them differ; internal/app compares them where one version judged both.
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
