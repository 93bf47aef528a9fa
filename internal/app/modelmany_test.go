package app

import (
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/model"
)

// TestQuestionsAtOnce asks an endpoint that answers nothing before as many questions wait for it as it may be asked at
// once.
func TestQuestionsAtOnce(t *testing.T) {
	const claims, parallel = 64, 8
	var mu sync.Mutex
	waiting, full := 0, make(chan struct{})
	askMany(t, claims, parallel, func(a *asking) {
		a.server.Before = func(_ int, r *http.Request) bool {
			mu.Lock()
			mine := full
			if waiting++; waiting == parallel {
				close(full)
				waiting, full = 0, make(chan struct{})
			}
			mu.Unlock()
			select {
			case <-mine:
				return true
			case <-r.Context().Done():
				t.Errorf("fewer than %d questions are asked at once", parallel)
				return false
			}
		}
	})
}

// TestManyQuestions asks about as many claims as SANAD_CLAIMS says, at a latency of 50 ms, and prints how long that
// takes beside the ideal and beside a bare client that puts as many requests to the same endpoint.
func TestManyQuestions(t *testing.T) {
	const parallel, latency = 16, 50 * time.Millisecond
	claims, err := strconv.Atoi(os.Getenv("SANAD_CLAIMS"))
	if err != nil {
		t.Skip("SANAD_CLAIMS=10000 asks so many questions; TestQuestionsAtOnce asks fewer")
	}
	begun := time.Now()
	a := askMany(t, claims, parallel, func(a *asking) { a.server.Latency, begun = latency, time.Now() })
	took := time.Since(begun)
	a.server.Before = nil
	t.Logf("%d claims, %d at a time, latency %s: ideal %s, bare client %s, run %s", claims, parallel, latency,
		time.Duration(claims)*latency/parallel, bareClient(t, a.server.URL+"/v1/chat/completions", claims, parallel), took)
}

// askMany has a model judge claims, so many at a time, and checks that all were asked and that memory is as low near
// the end as after a quarter. change sets how the endpoint answers.
func askMany(t *testing.T, claims, parallel int, change func(*asking)) *asking {
	t.Helper()
	a := newAsking(t, foreign(claims), func(e *model.Endpoint) { e.Parallel = parallel })
	change(a)
	answers := a.server.Before
	var early, late runtime.MemStats
	a.server.Before = func(n int, r *http.Request) bool {
		switch n {
		case claims / 4:
			runtime.GC()
			runtime.ReadMemStats(&early)
		case claims - parallel:
			runtime.GC()
			runtime.ReadMemStats(&late)
		}
		return answers == nil || answers(n, r)
	}
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	require.Len(t, a.server.Answered(), claims)
	require.Less(t, late.HeapAlloc, early.HeapAlloc*3/2+32<<20, "memory is flat")
	t.Logf("heap %d KB after a quarter, %d KB at the end", early.HeapAlloc>>10, late.HeapAlloc>>10)
	return a
}

// bareClient puts requests to an endpoint, so many at a time, and returns how long they took.
func bareClient(t *testing.T, address string, requests, parallel int) time.Duration {
	const body = `{"model":"small-1","messages":[{"role":"user","content":"Claim C1:\n<<<data 0\n> Leave is 15 days.\ndata 0\nAnswer for claim C1"}]}`
	begun, next := time.Now(), atomic.Int64{}
	var all sync.WaitGroup
	for range parallel {
		all.Go(func() {
			for next.Add(1) <= int64(requests) {
				r, err := http.Post(address, "application/json", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				_ = r.Body.Close()
			}
		})
	}
	all.Wait()
	return time.Since(begun)
}
