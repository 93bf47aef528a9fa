package main

import (
	"bytes"
	"context"
	"fmt"
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
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// reading is what a server takes at one moment.
type reading struct {
	after    time.Duration
	resident int // bytes
	files    int // open ones
	data     int64
	requests int64
	slowest  time.Duration // 99 of 100 requests of the minute were faster
}

// soak is a load of everything that people and programs do, and what they were answered.
type soak struct {
	load
	*writer
	cookie   string
	sessions []string
	tookMu   sync.Mutex
	took     []time.Duration
}

// TestSoak serves a mixed load for SANAD_SOAK minutes and prints what the server takes over time, and the slope of its
// memory: make soak. It fails for answers that are faults, never for a figure.
func TestSoak(t *testing.T) {
	minutes, _ := strconv.Atoi(os.Getenv("SANAD_SOAK"))
	if minutes < 1 {
		t.Skip("it takes an hour: make soak")
	}
	d := newDesk(t)
	s := &soak{load: load{statuses: map[int]int{}, acknowledged: map[string][]string{}}, cookie: d.loggedIn()}
	server := exec.Command(webBinary(t), onEngine("serve", "--addr", "127.0.0.1:0", "--data", d.dir, "--rate-limit", "0")...)
	url := startWeb(t, server)
	t.Cleanup(func() { _ = server.Process.Kill() }) // it has ended, unless a check failed
	s.writer = &writer{url, writerToken(t, d.dir), &http.Client{Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	for i := range 8 {
		id, status, err := s.post(fmt.Sprint("shared-", i), 200)
		require.NoError(t, err)
		require.Equal(t, http.StatusCreated, status)
		s.sessions = append(s.sessions, id)
	}
	big, err := demo.FS.ReadFile("leave-policy.json")
	require.NoError(t, err)

	begun := time.Now()
	end := begun.Add(time.Duration(minutes) * time.Minute)
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				s.do(i, n, big)
				time.Sleep(20 * time.Millisecond) // people think; the machine is not to be full
			}
		})
	}
	var all []reading
	for at := begun; at.Before(end); {
		time.Sleep(min(time.Minute, time.Until(end)))
		at = time.Now()
		all = append(all, s.look(t, server.Process.Pid, d.dir, at.Sub(begun)))
		r := all[len(all)-1]
		t.Logf("%5.0f min %6.1f MB resident %4d files %8.1f MB of data %8d requests, 99 of 100 within %s",
			r.after.Minutes(), float64(r.resident)/1e6, r.files, float64(r.data)/1e6, r.requests, r.slowest.Round(time.Millisecond))
	}
	wait.Wait()
	require.Empty(t, s.faults)
	for status := range s.statuses {
		require.Contains(t, []int{http.StatusOK, http.StatusCreated}, status, s.statuses)
	}
	require.Len(t, s.statuses, 2)
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
	if half := all[len(all)/2:]; len(half) > 2 {
		t.Logf("memory in the second half of the time: %+.2f MB an hour (least squares of %d readings)",
			slope(half)/1e6, len(half))
	}
	requireLogsVerify(t, d.dir)
	t.Logf("answers %v; %d imports and all logs verify", s.statuses, len(s.imported))
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
		require.NoError(d.t, s.CreateLogin(ctx, domain.Actor{Tenant: tenant.ID, ID: u.ID, Human: true}, access.Login{
			TokenHash: db.HashToken(cookie), UserID: u.ID, TenantID: tenant.ID, CreatedAt: time.Now(), SeenAt: time.Now(),
			FreshAt: time.Now(),
		}))
	})
	return cookie
}

// do sends the n-th request of somebody: mostly pages, some reviews, some imports and exports.
func (s *soak) do(who, n int, big []byte) {
	begun := time.Now()
	id := s.sessions[(who+n)%len(s.sessions)]
	page := func(path string) {
		status, _, _, err := s.send("GET", path, "", "Authorization", "", "Cookie", "sanad="+s.cookie)
		s.note(status, err)
	}
	switch n % 20 {
	case 0:
		own, status, err := s.post(fmt.Sprintf("own-%d-%d", who, n), n%50)
		s.note(status, err)
		if err == nil && status == http.StatusCreated {
			s.mu.Lock()
			s.imported = append(s.imported, own)
			s.mu.Unlock()
		}
	case 1, 2:
		s.review(s.writer, id, fmt.Sprintf("%d, %d", who, n), "*")
	case 3:
		body := bytes.Replace(big, []byte(`"demo-leave-policy"`), fmt.Appendf(nil, `"soak-%d-%d"`, who, n), 1)
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
		page("/sessions/" + id + "?lang=" + []string{"en", "ar"}[n%2])
	}
	s.tookMu.Lock()
	s.took = append(s.took, time.Since(begun))
	s.tookMu.Unlock()
}

// look reads what a process takes.
func (s *soak) look(t *testing.T, pid int, dir string, after time.Duration) reading {
	t.Helper()
	r := reading{after: after, requests: s.requests.Load()}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), "VmRSS:")
	require.True(t, found)
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	r.resident = kilobytes << 10
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	require.NoError(t, err)
	r.files = len(open)
	require.NoError(t, filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
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

// slope returns how many bytes an hour the resident memory grows, by least squares.
func slope(all []reading) float64 {
	var x, y, xx, xy float64
	for _, r := range all {
		h, m := r.after.Hours(), float64(r.resident)
		x, y, xx, xy = x+h, y+m, xx+h*h, xy+h*m
	}
	n := float64(len(all))
	return (n*xy - x*y) / (n*xx - x*x)
}
