package importers

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// cutRows returns the rows of a file that is read in windows of so many bytes.
func cutRows(src string, window int) (out []row, err error) {
	f := &fileRows{file: strings.NewReader(src), size: int64(len(src)), window: window}
	err = f.each(func(r row) error {
		out = append(out, r)
		return nil
	})
	return out, err
}

// Reading in windows gives the same rows as reading the whole, wherever the windows end.
func TestWindowsGiveTheSameRows(t *testing.T) {
	values := []string{`{}`, `{"a":1}`, `{"نص":"قيمة ١٥ 😀 \ud83d\ude00 \"}{"}`,
		`{"a":[{"b":[1,-2.5e3,true,null,""]},{}]}`, `{"long":"` + strings.Repeat("كلمة ", 40) + `"}`}
	gaps := []string{"\n", "\r\n\r\n", " \t\n", ""}
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		var lines, list strings.Builder
		n := 1 + rng.IntN(12)
		list.WriteString(" [")
		for i := range n {
			v, gap := values[rng.IntN(len(values))], gaps[rng.IntN(len(gaps))]
			lines.WriteString(v + gap)
			list.WriteString(gap + v + gap)
			if i < n-1 {
				list.WriteByte(',')
			}
		}
		list.WriteString("] \n")
		for _, src := range []string{lines.String(), list.String()} {
			got, err := cutRows(src, 8+round%64)
			require.NoError(t, err)
			want := rowsOf(src)
			require.Len(t, want, n)
			if n == 1 {
				want[0].path = "[0]"
			}
			at := 0
			for i, r := range want { // nothing but white space and commas lies between two rows
				at += strings.Index(src[at:], r.src)
				want[i].line = 1 + strings.Count(src[:at], "\n")
				at += len(r.src)
			}
			require.Equal(t, want, got)
			cut := src[:rng.IntN(len(src))]
			if got, err = cutRows(cut, 16); err == nil {
				require.Len(t, rowsOf(cut), len(got), "%q", cut)
			}
		}
	}
	for _, bad := range []string{``, `1 2`, `"a"`, `{"a":1}]`, `[{"a":1}`, `[{"a":1},]`, `[{"a":1}]x`, `{"a":1,"a":2}`,
		"{\"a\":\"\xff\"}", `{"a":1}{"b"`, strings.Repeat("[", 100)} {
		_, err := cutRows(bad, 8)
		require.ErrorIs(t, err, errNoRows, bad)
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{`{"a":1}` + "\n" + `{"b":"é"}`, `[{"a":[]},{}]`, `[`, "\ufeff{}", `{"a":1}{`,
		`[{}] []`} {
		f.Add(s, 8)
	}
	f.Fuzz(func(t *testing.T, s string, window int) {
		got, err := cutRows(s, 1+window&0xff)
		want := rowsOf(strings.TrimPrefix(s, "\ufeff"))
		if err != nil {
			require.ErrorIs(t, err, errNoRows)
			return // reading the whole shows whether it can be read after all
		}
		require.Len(t, got, len(want))
		for i := range want {
			require.Equal(t, want[i].src, got[i].src)
		}
	})
}

// batch is the outcome of importing a file with several sessions.
type batch struct {
	Results []*Result
	Refused []*domain.Error // rows that were refused
}

// readAll reads a file as ReadEach does, whole; the error of a file without a single good row is that of its first.
func readAll(data []byte, opt Options) (*batch, error) {
	b := &batch{}
	err := ReadEach(bytes.NewReader(data), int64(len(data)), opt, func(r *Result, refused *domain.Error) error {
		if refused != nil {
			b.Refused = append(b.Refused, refused)
		} else {
			b.Results = append(b.Results, r)
		}
		return nil
	})
	if err == nil && len(b.Results) == 0 {
		err = b.Refused[0]
	}
	return b, err
}

// Reading row by row gives the same as reading the whole, for each format that comes in rows. Refused rows and an error
// of take are passed on.
func TestRowByRowEqualsWhole(t *testing.T) {
	for _, name := range []string{"ragas/rows.jsonl", "ragtruth/rows.jsonl", "safe/facts.jsonl"} {
		data := sampleFile(t, "testdata/"+name)
		all, err := readAll(data, Options{})
		require.NoError(t, err)
		list := sliceRows(rowsOf(string(data)))
		f, err := tell(fieldsOf(list))
		require.NoError(t, err)
		var digests []string
		refused := 0
		require.NoError(t, f.sessions(list, Options{}.withDefaults(), func(r *Result, no *domain.Error) error {
			if no != nil {
				refused++
				return nil //nolint:nilerr // the error of another call
			}
			digests = append(digests, r.Session.Digest)
			return nil
		}))
		require.Len(t, all.Refused, refused)
		require.Len(t, digests, len(all.Results))
		for i, r := range all.Results {
			require.Equal(t, digests[i], r.Session.Digest)
		}
	}
	own := session(`{"answer":"The fee is 5 euros."}`)
	taken := 0
	err := ReadEach(strings.NewReader(own+own), int64(2*len(own)), Options{}, func(*Result, *domain.Error) error {
		taken++
		return io.ErrClosedPipe
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Equal(t, 1, taken)
	broken := own + own + `{"format":`
	err = ReadEach(strings.NewReader(broken), int64(len(broken)), Options{}, func(*Result, *domain.Error) error {
		t.Fatal("a broken file was read in part")
		return nil
	})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}

// TestReadEachHoldsOneRow checks that no more than a few windows of a file are in memory, however many rows it has.
func TestReadEachHoldsOneRow(t *testing.T) {
	row := fmt.Sprintf(`{"user_input":"q","retrieved_contexts":["Staff get 15 days. %s"],"response":"Staff get 15 `+
		`days of leave."}`+"\n", strings.Repeat("Nothing else. ", 5_000))
	const n = 400
	most, now := 0, &repeated{data: []byte(row), size: int64(n * len(row))}
	seen := 0
	require.NoError(t, ReadEach(now, now.size, Options{}, func(r *Result, _ *domain.Error) error {
		require.NotNil(t, r)
		seen++
		if seen > 1 { // rows are taken while the file is read, not afterwards
			most = max(most, int(now.ahead)-seen*len(row))
		}
		return nil
	}))
	require.Equal(t, n, seen)
	require.Less(t, most, 3*window)
}

// repeated is a file of the same row repeated; ahead is how far it has been read.
type repeated struct {
	data  []byte
	size  int64
	ahead int64
}

func (c *repeated) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at+int64(n) < c.size {
		n += copy(p[n:min(len(p), n+int(c.size-at)-n)], c.data[(at+int64(n))%int64(len(c.data)):])
	}
	c.ahead = at + int64(n)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Both ways to read one session give the same result.
func TestReadFrom(t *testing.T) {
	data := append([]byte("\ufeff"), sampleFile(t, "testdata/leave.json")...)
	want, err := Read(data, Options{})
	require.NoError(t, err)
	got, err := ReadFrom(bytes.NewReader(data), int64(len(data)), Options{})
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = ReadFrom(bytes.NewReader(data), int64(len(data)), Options{Bytes: 10})
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
	_, err = ReadFrom(bytes.NewReader(data), int64(len(data))+1, Options{})
	require.ErrorIs(t, err, io.EOF)
}
