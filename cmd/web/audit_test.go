package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
)

func TestMasterKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "master.key")
	code, _, errs := call(t, "", "key", "init", file)
	require.Zero(t, code, errs)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	code, _, errs = call(t, "", "key", "init", file)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "was not changed")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, before, after)

	data := filepath.Join(t.TempDir(), "data")
	t.Setenv(masterKeyVariable, "")
	code, _, errs = call(t, "", "migrate", "--data", data)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "sanad key init FILE")
	code, _, errs = call(t, "", "migrate", "--data", data, "--master-key-file", file+".none")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "sanad key init")
	t.Setenv(masterKeyVariable, "hunter2")
	code, _, errs = call(t, "", "migrate", "--data", data)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "32 bytes")
	require.NotContains(t, errs, "hunter2")
	code, _, errs = call(t, "", "import", "--data", data, "--master-key-file", file, demoFile(t, "leave-policy.json"))
	require.Zero(t, code, errs)
	t.Setenv(masterKeyVariable, strings.Repeat("ab", 32))
	code, _, errs = call(t, "", "migrate", "--data", data)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "the master key is not the one that sealed this database's keys")
}

func TestAuditCommands(t *testing.T) {
	d := newDesk(t)
	d.does("", "import", demoFile(t, "leave-policy.json"))
	out := d.does("", "audit", "verify")
	require.Contains(t, out, "main\tok\torigin sanad/")
	require.Contains(t, out, "system\tok\t")
	exported := d.does("", "audit", "export")
	lines := strings.Split(strings.TrimSuffix(exported, "\n"), "\n")
	require.GreaterOrEqual(t, len(lines), 2)
	for _, line := range lines {
		_, err := audit.ParseEvent([]byte(line))
		require.NoError(t, err)
	}
	require.Contains(t, lines[len(lines)-1], "log.exported", "the export is logged before the first byte")
	p, err := audit.ParseProof(d.does("", "audit", "proof", "--seq", "1"))
	require.NoError(t, err)
	c, err := audit.Claimed(p.Checkpoint)
	require.NoError(t, err)
	require.NoError(t, p.Check(audit.LeafHash([]byte(lines[0])), audit.TreeHead{Size: c.Size, Root: c.Root}))
	require.Equal(t, "main\taddresses forgotten\t0\n", d.does("", "audit", "forget-addresses", "--before", "2026-10"))
	code, _, errs := call(t, "", "audit", "forget-addresses", "--before", "soon")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "not a month")
	d.fails("has no event 999", "", "audit", "proof", "--seq", "999")

	require.Contains(t, d.does("", "key", "list", "--pem"), "BEGIN PUBLIC KEY")
	require.Contains(t, d.does("", "key", "rotate", "--purpose", "log"), "\tlog\t")
	require.Equal(t, 2, strings.Count(d.does("", "key", "list"), "\tlog\t"))
	d.does("", "audit", "verify", "--tenant", "main")

	file := dbtest.Raw(t, d.dir)
	for _, change := range []string{"DROP TRIGGER events_keep", "UPDATE events SET actor = 'x' WHERE seq = 1"} {
		_, err := file.Exec(change)
		require.NoError(t, err)
	}
	require.NoError(t, file.Close())
	code, out, _ = call(t, "", "audit", "verify", "--data", d.dir)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "main\tFAULT")
	require.Contains(t, out, "first bad event 1\n")
}

// audit verify names the session, claim and part whose rows somebody changed, exits with 1, and an export is refused.
func TestAuditVerifyNamesChangedContent(t *testing.T) {
	d := newDesk(t)
	d.does("", "import", demoFile(t, "leave-policy.json"))
	require.Contains(t, d.does("", "audit", "verify"), "main\tok\tcontent of 1 sessions\n")
	file := dbtest.Raw(t, d.dir)
	var id string
	require.NoError(t, file.QueryRow("SELECT id FROM sessions").Scan(&id))
	require.Equal(t, "main\tok\tcontent of session "+id+"\n", d.does("", "audit", "verify", "--session", id))
	d.fails("there is no session", "", "audit", "verify", "--session", "x")
	_, err := file.Exec("UPDATE claims SET verdict = 'contradicted' WHERE position = 0")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	for _, args := range [][]string{{}, {"--session", id}} {
		code, out, _ := call(t, "", append([]string{"audit", "verify", "--data", d.dir}, args...)...)
		require.Equal(t, exitFailed, code)
		require.Contains(t, out, "main\tsession "+id+", claims, claim 1, verdict: rows are not those")
	}
	d.fails("claim 1", "", "export", "--session", id, "--format", "json", "--output", "-")
}

// With a wrong folder for the checkpoints the command says so, and does not write a checkpoint there that would agree
// the next time.
func TestAuditVerifyWritesNoCheckpoint(t *testing.T) {
	d := newDesk(t)
	d.does("", "import", demoFile(t, "leave-policy.json"))
	before := d.does("", "audit", "verify")
	require.NotContains(t, before, "is missing")
	wrong := filepath.Join(t.TempDir(), "wrong")
	for range 2 {
		code, out, _ := call(t, "", "audit", "verify", "--data", d.dir, "--checkpoints", wrong)
		require.Equal(t, exitFailed, code, "such a log is not believed")
		require.Contains(t, out, "main\tthe checkpoint outside the database is missing\n")
		d.does("", "audit", "proof", "--seq", "1", "--checkpoints", wrong)
	}
	require.NoDirExists(t, wrong)
	require.Equal(t, before, d.does("", "audit", "verify"), "nothing was written")
}

// A tenant whose checkpoint is gone only reads until the operator accepts its log, with a reason that is logged.
func TestAuditAccept(t *testing.T) {
	d := newDesk(t)
	d.does("", "import", demoFile(t, "leave-policy.json"))
	require.Contains(t, d.does("", "audit", "accept", "--reason", "nothing"), "main\tnothing to accept")
	files, err := filepath.Glob(d.dir + "-checkpoints/*.checkpoint")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
	code, _, text := call(t, "", "import", demoFile(t, "vendor-review.json"), "--data", d.dir)
	require.NotEqual(t, exitOK, code)
	require.Contains(t, text, "so the store is read-only. The cause: the audit log of tenant")
	code, _, text = call(t, "", "audit", "accept", "--data", d.dir)
	require.Equal(t, exitUsage, code, text)
	require.Contains(t, d.does("", "audit", "accept", "--reason", "the disk was lost"), "main\taccepted: ")
	require.Contains(t, d.does("", "audit", "export"), "the disk was lost")
	d.does("", "audit", "verify", "--tenant", "main")
}
