package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/importers"
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
		"a.html": []byte("<!doctype html><title>Policy</title><h1>Leave</h1><table><tr><th>a<td>b</table>"),
		"a.rtf":  []byte(`{\rtf1 Leave is {\v not }15 days.}`),
		"a.fodt": []byte(`<office:document office:mimetype="application/vnd.oasis.opendocument.text"><text:p>Leave is 15 days.</text:p></office:document>`)}
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
		"other.docx": {[]byte("PK\x03\x04"), "no whole Word document"},
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
