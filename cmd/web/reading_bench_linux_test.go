package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"
)

// BenchmarkReading reports, of the built program with its weights: how long sanad serve takes to be ready, what an idle
// server has in memory, and how long an import of 50 claims over 30 pages takes with two threads and AVX2. It prints
// each with its goal. Times are those of a quiet machine only if the machine is quiet.
func BenchmarkReading(b *testing.B) {
	require.True(b, cpu.X86.HasAVX2, "this machine has no AVX2")
	wholeBinary(b)
	for b.Loop() {
		report := func(what, unit string, got, most float64) {
			reaches := "reaches"
			if got > most {
				reaches = "MISSES"
			}
			b.ReportMetric(got, unit)
			b.Logf("%s: %.3g %s, %s at most %g", what, got, unit, reaches, most)
		}
		dir := filepath.Join(b.TempDir(), "data")
		starts := make([]float64, 0, 11)
		for range cap(starts) {
			starts = append(starts, readyAfter(b, dir).Seconds()*1000)
		}
		report(fmt.Sprintf("start to readiness, median of %d", len(starts)), "ms", median(starts), 100)

		resident, anonymous := idle(b, "serve", "--data", dir)
		report("resident memory after 10 s idle", "MB", resident, 45)
		b.Logf("of which not the program's file: %.3g MB", anonymous)

		session := sessionToRead(b)
		var waits, work []float64
		for range 3 {
			wait, processor := importReading(b, session)
			waits, work = append(waits, wait), append(work, processor)
		}
		what := fmt.Sprintf("import of 50 claims over 30 pages, two threads, AVX2, median of %d", len(waits))
		report(what, "s", median(waits), 6)
		b.Logf("processor time of these: %.3g s", median(work))
	}
}

func median(figures []float64) float64 {
	slices.Sort(figures)
	return figures[len(figures)/2]
}

// readyAfter starts the server and returns how long it took to answer /readyz.
func readyAfter(b *testing.B, dir string) time.Duration {
	begun := time.Now()
	url, _, stop := startServer(b, "serve", "--data", dir)
	answer, err := http.Get(url + "/readyz")
	took := time.Since(begun)
	stop()
	require.NoError(b, err)
	require.NoError(b, answer.Body.Close())
	require.Equal(b, http.StatusOK, answer.StatusCode)
	return took
}

// importReading imports a session into a new store, and returns how long it took by the clock and in processor time.
// Nothing but two threads and AVX2 is used (TestEightClaimsByEveryKernel holds that the setting does this).
func importReading(b *testing.B, session []byte) (wait, processor float64) {
	dir := filepath.Join(b.TempDir(), "data")
	file := filepath.Join(b.TempDir(), "session.json")
	require.NoError(b, os.WriteFile(file, session, 0o600))
	c := exec.Command(wholeBinary(b), "import", file, "--data", dir)
	c.Env = append(os.Environ(), "GOMAXPROCS=2", "GODEBUG=cpu.avx512f=off")
	var log bytes.Buffer
	c.Stderr = &log
	begun := time.Now()
	out, err := c.Output()
	wait = time.Since(begun).Seconds()
	require.NoError(b, err, log.String())
	id, _, _ := strings.Cut(string(out), "\t")
	ledger, err := exec.Command(wholeBinary(b), "export", "--session", id, "--format", "json", "--data", dir).Output()
	require.NoError(b, err)
	var exported struct {
		Sanad struct {
			Run    struct{ Parameters map[string]string }
			Claims []struct{ Judge string }
		}
	}
	require.NoError(b, json.Unmarshal(ledger, &exported))
	require.NotEmpty(b, exported.Sanad.Run.Parameters["reader"])
	require.Len(b, exported.Sanad.Claims, 50)
	for _, claim := range exported.Sanad.Claims {
		require.Equal(b, "embedded", claim.Judge)
	}
	return wait, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
}

// sessionToRead returns the 50 claims of own60 that are not a sentence of their document, which is found without
// reading, over a document of 30 pages: the three documents of these claims, and pages of our own documentation.
func sessionToRead(b *testing.B) []byte {
	const pages, letters = 30, 3000
	read := func(path string) string {
		data, err := os.ReadFile(path)
		require.NoError(b, err)
		return string(data)
	}
	type object = map[string]any
	own := "../../internal/reader/weights/testdata/own60/"
	var claims []object
	for line := range strings.Lines(read(own + "claims.jsonl")) {
		var c struct{ Claim, Kind string }
		require.NoError(b, json.Unmarshal([]byte(line), &c))
		if c.Kind != "verbatim" {
			id := fmt.Sprint("c", len(claims))
			claims = append(claims, object{"claim_id": id, "claim_text": c.Claim, "claim_type": "fact"})
		}
	}
	require.Len(b, claims, 50)
	var text strings.Builder
	for _, name := range []string{own + "doc1.txt", own + "doc2.txt", own + "doc3.txt", "../../docs/operating.md",
		"../../docs/scaling.md", "../../docs/models.md"} {
		text.WriteString(read(name) + "\n\n")
	}
	var list []object
	var page strings.Builder
	for line := range strings.Lines(text.String()) {
		page.WriteString(line)
		if utf8.RuneCountInString(page.String()) >= letters {
			list = append(list, object{"number": len(list) + 1, "text": page.String()})
			page.Reset()
		}
	}
	require.GreaterOrEqual(b, len(list), pages)
	data, err := json.Marshal(object{
		"format":    "sanad.session/v1",
		"session":   object{"title": "To read", "answer": "", "lang": "en"},
		"documents": []object{{"id": "d", "filename": "d.pdf", "pages": list[:pages]}},
		"claims":    claims,
	})
	require.NoError(b, err)
	return data
}
