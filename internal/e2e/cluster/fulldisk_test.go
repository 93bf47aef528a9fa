package cluster

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rooms are small file systems, one for the tables of a database and one for its write-ahead log.
type rooms struct {
	tables, wal string   // where the server has them
	seen        string   // in front of these paths, where the test sees them
	within      []string // runs a program where they are
}

// newRooms mounts file systems of 24 and 32 MB for who starts a program within: in a namespace of an ordinary user.
// Where the system refuses that, .ci/cluster has mounted them, if it could.
func (m *machines) newRooms() *rooms {
	t := m.t
	t.Helper()
	if dir := os.Getenv("SANAD_CLUSTER_ROOMS"); dir != "" {
		return &rooms{tables: filepath.Join(dir, "tables"), wal: filepath.Join(dir, "wal")}
	}
	r := &rooms{tables: m.path("tables"), wal: m.path("wal")}
	for _, dir := range []string{r.tables, r.wal} {
		require.NoError(t, os.Mkdir(dir, 0o700))
	}
	holds := m.program("rooms", "unshare", nil, "--map-root-user", "--mount", "sh", "-c",
		`mount -t tmpfs -o size=24m,mode=700 sanad "$0" && mount -t tmpfs -o size=32m,mode=700 sanad "$1" && echo mounted && exec sleep 600`,
		r.tables, r.wal)
	holds.start()
	await(t, "small file systems are mounted", func() bool {
		require.True(t, holds.running() || strings.Contains(holds.text(), "mounted"), "the test of a full disk needs a small "+
			"file system: user namespaces (unshare --map-root-user --mount), or run .ci/cluster as root where mount is allowed: %s",
			holds.text())
		return strings.Contains(holds.text(), "mounted")
	}, holds)
	pid := strconv.Itoa(holds.cmd.Process.Pid)
	r.seen = "/proc/" + pid + "/root"
	// PostgreSQL does not run as root, which an ordinary user is in there
	r.within = []string{"nsenter", "--target", pid, "--user", "--mount", "--preserve-credentials",
		"unshare", "--map-user=1000", "--map-group=1000", "--"}
	return r
}

// fill leaves little room in one of the file systems, and returns what makes room again.
func (r *rooms) fill(t *testing.T, dir string, left int64) (empty func()) {
	t.Helper()
	ballast := filepath.Join(r.seen+dir, "ballast")
	f, err := os.Create(ballast)
	require.NoError(t, err)
	size, zeros := int64(0), make([]byte, 4096)
	for {
		n, err := f.Write(zeros)
		if size += int64(n); err != nil {
			require.ErrorContains(t, err, "no space left")
			break
		}
	}
	require.NoError(t, f.Truncate(max(0, size-left)))
	require.NoError(t, f.Close())
	return func() { require.NoError(t, os.Remove(ballast)) }
}

// newFullDatabase makes a server whose tables and whose write-ahead log have file systems of their own.
func (m *machines) newFullDatabase(r *rooms) *server {
	t := m.t
	t.Helper()
	s := m.newServer("small")
	s.within = r.within
	require.NoError(t, os.WriteFile(m.path("password"), []byte(m.password+"\n"), 0o600))
	initdb := append(slices.Clone(r.within), filepath.Join(m.postgres, "initdb"), "-D", s.data, "-U", "postgres", "--pwfile",
		m.path("password"), "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--waldir", filepath.Join(r.wal, "segments"),
		"--wal-segsize", "1")
	m.does("", initdb[0], initdb[1:]...)
	// nothing of the write-ahead log is given up while the test runs
	s.up("listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=40", "shared_buffers=64MB", "jit=off",
		"dynamic_shared_memory_type=mmap",
		"min_wal_size=2MB", "max_wal_size=1GB", "checkpoint_timeout=1h", "autovacuum=off")
	m.makeDatabase(s)
	for _, statement := range []string{"CREATE TABLESPACE small OWNER sanad LOCATION '" + filepath.Join(r.tables) + "'",
		"ALTER DATABASE sanad SET TABLESPACE small"} {
		out, err := s.asks("postgres", statement)
		require.NoError(t, err, out)
	}
	return s
}

// imported is what came of imports: by the names of the sessions, whether they were acknowledged.
type imported map[string]bool

// importAt imports a session of some 20 kB that cannot be packed, and returns the answer.
func (c *client) importAt(t *testing.T, done imported, name string) (status int, answer string) {
	t.Helper()
	var text strings.Builder
	for range 2500 {
		fmt.Fprintf(&text, "%x ", rand.Uint32())
	}
	body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":%q,"answer":"Leave is 15 days."},`+
		`"documents":[{"id":"d","text":%q}]}`, name, name+" Leave is 15 days. "+text.String())
	status, data, err := c.send("POST", "/api/v1/sessions", body)
	require.NoError(t, err)
	require.Contains(t, []int{http.StatusCreated, http.StatusServiceUnavailable}, status, "%s", data)
	done[name] = status == http.StatusCreated
	return status, string(data)
}

// sessions counts all sessions that a node shows.
func (c *client) sessions(t *testing.T) (n int) {
	t.Helper()
	for path := "/api/v1/sessions?limit=100"; path != ""; {
		status, data, err := c.send("GET", path, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, "%s", data)
		var page struct {
			Sessions []any
			Next     string
		}
		require.NoError(t, json.Unmarshal(data, &page))
		n += len(page.Sessions)
		if path = ""; page.Next != "" {
			path = "/api/v1/sessions?limit=100&after=" + url.QueryEscape(page.Next)
		}
	}
	return n
}

// requireKept checks that all that was acknowledged is there, nothing twice, and nothing else but what was left open.
func (done imported) requireKept(t *testing.T, c *client, s *server, open []string) {
	t.Helper()
	names := strings.Fields(s.sql("SELECT external_id FROM sessions"))
	require.Equal(t, len(names), c.sessions(t), "reading goes on")
	slices.Sort(names)
	require.Len(t, slices.Compact(slices.Clone(names)), len(names), "a session is there twice")
	for name, acknowledged := range done {
		_, there := slices.BinarySearch(names, name)
		switch {
		case acknowledged:
			require.True(t, there, "%s was acknowledged and is lost", name)
		case !slices.Contains(open, name):
			require.False(t, there, "%s was refused and is there", name)
		}
	}
}

// acknowledged counts them.
func (done imported) acknowledged() (n int) {
	for _, is := range done {
		if is {
			n++
		}
	}
	return n
}

// TestFullDisk has no room left for the tables of a PostgreSQL server, and then for its write-ahead log, for which the
// server ends itself (rule DB-8).
func TestFullDisk(t *testing.T) {
	m := newBare(t)
	t.Parallel()
	room := m.newRooms()
	small := m.newFullDatabase(room)
	m.poolerAt, m.publicA, m.files = at(small.port), at(m.ports.next(t)), m.path("files")
	require.NoError(t, os.Mkdir(m.files, 0o700))
	m.command("", "migrate")
	token := regexp.MustCompile(`sanad_\w+`).FindString(m.command("", "token", "add", "--name", "load", "--role", "reviewer"))
	n := m.addNode("node", "all")
	n.up()
	c := &client{n.url, token, &http.Client{Timeout: patience}}
	t.Cleanup(c.http.CloseIdleConnections)
	done := imported{}
	for i := range 3 {
		status, answer := c.importAt(t, done, fmt.Sprint("before-", i))
		require.Equal(t, http.StatusCreated, status, answer)
	}

	empty := room.fill(t, room.tables, 512<<10)
	refused := 0
	for i := 0; refused < 5; i++ {
		require.Less(t, i, 500, "the tables' file system fills up")
		if status, answer := c.importAt(t, done, fmt.Sprint("tables-", i)); status != http.StatusCreated {
			refused++
			require.Contains(t, answer, "no space left in the store, so nothing was stored")
		}
	}
	done.requireKept(t, c, small, nil)
	status, says := n.readiness()
	require.Equal(t, http.StatusOK, status, "it reads: %s", says)
	require.Contains(t, says, "read-only: no room was left")
	require.Contains(t, n.text(), "no room is left to store anything")
	require.Contains(t, n.text(), "53100")
	empty()
	for i := range 3 {
		status, answer := c.importAt(t, done, fmt.Sprint("room-again-", i))
		require.Equal(t, http.StatusCreated, status, answer)
	}
	require.Equal(t, "ready\n", n.says(t))
	done.requireKept(t, c, small, nil)
	require.Contains(t, m.command("", "audit", "verify"), "agrees")
	t.Logf("no room for the tables: %d imports refused with 503, %d acknowledged, 0 lost, reading went on; /readyz: %s", refused,
		done.acknowledged(), strings.ReplaceAll(strings.TrimSpace(says), "\n", ", "))

	empty = room.fill(t, room.wal, 1536<<10)
	var open []string // that may be stored
	for i := 0; !strings.Contains(small.text(), "PANIC"); i++ {
		require.Less(t, i, 500, "the write-ahead log fills its file system")
		name := fmt.Sprint("wal-", i)
		if status, answer := c.importAt(t, done, name); status != http.StatusCreated {
			require.Regexp(t, "did not answer whether this was stored|cannot be reached just now; nothing was stored", answer)
			if strings.Contains(answer, "did not answer") {
				open = append(open, name)
			}
		}
	}
	before := done.acknowledged()
	status, says = n.readiness()
	empty()
	await(t, "the node goes on", func() bool {
		if !small.running() { // it could not even recover
			small.up(small.settings...)
		}
		return n.ready()
	}, n.program, small.program)
	for i := range 3 {
		status, answer := c.importAt(t, done, fmt.Sprint("wal-again-", i))
		require.Equal(t, http.StatusCreated, status, answer)
	}
	done.requireKept(t, c, small, open)
	require.Equal(t, "ready\n", n.says(t))
	require.Contains(t, m.command("", "audit", "verify"), "agrees")
	t.Logf("no room for the write-ahead log, for which the server ended itself: %d imports acknowledged before, 0 lost, %d answered "+
		"503 as perhaps stored; /readyz just then: %d %s", before, len(open), status, strings.ReplaceAll(strings.TrimSpace(says), "\n", ", "))
}
