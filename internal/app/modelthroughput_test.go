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

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

// TestThroughputOfModels asks about claims, and compares with a bare client that puts as many requests to the same endpoint: at
// least 0.8 of its throughput, in the best of three rounds.
func TestThroughputOfModels(t *testing.T) {
	best := 0.0
	for range 3 {
		r := throughput(t, 64, 8, 250*time.Millisecond)
		if best = max(best, r); best >= leastThroughput {
			return
		}
	}
	t.Fatalf("%.2f of the bare client's throughput; %.2f is the least", best, leastThroughput)
}

// leastThroughput is the least share of the throughput of a client that does nothing else.
const leastThroughput = 0.8

// TestThroughputOfManyQuestions does the same for as many claims as SANAD_CLAIMS says, at a latency of 50 ms.
func TestThroughputOfManyQuestions(t *testing.T) {
	claims, err := strconv.Atoi(os.Getenv("SANAD_CLAIMS"))
	if err != nil {
		t.Skip("SANAD_CLAIMS=10000 asks so many questions; TestThroughputOfModels asks fewer")
	}
	require.GreaterOrEqual(t, throughput(t, claims, 16, 50*time.Millisecond), leastThroughput)
}

// throughput runs a model over claims and then a bare client, prints both beside the ideal, and returns the share that the run
// reaches of the bare client's throughput. The memory after a quarter and at the end is compared.
func throughput(t *testing.T, claims, parallel int, latency time.Duration) float64 {
	a := newAsking(t, foreign(claims), func(e *model.Endpoint) { e.Parallel = parallel })
	a.server.Latency = latency
	var begun time.Time
	var early, late runtime.MemStats
	a.server.Before = func(n int, _ *http.Request) bool {
		switch n {
		case 1:
			begun = time.Now()
		case claims / 4:
			runtime.GC()
			runtime.ReadMemStats(&early)
		case claims - parallel:
			runtime.GC()
			runtime.ReadMemStats(&late)
		}
		return true
	}
	var last atomic.Int64
	a.server.Say = func(q llmtest.Question) string {
		last.Store(time.Now().UnixNano())
		return q.First("supported")
	}
	require.Equal(t, domain.JobDone, a.do(t, a.queue(t, judge.Rest)).State)
	took := time.Duration(last.Load()-begun.UnixNano()) + latency
	require.Len(t, a.server.Answered(), claims)
	require.Less(t, late.HeapAlloc, early.HeapAlloc*3/2+32<<20, "memory is flat")

	a.server.Before = nil
	bare, ideal := bareClient(t, a.server.URL+"/v1/chat/completions", claims, parallel), time.Duration(claims)*latency/time.Duration(parallel)
	t.Logf("%d claims, %d at a time, latency %s: ideal %s, bare client %s, run %s: %.2f of the ideal throughput, %.2f of the "+
		"bare client's; heap %d KB after a quarter, %d KB at the end", claims, parallel, latency, ideal, bare.Round(time.Millisecond),
		took.Round(time.Millisecond), ideal.Seconds()/took.Seconds(), bare.Seconds()/took.Seconds(), early.HeapAlloc>>10,
		late.HeapAlloc>>10)
	return bare.Seconds() / took.Seconds()
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
