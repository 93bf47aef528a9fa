package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/thorough"
)

// load is what many writers and readers did.
type load struct {
	mu           sync.Mutex
	statuses     map[int]int
	acknowledged map[string][]string // session id → reasons of its acknowledged reviews
	imported     []string
	faults       []string
	requests     atomic.Int64
}

func (l *load) note(status int, err error) {
	l.requests.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.faults = append(l.faults, err.Error())
		return
	}
	l.statuses[status]++
}

// TestManyWritersAndReaders: 200 writers and 50 readers at once, 200 requests of each in full: no 5xx, no lost update
// (rule DB-7). Writers share eight sessions, so that most of them lose some races; an If-Match that lost is 412.
func TestManyWritersAndReaders(t *testing.T) {
	writers, readers, each := thorough.Times(20, 200), thorough.Times(5, 50), thorough.Times(8, 200)
	dir := dbtest.Dir(t)
	token := writerToken(t, dir)
	l := &load{statuses: map[int]int{}, acknowledged: map[string][]string{}}
	var shared []string
	t.Run("load", func(t *testing.T) {
		s := serveWith(t, nil, "--data", dir)
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: writers + readers}}
		defer client.CloseIdleConnections()
		w := &writer{s.url, token, client}
		for i := range 8 {
			id, status, err := w.post(fmt.Sprint("shared-", i), 0)
			require.NoError(t, err)
			require.Equal(t, http.StatusCreated, status)
			shared = append(shared, id)
		}
		var wait sync.WaitGroup
		for i := range writers {
			wait.Go(func() {
				for n := range each {
					l.write(w, shared, i, n)
				}
			})
		}
		for i := range readers {
			wait.Go(func() {
				for n := range each {
					l.read(w, shared[(i+n)%len(shared)], n)
				}
			})
		}
		wait.Wait()
	})
	require.Empty(t, l.faults)
	for status := range l.statuses {
		require.Less(t, status, 500, l.statuses)
	}
	require.NotZero(t, l.statuses[http.StatusCreated])
	requireLogsVerify(t, dir)
	l.requireKept(t, dir, shared)
	requireSound(t, dir)
	t.Logf("%d writers, %d readers: %d requests, answers %v, %d reviews and %d imports acknowledged, 0 lost",
		writers, readers, l.requests.Load(), l.statuses, l.statuses[http.StatusCreated]-len(l.imported),
		len(l.imported))
}

// write is a writer's n-th request: an import, a review of a given revision, or a review of any revision.
func (l *load) write(w *writer, shared []string, who, n int) {
	id, reason := shared[(who+n)%len(shared)], fmt.Sprintf("writer %d, %d", who, n)
	switch n % 4 {
	case 0:
		id, status, err := w.post(fmt.Sprintf("own-%d-%d", who, n), 0)
		l.note(status, err)
		if err == nil && status == http.StatusCreated {
			l.mu.Lock()
			l.imported = append(l.imported, id)
			l.mu.Unlock()
		}
	case 1:
		status, _, header, err := w.send("GET", "/api/v1/sessions/"+id+"/ledger", "")
		l.note(status, err)
		if err == nil {
			l.review(w, id, reason, header.Get("ETag"))
		}
	default:
		l.review(w, id, reason, "*")
	}
}

func (l *load) review(w *writer, id, reason, match string) {
	body := fmt.Sprintf(`{"action":"comment","reason":%q}`, reason)
	status, _, _, err := w.send("POST", "/api/v1/sessions/"+id+"/claims/1/reviews", body, "If-Match", match)
	l.note(status, err)
	if err == nil && status == http.StatusCreated {
		l.mu.Lock()
		l.acknowledged[id] = append(l.acknowledged[id], reason)
		l.mu.Unlock()
	}
}

func (l *load) read(w *writer, id string, n int) {
	path := []string{"/api/v1/sessions", "/api/v1/sessions/" + id + "/ledger", "/readyz"}[n%3]
	status, _, _, err := w.send("GET", path, "")
	l.note(status, err)
}

// requireKept checks that each session has exactly the reviews that were acknowledged, one revision for each.
func (l *load) requireKept(t *testing.T, dir string, shared []string) {
	t.Helper()
	desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
		tenant, err := store.TenantBySlug(ctx, mainTenant)
		require.NoError(t, err)
		for _, id := range shared {
			s, err := store.Session(ctx, tenant.ID, id)
			require.NoError(t, err)
			var stored []string
			for _, r := range s.Claims[0].Reviews {
				stored = append(stored, r.Reason)
			}
			require.ElementsMatch(t, l.acknowledged[id], stored)
			require.Equal(t, len(stored)+1, s.Revision, "no revision without its review")
		}
		for _, id := range l.imported {
			_, err := store.Session(ctx, tenant.ID, id)
			require.NoError(t, err)
		}
		l.requireLogged(t, ctx, store, tenant.ID)
	})
}

// requireLogged checks that the log has each acknowledged write, and revisions without a gap.
func (l *load) requireLogged(t *testing.T, ctx context.Context, store *db.Store, tenant string) {
	t.Helper()
	imports, last := 0, map[string]int64{}
	for after := int64(0); ; {
		events, err := store.Events(ctx, tenant, after, 1000)
		require.NoError(t, err)
		if len(events) == 0 {
			break
		}
		for _, e := range events {
			after = e.Seq
			switch e.Action {
			case "session.imported":
				imports++
			case "claim.reviewed":
				var says struct {
					Object  struct{ ID string }
					Details struct{ Revision int64 }
				}
				require.NoError(t, json.Unmarshal(e.Bytes, &says))
				require.Equal(t, max(last[says.Object.ID], 1)+1, says.Details.Revision)
				last[says.Object.ID] = says.Details.Revision
			}
		}
	}
	require.Equal(t, 8+len(l.imported), imports)
	for id, reasons := range l.acknowledged {
		require.Equal(t, int64(len(reasons)+1), last[id])
	}
}

// requireSound runs SQLite's own check on the database of a folder. A PostgreSQL server has none.
func requireSound(t *testing.T, dir string) {
	t.Helper()
	if databaseOf(dir) != "" {
		return
	}
	d, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sanad.db"))
	require.NoError(t, err)
	defer d.Close() //nolint:errcheck // only read
	var word string
	require.NoError(t, d.QueryRow("PRAGMA integrity_check").Scan(&word))
	require.Equal(t, "ok", word)
}
