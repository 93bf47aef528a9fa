package importers

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

const somePack = `{"format":"` + pack.Format + `"}`

type zipped struct{ name, data string }

func zipOf(t testing.TB, files ...zipped) []byte {
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

func TestReadPackKinds(t *testing.T) {
	short := packed(t, somePack)
	for name, tt := range map[string]struct {
		data []byte
		want PackFile
	}{
		"pack.json": {[]byte(somePack), PackFile{Kind: PackJSON, Files: pack.Files{Pack: []byte(somePack)}}},
		"proof": {[]byte(`{"format":"` + pack.ProofFormat + `"}`),
			PackFile{Kind: PackProof, Data: []byte(`{"format":"` + pack.ProofFormat + `"}`)}},
		"redacted": {[]byte(`{"format":"` + pack.RedactedFormat + `"}`),
			PackFile{Kind: PackRedacted, Data: []byte(`{"format":"` + pack.RedactedFormat + `"}`)}},
		"export": {[]byte(`{"dsse":{"a":1},"pack":{"b":2}}` + "\n"),
			PackFile{Kind: PackExport, Files: pack.Files{Pack: []byte(`{"b":2}`), Envelope: []byte(`{"a":1}`)}}},
		"zip": {zipOf(t, zipped{"x/", ""}, zipped{"x/pack.json", "p"}, zipped{"x/salts.json", "s"},
			zipped{"x/tenant.pub", "k"}, zipped{"x/VERIFY.md", "v"}, zipped{"z.exe", "z"}, zipped{"PACK.JSON", "q"}),
			PackFile{Kind: PackZip,
				Files: pack.Files{Pack: []byte("p"), Salts: []byte("s"), PublicKey: []byte("k"), Whole: true},
				Other: []string{"PACK.JSON", "z.exe"}}},
		"an empty file is there": {zipOf(t, zipped{"pack.json", "p"}, zipped{"pack.md", ""}),
			PackFile{Kind: PackZip, Files: pack.Files{Pack: []byte("p"), Markdown: []byte{}, Whole: true}}},
		"pdf, packed": {[]byte("%PDF-1.7\n" + attachment(fmt.Sprintf("/Filter /FlateDecode /Length %d", len(short)),
			short)),
			PackFile{Kind: PackPDF, Files: pack.Files{Pack: []byte(somePack)}}},
		"pdf, plain": {[]byte("%PDF-1.7\n" + attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)),
			PackFile{Kind: PackPDF, Files: pack.Files{Pack: []byte(somePack)}}},
		"pdf, something else attached too": {[]byte("%PDF-1.7\n" + attachment("/Length 2", "hi") +
			attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)),
			PackFile{Kind: PackPDF, Files: pack.Files{Pack: []byte(somePack)}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadPack(tt.data)
			require.NoError(t, err)
			if tt.want.Kind == PackPDF {
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

// bombs returns a zip of files with so many MiB of zeros each, with correct checksums and sizes.
func bombs(t testing.TB, mebibytes map[string]int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, one, end := zip.NewWriter(&b), mebibyte(t), []byte{1, 0, 0, 0xff, 0xff}
	for _, name := range slices.Sorted(maps.Keys(mebibytes)) {
		n := mebibytes[name]
		h := zip.FileHeader{
			Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(make([]byte, n<<20)),
			CompressedSize64: uint64(n*len(one) + len(end)), UncompressedSize64: uint64(n) << 20,
		}
		w, err := z.CreateRaw(&h)
		require.NoError(t, err)
		_, err = w.Write(append(bytes.Repeat(one, n), end...))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestReadPackRefuses(t *testing.T) {
	many := make([]zipped, maxPackNames+1)
	for i := range many {
		many[i] = zipped{fmt.Sprint(i), ""}
	}
	one := zipOf(t, zipped{"pack.json", somePack})
	damaged := bytes.Clone(one)
	damaged[len("PK\x03\x04")+26+len("pack.json")+3] ^= 0xff
	twice := attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)
	for name, tt := range map[string]struct {
		data []byte
		kind domain.Kind
		says string
	}{
		"nothing":      {nil, domain.Unsupported, "no zip"},
		"a text":       {[]byte("hello"), domain.Unsupported, "no zip"},
		"broken JSON":  {[]byte(`{"format":`), domain.Invalid, "not JSON"},
		"another JSON": {[]byte(`{"format":"x"}`), domain.Unsupported, "no pack"},
		"export, a field more": {[]byte(`{"dsse":{"a":1},"more":1,"pack":{"b":2}}`), domain.Invalid,
			"was changed"},
		"export, a space more": {[]byte(`{"dsse":{"a":1}, "pack":{"b":2}}`), domain.Invalid, "was changed"},
		"export, a field twice": {[]byte(`{"PACK":{"c":3},"dsse":{"a":1},"pack":{"b":2}}`), domain.Invalid,
			"was changed"},
		"half a zip":                {one[:len(one)/2], domain.Invalid, "damaged"},
		"a zip with a changed file": {damaged, domain.Invalid, "damaged"},
		"an empty zip":              {zipOf(t, zipped{"salts.json", "s"}), domain.Invalid, "no pack.json"},
		"pack.json twice": {zipOf(t, zipped{"pack.json", "a"}, zipped{"pack.json", "b"}), domain.Invalid,
			"twice"},
		"pack.json in two folders": {zipOf(t, zipped{"a/pack.json", "a"}, zipped{"b/pack.json", "b"}), domain.Invalid,
			"twice"},
		"an empty one twice": {zipOf(t, zipped{"pack.md", ""}, zipped{"x/pack.md", "b"}), domain.Invalid,
			"twice"},
		"many files": {zipOf(t, many...), domain.TooLarge, "more than 64 files"},
		"a bomb": {bombs(t, map[string]int{"pack.md": MaxPackFile>>20 + 1}), domain.TooLarge,
			"unpacks to more"},
		"bombs that add up": {bombs(t, map[string]int{"pack.json": 50, "pack.md": 50, "pack.pdf": 50}),
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
		"a file that is long": {make([]byte, MaxPackFile+1), domain.TooLarge, "67,108,864"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadPack(tt.data)
			var e *domain.Error
			require.ErrorAs(t, err, &e, "%v", err)
			require.Equal(t, tt.kind, e.Kind, "%v", err)
			require.Contains(t, e.Safe(), tt.says)
			tidy(t, err)
		})
	}
}

// FuzzReadPack checks that any input is refused with a message or split, and that the parts can be verified.
func FuzzReadPack(f *testing.F) {
	f.Add([]byte(somePack))
	f.Add([]byte(`{"dsse":{"a":1},"pack":{"b":2}}`))
	f.Add(zipOf(f, zipped{"pack.json", somePack}, zipped{"salts.json", "{}"}))
	f.Add([]byte("%PDF-1.7\n" + attachment("/Filter /FlateDecode", packed(f, somePack))))
	f.Add([]byte("%PDF-1.7\n" + attachment(fmt.Sprintf("/Length %d", len(somePack)), somePack)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ReadPack(data)
		if err != nil {
			tidy(t, err)
			return
		}
		if file.Data == nil {
			require.False(t, pack.Verify(file.Files, pack.Trust{}).OK())
		}
	})
}
