package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/thorough"
)

// The command line judges any number of claims, because its user can wait; a request cannot.
func TestImportJudgesMoreClaimsThanARequest(t *testing.T) {
	var answer strings.Builder
	for i := range judge.MaxClaims + 5 {
		fmt.Fprintf(&answer, "Item %d costs %d euros. ", i, i*3)
	}
	file := filepath.Join(t.TempDir(), "long.json")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil,
		`{"format":"sanad.session/v1","session":{"answer":%q},"documents":[{"id":"d","text":"Item 7 costs 21 euros."}]}`, answer.String()), 0o600))
	dir := t.TempDir()
	code, out, errs := call(t, "", "import", "--data", dir, file)
	require.Zero(t, code, errs)
	require.NotContains(t, errs, "judged", "progress is for terminals")
	ledger := filepath.Join(t.TempDir(), "ledger.json")
	code, _, errs = call(t, "", "export", "--data", dir, "--session", strings.Fields(out)[0], "--format", "json", "-o",
		ledger)
	require.Zero(t, code, errs)
	data, err := os.ReadFile(ledger)
	require.NoError(t, err)
	require.Contains(t, string(data), fmt.Sprintf(`"total_claims": %d`, judge.MaxClaims+5))
	require.Contains(t, string(data), `"verdict": "supported"`)
}

// leavingContext is a context that is cancelled after Err has been called a number of times.
type leavingContext struct {
	context.Context
	looks int
}

func (l *leavingContext) Err() error {
	if l.looks--; l.looks < 0 {
		return context.Canceled
	}
	return nil
}

// Interrupting an import during a long judgement ends it at once, and nothing of that session is stored.
func TestInterruptedImport(t *testing.T) {
	c := atData(t.TempDir())
	data := []byte(`{"format":"sanad.session/v1","session":{"answer":"` + strings.Repeat("The fee is 5 euros. ", 50) +
		`"},"documents":[{"id":"d","text":"The fee is 5 euros."}]}`)
	require.NoError(t, c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
		var out, errs bytes.Buffer
		err := importSessions(&leavingContext{context.Background(), 20}, importer(s, tenant, nil), "long.json", bytes.NewReader(data),
			int64(len(data)), streams{in: nil, out: &out, err: &errs})
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, out.String()+errs.String())
		sessions, _, err := s.Sessions(context.Background(), tenant.ID, ledger.SessionQuery{Limit: 1})
		require.NoError(t, err)
		require.Empty(t, sessions)
		return nil
	}))
}

// The error for an unknown file lists what can be imported, including decisions.
func TestImportOfAnUnknownFileNamesDecisions(t *testing.T) {
	for _, in := range []string{`{"hello":"world"}`, `{"format":"other/v1","x":1}`,
		`{"hello":1}` + "\n" + `{"hello":2}`} {
		code, _, errs := call(t, in, "import", "--data", t.TempDir(), "-")
		require.Equal(t, exitFailed, code)
		require.Contains(t, errs, `"format": "sanad.session/v1"`)
		require.Contains(t, errs, `"format": "sanad.decision/v1"`)
		require.Contains(t, errs, "decision_id")
	}
	code, _, errs := call(t, `{"hello":"world"}`+strings.Repeat(" ", 17<<20), "import", "--data", t.TempDir(), "-")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "decision_id", "a large file is told too")
	code, _, errs = call(t, `{"decision_id":"d","x":"`+strings.Repeat("x", 17<<20)+`"}`, "import", "--data",
		t.TempDir(), "-")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "This decision has")
}

// TestMemoryOfLargeImports bounds the peak resident memory of `sanad import` for files of 100 MB in make thorough, of 4
// MB otherwise. Rows are read one by one, so their number does not matter. Of a session the claims are held, and not
// the texts of its documents, unless claims without matches are judged by them.
func TestMemoryOfLargeImports(t *testing.T) {
	size := thorough.Times(4<<20, 100<<20)
	exe := webBinary(t)

	empty := peak(t, exe, []byte(`{"format":"sanad.session/v1","session":{"answer":"It is 5 euros."},"documents":[{"id":"d","text":"It is 5 euros."}]}`), false)
	row := fmt.Sprintf(`{"user_input":"What is it?","retrieved_contexts":[%q],"response":"It is %%07d euros for each."}`+"\n", strings.Repeat("It is 5 euros for each item of the list. ", 2_500))
	var rows bytes.Buffer
	for i := 0; rows.Len() < size; i++ {
		fmt.Fprintf(&rows, row, i)
	}
	one := largeSession(min(benchClaims, size/400))
	for i := 0; len(one) < size; i++ { // documents that no match refers to
		more := fmt.Appendf(nil, `"documents":[{"id":"more%d","text":%q},`, i,
			strings.Repeat("It is 5 euros for each item of the list.\n", min(size-len(one), 8<<20)/41+1))
		one = bytes.Replace(one, []byte(`"documents":[`), more, 1)
	}
	for _, c := range []struct {
		name    string
		data    []byte
		most    int
		refused bool
	}{
		// the pages of the program that storing a session uses are some 12 MiB of it
		{name: "one session", data: one, most: empty + 2*len(one) + 40<<20},
		{name: "rows", data: rows.Bytes(), most: empty + 60<<20},
		{name: "a claim of 100 KB", data: session(strings.Repeat("It is 5 euros for each item ", 3_600),
			strings.Repeat("It is 5 euros for each item of the list. ", 2_500)), most: empty + 120<<20},
		{name: "an unbroken line", data: session(strings.Repeat("x", min(size, 900_000)), strings.Repeat("y", min(size, 8<<20))),
			most: empty + 160<<20},
		{name: "more documents than a session may have", data: session("It is 5 euros.", slices.Repeat([]string{
			strings.Repeat("It is 5 euros for each item of the list. ", size/400_000)}, 10*ledger.MaxDocuments)...),
			most: empty + 4*size + 60<<20, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			most := peak(t, exe, c.data, c.refused)
			t.Logf("a file of %d KiB: at most %d MiB resident (%d for a file of nothing)", len(c.data)>>10, most>>20,
				empty>>20)
			require.Less(t, most, c.most)
		})
	}
}

// session returns a session of one claim, its answer, and documents.
func session(answer string, documents ...string) []byte {
	var list strings.Builder
	for i, d := range documents {
		fmt.Fprintf(&list, `%s{"id":"d%d","text":%q}`, []string{"", ","}[min(i, 1)], i, d)
	}
	return fmt.Appendf(nil, `{"format":"sanad.session/v1","session":{"answer":%q},"documents":[%s],"claims":[{"claim_text":%q}]}`,
		answer, list.String(), answer)
}

// peak imports a file in its own process, which may have to refuse it, and returns the peak resident memory, in bytes.
func peak(t *testing.T, exe string, data []byte, refused bool) int {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "file.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	cmd := exec.CommandContext(context.Background(), exe, onEngine("import", "--data", filepath.Join(dir, "data"), file)...)
	cmd.Env = append(os.Environ(), "SANAD_MASTER_KEY="+strings.Repeat("ab", 32))
	return peakOf(t, cmd, refused)
}

// peakOf runs a command, which fails or not, and returns its peak resident memory, in bytes.
func peakOf(t testing.TB, cmd *exec.Cmd, fails bool) int {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	figure := filepath.Join(t.TempDir(), "peak")
	var out bytes.Buffer
	measured := exec.CommandContext(context.Background(), self, cmd.Args...)
	measured.Env = append(cmd.Environ(), peakFile+"="+figure)
	measured.Stdin, measured.Stdout, measured.Stderr = cmd.Stdin, cmd.Stdout, &out
	if measured.Stdout == nil {
		measured.Stdout = &out
	}
	if err := measured.Run(); fails {
		require.Error(t, err)
	} else {
		require.NoError(t, err, out.String()[max(0, out.Len()-2000):])
	}
	kib, err := os.ReadFile(figure)
	require.NoError(t, err)
	most, err := strconv.Atoi(string(kib))
	require.NoError(t, err)
	return most << 10
}

// peakFile is the environment variable with the file that a process started by peakOf writes the peak into.
const peakFile = "SANAD_TEST_PEAK_FILE"

// measurePeak runs a command and writes its peak resident memory, in KiB, into a file; it returns the command's exit
// code. The figure counts what the process held that started the command, which is therefore one that holds nothing.
func measurePeak(args []string, file string) int {
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	kib := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if err := os.WriteFile(file, []byte(strconv.FormatInt(kib, 10)), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}
