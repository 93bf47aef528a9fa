// Package letterhead holds what stands at the head of an organisation's documents: its name, address and logo.
package letterhead

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// Letterhead is an organisation's letterhead. The zero value stands for an organisation without one.
type Letterhead struct {
	Name    string // of one line
	Address string // of MaxLines lines at most
	Logo    []byte // as ReadLogo returned it; nil for none
}

// Bounds of a letterhead.
const (
	MaxName    = 120       // code points
	MaxAddress = 400       // code points
	MaxLines   = 4         // of the address
	MaxLogo    = 128 << 10 // bytes of the logo as it is given, and as it is kept
	MaxSide    = 1200      // pixels of a picture's side
)

// Empty reports whether there is no letterhead.
func (l *Letterhead) Empty() bool {
	return l == nil || l.Name == "" && l.Address == "" && len(l.Logo) == 0
}

// Tidy returns name and address as they are kept: one line, and MaxLines lines at most. It refuses what is too long.
func Tidy(name, address string) (string, string, error) {
	name = text.CleanName(name)
	if utf8.RuneCountInString(name) > MaxName {
		return "", "", domain.Refuse(domain.Invalid, "letter_name", "refused_letter_name", "N", MaxName)
	}
	var lines []string
	for line := range strings.Lines(address) {
		if line = text.CleanName(line); line != "" {
			lines = append(lines, line)
		}
	}
	address = strings.Join(lines, "\n")
	if len(lines) > MaxLines || utf8.RuneCountInString(address) > MaxAddress {
		return "", "", domain.Refuse(domain.Invalid, "letter_address", "refused_letter_address", "Lines", MaxLines, "N",
			MaxAddress)
	}
	return name, address, nil
}

// ReadLogo returns a logo as it is kept: an SVG of the subset that is drawn as it is, a PNG written anew, so that it
// holds nothing but its pixels. Everything else is refused, with what to do.
func ReadLogo(data []byte) ([]byte, error) {
	switch {
	case len(data) > MaxLogo:
		return nil, refuse("refused_logo_bytes", "N", MaxLogo>>10)
	case IsPNG(data):
		return readPNG(data)
	case isSVG(data):
		if _, err := readSVG(data); err != nil {
			return nil, err
		}
		return bytes.Clone(data), nil
	}
	return nil, refuse("refused_logo_kind")
}

// IsPNG reports whether a logo is a PNG. One that is kept and is no PNG is an SVG.
func IsPNG(data []byte) bool { return bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) }

// maxNamed is how much of a part of a file, in code points, a refusal names.
const maxNamed = 40

// refuse refuses a logo. It cuts what it names of the file.
func refuse(id string, args ...any) error {
	for i := range args {
		if s, ok := args[i].(string); ok {
			args[i] = text.Slice(s, text.Span{End: min(text.Len(s), maxNamed)})
		}
	}
	return domain.Refuse(domain.Invalid, "letter_logo", id, args...)
}

// readPNG decodes a picture of bounded size and encodes it again.
func readPNG(data []byte) ([]byte, error) {
	img, err := decodePNG(data)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, img); err != nil {
		return nil, refuse("refused_logo_png")
	}
	if out.Len() > MaxLogo {
		return nil, refuse("refused_logo_bytes", "N", MaxLogo>>10)
	}
	return out.Bytes(), nil
}

// decodePNG decodes a picture. It reads its size, which is bounded, before any pixel.
func decodePNG(data []byte) (image.Image, error) {
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, refuse("refused_logo_png")
	}
	if size.Width < 1 || size.Height < 1 || size.Width > MaxSide || size.Height > MaxSide {
		return nil, refuse("refused_logo_pixels", "N", MaxSide)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, refuse("refused_logo_png")
	}
	return img, nil
}

// Picture is a logo that can be drawn: shapes or pixels.
type Picture struct {
	Width, Height float64
	RGB           []byte // Width × Height pixels on white, in rows from the top; nil for shapes
	Shapes        []Shape
}

// Shape is a filled area.
type Shape struct {
	Fill    uint32 // 0xRRGGBB
	EvenOdd bool
	Steps   []Step
}

// Step is a step of an outline: 'm' and 'l' to a point, 'c' a Bézier curve of three points, 'h' back to the start. X
// goes right, y down.
type Step struct {
	Op byte
	At [3][2]float64
}

// Picture returns the logo as it is drawn, nil for none and for one that can't be read.
func (l *Letterhead) Picture() *Picture {
	switch {
	case l == nil || len(l.Logo) == 0:
		return nil
	case isSVG(l.Logo):
		p, err := readSVG(l.Logo)
		if err != nil {
			return nil
		}
		return p
	}
	img, err := decodePNG(l.Logo)
	if err != nil {
		return nil
	}
	return pixels(img)
}

// pixels lays a picture on white: paper is.
func pixels(img image.Image) *Picture {
	b := img.Bounds()
	p := &Picture{Width: float64(b.Dx()), Height: float64(b.Dy()), RGB: make([]byte, 0, 3*b.Dx()*b.Dy())}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			for _, v := range [3]uint8{c.R, c.G, c.B} {
				p.RGB = append(p.RGB, byte((int(v)*int(c.A)+255*(255-int(c.A))+127)/255))
			}
		}
	}
	return p
}
