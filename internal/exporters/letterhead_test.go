package exporters

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/letterhead"
)

// letterheads are those with a logo of shapes and one of pixels.
func letterheads(t *testing.T) map[string]*letterhead.Letterhead {
	var pixels bytes.Buffer
	require.NoError(t, png.Encode(&pixels, image.NewGray(image.Rect(0, 0, 90, 30))))
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path fill="#1b6638" d="M0 0h90v30H0z"/></svg>`
	const name, address = "Gulf Health Group · مجموعة الخليج الصحية", "King Fahd Road 7\nRiyadh 11564"
	return map[string]*letterhead.Letterhead{
		"shapes":  {Name: name, Address: address, Logo: []byte(svg)},
		"pixels":  {Name: name, Address: address, Logo: pixels.Bytes()},
		"no logo": {Name: name, Address: address},
	}
}

// The letterhead stands at the head of ledger and pack in both languages, in the same bytes each time, and pack.json,
// its digest and the Markdown know nothing of it.
func TestLetterhead(t *testing.T) {
	var format Format
	for _, f := range Formats {
		if f.Name == "pdf" {
			format = f
		}
	}
	plain := packFixtures["hospital"](t)
	var bare bytes.Buffer
	require.NoError(t, PackPDF(&bare, plain))
	for name, letter := range letterheads(t) {
		t.Run(name, func(t *testing.T) {
			ledger := func() []byte {
				data, err := format.Under(letter).RenderIn(assess(reviewed()), BothLanguages)
				require.NoError(t, err)
				return data
			}
			packed := func() []byte {
				d := packFixtures["hospital"](t)
				d.Letter = letter
				var b bytes.Buffer
				require.NoError(t, PackPDF(&b, d))
				require.Equal(t, plain.Digest, d.Digest)
				require.Equal(t, plain.JSON, d.JSON)
				return b.Bytes()
			}
			require.NotEqual(t, bare.Bytes(), packed())
			for kind, file := range map[string]func() []byte{"ledger": ledger, "pack": packed} {
				data := file()
				require.Equal(t, data, file(), "the same bytes")
				path := filepath.Join(t.TempDir(), kind+".pdf")
				require.NoError(t, os.WriteFile(path, data, 0o600))
				pdfTool(t, "qpdf", "--check", path)
				en, ar := pdfPages(t, path)
				for _, part := range []string{en, ar} {
					require.Contains(t, letters(part), letters("King Fahd Road 7"), kind)
				}
			}
		})
	}
	empty, err := format.Under(&letterhead.Letterhead{}).RenderIn(assess(reviewed()), BothLanguages)
	require.NoError(t, err)
	without, err := format.RenderIn(assess(reviewed()), BothLanguages)
	require.NoError(t, err)
	require.Equal(t, without, empty)
}
