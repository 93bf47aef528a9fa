package typeset

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"

	"sanad/fonts"
)

// weight is one of the engine's static fonts.
type weight uint8

const (
	regular weight = iota
	bold
	mono    // ASCII in code
	weights // their number
)

// Code is set at 9/10 of the surrounding size, because the mono face has wide, high letters.
const monoShare, monoWhole = 9, 10

// scale returns the font's size within text of this size.
func (w weight) scale(size float64) float64 {
	if w == mono {
		return size * monoShare / monoWhole
	}
	return size
}

// fontFiles are the source fonts in fonts/.
var fontFiles = [weights]string{"IBMPlexSansArabic-Regular.ttf", "IBMPlexSansArabic-Bold.ttf",
	"IBMPlexMono-Regular.ttf"}

// typeface is one source font: its bytes, which must not be changed, and go-text's read-only view of them.
type typeface struct {
	name  string // PostScript name
	raw   []byte
	font  *font.Font
	table map[string][]byte
}

// loadTypefaces reads the embedded fonts once per process; the result is read-only.
var loadTypefaces = sync.OnceValues(func() (*[weights]typeface, error) {
	var out [weights]typeface
	for i, file := range fontFiles {
		raw, err := fonts.TTF.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("typeset: %w", err)
		}
		face, err := font.ParseTTF(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("typeset: %s: %w", file, err)
		}
		tables, err := readTables(raw)
		if err != nil {
			return nil, fmt.Errorf("typeset: %s: %w", file, err)
		}
		out[i] = typeface{name: file[:len(file)-len(".ttf")], raw: raw, font: face.Font, table: tables}
	}
	return &out, nil
})

// shaper shapes text for one document. go-text's faces and buffers contain caches, so each document has its own.
type shaper struct {
	faces  *[weights]typeface
	fonts  [weights]*harfbuzz.Font
	buffer *harfbuzz.Buffer
	ink    []drawn   // the glyphs of the current paragraph
	groups []cluster // the result of the last call of shape
}

func newShaper() (*shaper, error) {
	faces, err := loadTypefaces()
	if err != nil {
		return nil, err
	}
	s := &shaper{faces: faces, buffer: harfbuzz.NewBuffer()}
	for i := range faces {
		s.fonts[i] = harfbuzz.NewFont(font.NewFace(faces[i].font))
	}
	return s, nil
}

// has reports whether both weights have a glyph for a character.
func (s *shaper) has(r rune) bool {
	for i := range s.faces[:mono] {
		if gid, ok := s.faces[i].font.NominalGlyph(r); !ok || gid == 0 {
			return false
		}
	}
	return true
}
