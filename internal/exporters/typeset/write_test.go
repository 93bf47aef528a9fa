package typeset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// attached is a ledger's JSON as it would lie in the file.
func attached(t testing.TB, d *Doc) []Attachment {
	t.Helper()
	raw, err := json.Marshal(d.Sections[0]) // a ledger stands in its JSON once, not once a language
	require.NoError(t, err)
	return []Attachment{{Name: "ledger.json", MIME: "application/json", Relation: "Source", Description: "The ledger", Content: raw}}
}

func bytesOf(t testing.TB, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	d := sample(n)
	require.NoError(t, Write(&out, d, attached(t, d)))
	return out.Bytes()
}

// TestPicture writes the sample to the file named by PDF_OUT, to be looked at.
func TestPicture(t *testing.T) {
	name := os.Getenv("PDF_OUT")
	if name == "" {
		t.Skip("PDF_OUT names no file")
	}
	require.NoError(t, os.WriteFile(name, bytesOf(t, 6), 0o600))
}

// TestSameBytes writes one document twice here and once in another process.
func TestSameBytes(t *testing.T) {
	sum := sha256.Sum256(bytesOf(t, 12))
	if os.Getenv("TYPESET_DIGEST") != "" {
		fmt.Printf("digest %x\n", sum)
		return
	}
	require.Equal(t, sum, sha256.Sum256(bytesOf(t, 12)))
	self, err := os.Executable()
	require.NoError(t, err)
	other := exec.Command(self, "-test.run=^TestSameBytes$") //nolint:gosec // this test itself
	other.Env = append(os.Environ(), "TYPESET_DIGEST=1", "TZ=Asia/Dubai", "LANG=ar_AE.UTF-8")
	said, err := other.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Contains(t, string(said), hex.EncodeToString(sum[:]))
}

// TestReaders opens a document with the programs that check PDFs.
func TestReaders(t *testing.T) {
	d := sample(30)
	name := writeFile(t, d, attached(t, d))
	require.Contains(t, runTool(t, "qpdf", "--check", name), "No syntax or stream encoding errors found")
	fonts := strings.Split(strings.TrimSpace(runTool(t, "pdffonts", name)), "\n")[2:]
	require.Len(t, fonts, 2)
	for _, f := range fonts {
		require.Regexp(t, `^[A-Z]{6}\+IBMPlexSansArabic-\w+\s+CID TrueType\s+Identity-H\s+yes yes yes`, f)
	}
	info := runTool(t, "pdfinfo", name)
	for _, want := range []string{"Title:           " + d.Title, "Tagged:          yes", "PDF version:     1.7"} {
		require.Contains(t, info, want)
	}
	require.Contains(t, runTool(t, "pdfinfo", "-meta", name), "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>")
	require.Contains(t, runTool(t, "pdfdetach", "-list", name), "1: ledger.json")
	tags := runTool(t, "pdfinfo", "-struct", name)
	for _, role := range []string{"Sect", "H1", "H2", "P ", "LI", "Table", "TR", "TH", "TD", "BlockQuote"} {
		require.Contains(t, tags, role)
	}
}

// TestSizesAndTimes asserts the acceptance table's figures for the sample, in both languages, JSON attached.
func TestSizesAndTimes(t *testing.T) {
	for _, c := range []struct {
		claims, bytes int
		time          time.Duration
	}{{0, 50_000, time.Second / 2}, {100, 180_000, time.Second / 2}, {2000, 2_500_000, 5 * time.Second}} {
		if raceEnabled && c.claims > 100 {
			continue // the race detector takes a minute for it
		}
		size, spent, _ := cost(t, c.claims)
		t.Logf("%d claims: %d bytes; %v", c.claims, size, spent.Round(time.Millisecond))
		require.LessOrEqual(t, size, c.bytes)
		if !raceEnabled {
			require.Less(t, spent, 3*c.time, "with room for a busy machine: the benchmark measures, this only guards")
		}
	}
}

// TestCostIsLinear: 2,000 claims cost at most 12 times what 200 cost, in time and memory.
func TestCostIsLinear(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("measures time")
	}
	cost(t, 200) // the fonts are read
	_, smallTime, smallMemory := cost(t, 200)
	_, largeTime, largeMemory := cost(t, 2000)
	t.Logf("200 claims: %v, %d MB allocated; 2,000: %v, %d MB", smallTime, smallMemory>>20, largeTime, largeMemory>>20)
	require.LessOrEqual(t, largeMemory, 12*smallMemory)
	require.LessOrEqual(t, largeTime, 12*smallTime+2*time.Second, "with room for a busy machine")
}

// cost writes a sample and tells its size, the time and the memory allocated.
func cost(t testing.TB, claims int) (size int, spent time.Duration, allocated uint64) {
	t.Helper()
	d := sample(claims)
	files := attached(t, d)
	var out bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	require.NoError(t, Write(&out, d, files))
	spent = time.Since(start)
	runtime.ReadMemStats(&after)
	return out.Len(), spent, after.TotalAlloc - before.TotalAlloc
}

// BenchmarkWrite prints time, memory and size; 2,000 claims must cost at most 12 times 200.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{0, 100, 200, 2000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			d := sample(n)
			json := attached(b, d)
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				var out bytes.Buffer
				require.NoError(b, Write(&out, d, json))
				size = out.Len()
			}
			b.ReportMetric(float64(size)/1024, "KB")
		})
	}
}
