package exporters

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

// readCSV reads a CSV export as docs/format.md says: without the byte order mark and the apostrophes before texts.
func readCSV(t *testing.T, data []byte) [][]string {
	t.Helper()
	data, found := bytes.CutPrefix(data, []byte(byteOrderMark))
	require.True(t, found, "the byte order mark")
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows {
		for i := range row {
			row[i] = strings.TrimPrefix(row[i], "'")
		}
	}
	return rows
}

func render(t *testing.T, name string, l *ledger.Ledger, language Language) []byte {
	t.Helper()
	f, err := FormatByName(name)
	require.NoError(t, err)
	data, err := f.RenderIn(l, language)
	require.NoError(t, err)
	return data
}

func TestTablesInArabic(t *testing.T) {
	got := render(t, "csv", exporttest.Assess(exporttest.Arabic()), Arabic)
	exporttest.Golden(t, "arabic.ar.csv", got)
	require.True(t, bytes.HasPrefix(got, []byte("\xEF\xBB\xBF")))
}

// TestFormulas: what a spreadsheet takes for a formula is made a text, and what was made one can be told from what was
// not.
func TestFormulas(t *testing.T) {
	for in, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "\rx": "'\rx", "\nx": "'\nx",
		"  =1": "'  =1", "\u00A0=1": "'\u00A0=1", "\u200F=1": "'\u200F=1", "＝1": "'＝1", "'x": "''x", "'": "''",
		"a=b": "a=b", "": "", "x\n=1": "x\n=1", "٥-": "٥-", "(=)": "(=)",
	} {
		require.Equal(t, want, guarded(in), "%q", in)
	}
	random := rand.New(rand.NewPCG(1, 2))
	signs := []rune("=+-@'\t\r\n aب🙂\"")
	for range 2000 {
		var b strings.Builder
		for range random.IntN(5) {
			b.WriteRune(signs[random.IntN(len(signs))])
		}
		require.Equal(t, b.String(), strings.TrimPrefix(guarded(b.String()), "'"))
	}
}

// hostileTexts are texts that a spreadsheet could take for something else.
var hostileTexts = []string{`=HYPERLINK("http://evil.example","x")`, "+1", "-2%", "@A1", "\t=1", " =1", "'quoted", "''", "1e5",
	"a,b;\"c\"\nd\te", "_x0041_", "👩‍👩‍👧 \U0001D11E", " spaces ", "٣٠ يومًا", "=\u202Eabc\u0007\uFFFE\r\nz"}

func hostileSession() *ledger.Session {
	s := exporttest.English()
	s.Claims = nil
	for i, words := range hostileTexts {
		c := exporttest.Claim(i, words, ledger.Fact, ledger.Material, exporttest.Match(0, 0, 0.9, ledger.Full, words))
		c.Key = words
		c.Reviews = []ledger.Review{{Actor: words, At: exporttest.When, Action: ledger.Confirm, Verdict: ledger.Supported,
			Reason: words}}
		s.Claims = append(s.Claims, c)
	}
	s.Documents[0].Filename, s.Documents[0].Chunks[0].HeadingPath = "=cmd|x.pdf", []string{"+1"}
	return s
}

func TestCSVReadBack(t *testing.T) {
	rows := readCSV(t, render(t, "csv", exporttest.Assess(hostileSession()), English))
	require.Len(t, rows, len(hostileTexts)+1)
	for i, words := range hostileTexts {
		row := rows[i+1]
		for _, at := range []string{"Claim", "Reviewer", "Reviewer’s notes", "Quoted passage", "Claim ID"} {
			require.Equal(t, visible(words), row[columnOf(t, rows[0], at)], at)
		}
		require.Equal(t, "=cmd|x.pdf", row[columnOf(t, rows[0], "Document")])
		require.Equal(t, "2026-01-03 14:30:00", row[columnOf(t, rows[0], "Reviewed at (UTC)")])
		require.Equal(t, "90%", row[columnOf(t, rows[0], "Confidence")])
	}
	require.Equal(t, "=⟨U+202E⟩abc⟨U+0007⟩⟨U+FFFE⟩\nz", visible(hostileTexts[len(hostileTexts)-1]))
}

// columnOf returns the index of a column by its head.
func columnOf(t *testing.T, heads []string, head string) int {
	t.Helper()
	for i, h := range heads {
		if h == head {
			return i
		}
	}
	t.Fatalf("no column %q", head)
	return 0
}

// longText returns a text of so many UTF-16 units, of one and two units each.
func longText(units int) string {
	return strings.Repeat("x🙂", units/3) + strings.Repeat("y", units%3)
}

// TestLongTexts: a text longer than a cell is continued in further columns, and nothing of it is lost.
func TestLongTexts(t *testing.T) {
	for units, columns := range map[int]int{cellLength - 1: 0, cellLength: 0, cellLength + 1: 1, 2*cellLength - 1: 1,
		3*cellLength + 5: 3} {
		s := exporttest.English()
		s.Claims[1].Text = longText(units)
		l := exporttest.Assess(s)
		rows := readCSV(t, render(t, "csv", l, English))
		first, _, _ := strings.Cut(strings.Join(rows[0], ","), ",Claim (continued")
		require.Len(t, rows[0], strings.Count(first, ",")+1+columns, units)
		text := rows[2][1]
		for k := range columns {
			text += rows[2][columnOf(t, rows[0], "Claim (continued, "+string(rune('2'+k))+")")]
			require.Empty(t, rows[1][len(rows[1])-1-k])
		}
		require.Equal(t, longText(units), text)
		for _, row := range rows {
			for _, cell := range row {
				require.LessOrEqual(t, len(utf16.Encode([]rune(cell))), cellLength)
			}
		}
	}
}

// manyClaims returns a ledger of n claims with evidence and a review each.
func manyClaims(n int) *ledger.Ledger {
	s := exporttest.English()
	base := s.Claims[0]
	base.Reviews = []ledger.Review{{Actor: "Amal", At: exporttest.When, Action: ledger.Confirm, Verdict: ledger.Supported,
		Reason: strings.Repeat("because ", 12)}}
	s.Claims = make([]ledger.Claim, n)
	for i := range s.Claims {
		s.Claims[i] = base
		s.Claims[i].Position = i
	}
	return exporttest.Assess(s)
}

// TestCSVIsNotHeldInMemory: while a file of a large ledger is written, the heap doesn't grow with it.
func TestCSVIsNotHeldInMemory(t *testing.T) {
	l := manyClaims(20_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var most uint64
	w := &watchedWriter{every: 1 << 20, look: func() {
		runtime.GC()
		runtime.ReadMemStats(&after)
		most = max(most, after.HeapAlloc)
	}}
	require.NoError(t, CSV(w, l, English))
	require.Greater(t, w.written, 7_000_000)
	require.Less(t, most, before.HeapAlloc+2<<20)
	runtime.KeepAlive(l)
}

// watchedWriter discards what is written and looks at something after every so many bytes.
type watchedWriter struct {
	io.Writer
	written, every int
	look           func()
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	if (w.written+len(p))/w.every > w.written/w.every {
		w.look()
	}
	w.written += len(p)
	return len(p), nil
}

func TestCSVTellsOfAFailedWriter(t *testing.T) {
	r, w := io.Pipe()
	require.NoError(t, r.Close())
	require.ErrorIs(t, CSV(w, manyClaims(100), English), io.ErrClosedPipe)
}

// BenchmarkTables prints the time, and how much the heap grows at most, for a ledger of 100,000 claims as a table:
//
//	go test ./internal/exporters -run xxx -bench Tables -benchtime 1x
func BenchmarkTables(b *testing.B) {
	l := manyClaims(100_000)
	for _, name := range []string{"csv", "xlsx"} {
		f, err := FormatByName(name)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var before, now runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				var most uint64
				done := make(chan struct{})
				sampled := make(chan struct{})
				go func() {
					defer close(sampled)
					for tick := time.Tick(20 * time.Millisecond); ; {
						select {
						case <-done:
							return
						case <-tick:
							runtime.ReadMemStats(&now)
							most = max(most, now.HeapAlloc)
						}
					}
				}()
				w := &watchedWriter{every: math.MaxInt}
				require.NoError(b, f.WriteIn(w, l, Arabic))
				close(done)
				<-sampled
				b.ReportMetric(float64(w.written)/1e6, "MB")
				b.ReportMetric(float64(int64(most)-int64(before.HeapAlloc))/(1<<20), "heap-MiB")
			}
		})
	}
	runtime.KeepAlive(l)
}
