package documents

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
)

type ledgerChunk = ledger.Chunk

// wordFile returns a zip of files, given as name, content, name, content.
func wordFile(files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		h := zip.FileHeader{Name: files[i], Method: zip.Deflate}
		if files[i] == "mimetype" { // OpenDocument has it as it is
			h.Method = zip.Store
		}
		w, err := z.CreateHeader(&h)
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

const (
	wordStyles = `<w:styles xmlns:w="w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Own"><w:name w:val="Chapter"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`
	wordBody = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>
<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Leave</w:t></w:r><w:r><w:t xml:space="preserve"> policy</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr><w:r><w:t>Annual leave</w:t></w:r></w:p>
<w:p><w:r><w:t>Staff receive </w:t></w:r><w:ins><w:r><w:t>15</w:t></w:r></w:ins><w:del><w:r><w:delText>14</w:delText></w:r></w:del><w:r><w:t> days &amp; no more.</w:t><w:tab/><w:t>See</w:t><w:br/><w:t>below.</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>first</w:t></w:r></w:p><w:p/>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Grade</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Days</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>مدير</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>30</w:t></w:r></w:p><w:p><w:r><w:t>paid</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:fldChar/><w:instrText>PAGE</w:instrText><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box again</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>
</w:body></w:document>`
	wordNotes = `<w:footnotes xmlns:w="w"><w:footnote><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>`
)

// TestDOCX checks that headings by style, paragraphs, lists, tables and notes become blocks, and that invisible text
// does not.
func TestDOCX(t *testing.T) {
	data := wordFile("[Content_Types].xml", "<Types/>", "word/document.xml", wordBody, "word/styles.xml", wordStyles,
		"word/footnotes.xml", wordNotes)
	d := mustRead(t, "a.docx", data)
	var got []string
	for _, x := range d.Blocks {
		got = append(got, fmt.Sprint(x.Level, " ", x.Text))
	}
	require.Equal(t, []string{"1 Leave policy", "2 Annual leave", "0 Staff receive 15 days & no more. See below.",
		"0 - first",
		"0 | Grade | Days |\n|---|---|\n| مدير | 30 paid |", "0 box", "0 A note."}, got)

	require.Equal(t, filetype.DOCX.MediaType, d.MediaType)
	require.Equal(t, []string{"Leave policy", "Annual leave"}, d.Chunks[0].HeadingPath)
}

// TestDOCXRelatedParts checks that parts are found by their relationships, as Word's editor on the web names them, and
// that the text of something else than Word is not read.
func TestDOCXRelatedParts(t *testing.T) {
	related := func(pairs ...string) string {
		var b strings.Builder
		b.WriteString(`<Relationships xmlns="r">`)
		for i := 0; i < len(pairs); i += 2 {
			fmt.Fprintf(&b, `<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`,
				pairs[i], pairs[i+1])
		}
		return b.String() + "</Relationships>"
	}
	for name, c := range map[string]struct {
		target string
		files  []string
		want   []string // nil if it is no Word file
	}{
		"of the archive":   {"word/document2.xml", nil, []string{"Leave policy", "A note."}},
		"from the root":    {"/word/document2.xml", nil, []string{"Leave policy", "A note."}},
		"in capitals":      {"Word/Document2.xml", nil, []string{"Leave policy", "A note."}},
		"of no part":       {"word/document3.xml", []string{"word/document.xml", wordNotes}, []string{"A note."}},
		"of another kind":  {"xl/workbook.xml", []string{"xl/workbook.xml", wordBody}, nil},
		"outside":          {"../../etc/passwd", nil, nil},
		"of no part, only": {"word/document3.xml", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var out block.Page
			err := wordfile.ReadWord(wordFile(append([]string{"_rels/.rels", related("officeDocument", c.target),
				"word/document2.xml", wordBody, "word/styles2.xml", wordStyles, "word/footnotes7.xml", wordNotes,
				"word/_rels/document2.xml.rels", related("styles", "styles2.xml", "footnotes", "/word/footnotes7.xml")},
				c.files...)...), &out)
			if c.want == nil {
				require.ErrorIs(t, err, block.ErrOtherKind)
				return
			}
			require.NoError(t, err)
			for _, text := range c.want {
				require.True(t, slices.ContainsFunc(out.Blocks, func(b ledger.Block) bool { return b.Text == text }), text)
			}
		})
	}
}

func TestDOCXFaults(t *testing.T) {
	deep := strings.Repeat("<a>", block.ArchiveDepth+2)
	for name, c := range map[string]struct {
		data []byte
		kind domain.Kind
		msg  string
	}{
		"another archive": {wordFile("a.txt", "words"), domain.Unsupported, "not a Word document"},
		"cut":             {wordFile("word/document.xml", wordBody)[:200], domain.Invalid, "not a complete Word document"},
		"not XML":         {wordFile("word/document.xml", "<w:p <"), domain.Invalid, "not a complete Word document"},
		"bomb": {wordFile("word/document.xml", "<w:document>"+strings.Repeat(" ", block.ArchiveBytes+1)),
			domain.TooLarge, "unpacks to more than 64 MiB"},
		"bomb in styles": {wordFile("word/styles.xml", strings.Repeat(" ", block.ArchiveBytes-9), "word/document.xml",
			wordBody), domain.TooLarge, "unpacks to more"},
		"deep": {wordFile("word/document.xml", deep), domain.TooLarge, "are nested more than"},
		"too many letters": {wordFile("word/document.xml", "<p><t>"+strings.Repeat("word ", 30_000)+"</t></p>"),
			domain.TooLarge, "characters of text"},
	} {
		_, err := readAs("a.docx", c.data, Options{Bytes: 100_000})
		e := tidy(t, err)
		require.Equal(t, c.kind, e.Kind, name)
		require.Contains(t, e.Text(), c.msg, name)
	}
}

// FuzzDOCX tries any bytes as the parts of a Word file.
func FuzzDOCX(f *testing.F) {
	f.Add([]byte(wordBody), []byte(wordStyles))
	f.Fuzz(func(t *testing.T, body, styles []byte) {
		var out block.Page
		if err := wordfile.ReadWord(wordFile("word/document.xml", string(body), "word/styles.xml", string(styles)),
			&out); err != nil {
			return
		}
		for _, x := range out.Blocks {
			require.NotEmpty(t, strings.TrimSpace(x.Text))
			require.Len(t, []rune(x.Text), x.Span.Len())
		}
	})
}
