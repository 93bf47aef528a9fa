package documents

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/domain"
)

// allocated returns how many bytes f allocates, and its error.
func allocated(f func() error) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// TestBounds holds hostile Word and HTML files to the bounds of rule SEC-9: the error names the bound, and little
// memory is taken until it is known.
func TestBounds(t *testing.T) {
	var attributes strings.Builder
	for i := range 500_000 {
		fmt.Fprintf(&attributes, " a%d", i)
	}
	parts := make([]string, 0, 2*block.ArchiveFiles+2)
	for i := range block.ArchiveFiles + 1 {
		parts = append(parts, fmt.Sprint(i), "")
	}
	for name, c := range map[string]struct {
		name string
		data []byte
		msg  string
		most uint64 // bytes that may be allocated, in MiB
	}{
		"a tag of 12 million attributes": {name: "a.docx", data: wordFile("word/document.xml",
			"<w:p"+strings.Repeat(` a=""`, 12_000_000)+"/>"), msg: "it has a tag of more than 1,048,576 bytes", most: 200},
		"such a tag after text": {name: "a.docx", data: wordFile("word/document.xml",
			"<w:p>text<w:t"+strings.Repeat(` a=""`, 12_000_000)+"/>"), msg: "it has a tag of more than 1,048,576 bytes", most: 200},
		"such a tag in the styles": {name: "a.docx", data: wordFile("word/document.xml", wordBody, "word/styles.xml",
			"<w:p"+strings.Repeat(` a=""`, 12_000_000)+"/>"), msg: "it has a tag of more than 1,048,576 bytes", most: 200},
		"a comment without end": {name: "a.docx", data: wordFile("word/document.xml",
			"<w:p><!--"+strings.Repeat(`a`, block.ArchiveBytes-100)), msg: "it has a tag of more than 1,048,576 bytes", most: 200},
		"cells": {name: "a.docx", data: wordFile("word/document.xml",
			"<tbl><tr>"+strings.Repeat("<tc></tc>", block.MostCells+1)+"</tr></tbl>"),
			msg: "its tables have more than 1,000,000 cells", most: 2000},
		"paragraphs": {name: "a.docx", data: wordFile("word/document.xml",
			"<body>"+strings.Repeat("<p><t>a</t></p>", block.MostBlocks+1)+"</body>"),
			msg: "it has more than 500,000 paragraphs", most: 2000},
		"parts": {name: "a.docx", data: wordFile(append(parts, "word/document.xml", wordBody)...),
			msg: "its archive has more than 10,000 parts", most: 100},
		"attributes": {name: "a.html", data: []byte("<!doctype html><p" + attributes.String() + ">text"),
			msg: "it has a tag with more than 1,000 attributes", most: 200},
		"tags": {name: "a.html", data: []byte("<!doctype html>" + strings.Repeat("<i>", block.MostTags+1)),
			msg: "it has more than 1,000,000 tags", most: 100},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := allocated(func() error {
				_, err := readAs(c.name, c.data, Options{})
				return err
			})
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, domain.TooLarge, e.Kind)
			require.Contains(t, e.Text(), c.msg)
			require.Less(t, got>>20, c.most, "MiB allocated")
		})
	}
}

// TestLongTagsAndTexts: what sane files hold stays readable: a picture within a tag, a long text, many short tags.
func TestLongTagsAndTexts(t *testing.T) {
	long := strings.Repeat("word ", 300_000) // over tagBytes
	short := strings.Repeat("<r/>", block.TagBytes/2)
	for _, d := range []*tested{
		mustRead(t, "a.docx", wordFile("word/document.xml", "<p><t>"+long+"</t></p><p>"+short+"<t>end</t></p>")),
		mustRead(t, "b.html", []byte(`<!doctype html><img src="data:,`+strings.Repeat("a", 2*block.TagBytes)+`"><p>end`)),
	} {
		require.Equal(t, "end", d.Chunks[len(d.Chunks)-1].Text[max(0, len(d.Chunks[len(d.Chunks)-1].Text)-3):])
	}
}
