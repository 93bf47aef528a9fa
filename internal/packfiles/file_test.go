package packfiles

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
)

const somePack = `{"format":"` + pack.Format + `"}`

type zipped struct{ name, data string }

// zipOf returns a pack's zip in which some files have these contents. All others have one of their own.
func zipOf(t testing.TB, files ...zipped) []byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range packs.ZipNames {
		all[name] = []byte("content of " + name)
	}
	for _, f := range files {
		all[f.name] = []byte(f.data)
	}
	var b bytes.Buffer
	require.NoError(t, packs.Layout(&b, time.Unix(1_700_000_000, 0), all))
	return b.Bytes()
}

// zipByOthers returns a zip as another program may write it.
func zipByOthers(t testing.TB, files ...zipped) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		require.NoError(t, err)
		_, err = w.Write([]byte(f.data))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// attachment returns a stream of a PDF as we write it, or as others may.
func attachment(dict, body string) string {
	return "5 0 obj\n<< /Type /EmbeddedFile " + dict + " >>\nstream\n" + body + "\nendstream\nendobj\n"
}

func packed(t testing.TB, body string) string {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := z.Write([]byte(body))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func TestReadKinds(t *testing.T) {
	short := packed(t, somePack)
	for name, tt := range map[string]struct {
		data []byte
		want File
	}{
		"pack.json": {[]byte(somePack), File{Kind: JSON, Files: pack.Files{Pack: []byte(somePack)}}},
		"proof": {[]byte(`{"format":"` + pack.ProofFormat + `"}`),
			File{Kind: Proof, Data: []byte(`{"format":"` + pack.ProofFormat + `"}`)}},
		"redacted": {[]byte(`{"format":"` + pack.RedactedFormat + `"}`),
			File{Kind: Redacted, Data: []byte(`{"format":"` + pack.RedactedFormat + `"}`)}},
		"export": {[]byte(`{"dsse":{"a":1},"pack":{"b":2}}` + "\n"),
			File{Kind: Export, Files: pack.Files{Pack: []byte(`{"b":2}`), Envelope: []byte(`{"a":1}`)}}},
		"zip": {zipOf(t), File{Kind: Zip, Files: pack.Files{
			Pack: []byte("content of pack.json"), Markdown: []byte("content of pack.md"), PDF: []byte("content of pack.pdf"),
			Envelope: []byte("content of pack.dsse.json"), Bundle: []byte("content of pack.sigstore.json"),
			LogProof: []byte("content of pack.tlog-proof"), Salts: []byte("content of salts.json"),
			PublicKey: []byte("content of tenant.pub"), Whole: true,
		}}},
		"pdf, packed": {[]byte("%PDF-1.7\n" + attachment(fmt.Sprintf("/Filter /FlateDecode /Length %d", len(short)),
			short)),
			File{Kind: PDF, Files: pack.Files{Pack: []byte(somePack)}}},
		"pdf, plain": {[]byte("%PDF-1.7\n" + attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)),
			File{Kind: PDF, Files: pack.Files{Pack: []byte(somePack)}}},
		"pdf, something else attached too": {[]byte("%PDF-1.7\n" + attachment("/Length 2", "hi") +
			attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)),
			File{Kind: PDF, Files: pack.Files{Pack: []byte(somePack)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(tt.data)
			require.NoError(t, err)
			if tt.want.Kind == PDF {
				tt.want.Files.PDF = tt.data
			}
			require.Equal(t, &tt.want, got)
		})
	}
}

// mebibyte returns 1 MiB of zeros, deflated so that any number of copies in a row are one deflated stream.
func mebibyte(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	require.NoError(t, err)
	_, err = w.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, w.Flush())
	return b.Bytes()
}

// bombs returns a pack's zip in which files have so many MiB of zeros each, with correct checksums and sizes.
func bombs(t testing.TB, mebibytes map[string]int) []byte {
	t.Helper()
	one, end := mebibyte(t), []byte{1, 0, 0, 0xff, 0xff}
	var files, directory []byte
	for _, name := range packZipNames {
		content := []byte("x")
		packed := append([]byte{1, 1, 0, 0xfe, 0xff}, content...)
		if n := mebibytes[name]; n > 0 {
			content, packed = make([]byte, n<<20), append(bytes.Repeat(one, n), end...)
		}
		e := zipEntry{
			name: name, made: 1_700_000_000, at: len(files), sum: crc32.ChecksumIEEE(content),
			packed: uint32(len(packed)), size: uint32(len(content)),
		}
		if e.method() == 0 {
			packed, e.packed = content, e.size
		}
		for _, f := range e.local() {
			files = append(files, f.want...)
		}
		files = append(files, packed...)
		for _, f := range e.sums() {
			files = append(files, f.want...)
		}
		for _, f := range e.entry() {
			directory = append(directory, f.want...)
		}
	}
	out := slices.Concat(files, directory)
	for _, f := range endFields(len(files), len(directory)) {
		out = append(out, f.want...)
	}
	return out
}

func TestReadRefuses(t *testing.T) {
	whole := zipOf(t, zipped{"pack.json", somePack})
	damaged := bytes.Clone(whole)
	damaged[localSize+len("pack.json")+3] ^= 0xff
	renamed := bytes.Clone(whole)
	renamed[30] = 'q'
	var named, again []zipped
	for _, name := range packZipNames {
		again = append(again, zipped{name, "x"})
		named = append(named, zipped{"folder/" + name, "x"})
	}
	twice := attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)
	for name, tt := range map[string]struct {
		data []byte
		kind domain.Kind
		says string
	}{
		"nothing":      {nil, domain.Unsupported, "not a zip"},
		"a text":       {[]byte("hello"), domain.Unsupported, "not a zip"},
		"broken JSON":  {[]byte(`{"format":`), domain.Invalid, "not JSON"},
		"another JSON": {[]byte(`{"format":"x"}`), domain.Unsupported, "not a pack"},
		"export, a field more": {[]byte(`{"dsse":{"a":1},"more":1,"pack":{"b":2}}`), domain.Invalid,
			"was changed"},
		"export, a space more": {[]byte(`{"dsse":{"a":1}, "pack":{"b":2}}`), domain.Invalid, "was changed"},
		"export, a field twice": {[]byte(`{"PACK":{"c":3},"dsse":{"a":1},"pack":{"b":2}}`), domain.Invalid,
			"was changed"},
		"half a zip":                {whole[:len(whole)/2], domain.Invalid, "does not end as"},
		"a quarter of a directory":  {whole[:100], domain.Invalid, "cut off"},
		"a zip with a changed file": {damaged, domain.Invalid, "pack.json in the zip does not unpack"},
		"another local name": {renamed, domain.Invalid,
			"The header before pack.json in the zip is not that of a pack's zip (name)"},
		"a decoy in front": {slices.Concat(zipByOthers(t, zipped{"pack.json", "{}"}), whole), domain.Invalid,
			"(offset of the directory)"},
		"bytes behind":        {append(bytes.Clone(whole), '\n'), domain.Invalid, "does not end as"},
		"a second end record": {slices.Concat(whole, whole[len(whole)-endSize:]), domain.Invalid, "does not end as"},
		"one other file":      {zipByOthers(t, zipped{"salts.json", "s"}), domain.Invalid, "cut off"},
		"files packed again":  {zipByOthers(t, again...), domain.Invalid, "unpack them and check the files"},
		"a folder packed":     {zipByOthers(t, named...), domain.Invalid, "does not end as"},
		"pack.json once more": {zipByOthers(t, append(again, zipped{"pack.json", "a"})...), domain.Invalid,
			"does not end as"},
		"a bomb": {bombs(t, map[string]int{"pack.md": MaxFile>>20 + 1}), domain.TooLarge, "unpacks to more"},
		"a bomb for people": {bombs(t, map[string]int{"VERIFY.md": MaxFile>>20 + 1}), domain.TooLarge,
			"unpacks to more"},
		"bombs that add up": {bombs(t, map[string]int{"pack.json": 50, "pack.md": 50, "salts.json": 50}),
			domain.TooLarge, "unpacks to more"},
		"a pdf without a pack": {[]byte("%PDF-1.7\n"), domain.Invalid, "no pack attached"},
		"a pdf with two":       {[]byte("%PDF-1.7\n" + twice + twice), domain.Invalid, "two packs"},
		"a pdf cut off": {[]byte("%PDF-1.7\n" + attachment("/Length 999999", somePack)), domain.Invalid,
			"cut off"},
		"a pdf with a bomb": {[]byte("%PDF-1.7\n" + attachment("/Filter /FlateDecode",
			packed(t, strings.Repeat("\x00", maxAttached+1)))), domain.TooLarge, "unpacks to more"},
		"a pdf, damaged": {[]byte("%PDF-1.7\n" + attachment("/Filter /FlateDecode",
			packed(t, somePack)[:10])), domain.Invalid, "damaged"},
		"a pdf with many": {[]byte("%PDF-1.7\n" + strings.Repeat(attachment("/Length 2", "hi"), 20)),
			domain.TooLarge, "more than 16"},
		"a pdf of another make": {[]byte("%PDF-1.7\n" + attachment("/Filter /LZWDecode", "xx")), domain.Invalid,
			"no pack attached"},
		"a file that is long": {make([]byte, MaxFile+1), domain.TooLarge, "67,108,864"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(tt.data)
			var e *domain.Error
			require.ErrorAs(t, err, &e, "%v", err)
			require.Equal(t, tt.kind, e.Kind, "%v", err)
			require.Contains(t, e.Safe(), tt.says)
			tidy(t, err)
		})
	}
}

// TestZipNames checks that reader and writer have the same files in the same order.
func TestZipNames(t *testing.T) {
	require.Equal(t, packs.ZipNames, packZipNames)
	var p File
	require.Len(t, p.places(), len(packZipNames))
}

// TestReadFolder checks that the files of an unpacked download are taken by their names.
func TestReadFolder(t *testing.T) {
	read := func(name string) ([]byte, error) { return []byte("content of " + name), nil }
	p, err := ReadFolder(append([]string{"z.exe", "a"}, packZipNames...), read)
	require.NoError(t, err)
	whole, err := Read(zipOf(t))
	require.NoError(t, err)
	whole.Files.Whole = false // as files are chosen one by one
	require.Equal(t, &File{Kind: Folder, Files: whole.Files, Other: []string{"a", "z.exe"}}, p)
	_, err = ReadFolder([]string{"salts.json"}, read)
	require.ErrorContains(t, err, "no pack.json")
	_, err = ReadFolder([]string{"pack.json"}, func(string) ([]byte, error) { return nil, io.ErrNoProgress })
	require.ErrorIs(t, err, io.ErrNoProgress)
}

// FuzzRead checks that any input is refused with a message or split, and that the parts can be verified.
func FuzzRead(f *testing.F) {
	f.Add([]byte(somePack))
	f.Add([]byte(`{"dsse":{"a":1},"pack":{"b":2}}`))
	f.Add(zipOf(f, zipped{"pack.json", somePack}, zipped{"salts.json", "{}"}))
	f.Add([]byte("%PDF-1.7\n" + attachment("/Filter /FlateDecode", packed(f, somePack))))
	f.Add([]byte("%PDF-1.7\n" + attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			tidy(t, err)
			return
		}
		if file.Data == nil {
			require.False(t, pack.Verify(file.Files, pack.Trust{}).OK())
		}
	})
}

// tidy checks what every error of this package must have.
func tidy(t *testing.T, err error) {
	var e *domain.Error
	require.ErrorAs(t, err, &e, "%v", err)
	require.Contains(t, []domain.Kind{domain.Invalid, domain.TooLarge, domain.Unsupported}, e.Kind)
	require.NotEmpty(t, e.Text())
	require.True(t, utf8.ValidString(e.Safe()))
	require.Less(t, len(e.Text()), 2000)
}
