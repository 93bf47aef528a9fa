package documents

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
)

// The table of file types and the readers list the same documents.
func TestEveryDocumentTypeHasAReader(t *testing.T) {
	require.Len(t, readers, len(filetype.Documents))
	for _, d := range filetype.Documents {
		require.Contains(t, readers, d.MediaType)
	}
}

// A name that contradicts the content is refused, and the error says how to mend it; a name that says nothing is not.
func TestNamesAgreeWithContents(t *testing.T) {
	t.Parallel()
	const (
		pdf, zip, html, png = "%PDF-1.7", "PK\x03\x04", "<!DOCTYPE html><p>Words.", "\x89PNG\r\n"
		rtf, office         = "{\\rtf1 words}", "\xD0\xCF\x11\xE0"
	)
	slides, odt, flat := slidesOf(slideText("Fees")), odtOf("<text:p>Fees</text:p>"), flatODT("<text:p>Fees</text:p>")
	for _, c := range []struct{ name, data, says string }{
		{"a.docx", slides, "The content of a.docx is a PowerPoint file, but its name ends with .docx; rename it to end with .pptx"},
		{"a.pptx", odt, "The content of a.pptx is an OpenDocument text file"}, {"a.docx", flat, "rename it to end with .odt"},
		{"a.txt", rtf, "rename it to end with .rtf"},
		{"a.docx", pdf, "The content of a.docx is a PDF, but its name ends with .docx; rename it to end with .pdf"},
		{"a.txt", pdf, "ends with .txt"},
		{"a.exe", pdf, "ends with .exe"},
		{"a.json", pdf, "ends with .json"},
		{"a.pdf", zip, "The content of a.pdf is a zip archive, but its name ends with .pdf"},
		{"a.doc", zip, "rename it to end with .docx"},
		{"a.json", zip, "ends with .json"},
		{"a.txt", html, "The content of a.txt is an HTML page, but its name ends with .txt; rename it to end with .html"},
		{"a.markdown", html, "ends with .markdown"},
		{"a.pdf", "\ufeff \n<html>", "is an HTML page, but its name"},
		{"a.pdf", png, "The content of a.pdf is an image, but its name ends with .pdf; rename it to end with .png"},
		{"a.TXT", "\xFF\xD8\xFF", "is an image, but its name"},
		{"a.docx", rtf, "is an RTF document, but its name"},
		{"a.md", "\x1F\x8B", "is a gzip archive, but its name"},
		{"a.txt", office, "but its name ends with"},
	} {
		t.Run(c.name+" "+c.says, func(t *testing.T) {
			_, err := readAs(c.name, []byte(c.data), Options{})
			require.ErrorContains(t, err, c.says)
			require.Equal(t, err, CheckName("files[0]", c.name, []byte(c.data)))
			require.Equal(t, domain.Invalid, domain.KindOf(err))
		})
	}
	for _, c := range []struct {
		name, data string
		want       filetype.Type
	}{
		{"a.PDF", pdf, filetype.PDF}, {"a", pdf, filetype.PDF}, {"Policy v1.2", pdf, filetype.PDF},
		{"a.docx", zip, filetype.DOCX}, {"a.xlsm", zip, filetype.XLSX}, {"a.csv", "a,b", filetype.CSV}, {"a.tsv", "a\tb", filetype.TSV},
		{"a.docx", zip, filetype.DOCX}, {"a.pptx", zip, filetype.PPTX}, {"a.odt", zip, filetype.ODT},
		{"a.ppsx", slides, filetype.PPTX}, {"a", slides, filetype.PPTX}, {"a.ott", odt, filetype.ODT}, {"a", odt, filetype.ODT},
		{"a.fodt", flat, filetype.ODT}, {"a.rtf", rtf, filetype.RTF}, {"a.doc", rtf, filetype.RTF}, {"a", rtf, filetype.RTF},
		{"a", zip, filetype.DOCX}, {"a.htm", html, filetype.HTML}, {"a", html, filetype.HTML}, {"a.html", "Words.", filetype.HTML},
		{"a.md", "# <html>", filetype.Markdown}, {"a.png", png, filetype.PNG}, {"a", png, filetype.PNG},
		{"a.JPG", "\xFF\xD8\xFF\xE0", filetype.JPEG}, {"a.tif", "II*\x00", filetype.TIFF}, {"a.tiff", "MM\x00*", filetype.TIFF},
	} {
		got, err := KindOf("files[0]", c.name, []byte(c.data))
		require.NoError(t, err, c.name)
		require.Equal(t, c.want.MediaType, got.MediaType, c.name)
	}
	for name, data := range map[string]string{"a.zip": zip, "a.doc": office, "b.docx": office} {
		_, err := KindOf("files[0]", name, []byte(data))
		require.Equal(t, domain.Unsupported, domain.KindOf(err), name)
	}
}
