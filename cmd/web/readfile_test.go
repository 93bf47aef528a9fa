package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/domain/text"
	"sanad/internal/importers"
	"sanad/internal/isolated"
	"sanad/internal/pdftext"
)

// wordOf returns a Word file with this document.xml.
func wordOf(t *testing.T, body string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("word/document.xml")
	require.NoError(t, err)
	_, err = w.Write([]byte(body))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestUploadsAreReadInTheirOwnProcess: a server reads Word and HTML as it reads PDF, in a process of its own, with the
// same words and faults. A hostile file takes none of the server's own memory.
func TestUploadsAreReadInTheirOwnProcess(t *testing.T) {
	r, err := newFileReaders(pdftext.UseAuto)
	require.NoError(t, err)
	// the built program: under the race detector this one would read three million cells for longer than a file may take
	r.processes.Command = []string{webBinary(t), readFileName}
	word := "<p><t>Leave is 15 days.</t></p><tbl><tr><tc><p><t>Grade</t></p></tc><tc><p><t>30</t></p></tc></tr></tbl>"
	good := map[string][]byte{"a.docx": wordOf(t, word),
		"a.html": []byte("<!doctype html><title>Policy</title><h1>Leave</h1><table><tr><th>a<td>b</table>")}
	for where, o := range map[string]importers.Options{"request": r.soon(importers.Options{}),
		"job": r.whole(importers.Options{})} {
		for name, data := range good {
			form := importers.Form{Answer: "Leave is 15 days.", Files: []importers.File{{Name: name, Data: data}}}
			want, err := importers.FromForm(t.Context(), form, importers.Options{})
			require.NoError(t, err)
			got, err := importers.FromForm(t.Context(), form, o)
			require.NoError(t, err, "%s %s", where, name)
			require.Equal(t, want.Session, got.Session, "%s %s", where, name)
			require.Equal(t, want.Originals, got.Originals)
		}
	}
	var attributes strings.Builder
	for i := range 500_000 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	for name, x := range map[string]struct {
		data []byte
		msg  string
	}{
		"tag.docx":   {wordOf(t, "<p"+strings.Repeat(` a=""`, 12_000_000)+"/>"), "has a tag of more than 1,048,576 bytes"},
		"cells.docx": {wordOf(t, "<tbl>"+strings.Repeat("<tc/>", 3_000_000)), "more than 1,000,000 cells"},
		"tag.html":   {[]byte("<!doctype html><p" + attributes.String() + ">"), "more than 1,000 attributes"},
		"other.docx": {[]byte("PK\x03\x04"), "not a complete Word document"},
	} {
		form := importers.Form{Answer: "a", Files: []importers.File{{Name: name, Data: x.data}}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := importers.FromForm(t.Context(), form, r.soon(importers.Options{}))
		runtime.ReadMemStats(&after)
		var e *domain.Error
		require.ErrorAs(t, err, &e, name)
		require.Contains(t, e.Text(), x.msg)
		require.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(32), "MiB that reading %s took here", name)
	}
	r.processes.Command = []string{"false"}
	_, err = importers.FromForm(t.Context(), importers.Form{Answer: "a",
		Files: []importers.File{{Name: "a.docx", Data: good["a.docx"]}}}, r.whole(importers.Options{}))
	require.ErrorContains(t, err, "the process that reads a file failed")
}

// scanOf returns a small scan of ours: a page that was printed, and smudged at a figure.
func scanOf(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "internal", "ocr", "testdata", name))
	require.NoError(t, err)
	return data
}

// pictureReaders are readers in processes of the built program; the test is skipped where tesseract is not installed.
func pictureReaders(t *testing.T) fileReaders {
	t.Helper()
	r, err := newFileReaders(pdftext.UseAuto)
	require.NoError(t, err)
	if r.pictures == nil {
		t.Skip("tesseract is not installed (.ci/tools installs it)")
	}
	r.processes.Command = []string{webBinary(t), readFileName}
	return r
}

// TestScansAreRead: pages without text and pictures are read by tesseract, twice the same; the smudged figure is
// doubtful, and so is each figure beside Arabic letters.
func TestScansAreRead(t *testing.T) {
	r := pictureReaders(t)
	for name, c := range map[string]struct{ says, doubtful string }{
		"scan.en.pdf": {"Staff receive OMR 45.500 for each day of travel", "75"},
		"scan.en.png": {"Receipts are kept for seven years.", "75"},
		"scan.ar.png": {"تقدم المطالبة خلال 30", "30"},
	} {
		form := importers.Form{Answer: "Directors receive OMR 75.250.", Files: []importers.File{{Name: name, Data: scanOf(t, name)}}}
		got, err := importers.FromForm(t.Context(), form, r.whole(importers.Options{}))
		require.NoError(t, err, name)
		again, err := importers.FromForm(t.Context(), form, r.whole(importers.Options{}))
		require.NoError(t, err, name)
		require.Equal(t, got.Session, again.Session, "%s: the same file has the same words", name)
		d := got.Session.Documents[0]
		require.Contains(t, d.TextBy, r.pictures.Name())
		var all strings.Builder
		var doubtful []string
		for _, ch := range d.Chunks {
			require.Equal(t, !strings.Contains(ch.Text, "Annual leave"), ch.Scanned, name)
			all.WriteString(ch.Text)
			for _, w := range ch.Doubtful {
				doubtful = append(doubtful, text.Slice(ch.Text, text.Span{Start: w.Start, End: w.End}))
			}
		}
		require.Contains(t, all.String(), c.says, name)
		require.Contains(t, strings.Join(doubtful, " "), c.doubtful, name)
		require.Contains(t, fmt.Sprint(got.Warnings), "read by OCR", name)
	}
}

// TestHostilePicturesHarmNothing: each is refused with its reason, and a page that takes too long leaves the others.
func TestHostilePicturesHarmNothing(t *testing.T) {
	r := pictureReaders(t)
	png, pdf := scanOf(t, "scan.en.png"), scanOf(t, "scan.en.pdf")
	huge := bytes.Clone(png)
	copy(huge[16:], "\x00\x00\x9c\x40\x00\x00\x61\xa8") // 40,000 × 25,000
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	read := func(name string, data []byte, o importers.Options) (*importers.Result, error) {
		return importers.FromForm(t.Context(), importers.Form{Answer: "Leave is 15 days.", Files: []importers.File{{Name: name, Data: data}}}, o)
	}
	for name, c := range map[string]struct {
		data []byte
		msg  string
	}{
		"huge.png": {huge, "40,000 × 25,000 pixels, more than 50 million"},
		"cut.png":  {png[:3000], "is damaged or not a supported picture"},
		"a.jpg":    {[]byte("\xFF\xD8\xFF\xE0"), "is damaged or not a supported picture"},
		"a.tiff":   {[]byte("II*\x00\x08\x00\x00\x00"), "OCR found no words"},
	} {
		_, err := read(name, c.data, r.whole(importers.Options{}))
		require.ErrorContains(t, err, c.msg, name)
	}
	none := importers.Options{} // where tesseract is not installed
	_, err := read("a.png", png, none)
	require.ErrorContains(t, err, "tesseract-ocr-ara")
	require.Equal(t, domain.Unsupported, domain.KindOf(err))
	got, err := read("a.pdf", pdf, none)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(got.Warnings), "tesseract-ocr-ara")

	soon := r.soon(importers.Options{})
	many := make([]int, 3)
	for i := range many {
		many[i] = 2
	}
	_, err = soon.Pictures(t.Context(), pdf, many)
	require.True(t, documents.Slow(err), "a job has more time: %v", err)
	whole := *r.pictures
	whole.Processes = isolated.New(r.processes.Command)
	whole.Timeout = time.Nanosecond
	left, err := whole.Read(t.Context(), pdf, []int{2})
	require.NoError(t, err)
	require.Empty(t, left.Pages[0].Paragraphs, "a page that took too long is left out")
	_, err = whole.Read(t.Context(), png, nil)
	require.True(t, documents.Slow(err), "%v", err)
}
