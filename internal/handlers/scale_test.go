package handlers_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// scaling has a store and what is measured of it.
type scaling struct {
	*webtest.Server
	claims string // path of the session that is looked at
	cookie string
}

// TestScale prints the figures of docs/scaling.md: make scale.
func TestScale(t *testing.T) {
	if os.Getenv("SANAD_SCALE") == "" {
		t.Skip("it takes minutes: make scale")
	}
	require.True(t, dbtest.OnPostgres(), "make scale starts a server")
	address := os.Getenv(dbtest.Server)
	claims, err := strconv.Atoi(os.Getenv("SANAD_SCALE_CLAIMS"))
	require.NoError(t, err)
	tenants, err := strconv.Atoi(os.Getenv("SANAD_SCALE_TENANTS"))
	require.NoError(t, err)

	onEngine := func(name string, do func()) {
		if name == "SQLite" {
			t.Setenv(dbtest.Server, "")
		} else {
			t.Setenv(dbtest.Server, address)
		}
		do()
	}
	ms := map[string]map[string]float64{}
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		onEngine(engine, func() {
			ms[engine] = map[string]float64{}
			s := smallStore(t)
			for what := range s.pages() {
				ms[engine][what] = s.median(what, 60)
			}
			for _, n := range []int{1000, 20_000} {
				ms[engine][fmt.Sprintf("import of %d claims", n)] = s.importing(n)
			}
			s.sizes(engine)
		})
	}
	t.Log("")
	t.Log("milliseconds (p50 of 60 pages, one import) on SQLite, on PostgreSQL, and the ratio")
	for _, what := range sortedKeys(ms["SQLite"]) {
		a, b := ms["SQLite"][what], ms["PostgreSQL"][what]
		t.Logf("%-28s %9.2f %9.2f  ×%.2f", what, a, b, b/a)
	}

	t.Setenv(dbtest.Server, address)
	small := smallStore(t)
	large := smallStore(t)
	begun := time.Now()
	copies := claims / 200
	dbtest.Multiply(t, large.Dir, tenants, copies, min(500, copies/10))
	t.Log("")
	t.Logf("%d claims of %d tenants made in %.0f s, %.1f GB", claims, tenants, time.Since(begun).Seconds(),
		float64(dbtest.Size(t, large.Dir))/1e9)
	t.Logf("milliseconds (p10 and p50 of 60, in turns) with 200 claims; with all of these, in one tenant of %d and in one that has %d "+
		"sessions; and the ratios to the first", tenants, min(500, copies/10))
	one := large.ordinary()
	for _, what := range sortedKeys(small.pages()) {
		at := times(60, what, small, one, large)
		for _, p := range []int{10, 50} {
			a, b, c := at[0][60*p/100], at[1][60*p/100], at[2][60*p/100]
			t.Logf("%-28s p%d %9.2f %9.2f %9.2f  ×%.2f ×%.2f", what, p, a, b, c, b/a, c/a)
		}
	}
	large.nodes()
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func smallStore(t *testing.T) *scaling {
	s := &scaling{Server: webtest.NewServer(t)}
	s.claims = "/sessions/" + s.ImportNow(webtest.ManyClaims(200))
	s.cookie = s.Person("viewer").Cookie
	return s
}

func (s *scaling) pages() map[string]string {
	return map[string]string{
		"page: dashboard":           "/",
		"page: sessions":            "/sessions",
		"page: ledger":              s.claims,
		"page: ledger, common word": s.claims + "?q=covered",
		"page: claim":               s.claims + "/claims/2",
		"search: common word":       "/search?q=covered",
		"search: common, claims":    "/search?q=covered&kind=claim",
		"search: common, passages":  "/search?q=covered&kind=passage",
		"search: rare word":         "/search?q=item+177&kind=claim",
		"search: rare, all kinds":   "/search?q=item+177",
		"search: wrong letter":      "/search?q=coverad",
		"sessions with the word":    "/sessions?q=covered",
	}
}

// ordinary returns the same store as somebody in another tenant sees it, with the newest session there.
func (s *scaling) ordinary() *scaling {
	d := dbtest.Raw(s.T, s.Dir)
	tenant, session := "", ""
	require.NoError(s.T, d.QueryRowContext(context.Background(),
		"SELECT tenant_id, id FROM sessions WHERE tenant_id <> $1 ORDER BY no DESC LIMIT 1", s.Tenant.ID).Scan(&tenant, &session))
	return &scaling{Server: s.Server, claims: "/sessions/" + session, cookie: s.AddPerson("elsewhere", tenant, access.Viewer).Cookie}
}

// median returns how many milliseconds a page takes in the middle of n times, once it is warm.
func (s *scaling) median(what string, n int) float64 { return times(n, what, s)[0][n/2] }

// times returns how many milliseconds a page took of each store, n times in ascending order, once it was warm. The
// stores take turns, so that what else the machine does is the same for each.
func times(n int, what string, stores ...*scaling) [][]float64 {
	took := make([][]float64, len(stores))
	for i := range n + 10 {
		for k, s := range stores {
			path := s.pages()[what]
			begun := time.Now()
			w := s.Serve(webtest.Request("GET", path, "", "Cookie", "sanad="+s.cookie))
			require.Equal(s.T, 200, w.Code, path)
			if i >= 10 {
				took[k] = append(took[k], time.Since(begun).Seconds()*1000)
			}
		}
	}
	for _, all := range took {
		slices.Sort(all)
	}
	return took
}

func (s *scaling) importing(n int) float64 {
	body := strings.Replace(webtest.ManyClaims(n), `"title":"Many"`, fmt.Sprintf(`"title":"%d of them"`, n), 1)
	begun := time.Now()
	s.ImportNow(body)
	return time.Since(begun).Seconds() * 1000
}

// sizes prints how many bytes of the database one thing more takes, with its indexes and its events.
func (s *scaling) sizes(engine string) {
	grown := func(what string, n int, do func()) {
		before := dbtest.Size(s.T, s.Dir)
		do()
		s.T.Logf("%-11s %7d bytes of the database for each %s (of %d)", engine, (dbtest.Size(s.T, s.Dir)-before)/int64(n), what, n)
	}
	grown("claim", 30_000, func() { s.importing(30_000) })
	grown("page of a document, 2,000 characters", 3000, func() { s.ImportNow(longDocument(3000)) })
	grown("signed pack of 3 sources, its files included", 40, func() {
		for i := range 40 {
			s.Signed(fmt.Sprint("dec-scale-", i))
		}
	})
	grown("event of the log", 4000, func() {
		session := strings.TrimPrefix(s.claims, "/sessions/")
		ctx, a := context.Background(), access.Actor{Tenant: s.Tenant.ID, ID: s.Person("reviewer").ID, Role: access.Reviewer}
		for range 4000 {
			require.NoError(s.T, s.Store.LogEvent(ctx, a, db.Event{Action: "session.exported", Kind: "session", ObjectID: session}))
		}
	})
}

// longDocument returns a session over one document with a passage on each page.
func longDocument(pages int) string {
	var chunks []string
	for p := range pages {
		text := fmt.Sprintf("Page %d. ", p)
		for i := 0; len(text) < 2000; i++ {
			text += fmt.Sprintf("Clause %d of part %d says that article %d applies to office %d. ", i, p, p*i%997, (p+i)%89)
		}
		chunks = append(chunks, fmt.Sprintf(`{"id":"c%d","text":%q,"page_number":%d}`, p, text, p+1))
	}
	return `{"format":"sanad.session/v1","session":{"title":"Pages","answer":"Clause 1 applies."},"documents":[{"id":"d","filename":"d.pdf","chunks":[` +
		strings.Join(chunks, ",") + `]}],"claims":[]}`
}

// nodes runs 1, 2 and 3 processes of the program on the store, with so many readers each that they are never idle, and
// prints what passed and whose processors it took.
func (s *scaling) nodes() {
	binary := filepath.Join(s.T.TempDir(), "sanad")
	out, err := exec.Command("go", "build", "-tags", "noreader", "-o", binary, "sanad/cmd/web").CombinedOutput()
	require.NoError(s.T, err, string(out))
	s.Clock.Move(time.Since(webtest.Now)) // that of the processes
	s.cookie = s.NewLogin(s.Person("viewer").ID, s.Tenant.ID)
	s.T.Log("")
	s.T.Logf("nodes on one database, 8 readers each for 15 s, %s processors for them, the database and the readers", os.Getenv("SANAD_SCALE_CPUS"))
	for _, n := range []int{1, 2, 3} {
		var nodes []*node
		for range n {
			nodes = append(nodes, s.node(binary))
		}
		for _, x := range nodes {
			s.read(x, 2*time.Second, 8)
		}
		before, database := 0.0, databaseSeconds(s.T)
		for _, x := range nodes {
			before += processSeconds(x.pid)
		}
		var all sync.WaitGroup
		passed := make([]int, n)
		for i, x := range nodes {
			all.Go(func() { passed[i] = s.read(x, 15*time.Second, 8) })
		}
		all.Wait()
		used, pages := -before, 0
		for i, x := range nodes {
			used += processSeconds(x.pid)
			pages += passed[i]
		}
		database = databaseSeconds(s.T) - database
		require.Positive(s.T, pages)
		s.T.Logf("%d nodes: %6.1f pages/s; processor ms a page: nodes %.2f, database %.2f (its share %.0f %%)", n, float64(pages)/15,
			used*1000/float64(pages), database*1000/float64(pages), 100*database/(used+database))
		for _, x := range nodes {
			x.stop()
		}
	}
}

type node struct {
	address string
	pid     int
	stop    func()
}

// node starts a process that answers requests.
func (s *scaling) node(binary string) *node {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s.T, err)
	x := &node{address: listener.Addr().String()}
	require.NoError(s.T, listener.Close())
	c := exec.Command(binary, "serve", "--addr", x.address, "--data", s.Dir, "--role", "web", "--rate-limit", "0", "--check-per-minute", "0")
	c.Env = append(os.Environ(), "SANAD_MASTER_KEY="+strings.Repeat("6b", 32), "SANAD_DATABASE="+dbtest.Database(s.Dir))
	log := &strings.Builder{}
	c.Stdout, c.Stderr = log, log
	require.NoError(s.T, c.Start())
	x.pid = c.Process.Pid
	x.stop = sync.OnceFunc(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	s.T.Cleanup(x.stop)
	ready := func() bool {
		res, err := http.Get("http://" + x.address + "/readyz")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == 200
	}
	if deadline := time.Now().Add(time.Minute); true {
		for !ready() {
			if time.Now().After(deadline) {
				x.stop()
				require.Fail(s.T, "a node did not start", log.String())
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	return x
}

// read has clients ask a node for pages, one after the other, and returns how many were answered.
func (s *scaling) read(x *node, during time.Duration, clients int) int {
	paths, cookie := []string{s.claims, s.claims + "/claims/3", "/sessions", "/search?q=covered"}, "sanad="+s.cookie
	counts := make([]int, clients)
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var all sync.WaitGroup
	end := time.Now().Add(during)
	for i := range clients {
		all.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				r, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+x.address+paths[n%len(paths)], http.NoBody)
				r.Header.Set("Cookie", cookie)
				res, err := client.Do(r)
				if err != nil || res.StatusCode != 200 {
					s.T.Error("a page of a node was not answered", err, res)
					return
				}
				buffer := make([]byte, 32<<10)
				for err == nil {
					_, err = res.Body.Read(buffer)
				}
				_ = res.Body.Close()
				counts[i]++
			}
		})
	}
	all.Wait()
	sum := 0
	for _, c := range counts {
		sum += c
	}
	return sum
}

// processSeconds returns the processor time of a process (Linux).
func processSeconds(pid int) float64 { return ticks(pid, 13, 14) / 100 }

// databaseSeconds returns that of the server: of its processes, and of those of its that have ended.
func databaseSeconds(t testing.TB) (sum float64) {
	postmaster, err := strconv.Atoi(os.Getenv("SANAD_SCALE_POSTMASTER"))
	require.NoError(t, err)
	sum = ticks(postmaster, 13, 14, 15, 16) / 100
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, path := range all {
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path))); ticks(pid, 3) == float64(postmaster) {
			sum += ticks(pid, 13, 14) / 100
		}
	}
	return sum
}

// ticks adds fields of /proc/PID/stat, times in hundredths of a second; 0 if the process is gone.
func ticks(pid int, fields ...int) (sum float64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	line := string(data)
	parts := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	for _, at := range fields {
		n, _ := strconv.ParseFloat(parts[at-2], 64)
		sum += n
	}
	return sum
}
