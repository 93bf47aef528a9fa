package capsules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/e2e/interop"
)

// TestUpgradeUnderLoad goes the way of docs/operating.md, from the oldest level with capsules to the binary under test
// and back by restore, while clients write (rules DB-3, DB-4 and DB-6). The older binary is built from the commit that
// made the capsules, so this takes minutes and runs in make thorough.
func TestUpgradeUnderLoad(t *testing.T) {
	interop.Need(t, "git", "go")
	first := levels(t)[0]
	for _, l := range levels(t) {
		if l.about.Level < first.about.Level {
			first = l
		}
	}
	old := first.open(t)
	old.program = buildCommit(t, first.about.Commit)
	old.key = keyElsewhere(t, old.key)
	next := old
	next.program = orTested(t, "") // built before the clients begin
	tokens := map[string]string{}
	for login, who := range first.about.People {
		tokens[login] = old.token(login, who.Role)
	}
	backup := filepath.Join(t.TempDir(), "backup")

	s := old.serve("serve")
	w := startWriters(s.url, tokens["yousef"])
	defer w.end()
	w.await(t, 60)
	require.Contains(t, next.does("", "doctor"), fmt.Sprintf("level %d is older", first.about.Level))
	inBackup := w.acknowledged()
	old.does("", "backup", backup)
	w.await(t, 60)
	stopped := time.Now()
	s.stop()
	byOld := w.acknowledged()
	s = next.serve("serve", "--addr", strings.TrimPrefix(s.url, "http://"))
	w.await(t, 60)
	w.end()
	require.Empty(t, w.faults)
	w.report(t, stopped, len(inBackup), len(byOld))

	for _, a := range byOld { // as by a client that has not read the answer
		again := w.untilAnswered(a.write)
		require.Equal(t, a.answer, again.answer, "%s repeats a request that the older server has answered", a.write.mark)
	}
	reader, page := s.bearer(tokens["sara"]), s.signIn("sara", first.about.People["sara"].Password)
	require.Equal(t, once(w.acknowledged()), reader.marks())
	first.checkSessions(t, next, reader, page)
	first.checkPacks(t, reader, page)
	first.checkAnswers(t, reader)
	page.get("/dashboard")
	s.stop()
	first.checkLog(t, next)
	require.Regexp(t, `ok +database: .*sound, at level `, next.does("", "doctor"))

	first.refuses(t, old)
	for _, way := range []struct {
		name string
		into place
	}{
		{"into another folder", old.beside("restored")},
		{"in place", old},
	} {
		t.Run("back "+way.name, func(t *testing.T) {
			way.into.t = t
			first.goesBack(t, way.into, backup, tokens, inBackup, w.acknowledged())
		})
	}
}

// buildCommit builds the program of a commit of this repository.
func buildCommit(t *testing.T, commit string) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	shallow, _ := git("rev-parse", "--is-shallow-repository")
	if _, err := git("cat-file", "-e", commit+"^{commit}"); err != nil && shallow == "true" {
		if _, err = git("fetch", "--quiet", "--unshallow"); err != nil {
			t.Skipf("THE UPGRADE IS NOT TESTED: it begins at commit %s, which this shallow clone lacks; "+
				"git fetch --unshallow gets it", commit)
		}
	}
	in := func(folder, program string, args ...string) {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %s: %s", program, strings.Join(args, " "), out)
	}
	tree, binary := filepath.Join(dir, "tree"), filepath.Join(dir, "sanad")
	require.NoError(t, os.Mkdir(tree, 0o700))
	in(root, "git", "archive", "--format=tar.gz", "-o", filepath.Join(dir, "tree.tar.gz"), commit)
	untar(t, filepath.Join(dir, "tree.tar.gz"), tree)
	in(tree, "go", "build", "-trimpath", "-o", binary, "./cmd/web")
	return binary
}

// keyElsewhere copies the master key out of the data folder, which a restore replaces.
func keyElsewhere(t *testing.T, key string) string {
	t.Helper()
	data, err := os.ReadFile(key)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "master.key")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// beside returns a place with the same key and program and another data folder, which is not there yet.
func (p place) beside(name string) place {
	p.data = filepath.Join(filepath.Dir(p.data), name, "data")
	return p
}

// refuses checks that the older program opens the newer database by no command, says why, and changes no file.
func (l level) refuses(t *testing.T, old place) {
	t.Helper()
	before := sumsBelow(t, filepath.Dir(old.data))
	for _, args := range [][]string{
		{"serve", "--addr", "127.0.0.1:0"},
		{"migrate"},
		{"audit", "verify"},
		{"token", "add", "--name", "x", "--role", "viewer"},
		{"backup", filepath.Join(t.TempDir(), "backup")},
	} {
		code, out, errs := run(t, old.program, "", append(args, old.flags()...)...)
		require.Equal(t, 1, code, "%s: %s%s", args, out, errs)
		require.Regexp(t, fmt.Sprintf(
			`the database (was written by a newer version: it )?has schema \d+, this program knows %d`, l.about.Level), errs)
		require.Equal(t, before, sumsBelow(t, filepath.Dir(old.data)), args)
	}
}

// sumsBelow returns the SHA-256 of every file below a folder, by path, but for the index of the write-ahead log and an
// empty log: whoever opens the database makes and removes them.
func sumsBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal") && len(data) == 0 {
			return err
		}
		sums[path] = sumOf(data)
		return err
	}))
	return sums
}

// goesBack restores the backup that the older program made, with that program, which then serves it. What was
// acknowledged before the backup began is there once, and nothing is there twice. The place can be upgraded again.
func (l level) goesBack(t *testing.T, old place, backup string, tokens map[string]string, before, all []ack) {
	t.Helper()
	old.does("", "restore", backup, "--reason", "back to the older version")
	l.checkLog(t, old)
	s := old.serve("serve")
	reader, page := s.bearer(tokens["sara"]), s.signIn("sara", l.about.People["sara"].Password)
	stored := reader.marks()
	require.Subset(t, once(all), stored)
	require.Subset(t, stored, once(before))
	l.checkSessions(t, old, reader, page)
	l.checkPacks(t, reader, page)
	s.bearer(tokens["yousef"]).post("/api/v1/sessions", newSession("afterwards"))
	s.stop()
	l.checkLog(t, old)

	again := old
	again.program = ""
	again.does("", "migrate")
	l.checkLog(t, again)
}

// write is a change that a client asks for. Its mark is stored with it, as a title or as a comment.
type write struct {
	mark, path string
	body       any
}

// ack is a write that was acknowledged.
type ack struct {
	write  write
	answer answer
	at     time.Time
	tries  int
}

// answer is what a server answers to a write: status 0 if there was no connection.
type answer struct {
	status int
	body   string
}

// later reports whether the same request may get another answer later.
func (a answer) later() bool {
	return a.status == 0 || a.status == http.StatusTooManyRequests || a.status >= http.StatusInternalServerError
}

// writers are clients that write until they are stopped. Each repeats a request with its Idempotency-Key until it is
// acknowledged, and then makes the next.
type writers struct {
	url, token string
	stop       chan struct{}
	running    sync.WaitGroup
	once       sync.Once

	mu     sync.Mutex
	acks   []ack    // in the order in which they were received
	faults []string // answers that no repetition mends
}

const (
	clients = 4
	// pause is between two requests of a client: together they stay below what one token may ask for.
	pause = 50 * time.Millisecond
	// commented is how many comments follow each import.
	commented = 4
	// markPrefix begins every mark.
	markPrefix = "upgrade-"
)

func startWriters(url, token string) *writers {
	w := &writers{url: url, token: token, stop: make(chan struct{})}
	for c := range clients {
		w.running.Go(func() { w.writeOn(c) })
	}
	return w
}

// writeOn imports sessions and comments on each, until the writers are stopped.
func (w *writers) writeOn(client int) {
	path := ""
	for n := 0; ; n++ {
		select {
		case <-w.stop:
			return
		case <-time.After(pause):
		}
		next := write{mark: fmt.Sprintf("%s%d-%d", markPrefix, client, n), path: path}
		if n%(commented+1) == 0 {
			next.path, next.body = "/api/v1/sessions", newSession(next.mark)
		} else {
			next.body = map[string]any{"action": "comment", "reason": next.mark}
		}
		a := w.untilAnswered(next)
		w.mu.Lock()
		if a.answer.status == http.StatusCreated {
			w.acks = append(w.acks, a)
		} else {
			w.faults = append(w.faults, fmt.Sprintf("%s: %d %s", next.mark, a.answer.status, a.answer.body))
		}
		w.mu.Unlock()
		if a.answer.status != http.StatusCreated {
			return
		}
		var imported struct {
			ID string `json:"session_id"`
		}
		if json.Unmarshal([]byte(a.answer.body), &imported) == nil && imported.ID != "" {
			path = "/api/v1/sessions/" + imported.ID + "/claims/1/reviews"
		}
	}
}

// newSession returns a session file with one claim.
func newSession(mark string) map[string]any {
	return map[string]any{
		"format":  "sanad.session/v1",
		"session": map[string]any{"title": mark, "query": "How long is the leave?", "answer": "Leave is 15 days."},
		"documents": []map[string]any{{
			"id": "d", "text": "Leave is 15 days. " + mark,
		}},
	}
}

// untilAnswered repeats a write until a server accepts or refuses it, for two minutes at most.
func (w *writers) untilAnswered(next write) (a ack) {
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(pause) {
		a = ack{write: next, answer: w.send(next), at: time.Now(), tries: a.tries + 1}
		if !a.answer.later() || a.at.After(deadline) {
			return a
		}
	}
}

// send sends a write once, on a connection of its own: what the client asks for while no server listens is refused.
func (w *writers) send(next write) answer {
	body, err := json.Marshal(next.body)
	if err != nil {
		return answer{http.StatusBadRequest, err.Error()}
	}
	req, err := http.NewRequest("POST", w.url+next.path, bytes.NewReader(body))
	if err != nil {
		return answer{http.StatusBadRequest, err.Error()}
	}
	req.Close = true
	for name, value := range map[string]string{"Authorization": "Bearer " + w.token, "If-Match": "*",
		"Content-Type": "application/json", "Idempotency-Key": next.mark} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{body: err.Error()}
	}
	defer res.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{body: err.Error()}
	}
	return answer{res.StatusCode, string(data)}
}

func (w *writers) acknowledged() []ack {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]ack(nil), w.acks...)
}

// await waits for a number of further writes.
func (w *writers) await(t *testing.T, more int) {
	t.Helper()
	enough := len(w.acknowledged()) + more
	require.Eventually(t, func() bool { return len(w.acknowledged()) >= enough }, 2*time.Minute, 20*time.Millisecond,
		"the clients don't get on")
}

// end lets each client finish its write.
func (w *writers) end() {
	w.once.Do(func() { close(w.stop) })
	w.running.Wait()
}

// report prints how the upgrade looked to the clients.
func (w *writers) report(t *testing.T, stopped time.Time, inBackup, byOld int) {
	t.Helper()
	last, tries := stopped, 0
	var longest time.Duration
	for _, a := range w.acks {
		if a.at.After(stopped) {
			longest = max(longest, a.at.Sub(last))
			last = a.at
		}
		tries += a.tries - 1
	}
	t.Logf("%d writes acknowledged (%d before the backup, %d by the older server), %d repeated; "+
		"clients got no answer for %v", len(w.acks), inBackup, byOld, tries, longest.Round(time.Millisecond))
}

// once returns the marks of writes, each once.
func once(acks []ack) map[string]int {
	marks := map[string]int{}
	for _, a := range acks {
		marks[a.write.mark] = 1
	}
	return marks
}

// marks returns how often a server has each mark of the writers.
func (v visitor) marks() map[string]int {
	v.t.Helper()
	marks := map[string]int{}
	for after := ""; ; {
		var list struct {
			Sessions []struct{ ID, Title string }
			Next     string
		}
		require.NoError(v.t, json.Unmarshal(v.get("/api/v1/sessions?"+url.Values{"q": {markPrefix}, "limit": {"200"},
			"after": {after}}.Encode()), &list))
		for _, s := range list.Sessions {
			marks[s.Title]++
			var is struct {
				Ledger struct {
					Entries []struct {
						Reviews []struct{ Reason string }
					}
				}
			}
			require.NoError(v.t, json.Unmarshal(v.get("/api/v1/sessions/"+s.ID+"/ledger"), &is))
			require.NotEmpty(v.t, is.Ledger.Entries)
			for _, r := range is.Ledger.Entries[0].Reviews {
				marks[r.Reason]++
			}
		}
		if after = list.Next; after == "" {
			return marks
		}
	}
}
