package judge_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// prose is text of length bytes with the words of ordinary prose: the sentences of our own README files.
func prose(b *testing.B, length int) string {
	b.Helper()
	var all strings.Builder
	for _, name := range []string{"README.md", "../text/README.md", "../ledger/README.md", "../pack/README.md",
		"../redact/README.md", "../../../docs/format.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		all.Write(data)
	}
	text := all.String()
	if len(text) < length {
		b.Fatalf("%d bytes of prose, %d wanted", len(text), length)
	}
	return text[:length]
}

// claimsAbout makes claims of some twelve words each out of the words of a text, no two the same.
func claimsAbout(text string, n int) []string {
	words := strings.Fields(text)
	out := make([]string, n)
	for i := range out {
		a, b := i*7%(len(words)-8), i*31%(len(words)-6)
		out[i] = fmt.Sprintf("Employees %s and %s in %d.", strings.Join(words[a:a+5], " "),
			strings.Join(words[b:b+4], " "), 1900+i%120)
	}
	return out
}

// cpu is the time that the process has spent on its CPUs, which other processes don't lengthen.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkShared judges many claims against evidence that they share, as `sanad judge` does: claims for each second of
// CPU.
func BenchmarkShared(b *testing.B) {
	for _, length := range []int{1500, 3000, 9000, 18000} {
		b.Run(fmt.Sprintf("evidence=%d", length), func(b *testing.B) {
			text := prose(b, length)
			claims := claimsAbout(text, 500)
			batch := judge.NewBatch(judge.NewLexical(), judge.DefaultBudget)
			i, start := 0, cpu(b)
			for b.Loop() {
				batch.JudgeRow(row(claims[i%len(claims)], text))
				i++
			}
			b.ReportMetric(float64(b.N)/(cpu(b)-start).Seconds(), "claims/cpu-s")
		})
	}
}

// BenchmarkSession judges 100,000 claims of one session, on one core and on all of them. of-cores is how many times
// faster all are, for each core; it says something on a machine that does nothing else. cpu is the time that all cores
// together work for it, by that of the one, which other processes don't lengthen.
func BenchmarkSession(b *testing.B) {
	text := prose(b, 3000)
	texts := claimsAbout(text, 100_000)
	judged := func(cores int) (took, worked time.Duration) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		s := judge.RowSession(row("", text))
		s.Claims = make([]ledger.Claim, len(texts))
		for i, t := range texts {
			s.Claims[i] = ledger.Claim{Position: i, Text: t}
		}
		runtime.GC()
		start, before := time.Now(), cpu(b)
		judge.Run(s, judge.NewLexical(), at)
		return time.Since(start), cpu(b) - before
	}
	cores := runtime.GOMAXPROCS(0)
	var took, worked [2]time.Duration // on one, on all
	for b.Loop() {
		for i, n := range []int{1, cores} {
			t, w := judged(n)
			took[i], worked[i] = took[i]+t, worked[i]+w
		}
	}
	b.ReportMetric(took[0].Seconds()/took[1].Seconds()/float64(cores), "of-cores")
	b.ReportMetric(worked[1].Seconds()/worked[0].Seconds(), "cpu")
	b.ReportMetric(float64(b.N*len(texts))/worked[1].Seconds(), "claims/cpu-s")
}
