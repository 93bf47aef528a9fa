package ocr

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strings"

	"golang.org/x/image/tiff"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// format is one of pictures.
type format struct {
	begins []string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = []format{
	{[]string{"\x89PNG\r\n\x1a\n"}, png.DecodeConfig, png.Decode},
	{[]string{"\xFF\xD8\xFF"}, jpeg.DecodeConfig, jpeg.Decode},
	{[]string{littleTIFF, bigTIFF}, tiff.DecodeConfig, decodeTIFF},
	{[]string{"P5\n"}, configPGM, decodePGM},
}

// Prepare returns a page of a picture as tesseract is shown it: a PGM file, upright, in gray, its lines level, of a
// size that is read well; nil if the file has fewer pages. Pages are numbered from 1; only TIFF has several. What a
// picture needs is known from its head, before anything is decoded. Errors are *isolated.Fault.
func Prepare(data []byte, page int) ([]byte, error) {
	at := slices.IndexFunc(formats, func(f format) bool {
		return slices.ContainsFunc(f.begins, func(s string) bool { return bytes.HasPrefix(data, []byte(s)) })
	})
	if at < 0 {
		return nil, broken(page, errors.New("no picture that is read"))
	}
	f := formats[at]
	var orientation int
	switch f.begins[0] {
	case littleTIFF:
		directories := tiffDirectories(data)
		if page > len(directories) {
			return nil, nil
		}
		orientation = directories[page-1].orientation
		data = directories[page-1].first(data)
	default:
		if page > 1 {
			return nil, nil
		}
		orientation = exifOrientation(data)
	}
	c, err := f.config(bytes.NewReader(data))
	if err != nil || c.Width < 1 || c.Height < 1 {
		return nil, broken(page, err)
	}
	if c.Width > MaxPixels/c.Height {
		return nil, &isolated.Fault{Kind: ErrTooLarge, Page: page,
			Cause: isolated.Over(words.Msg("bound_pixels", "N", c.Width, "M", c.Height, "Most", MaxPixels/1_000_000))}
	}
	img, err := f.decode(bytes.NewReader(data))
	if err != nil {
		return nil, broken(page, err)
	}
	g := grayOf(img).turned(orientation)
	g = g.sized()
	if a := g.skew(); a >= leastSkew || a <= -leastSkew {
		g = g.rotated(a)
	}
	return g.pgm(), nil
}

// broken is the fault of a picture that cannot be read.
func broken(page int, err error) error {
	if err == nil {
		err = errors.New("a picture without pixels")
	}
	return &isolated.Fault{Kind: ErrBroken, Page: page, Cause: err}
}

// mostGrowth is by how much a small picture grows at most; beyond that nothing is read better.
const mostGrowth = 3.0

// sized returns the picture with the size that tesseract is shown.
func (g *gray) sized() *gray {
	f := min(side/float64(max(g.w, g.h)), mostGrowth)
	return g.resized(int(float64(g.w)*f+0.5), int(float64(g.h)*f+0.5))
}

// pgm returns the picture as a PGM file.
func (g *gray) pgm() []byte { return append(fmt.Appendf(nil, "P5\n%d %d\n255\n", g.w, g.h), g.pix...) }

// configPGM reads the head of a PGM file, as pdftoppm writes it.
func configPGM(r io.Reader) (image.Config, error) {
	c, _, err := headOfPGM(r)
	return c, err
}

func headOfPGM(r io.Reader) (c image.Config, rest *bufio.Reader, err error) {
	rest = bufio.NewReader(r)
	var head strings.Builder
	for range 3 {
		line, err := rest.ReadString('\n')
		if err != nil {
			return c, nil, err
		}
		head.WriteString(line)
	}
	most := 0
	_, err = fmt.Sscanf(head.String(), "P5\n%d %d\n%d\n", &c.Width, &c.Height, &most)
	if err == nil && most != white {
		err = fmt.Errorf("a PGM file of %d shades", most)
	}
	return c, rest, err
}

func decodePGM(r io.Reader) (image.Image, error) {
	c, rest, err := headOfPGM(r)
	if err != nil {
		return nil, err
	}
	g := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
	_, err = io.ReadFull(rest, g.Pix)
	return g, err
}

// exifOrientation returns how a JPEG file says that it is looked at, as cameras write it; 1 if it does not say.
func exifOrientation(data []byte) int {
	const head = 4 // of a segment: its mark and length
	for at := 2; at+head <= len(data) && data[at] == 0xFF; {
		mark, length := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		if mark == 0xDA || length < 2 || at+2+length > len(data) { // the picture itself
			break
		}
		if part := data[at+head : at+2+length]; mark == 0xE1 && bytes.HasPrefix(part, []byte("Exif\x00\x00")) {
			if d := tiffDirectories(part[6:]); len(d) > 0 {
				return d[0].orientation
			}
		}
		at += 2 + length
	}
	return 1
}
