package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// reading is what a server takes at one moment, in bytes.
type reading struct {
	after     time.Duration
	program   int // pages of the program's file that are resident
	goHeap    int // what Go holds, in use or not yet given back
	live      int // objects of Go, some of them garbage
	rest      int // resident beside these: SQLite's memory, nearly all of it
	resident  int
	routines  int
	files     int // open ones
	data      int64
	requests  int64
	slowest   time.Duration // 99 of 100 requests of the minute were faster
	anonymous int           // goHeap and rest; the program's file can be read again, this cannot
}

// soak is a load of everything that people and programs do, and what they were answered.
type soak struct {
	load
	*writer
	dir, cookie string
	places      [8]place
	big         []byte
	tookMu      sync.Mutex
	took        []time.Duration
}

// place has the session that everybody works on. After mostReviews reviews it is done, and another one is worked on:
// what one answer takes must not grow, or the memory would say nothing about the server.
type place struct {
	mu      sync.Mutex
	session string
	reviews int
	made    int
}

const mostReviews = 40

// soakToken is that of the server's metrics.
const soakToken = "soak-soak-soak-soak"

// TestSoak serves a mixed load for SANAD_SOAK minutes and prints what the server takes over time, and the slope of its
// memory: make soak. From half an hour on it fails if memory grows with history in the second half: by more than the
// scatter of the readings explains, and than mostGrowth. Then a new server on the same data shows what belongs to the
// data.
func TestSoak(t *testing.T) {
	minutes, _ := strconv.Atoi(os.Getenv("SANAD_SOAK"))
	if minutes < 1 {
		t.Skip("it takes an hour: make soak")
	}
	d := newDesk(t)
	s := &soak{load: load{statuses: map[int]int{}, acknowledged: map[string][]string{}}, dir: d.dir, cookie: d.loggedIn(),
		writer: &writer{token: writerToken(t, d.dir), http: &http.Client{Timeout: time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}}
	var err error
	s.big, err = demo.FS.ReadFile("leave-policy.json")
	require.NoError(t, err)
	all := s.serve(t, time.Duration(minutes)*time.Minute)
	again := s.serve(t, max(time.Minute, time.Duration(minutes)*time.Minute/12))
	require.Empty(t, s.faults)
	for status := range s.statuses {
		require.Contains(t, []int{http.StatusOK, http.StatusCreated}, status, s.statuses)
	}
	require.Len(t, s.statuses, 2)
	last, first := all[len(all)-1], again[len(again)-1]
	t.Logf("anonymous memory at the end %.1f MB, of a new server on the same data after %.0f min %.1f MB",
		float64(last.anonymous)/1e6, first.after.Minutes(), float64(first.anonymous)/1e6)
	if half := all[len(all)/2:]; len(half) > 2 {
		grows, scatter := slope(half, func(r reading) int { return r.anonymous })
		heap, _ := slope(half, func(r reading) int { return r.goHeap })
		rest, _ := slope(half, func(r reading) int { return r.rest })
		t.Logf("anonymous memory in the second half of the time: %+.1f MB an hour ± %.1f (least squares of "+
			"%d readings, two standard errors): Go %+.1f, the rest %+.1f", grows/1e6, 2*scatter/1e6, len(half), heap/1e6, rest/1e6)
		if minutes >= 30 && grows-2*scatter > mostGrowth {
			t.Errorf("memory grows with history")
		}
	}
	requireLogsVerify(t, d.dir)
	t.Logf("answers %v; %d imports and all logs verify", s.statuses, len(s.imported))
}

// mostGrowth is what the slope may be beyond its scatter, in bytes an hour.
const mostGrowth = 4e6

// serve runs the load on a server for some time, and returns a reading of each minute.
func (s *soak) serve(t *testing.T, long time.Duration) (all []reading) {
	t.Helper()
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte(soakToken), 0o600))
	server := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", s.dir, "--rate-limit", "0",
		"--metrics-token-file", token)...)
	s.url = startWeb(t, server)
	t.Cleanup(func() { _ = server.Process.Kill() }) // it has ended, unless a check failed
	for i := range s.places {
		require.NoError(t, s.renew(i))
	}
	begun := time.Now()
	end := begun.Add(long)
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				s.do(i, n)
				time.Sleep(20 * time.Millisecond) // people think; the machine is not to be full
			}
		})
	}
	for at := begun; at.Before(end); {
		time.Sleep(min(time.Minute, time.Until(end)))
		at = time.Now()
		r := s.look(t, server.Process.Pid, at.Sub(begun))
		all = append(all, r)
		mb := func(n int) float64 { return float64(n) / 1e6 }
		t.Logf("%5.0f min %6.1f MB resident: program %.1f, Go %.1f (objects %.1f), rest %.1f; %3d goroutines, "+
			"%4d files, %8.1f MB of data, %8d requests, 99 of 100 within %s", r.after.Minutes(), mb(r.resident), mb(r.program),
			mb(r.goHeap), mb(r.live), mb(r.rest), r.routines, r.files, float64(r.data)/1e6, r.requests,
			r.slowest.Round(time.Millisecond))
	}
	wait.Wait()
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
	return all
}

// renew imports the session that is worked on from now on.
func (s *soak) renew(i int) error {
	p := &s.places[i]
	p.made++
	id, status, err := s.post(fmt.Sprintf("shared-%d-%d", i, p.made), 200)
	if err == nil && status != http.StatusCreated {
		err = fmt.Errorf("an import was answered %d", status)
	}
	p.session, p.reviews = id, 0
	return err
}

// session returns the session of a place.
func (s *soak) session(i int) string {
	p := &s.places[i%len(s.places)]
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session
}

// reviewed counts a review.
func (s *soak) reviewed(i int) {
	i %= len(s.places)
	p := &s.places[i]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reviews++; p.reviews >= mostReviews {
		s.note(http.StatusCreated, s.renew(i))
	}
}

// loggedIn makes a reviewer and returns the cookie of a login.
func (d desk) loggedIn() (cookie string) {
	d.t.Helper()
	d.does("", "user", "add", "noura", "--role", "admin")
	d.look(func(ctx context.Context, s *db.Store) {
		u, err := s.UserByLogin(ctx, "noura")
		require.NoError(d.t, err)
		tenant, err := s.TenantBySlug(ctx, mainTenant)
		require.NoError(d.t, err)
		cookie = auth.NewSecret()
		require.NoError(d.t, s.CreateLogin(ctx, access.Actor{Tenant: tenant.ID, ID: u.ID, Human: true}, access.Login{
			TokenHash: db.HashToken(cookie), UserID: u.ID, TenantID: tenant.ID, CreatedAt: time.Now(), SeenAt: time.Now(),
			FreshAt: time.Now(),
		}))
	})
	return cookie
}

// do sends the n-th request of somebody: mostly pages, some reviews, some imports and exports.
func (s *soak) do(who, n int) {
	begun := time.Now()
	id := s.session(who + n)
	page := func(path string) {
		status, _, _, err := s.send("GET", path, "", "Authorization", "", "Cookie",
			"sanad="+s.cookie+"; sanad_lang="+[]string{"en", "ar"}[n%2])
		s.note(status, err)
	}
	switch n % 20 {
	case 0:
		own, status, err := s.post(fmt.Sprintf("own-%d-%d-%d", begun.UnixNano(), who, n), n%50)
		s.note(status, err)
		if err == nil && status == http.StatusCreated {
			s.mu.Lock()
			s.imported = append(s.imported, own)
			s.mu.Unlock()
		}
	case 1, 2:
		s.review(s.writer, id, fmt.Sprintf("%d, %d", who, n), "*")
		s.reviewed(who + n)
	case 3:
		body := bytes.Replace(s.big, []byte(`"demo-leave-policy"`), fmt.Appendf(nil, `"soak-%d-%d-%d"`, begun.UnixNano(), who, n), 1)
		status, _, _, err := s.send("POST", "/api/v1/sessions", string(body))
		s.note(status, err)
	case 4:
		status, _, _, err := s.send("POST", "/api/v1/sessions/"+id+"/ledger/export", `{"format":"pdf"}`)
		s.note(status, err)
	case 5:
		page("/search?q=leave")
	case 6:
		page("/audit")
	case 7:
		page("/dashboard")
	case 8, 9:
		page("/sessions")
	default:
		page("/sessions/" + id)
	}
	s.tookMu.Lock()
	s.took = append(s.took, time.Since(begun))
	s.tookMu.Unlock()
}

// look reads what a process takes.
func (s *soak) look(t *testing.T, pid int, after time.Duration) reading {
	t.Helper()
	r := reading{after: after, requests: s.requests.Load()}
	status, answer, _, err := s.send("GET", "/metrics", "", "Authorization", "Bearer "+soakToken)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	metric := func(name string) int {
		_, rest, found := strings.Cut(string(answer), "\n"+name+" ")
		require.True(t, found, name)
		n, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		require.NoError(t, err)
		return int(n)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	resident := func(name string) int {
		_, rest, found := strings.Cut(string(text), name+":")
		require.True(t, found)
		kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
		require.NoError(t, err)
		return kilobytes << 10
	}
	r.resident, r.anonymous = resident("VmRSS"), resident("RssAnon")
	r.program = resident("RssFile") + resident("RssShmem") // where the program's file lies in memory
	r.goHeap = metric("go_memstats_sys_bytes") - metric("go_memstats_heap_released_bytes")
	r.live = metric("go_memstats_heap_alloc_bytes")
	r.routines, r.rest = metric("go_goroutines"), r.anonymous-r.goHeap
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	require.NoError(t, err)
	r.files = len(open)
	require.NoError(t, filepath.WalkDir(s.dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			r.data += info.Size()
		}
		return nil
	}))
	s.tookMu.Lock()
	took := s.took
	s.took = nil
	s.tookMu.Unlock()
	slices.Sort(took)
	require.NotEmpty(t, took)
	r.slowest = took[len(took)*99/100]
	return r
}

// slope returns how many bytes an hour something grows, by least squares, and the standard error of that.
func slope(all []reading, what func(reading) int) (perHour, scatter float64) {
	var x, y, xx, xy float64
	for _, r := range all {
		h, m := r.after.Hours(), float64(what(r))
		x, y, xx, xy = x+h, y+m, xx+h*h, xy+h*m
	}
	n := float64(len(all))
	perHour = (n*xy - x*y) / (n*xx - x*x)
	var squares float64
	for _, r := range all {
		off := float64(what(r)) - y/n - perHour*(r.after.Hours()-x/n)
		squares += off * off
	}
	return perHour, math.Sqrt(squares / (n - 2) / (xx - x*x/n))
}
