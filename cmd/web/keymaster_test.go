package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/keys"
)

// rotation is a store and its key in folders of their own, and the name of a key to come.
type rotation struct {
	t              *testing.T
	dir, key, next string
}

func newRotation(t *testing.T) *rotation {
	t.Helper()
	r := &rotation{t: t, next: filepath.Join(t.TempDir(), "next.key")}
	r.dir, r.key = soundStore(t)
	return r
}

// run runs rotate-master.
func (r *rotation) run(args ...string) (code int, out, errs string) {
	r.t.Helper()
	return call(r.t, "", append([]string{"key", "rotate-master", "--data", r.dir, "--master-key-file", r.key}, args...)...)
}

// opens reports whether the store opens with the key in a file, and that it opens whole: every log verifies and every
// receipt opens.
func (r *rotation) opens(key string, receipts int) bool {
	r.t.Helper()
	text, err := os.ReadFile(key)
	require.NoError(r.t, err)
	box, err := boxOf(string(text), key)
	require.NoError(r.t, err)
	ctx := context.Background()
	s, err := db.Open(ctx, db.Options{Dir: r.dir, Database: dbtest.Database(r.dir), Now: time.Now, NewID: newID, Keys: box})
	if err != nil {
		require.ErrorIs(r.t, err, db.ErrWrongMasterKey)
		return false
	}
	defer s.Close() //nolint:errcheck // only read
	require.Empty(r.t, s.Frozen())
	tenants, err := s.Tenants(ctx)
	require.NoError(r.t, err)
	for _, tenant := range tenants {
		report, err := s.VerifyLog(ctx, tenant.ID)
		require.NoError(r.t, err)
		require.True(r.t, report.OK(), report.Words())
	}
	for i := range receipts {
		answer, err := s.Receipt(ctx, tenants[len(tenants)-1].ID, fmt.Sprint("k", i))
		require.NoError(r.t, err)
		require.Equal(r.t, fmt.Sprint(`{"n":`, i, `}`), string(answer.Body))
	}
	return true
}

func TestRotateMasterCommand(t *testing.T) {
	r := newRotation(t)
	code, out, errs := r.run("--new-master-key-file", r.next, "--generate", "--dry-run")
	require.Zero(t, code, errs)
	require.Contains(t, out, "keys\t")
	require.Contains(t, out, "Nothing was changed.")
	require.NoFileExists(t, r.next)
	require.True(t, r.opens(r.key, 0))

	code, out, errs = r.run("--new-master-key-file", r.next, "--generate")
	require.Zero(t, code, errs)
	require.Contains(t, out, "Give --master-key-file "+r.next+" from now on")
	info, err := os.Stat(r.next)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.True(t, r.opens(r.next, 0))

	found, code := asked(t, "--data", r.dir, "--master-key-file", r.key)
	require.Equal(t, exitFailed, code)
	require.Contains(t, found["database"].Says, "this is the old master key")
	found, code = asked(t, "--data", r.dir, "--master-key-file", r.next)
	require.Zero(t, code, "%+v", found)
	code, _, errs = call(t, "", "serve", "--addr", "127.0.0.1:0", "--data", r.dir, "--master-key-file", r.key)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "this is the old master key")
	code, _, errs = call(t, "", "audit", "verify", "--data", r.dir, "--master-key-file", r.next)
	require.Zero(t, code, errs)

	code, out, errs = r.run("--new-master-key-file", r.next)
	require.Zero(t, code, errs)
	require.Contains(t, out, "is in use already")
}

// Each refusal leaves the old key in use and no file behind.
func TestRotateMasterRefusals(t *testing.T) {
	r := newRotation(t)
	write := func(name string, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, initMasterKey(path))
		require.NoError(t, os.Chmod(path, mode))
		return path
	}
	open, groups, good := write("open.key", 0o644), write("groups.key", 0o660), write("good.key", 0o600)
	random := "head -c 32 /dev/urandom | base64"
	for name, c := range map[string]struct {
		says string
		args []string
	}{
		"no new key":          {"one of the two only", nil},
		"two new keys":        {"one of the two only", []string{"--new-master-key-file", good, "--new-master-key-command", "cat " + good}},
		"others may read it":  {"mode 0644", []string{"--new-master-key-file", open}},
		"a group may change":  {"mode 0660", []string{"--new-master-key-file", groups}},
		"not there":           {"--generate makes it", []string{"--new-master-key-file", r.next}},
		"a folder":            {"is no file", []string{"--new-master-key-file", t.TempDir()}},
		"a device":            {"is no file", []string{"--new-master-key-file", "/dev/urandom"}},
		"the same":            {"is the old one", []string{"--new-master-key-file", r.key}},
		"there already":       {"already exists", []string{"--new-master-key-file", good, "--generate"}},
		"dry, there already":  {"already exists", []string{"--new-master-key-file", good, "--generate", "--dry-run"}},
		"two from a command":  {"two different keys", []string{"--new-master-key-command", random}},
		"a command that asks": {"exit status 3", []string{"--new-master-key-command", "exit 3"}},
		"made by a command":   {"--generate makes a file", []string{"--new-master-key-command", "cat " + good, "--generate"}},
		"the wrong old key":   {"not the one that sealed", []string{"--new-master-key-file", r.next, "--generate", "--master-key-file", good}},
		"no folder": {"is no data folder", []string{"--new-master-key-file", r.next, "--generate", "--data",
			filepath.Join(t.TempDir(), "none")}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := r.run(c.args...)
			require.Equal(t, exitFailed, code, out)
			require.Contains(t, errs, c.says)
			require.NoFileExists(t, r.next)
		})
	}
	require.True(t, r.opens(r.key, 0))

	server := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", r.dir, "--master-key-file", r.key)...)
	url := startWeb(t, server)
	t.Cleanup(func() { _ = server.Process.Kill() })
	code, _, errs := r.run("--new-master-key-file", r.next, "--generate")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "is open: stop ")
	require.NoFileExists(t, r.next)
	res, err := http.Get(url + "/readyz")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode, "it goes on")
	require.NoError(t, server.Process.Kill())
	_ = server.Wait() // it was killed
	require.True(t, r.opens(r.key, 0))
}

// killedReceipts make a rotation last long enough to be killed within.
const killedReceipts = 3_000

// fill stores receipts, as a server with many clients does.
func (r *rotation) fill() {
	r.t.Helper()
	text, err := os.ReadFile(r.key)
	require.NoError(r.t, err)
	key, err := keys.Parse(string(text))
	require.NoError(r.t, err)
	box, err := keys.New(key)
	require.NoError(r.t, err)
	base := dbtest.Raw(r.t, r.dir)
	var tenant string
	require.NoError(r.t, base.QueryRow("SELECT id FROM tenants WHERE slug = ?", mainTenant).Scan(&tenant))
	change, err := base.Begin()
	require.NoError(r.t, err)
	for i := range killedReceipts {
		name := fmt.Sprint("k", i)
		sealed, err := box.Seal("receipt/"+tenant+"/"+name, []byte(fmt.Sprint(`{"n":`, i, `}`)))
		require.NoError(r.t, err)
		_, err = change.Exec(`INSERT INTO receipts (tenant_id, key, digest, status, created_at, headers, body)
			VALUES (?, ?, 'd', 200, ?, '{}', ?)`, tenant, name, time.Now().UTC().Format(time.RFC3339), sealed)
		require.NoError(r.t, err)
	}
	require.NoError(r.t, change.Commit())
	require.NoError(r.t, base.Close())
}

// Wherever a rotation is killed, either the old key opens everything or the new one does (rule SEC-26). The first run
// says how much one reads and writes; the kills are spread over that.
func TestRotationIsKilled(t *testing.T) {
	r := newRotation(t)
	r.fill()
	rotate := func(killAt int64) (moved int64, err error) {
		return dbtest.RunUntil(t, exec.Command(webBinary(t), onEngine("key", "rotate-master", "--data", r.dir, "--master-key-file",
			r.key, "--new-master-key-file", r.next)...), killAt)
	}
	another := func() { // the next key is a new one
		r.next = filepath.Join(t.TempDir(), uuid.NewString())
		require.NoError(t, initMasterKey(r.next))
	}
	another()
	whole, err := rotate(0)
	require.NoError(t, err)
	require.True(t, r.opens(r.next, killedReceipts))
	r.key = r.next
	another()
	kept, replaced := 0, 0
	const kills = 12
	for i := range kills {
		_, _ = rotate(1 + whole*int64(i)/kills) // the first one is killed before it can have replaced anything
		byOld, byNew := r.opens(r.key, killedReceipts), r.opens(r.next, killedReceipts)
		require.NotEqual(t, byOld, byNew, "one of the two keys opens the store")
		if byOld {
			kept++
			continue
		}
		replaced++
		code, out, errs := r.run("--new-master-key-file", r.next)
		require.Zero(t, code, errs)
		require.Contains(t, out, "is in use already", "the operator asks again")
		r.key = r.next
		another()
	}
	t.Logf("a rotation of %d values moved %d kB; %d kills: the old key %d times, the new one %d times", killedReceipts,
		whole>>10, kills, kept, replaced)
	require.Positive(t, kept)
}
