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

// TestDatabasesOpen migrates a database of each level, and checks that its whole content is still there,
// shown, and verifies.
func TestDatabasesOpen(t *testing.T) {
	for _, l := range levels(t) {
		t.Run(filepath.Base(l.dir), func(t *testing.T) {
			p := l.open(t)
			p.does("", "migrate")
			l.checkLog(t, p)
			l.checkServed(t, p)
			l.checkLog(t, p)
		})
	}
}

// checkServed starts a server, has it show everything that the level's database holds, and goes on working.
func (l level) checkServed(t *testing.T, p place) {
	t.Helper()
	tokens := map[string]string{}
	for login, who := range l.about.People {
		tokens[login] = p.token(login, who.Role)
	}
	s := p.serve("serve")
	reader, page := s.bearer(tokens["sara"]), s.signIn("sara", l.about.People["sara"].Password)
	require.Len(t, reader.list("/api/v1/sessions", "sessions"), len(l.about.Sessions))
	l.checkSessions(t, p, reader, page)
	l.checkPacks(t, reader, page)
	for id, sum := range l.about.Bundles {
		require.Equal(t, sum, sumOf(reader.get("/api/v1/bundles/"+id)))
		page.get("/bundles/" + id)
	}
	l.checkAnswers(t, reader)
	for _, path := range []string{"/", "/dashboard", "/sessions", "/packs", "/search?q=leave", "/views", "/bundles"} {
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
}

// checkLog checks the audit log; its first events must be byte for byte the original ones.
func (l level) checkLog(t *testing.T, p place) {
	t.Helper()
	p.does("", "audit", "verify")
	events, sum := logOf(p.does("", "audit", "export"), l.about.Log.Events)
	require.Equal(t, logAbout{events, sum}, l.about.Log)
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
