package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/judge"
)

// asked runs doctor and returns its findings by check, the worst of each.
func asked(t *testing.T, args ...string) (map[string]finding, int) {
	t.Helper()
	code, out, errs := call(t, "", append([]string{"doctor", "--json"}, args...)...)
	var report struct {
		OK       bool
		Findings []finding
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report), "%s %s", out, errs)
	require.Equal(t, report.OK, code == exitOK)
	rank := map[string]int{stateOK: 1, stateWarning: 2, stateFault: 3}
	worst := map[string]finding{}
	for _, f := range report.Findings {
		require.NotZero(t, rank[f.State])
		require.Equal(t, f.State != stateOK, f.Mend != "", "what is wrong has its mend, and only that: %+v", f)
		if rank[f.State] > rank[worst[f.Check].State] {
			worst[f.Check] = f
		}
	}
	return worst, code
}

// A store and its key in folders of their own; nothing is wrong but what this machine lacks.
func soundStore(t *testing.T) (dir, key string) {
	t.Helper()
	t.Setenv(masterKeyVariable, "")
	dir, key = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "master.key")
	require.NoError(t, initMasterKey(key))
	d := desk{t, dir}
	d.does("", "user", "add", "khalid", "--role", "admin", "--master-key-file", key)
	return dir, key
}

// offReader reads on a machine whose fastest kernel computes something else than the portable one.
type offReader struct {
	judge.Reader
	failed string
}

func (r offReader) Digest() string { return "off" }

func (r offReader) Kernel() (name, failed string) {
	if r.failed == "" {
		return "avx2", ""
	}
	return "portable", r.failed
}

func TestDoctorSaysWhichKernelReads(t *testing.T) {
	of := func(r offReader) finding {
		d := doctor{c: &serveConfig{}, own: app.EmbeddedWith(r, nil)}
		d.embeddedReader()
		require.Len(t, d.findings, 1)
		return d.findings[0]
	}
	sound := of(offReader{})
	require.Equal(t, stateOK, sound.State)
	require.Contains(t, sound.Says, "AVX2 instructions")
	off := of(offReader{failed: "avx512-vnni"})
	require.Equal(t, stateWarning, off.State)
	require.Contains(t, off.Says, "AVX512-VNNI instructions gave another result than plain arithmetic")
	require.Contains(t, off.Says, "Verdicts are the same")
	require.NotEmpty(t, off.Mend)
}

func TestDoctorFindsNothing(t *testing.T) {
	dir, key := soundStore(t)
	found, code := asked(t, "--data", dir, "--master-key-file", key)
	require.Zero(t, code, "%+v", found)
	for _, check := range []string{"configuration", "master key", "data folder", "database"} {
		require.Equal(t, stateOK, found[check].State, "%+v", found[check])
	}
	require.NotEqual(t, stateFault, found["clock"].State)
	require.NotEqual(t, stateFault, found["reading files"].State)
	require.Contains(t, found["database"].Says, "sound, at level ")
	if dbtest.OnPostgres() { // the database's device is the server's
		require.Equal(t, stateOK, found["checkpoints"].State)
	} else {
		require.Equal(t, stateWarning, found["checkpoints"].State, "a test's folders are on one disk")
	}
	require.NotContains(t, found, "OpenFGA")

	fresh, code := asked(t, "--data", filepath.Join(t.TempDir(), "new"), "--master-key-file", key)
	require.Zero(t, code, "%+v", fresh)
	require.Contains(t, fresh["database"].Says, "not created yet")
}

// TestDoctorOfServerThatIsAway checks that nobody is told to restore a backup because a server cannot be reached.
func TestDoctorOfServerThatIsAway(t *testing.T) {
	key := filepath.Join(t.TempDir(), "master.key")
	require.NoError(t, initMasterKey(key))
	found, code := asked(t, "--data", t.TempDir(), "--master-key-file", key, "--database", "postgres://sanad@127.0.0.1:1/store")
	require.Equal(t, exitFailed, code)
	require.Equal(t, stateFault, found["database"].State)
	require.Contains(t, found["database"].Says, `the database "store" at 127.0.0.1:1 cannot be opened: connection refused`)
	require.NotContains(t, found["database"].Mend, "backup")
	require.NotContains(t, found, "witness")
}

// TestDoctorOfKeyInDataFolder: a master key beside the database is warned of, whether it is the one in use or not.
func TestDoctorOfKeyInDataFolder(t *testing.T) {
	dir, key := soundStore(t)
	within := filepath.Join(dir, "master.key")
	text, err := os.ReadFile(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(within, text, 0o600))
	warned := func(args ...string) {
		t.Helper()
		code, out, _ := call(t, "", append([]string{"doctor", "--data", dir}, args...)...)
		require.Zero(t, code, out)
		require.Contains(t, out, "warning  master key: "+within+" lies in the data folder")
		require.Contains(t, out, "a copy of the folder holds both")
		require.Contains(t, out, "sanad backup leaves the key out")
	}
	warned("--master-key-file", within)
	warned("--master-key-file", key)
	t.Setenv(masterKeyVariable, strings.TrimSpace(string(text)))
	warned()
}

func TestDoctorFaults(t *testing.T) {
	answers := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"issuer":"https://another.example"}`))
	}))
	t.Cleanup(answers.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	change := func(t *testing.T, dir, statement string) {
		t.Helper()
		_, err := dbtest.Raw(t, dir).ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	for name, c := range map[string]struct {
		file  bool // only a database file can have it
		do    func(t *testing.T, dir, key string)
		args  []string
		check string
		state string
		says  string
	}{
		"a flag": {args: []string{"--tls-cert", "x"}, check: "configuration", state: stateFault, says: "go together"},
		"two flags at once": {args: []string{"--rate-limit", "-1", "--webhook-allow", "all"}, check: "configuration",
			state: stateFault},
		"no TLS": {args: []string{"--addr", "0.0.0.0:8080"}, check: "configuration", state: stateWarning, says: "without TLS"},
		"no key": {do: func(t *testing.T, _, key string) { require.NoError(t, os.Remove(key)) },
			check: "master key", state: stateFault, says: "no such file"},
		"a key for everybody": {do: func(t *testing.T, _, key string) { require.NoError(t, os.Chmod(key, 0o644)) },
			check: "master key", state: stateFault, says: "every user"},
		"a key that a group may change": {do: func(t *testing.T, _, key string) { require.NoError(t, os.Chmod(key, 0o620)) },
			check: "master key", state: stateFault, says: "can be changed by other users"},
		"a key in a folder that others may change": {do: func(t *testing.T, _, key string) {
			require.NoError(t, os.Chmod(filepath.Dir(key), 0o775))
		}, check: "master key", state: stateFault, says: "can be changed by other users"},
		"another key": {do: func(t *testing.T, _, key string) {
			require.NoError(t, os.Remove(key))
			require.NoError(t, initMasterKey(key))
		}, check: "database", state: stateFault, says: "not the one that sealed"},
		"an open data folder": {do: func(t *testing.T, dir, _ string) { require.NoError(t, os.Chmod(dir, 0o755)) },
			check: "data folder", state: stateWarning, says: "others may look"},
		"a file for a folder": {args: []string{"--data", "/etc/passwd"}, check: "data folder", state: stateFault, says: "is no folder"},
		"no place for a folder": {args: []string{"--data", "/proc/nowhere/data"}, check: "data folder", state: stateFault,
			says: "cannot be made"},
		"no place for checkpoints": {args: []string{"--checkpoints", "/proc/nowhere/x"}, check: "checkpoints", state: stateFault},
		"a checkpoint of another log": {do: func(t *testing.T, dir, _ string) {
			found, err := filepath.Glob(filepath.Join(dir+"-checkpoints", "*.checkpoint"))
			require.NoError(t, err)
			require.NotEmpty(t, found)
			require.NoError(t, os.WriteFile(found[0], []byte("of another log"), 0o600))
		}, check: "witness", state: stateFault, says: "the checkpoint kept outside"},
		"no bucket of checkpoints": {
			args:  []string{"--checkpoints", "s3://b?region=x&use_path_style=true&anonymous=true&endpoint=" + gone.URL},
			check: "checkpoints", state: stateFault, says: "s3://b cannot be reached"},
		"a damaged database": {file: true, do: func(t *testing.T, dir, _ string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "sanad.db"), []byte(strings.Repeat("garbage ", 4096)), 0o600))
		}, check: "database", state: stateFault, says: "cannot be read"},
		"a newer database": {do: func(t *testing.T, dir, _ string) {
			change(t, dir, "INSERT INTO schema_migrations VALUES (999, 'x', 'y', '2030-01-01T00:00:00Z', 999)")
		}, check: "database", state: stateFault, says: "a newer version made it"},
		"a database from before the baseline": {do: func(t *testing.T, dir, _ string) {
			change(t, dir, "UPDATE schema_migrations SET hash = 'other'")
		}, check: "database", state: stateFault, says: "made before the first release"},
		"a bucket that is not there": {args: []string{"--lake", "s3://b?region=x&use_path_style=true&anonymous=true&endpoint=" + gone.URL},
			check: "lake", state: stateFault, says: "s3://b cannot be reached"},
		"a bucket of no kind": {args: []string{"--bucket", "floppy://a"}, check: "bucket", state: stateFault},
		"a provider that is not there": {args: []string{"--oidc-issuer", gone.URL, "--oidc-client-id", "x", "--public-url",
			"http://127.0.0.1"}, check: "OpenID Connect", state: stateFault, says: "refused"},
		"a provider of another name": {args: []string{"--oidc-issuer", answers.URL, "--oidc-client-id", "x", "--public-url",
			"http://127.0.0.1"}, check: "OpenID Connect", state: stateFault, says: "another.example"},
		"no OpenFGA": {args: []string{"--openfga-url", gone.URL, "--openfga-store", "01HXXXXXXXXXXXXXXXXXXXXXXX"},
			check: "OpenFGA", state: stateFault},
		"no poppler": {do: func(t *testing.T, _, _ string) { t.Setenv("PATH", t.TempDir()) }, check: "reading files",
			state: stateWarning, says: "pdftotext"},
		"poppler is asked for": {do: func(t *testing.T, _, _ string) { t.Setenv("PATH", t.TempDir()) },
			args: []string{"--pdf-reader", "pdftotext"}, check: "reading files", state: stateFault, says: "pdftotext"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.file {
				dbtest.SQLiteOnly(t, "a file can be overwritten")
			}
			dir, key := soundStore(t)
			if c.do != nil {
				c.do(t, dir, key)
			}
			found, code := asked(t, append([]string{"--data", dir, "--master-key-file", key}, c.args...)...)
			f := found[c.check]
			require.Equal(t, c.state, f.State, "%+v", found)
			require.Contains(t, f.Says, c.says)
			require.Equal(t, c.state == stateFault, code == exitFailed, "%+v", found)
		})
	}
}

func TestDoctorsClock(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		newest, now time.Time
		fault       bool
	}{
		"right":        {now: now, newest: now.Add(-time.Hour)},
		"no event yet": {now: now},
		"never set":    {now: time.Unix(0, 0), fault: true},
		"behind":       {now: now, newest: now.Add(time.Hour), fault: true},
	} {
		d := &doctor{}
		d.clock(c.newest, c.now)
		require.Len(t, d.findings, 1, name)
		require.Equal(t, c.fault, d.findings[0].State == stateFault, "%s: %+v", name, d.findings)
	}
}

func TestDoctorInWords(t *testing.T) {
	dir, key := soundStore(t)
	require.NoError(t, os.Chmod(key, 0o644))
	code, out, _ := call(t, "", "doctor", "--data", dir, "--master-key-file", key)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "fault    master key: ")
	require.Contains(t, out, "         mend: chmod o-rwx "+key)
}

// doctor counts the tenants that are listed, and leaves no file where none was.
func TestDoctorLeavesNothing(t *testing.T) {
	dir, key := soundStore(t)
	before, err := os.ReadDir(dir)
	require.NoError(t, err)
	found, code := asked(t, "--data", dir, "--master-key-file", key)
	require.Zero(t, code)
	after, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, after, len(before))
	d := desk{t, dir}
	listed := strings.Count(d.does("", "tenant", "list", "--master-key-file", key), "\n")
	require.Contains(t, found["database"].Says, fmt.Sprintf("with %d tenant", listed))
}

// Keys that have signed for longer than their period are warned of, each with the command that replaces it.
func TestDoctorOldKeys(t *testing.T) {
	dir, key := soundStore(t)
	found, _ := asked(t, "--data", dir, "--master-key-file", key)
	require.Equal(t, stateOK, found["keys"].State, "%+v", found["keys"])
	_, err := dbtest.Raw(t, dir).ExecContext(t.Context(),
		`UPDATE keys SET created_at = '2020-01-01T00:00:00.000000000Z' WHERE purpose = 'log'`)
	require.NoError(t, err)
	found, code := asked(t, "--data", dir, "--master-key-file", key)
	require.Zero(t, code, "%+v", found)
	require.Equal(t, stateWarning, found["keys"].State)
	require.Contains(t, found["keys"].Says, "2020-01-01")
	require.Equal(t, "sanad key rotate --tenant main --purpose log", found["keys"].Mend)
}

// A file of flags that others can change is a fault; with a command in it nothing runs.
func TestChangeableConfigFile(t *testing.T) {
	dir, key := soundStore(t)
	name := filepath.Join(t.TempDir(), "sanad.yaml")
	require.NoError(t, os.WriteFile(name, []byte("rate-limit: 7\n"), 0o600))
	args := []string{"--config", name, "--data", dir, "--master-key-file", key}
	found, code := asked(t, args...)
	require.Zero(t, code, "%+v", found)
	for mode, says := range map[os.FileMode]string{0o664: "(mode 0664)", 0o602: "(mode 0602)"} {
		require.NoError(t, os.Chmod(name, mode))
		found, code = asked(t, args...)
		require.Equal(t, exitFailed, code)
		require.Contains(t, found["configuration"].Says, says)
	}
	c := config{configFile: name, masterKeyFile: key}
	require.Len(t, c.changeableFiles(), 1, "serve warns of it")

	require.NoError(t, os.WriteFile(name, []byte("data: "+dir+"\nmaster-key-command: touch "+dir+"/ran\n"), 0o600))
	for _, command := range [][]string{{"serve"}, {"doctor"}, {"tenant", "list"}} {
		code, _, errs := call(t, "", append(command, "--config", name)...)
		require.Equal(t, exitFailed, code)
		require.Contains(t, errs, name+":2: master-key-command, and it names a command: "+name+" can be changed")
		require.Contains(t, errs, "chmod go-w "+name)
	}
	require.NoFileExists(t, filepath.Join(dir, "ran"))
	require.NoError(t, os.Chmod(name, 0o640))
	require.NoError(t, os.Chmod(filepath.Dir(name), 0o777))
	require.Contains(t, changeable(name), filepath.Dir(name)+" can be changed")
	require.NoError(t, os.Chmod(filepath.Dir(name), 0o777|os.ModeSticky))
	require.Empty(t, changeable(name), "a file of one's own cannot be replaced there")
}

func TestKeyInitWithoutItsFolder(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys", "master.key")
	code, _, errs := call(t, "", "key", "init", name)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "the folder of "+name+" does not exist; make it")
	require.Contains(t, errs, "mkdir -m 0700 "+filepath.Dir(name))
}
