package documents

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
)

// TestDeclaredEncodings holds that an HTML page is read in the encoding that it states, and refused without a
// statement.
func TestDeclaredEncodings(t *testing.T) {
	t.Parallel()
	const arabic, french = "مدة العقد 12 شهرا.", "Les frais s’élèvent à 80 €."
	encoded := func(m *charmap.Charmap, s string) string {
		out, err := m.NewEncoder().String(s)
		require.NoError(t, err)
		return out
	}
	var bare []byte
	for _, u := range utf16.Encode([]rune("<html><body><p>" + arabic + "</p></body></html>")) {
		bare = append(bare, byte(u), byte(u>>8))
	}
	for name, c := range map[string]struct{ page, want string }{
		"windows-1256 in http-equiv": {`<html><head><meta http-equiv="content-type" content="text/html;charset=windows-1256">` +
			`</head><body><p>` + encoded(charmap.Windows1256, arabic) + `</p></body></html>`, arabic},
		"iso-8859-6": {`<html><head><meta charset="ISO-8859-6"></head><body><p>` +
			encoded(charmap.ISO8859_6, arabic) + `</p></body></html>`, arabic},
		"windows-1252": {`<html><head><meta charset=windows-1252></head><body><p>` +
			encoded(charmap.Windows1252, french) + `</p></body></html>`, french},
		"in XML": {`<?xml version="1.0" encoding='windows-1256'?><html><body><p>` +
			encoded(charmap.Windows1256, arabic) + `</p></body></html>`, arabic},
		"UTF-8 although it states another": {`<html><head><meta charset="windows-1256"></head><body><p>` + arabic +
			`</p></body></html>`, arabic},
		"stated behind the first 1,024 bytes": {`<html><head><style>` + strings.Repeat(" ", 3000) +
			`</style><meta charset=iso-8859-6></head><body><p>` + encoded(charmap.ISO8859_6, arabic) + `</p></body></html>`, arabic},
		"UTF-8 with one broken sign": {`<html><head><meta charset="utf-8"></head><body><p>` + strings.Repeat("العقد ", 400) + "\xff</p></body></html>",
			strings.TrimSpace(strings.Repeat("العقد ", 199))},
		"UTF-16 without a mark": {string(bare), arabic},
		"UTF-16 with one":       {"\xff\xfe" + string(bare), arabic},
		"none":                  {`<html><body><p>` + encoded(charmap.Windows1256, arabic) + `</p></body></html>`, ""},
		"UTF-8 that it is not":  {`<html><head><meta charset="utf-8"></head><body><p>` + encoded(charmap.Windows1256, arabic) + `</p></body></html>`, ""},
		"one that nobody has":   {`<html><head><meta charset="klingon"></head><body><p>` + encoded(charmap.Windows1256, arabic) + `</p></body></html>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := readAs("page.html", []byte(c.page), Options{})
			if c.want == "" {
				require.ErrorContains(t, err, "UTF-8")
				return
			}
			require.NoError(t, err)
			require.Contains(t, d.Chunks[0].Text, c.want)
		})
	}
}
