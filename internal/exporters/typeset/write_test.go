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

	"github.com/stretchr/testify/require"
)

// attached returns a ledger's JSON, as an attachment of the file.
func attached(t testing.TB, d *Doc) []Attachment {
	t.Helper()
	raw, err := json.Marshal(d.Sections[0]) // a ledger's JSON has it once, not once per language
	require.NoError(t, err)
	return []Attachment{{Name: "ledger.json", MIME: "application/json", Relation: "Source", Description: "The ledger",
		Content: raw}}
}

func bytesOf(t testing.TB, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	d := sample(n)
	require.NoError(t, Write(&out, d, attached(t, d)))
	return out.Bytes()
}

// TestPicture writes the sample to the file named by PDF_OUT for visual inspection.
func TestPicture(t *testing.T) {
	name := os.Getenv("PDF_OUT")
	if name == "" {
		t.Skip("set PDF_OUT to the file to write")
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
	other := exec.Command(self, "-test.run=^TestSameBytes$")
	other.Env = append(os.Environ(), "TYPESET_DIGEST=1", "TZ=Asia/Dubai", "LANG=ar_AE.UTF-8")
	said, err := other.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Contains(t, string(said), hex.EncodeToString(sum[:]))
}

// TestReaders opens a document with programs that check PDFs.
func TestReaders(t *testing.T) {
	d := sample(30)
	name := writeFile(t, d, attached(t, d))
	require.Contains(t, runTool(t, "qpdf", "--check", name), "No syntax or stream encoding errors found")
	fonts := strings.Split(strings.TrimSpace(runTool(t, "pdffonts", name)), "\n")[2:]
	require.Len(t, fonts, 3)
	for _, f := range fonts {
		require.Regexp(t, `^[A-Z]{6}\+IBMPlex(SansArabic|Mono)-\w+\s+CID TrueType\s+Identity-H\s+yes yes yes`, f)
	}
	info := runTool(t, "pdfinfo", name)
	for _, want := range []string{"Title:           " + d.Title, "Tagged:          yes", "PDF version:     1.7"} {
		require.Contains(t, info, want)
	}
	require.Contains(t, runTool(t, "pdfinfo", "-meta", name),
		"<pdfaid:part>3</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>")
	require.Contains(t, runTool(t, "pdfdetach", "-list", name), "1: ledger.json")
	tags := runTool(t, "pdfinfo", "-struct", name)
	for _, role := range []string{"Sect", "H1", "H2", "P ", "LI", "Table", "TR", "TH", "TD", "BlockQuote"} {
		require.Contains(t, tags, role)
	}
}

// TestSizes limits the sizes of the sample, in both languages with JSON attached, well below 50 KB, 180 KB and 2.5 MB.
// The benchmark measures time.
func TestSizes(t *testing.T) {
	for _, c := range []struct{ claims, bytes int }{{0, 38_000}, {100, 90_000}, {2000, 980_000}} {
		if raceEnabled && c.claims > 100 {
			continue // takes a minute under the race detector
		}
		size, _ := cost(t, c.claims)
		t.Logf("%d claims: %d bytes", c.claims, size)
		require.LessOrEqual(t, size, c.bytes)
	}
}

// TestCostIsLinear checks that 2,000 claims allocate at most 12 times what 200 do, and no more than 400 MB. The
// benchmark measures time.
func TestCostIsLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("too slow under the race detector; make thorough runs it")
	}
	cost(t, 200) // loads the fonts
	_, small := cost(t, 200)
	_, large := cost(t, 2000)
	t.Logf("200 claims: %d MB allocated; 2,000: %d MB", small>>20, large>>20)
	require.LessOrEqual(t, large, 12*small)
	require.LessOrEqual(t, large, uint64(400<<20))
}

// cost writes a sample and returns its size and the memory allocated, in bytes.
func cost(t testing.TB, claims int) (size int, allocated uint64) {
	t.Helper()
	d := sample(claims)
	files := attached(t, d)
	var out bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, Write(&out, d, files))
	runtime.ReadMemStats(&after)
	return out.Len(), after.TotalAlloc - before.TotalAlloc
}

// BenchmarkWrite reports time, memory and size; 2,000 claims must cost at most 12 times as much as 200.
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
