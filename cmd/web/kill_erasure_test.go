package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/importers"
)

// importWords stores a session whose answer, claims and uploaded source have a word, and returns its id. The source is
// long, so that an erasure takes a while.
func importWords(t *testing.T, dir, word string) (id string) {
	t.Helper()
	desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
		tenant, err := store.TenantBySlug(ctx, mainTenant)
		require.NoError(t, err)
		text := strings.Repeat(word+" gets fifteen days of leave in each full year.\n\n", 10_000)
		read, err := importers.FromForm(ctx, importers.Form{
			Title: "About " + word, Answer: word + " gets fifteen days of leave.",
			Files: []importers.File{{Name: word + ".txt", Data: []byte(text)}},
		}, importers.Options{})
		require.NoError(t, err)
		done, err := importer(store, tenant, nil).Import(ctx, read, nil)
		require.NoError(t, err)
		id = done.SessionID
	})
	return id
}

// erasers are the two people of an erasure, as they reach a server.
type erasers struct {
	admin, approver *writer
	password        string // of the approver
}

func newErasers(t *testing.T, dir string) *erasers {
	t.Helper()
	d := desk{t, dir}
	token := func(login, role string) string {
		out := d.does("", "token", "add", "--name", role, "--role", role, "--user", login)
		return regexp.MustCompile(`sanad_\w+`).FindString(out)
	}
	d.does("", "user", "add", "asks", "--role", "admin")
	e := &erasers{password: shown(t, d.does("", "user", "add", "confirms", "--role", "approver"))}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	e.admin, e.approver = &writer{"", token("asks", "admin"), client}, &writer{"", token("confirms", "approver"), client}
	return e
}

// at points both people to a server.
func (e *erasers) at(url string) { e.admin.url, e.approver.url = url, url }

// ask asks for an erasure and returns its id.
func (e *erasers) ask(t *testing.T, kind, id string) string {
	t.Helper()
	status, answer, header, err := e.admin.send("POST", "/api/v1/erasures",
		fmt.Sprintf(`{"kind":%q,"id":%q,"reason":"A person asked for it."}`, kind, id))
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, status, string(answer))
	return strings.TrimPrefix(header.Get("Location"), "/api/v1/erasures/")
}

// confirm is the second person's confirmation. The error is not nil if the server died before it answered.
func (e *erasers) confirm(id string) (status int, err error) {
	status, _, _, err = e.approver.send("POST", "/api/v1/erasures/"+id+"/confirm",
		fmt.Sprintf(`{"password":%q}`, e.password))
	return status, err
}

// state returns how far an erasure is.
func (e *erasers) state(t *testing.T, id string) string {
	t.Helper()
	_, answer, _, err := e.admin.send("GET", "/api/v1/erasures/"+id, "")
	require.NoError(t, err)
	var out struct{ Status string }
	require.NoError(t, json.Unmarshal(answer, &out))
	return out.Status
}

// filesWith lists the files below the folders that hold a word, in any case of its letters; the first is a data folder,
// whose database counts as one of them.
func filesWith(t *testing.T, word string, dirs ...string) (found []string) {
	t.Helper()
	word = strings.ToLower(word)
	if databaseOf(dirs[0]) != "" && strings.Contains(strings.ToLower(allRows(t, dirs[0])), word) {
		found = append(found, "database")
	}
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if strings.Contains(strings.ToLower(path), word) || bytes.Contains(bytes.ToLower(data), []byte(word)) {
				found = append(found, path)
			}
			return err
		}))
	}
	return found
}

// moment is a point of an erasure at which the server is killed. is reports whether it has come; it looks at the data
// folder from outside, as fast as it can.
type moment struct {
	name string
	is   func(d *sql.DB, dir, id string) bool
}

const rewriting = "the database is being rewritten"

// moments are the points that can be seen from outside, in the order in which they come.
var moments = []moment{
	{"at once", func(*sql.DB, string, string) bool { return true }},
	{"the rows are gone", func(d *sql.DB, _, id string) bool { return erasureIs(d, id, "state <> 'asked'") }},
	{"the files are deleted", func(_ *sql.DB, dir, _ string) bool {
		left, err := filepath.Glob(filepath.Join(dir, "originals", "*", "*"))
		return err == nil && len(left) == 0
	}},
	{"the files are forgotten", func(d *sql.DB, _, id string) bool {
		return erasureIs(d, id, "state <> 'asked' AND NOT EXISTS (SELECT 1 FROM scrub_due WHERE files <> '[]')")
	}},
	{rewriting, func(_ *sql.DB, dir, _ string) bool {
		whole, err := os.Stat(filepath.Join(dir, "sanad.db"))
		wal, err2 := os.Stat(filepath.Join(dir, "sanad.db-wal"))
		return err == nil && err2 == nil && wal.Size() > whole.Size()/2
	}},
	{"no trace is left", func(d *sql.DB, _, id string) bool {
		n := 1
		return erasureIs(d, id, "state <> 'asked'") && d.QueryRow("SELECT count(*) FROM scrub_due").Scan(&n) == nil && n == 0
	}},
	{"it is done", func(d *sql.DB, _, id string) bool { return erasureIs(d, id, "state = 'done'") }},
}

func erasureIs(d *sql.DB, id, condition string) bool {
	n := 0
	return d.QueryRow("SELECT count(*) FROM erasures WHERE id = ? AND "+condition, id).Scan(&n) == nil && n == 1
}

// interrupted reports whether an erasure is confirmed and not finished, by a copy of the database that a killed server
// left.
func interrupted(t *testing.T, dir, id string) bool {
	t.Helper()
	if databaseOf(dir) != "" {
		return erasureIs(dbtest.Raw(t, dir), id, "state = 'erasing'")
	}
	files, err := filepath.Glob(filepath.Join(dir, "sanad.db*"))
	require.NoError(t, err)
	into := t.TempDir()
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(into, filepath.Base(f)), data, 0o600))
	}
	d, err := sql.Open("sqlite", "file:"+filepath.Join(into, "sanad.db"))
	require.NoError(t, err)
	defer d.Close() //nolint:errcheck // only read
	return erasureIs(d, id, "state = 'erasing'")
}

// A server that is killed in the middle of an erasure finishes it by itself after the next start: no byte of the text
// is left in any file of the data folder, and the log verifies (rule ER-5).
func TestErasureSurvivesKill(t *testing.T) {
	dir := t.TempDir()
	people := newErasers(t, dir)
	stopped := 0
	for i, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			if m.name == rewriting {
				dbtest.SQLiteOnly(t, "its file is rewritten")
			}
			word := fmt.Sprint("Zanzibarite", i)
			session := importWords(t, dir, word)
			server := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", dir)...)
			people.at(startWeb(t, server))
			status, answer, _, err := people.admin.send("PUT", "/api/v1/lake/files/"+word+".txt", word, "Content-Type",
				"text/plain")
			require.NoError(t, err)
			require.Equal(t, http.StatusCreated, status, string(answer))
			asked := []string{people.ask(t, "session", session), people.ask(t, "artifact", "files/"+word+".txt")}
			require.NotEmpty(t, filesWith(t, word, dir))
			people.confirmUntil(t, server, m, dir, asked)
			for _, id := range asked {
				if interrupted(t, dir, id) {
					stopped++
				}
			}

			server = exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", dir)...)
			people.at(startWeb(t, server))
			for _, id := range asked {
				if people.state(t, id) == "asked" { // killed before the rows were deleted: nothing is
					status, err := people.confirm(id)
					require.NoError(t, err)
					require.Equal(t, http.StatusOK, status)
				}
				require.Eventually(t, func() bool { return people.state(t, id) == "done" }, time.Minute, 40*time.Millisecond)
			}
			require.Empty(t, filesWith(t, word, dir, dir+"-checkpoints"), "while the server runs")
			status, answer, _, err = people.admin.send("GET", "/api/v1/sessions/"+session, "")
			require.NoError(t, err)
			require.Equal(t, http.StatusGone, status, string(answer))
			require.NoError(t, server.Process.Signal(syscall.SIGTERM))
			require.NoError(t, server.Wait())
			require.Empty(t, filesWith(t, word, dir, dir+"-checkpoints"), "after it has stopped")
			requireLogsVerify(t, dir)
			requireSound(t, dir)
		})
	}
	require.Positive(t, stopped, "no kill came between the confirmation and the end of an erasure")
	t.Logf("%d kills, %d erasures were interrupted and finished by the next start", len(moments), stopped)
}

// confirmUntil confirms erasures at the same time, and kills the server at a moment of the first one, or when it has
// answered.
func (e *erasers) confirmUntil(t *testing.T, server *exec.Cmd, m moment, dir string, asked []string) {
	t.Helper()
	d := dbtest.Raw(t, dir)
	answered := make(chan struct{}, len(asked))
	var confirming sync.WaitGroup
	for _, id := range asked {
		confirming.Go(func() {
			_, _ = e.confirm(id) // the server is killed meanwhile
			answered <- struct{}{}
		})
	}
	for waiting := len(asked); waiting > 0 && !m.is(d, dir, asked[0]); {
		select {
		case <-answered:
			waiting--
		default:
		}
	}
	require.NoError(t, server.Process.Kill()) // SIGKILL
	_ = server.Wait()                         // it was killed
	confirming.Wait()                         // their connections are gone; the next server gets another address
	require.NoError(t, d.Close())
}
