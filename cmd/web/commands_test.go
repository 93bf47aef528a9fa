package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// call runs one command line.
func call(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), onEngine(args...), streams{in: strings.NewReader(stdin), out: &o, err: &e})
	return code, o.String(), e.String()
}

func demoFile(t *testing.T, name string) string {
	t.Helper()
	data, err := demo.FS.ReadFile(name)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func TestImportTwiceGivesOneSession(t *testing.T) {
	dir, file := t.TempDir(), demoFile(t, "leave-policy.json")
	code, first, errs := call(t, "", "import", "--data", dir, file)
	require.Zero(t, code, errs)
	require.Contains(t, first, "\tnew\t")
	code, second, _ := call(t, "", "import", "--data", dir, file)
	require.Zero(t, code)
	require.Contains(t, second, "\talready there\t")
	require.Equal(t, strings.Fields(first)[0], strings.Fields(second)[0])
}

func TestImportOfABadFileNamesThePlaceAndGoesOn(t *testing.T) {
	dir, good := t.TempDir(), demoFile(t, "leave-policy.json")
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(`{"format":"sanad.session/v1","session":{"answer":3}}`), 0o600))
	code, out, errs := call(t, "", "import", "--data", dir, bad, filepath.Join(dir, "none.json"), good)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "session.answer")
	require.Contains(t, errs, "none.json")
	require.Contains(t, out, "\tnew\t")
}

func TestExportRoundTrip(t *testing.T) {
	for _, name := range demo.Files {
		t.Run(name, func(t *testing.T) {
			dir := dbtest.Dir(t)
			code, out, errs := call(t, "", "import", "--data", dir, demoFile(t, name))
			require.Zero(t, code, errs)
			id := strings.Fields(out)[0]
			file := filepath.Join(t.TempDir(), "ledger.json")
			code, _, errs = call(t, "", "export", "--data", dir, "--session", id, "--format", "json", "-o", file)
			require.Zero(t, code, errs)
			code, twice, _ := call(t, "", "export", "--data", dir, "--session", id, "--format", "json")
			require.Zero(t, code)
			first, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(first), twice, "two exports of one revision are the same bytes")

			other := dbtest.Dir(t)
			code, out, errs = call(t, "", "import", "--data", other, file)
			require.Zero(t, code, errs)
			code, again, errs := call(t, "", "export", "--data", other, "--session", strings.Fields(out)[0],
				"--format", "json")
			require.Zero(t, code, errs)
			before, after := content(t, twice), content(t, again)
			require.NotEmpty(t, before)
			require.Equal(t, before, after, "an exported ledger, imported, has the same content (rule L-32)")
		})
	}
}

// content returns what an export says apart from what this store's judge found, people did, and the store's ids and
// times: query, answer and documents, and of each claim its text, type and importance.
func content(t *testing.T, export string) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(export), &v))
	sanad, _ := v["sanad"].(map[string]any)
	require.NotEmpty(t, sanad)
	out := map[string]any{}
	for _, key := range []string{"title", "query", "answer", "documents", "language"} {
		out[key] = sanad[key]
	}
	entries, _ := v["entries"].([]any)
	require.NotEmpty(t, entries)
	for i, e := range entries {
		e, _ := e.(map[string]any)
		for _, key := range []string{"claim_id", "claim_text", "claim_type"} {
			require.NotEmpty(t, e[key])
			out[fmt.Sprint(key, i)] = e[key]
		}
	}
	return out
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"import"}, {"nonsense"}, {"export", "--data", t.TempDir()},
		{"serve", "--addr", "here"}, {"judge", "--judge", "oracle"}, {"serve", "--no-such-flag"}} {
		code, _, errs := call(t, "", args...)
		require.Equal(t, exitUsage, code, "%v: %s", args, errs)
		require.Contains(t, errs, "--help")
	}
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"demo", "--help"}, {"import", "--help"},
		{"judge", "--help"}, {"export", "--help"}, {"migrate", "--help"}} {
		code, out, _ := call(t, "", args...)
		require.Zero(t, code)
		require.Contains(t, out, "Usage:")
	}
}

func TestListen(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0", "0.0.0.0:0", ":0"} {
		l, err := listen(addr)
		require.NoError(t, err, addr)
		require.NoError(t, l.Close())
	}
	_, err := listen("here")
	require.ErrorContains(t, err, "HOST:PORT")
}

func TestMigrateListsMigrations(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := call(t, "", "migrate", "--data", dir)
	require.Zero(t, code, errs)
	require.Contains(t, out, "sha256:")
	code, again, _ := call(t, "", "migrate", "--data", dir)
	require.Zero(t, code)
	require.Equal(t, out, again)
}

func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SANAD_DATA", dir)
	code, _, errs := call(t, "", "migrate")
	require.Zero(t, code, errs)
	_, err := os.Stat(filepath.Join(dir, "sanad.db"))
	require.NoError(t, err)
}

func TestServeStopsGracefully(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, onEngine("demo", "--addr", "127.0.0.1:0", "--data", t.TempDir()),
			streams{in: strings.NewReader(""), out: in, err: io.Discard})
	}()
	url := ""
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		for _, f := range strings.Fields(lines.Text()) {
			if strings.HasPrefix(f, "http://") {
				url = f
			}
		}
	}
	require.NotEmpty(t, url)
	go io.Copy(io.Discard, out) //nolint:errcheck // nobody reads on
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/sessions": 200, "/nowhere": 404} {
		res, err := http.Get(url + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.StatusCode, path)
	}
	stop()
	select {
	case code := <-done:
		require.Zero(t, code)
	case <-time.After(15 * time.Second):
		t.Fatal("the server did not stop")
	}
}

// firstLine is the output of a server up to its first line, and whether there was a store by then. It ends the server.
type firstLine struct {
	end  context.CancelFunc
	dir  string
	line string
	late bool
}

// Write keeps the first line.
func (f *firstLine) Write(p []byte) (int, error) {
	if f.line == "" {
		_, err := os.Stat(filepath.Join(f.dir, "sanad.db"))
		f.line, f.late = string(p), err == nil
		f.end()
	}
	return len(p), nil
}

// A server says its address before it opens or fills its store, which may take long.
func TestAddressComesFirst(t *testing.T) {
	dbtest.SQLiteOnly(t, "a file shows whether there is a store")
	for _, command := range []string{"serve", "demo"} {
		ctx, stop := context.WithCancel(context.Background())
		first := &firstLine{end: stop, dir: filepath.Join(t.TempDir(), "data")}
		run(ctx, []string{command, "--addr", "127.0.0.1:0", "--data", first.dir}, streams{in: strings.NewReader(""), out: first, err: io.Discard})
		require.Regexp(t, `^Sanad (listens on|demo: open) http://127\.0\.0\.1:\d+`, first.line)
		require.False(t, first.late, command)
	}
}

type judged struct {
	ID         string
	Verdict    *string
	Confidence float64
	PSupported float64 `json:"p_supported"`
	Notes      string
	Unjudged   string
	Matches    []struct {
		Doc     string
		Snippet string
	}
}

func lines(t *testing.T, out string) []judged {
	t.Helper()
	var all []judged
	for line := range strings.Lines(out) {
		var j judged
		require.NoError(t, json.Unmarshal([]byte(line), &j), line)
		all = append(all, j)
	}
	return all
}

func TestJudgeKeepsOrderAndAnswersBrokenRows(t *testing.T) {
	row := func(id, claim string) string {
		return fmt.Sprintf(`{"id":%q,"claim":%q,"evidence":[{"doc":"hr","text":"All permanent employees receive 15 days of paid annual leave."}],"lang":"en","label":"supported"}`+"\n", id, claim)
	}
	var in strings.Builder
	for i := range 300 {
		in.WriteString(row(fmt.Sprint("a", i), "Permanent employees receive 15 days of paid annual leave."))
	}
	in.WriteString("{broken\n\n" + row("last", "Permanent employees receive 30 days of paid annual leave."))
	code, out, errs := call(t, in.String(), "judge")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "1 row(s)")
	all := lines(t, out)
	require.Len(t, all, 302)
	for i := range 300 {
		require.Equal(t, fmt.Sprint("a", i), all[i].ID)
		require.Equal(t, "supported", *all[i].Verdict)
		require.Equal(t, "hr", all[i].Matches[0].Doc)
	}
	require.Nil(t, all[300].Verdict)
	require.InDelta(t, 0.5, all[300].PSupported, 1e-12)
	require.Contains(t, all[300].Unjudged, "line 301")
	require.Equal(t, "contradicted", *all[301].Verdict)
	require.Contains(t, all[301].Notes, "30")
}

// A row is answered before the next one arrives: output is not delayed until the end of the input.
func TestJudgeStreams(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(context.Background(), []string{"judge"}, streams{in: inR, out: outW, err: io.Discard})
		_ = outW.Close()
	}()
	answers := json.NewDecoder(outR)
	for i := range 3 {
		_, err := fmt.Fprintf(inW,
			`{"id":"%d","claim":"The sky is blue.","evidence":[{"doc":"d","text":"The sky is blue."}]}`+"\n", i)
		require.NoError(t, err)
		var j judged
		require.NoError(t, answers.Decode(&j))
		require.Equal(t, fmt.Sprint(i), j.ID)
	}
	require.NoError(t, inW.Close())
	require.Zero(t, <-done)
}

// Commands that work on an existing store fail without one, and create nothing.
func TestCommandsWithoutAStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, line := range []string{"audit verify", "audit export", "export --session x", "user list", "user disable x",
		"token list", "tenant list", "key list", "reassess", "purge --dry-run"} {
		code, _, errs := call(t, "", append(strings.Fields(line), "--data", dir)...)
		require.Equal(t, exitFailed, code, line)
		require.Contains(t, errs, "there is no store yet; name that of sanad serve", line)
		require.NoDirExists(t, dir, line)
	}
}

// A demo whose address is taken leaves nothing behind.
func TestDemoOnATakenAddress(t *testing.T) {
	taken, err := listen("127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close() //nolint:errcheck // a test's own
	dir := filepath.Join(t.TempDir(), "data")
	code, _, errs := call(t, "", "demo", "--data", dir, "--addr", taken.Addr().String())
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "address already in use")
	require.NoDirExists(t, dir)
}

func TestDemoHasEveryVerdictAndFlag(t *testing.T) {
	dir := dbtest.Dir(t)
	verdicts, flags := map[string]bool{}, map[string]bool{}
	for _, name := range demo.Files {
		code, out, errs := call(t, "", "import", "--data", dir, demoFile(t, name))
		require.Zero(t, code, errs)
		code, export, errs := call(t, "", "export", "--data", dir, "--session", strings.Fields(out)[0], "--format",
			"json")
		require.Zero(t, code, errs)
		var l struct {
			Entries []struct {
				Verdict string
			}
			RiskFlags []struct{ Type string } `json:"risk_flags"`
		}
		require.NoError(t, json.Unmarshal([]byte(export), &l))
		for _, e := range l.Entries {
			verdicts[e.Verdict] = true
		}
		for _, f := range l.RiskFlags {
			flags[f.Type] = true
		}
		if name == "leave-policy.json" {
			require.Equal(t, []string{"supported", "supported", "weak", "not_found"},
				[]string{l.Entries[0].Verdict, l.Entries[1].Verdict, l.Entries[2].Verdict, l.Entries[3].Verdict})
		}
	}
	require.Len(t, verdicts, 4)
	require.Len(t, flags, len(ledger.RiskTypes))
}
