package ocr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/tiff"

	"sanad/internal/isolated"
)

// tsvOf writes words as tesseract does: each line of words in a paragraph, with confidences behind a slash.
func tsvOf(lines ...string) []byte {
	var b strings.Builder
	b.WriteString("level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n")
	for i, line := range lines {
		for k, word := range strings.Fields(line) {
			said, confidence, _ := strings.Cut(word, "/")
			fmt.Fprintf(&b, "5\t1\t1\t1\t%d\t%d\t0\t0\t9\t9\t%s.4\t%s\n", i+1, k+1, confidence, said)
		}
	}
	return []byte(b.String())
}

// TestDoubtfulWords: a word is doubtful below a confidence, a figure below a higher one, and beside Arabic letters
// always.
func TestDoubtfulWords(t *testing.T) {
	for name, c := range map[string]struct {
		lines    []string
		text     string
		doubtful []string
	}{
		"sure":                   {[]string{"Leave/96 is/90 15/95 days./80"}, "Leave is 15 days.", nil},
		"an unsure word":         {[]string{"Leave/79 is/90"}, "Leave is", []string{"Leave"}},
		"an unsure figure":       {[]string{"OMR/85 75.250/89"}, "OMR 75.250", []string{"75.250"}},
		"a figure beside Arabic": {[]string{"خلال/95 30/96 يوما/93"}, "خلال 30 يوما", []string{"30"}},
		"Arabic digits":          {[]string{"٣٠/99"}, "٣٠", []string{"٣٠"}},
		"letters beside Arabic":  {[]string{"خلال/95 logs/85"}, "خلال logs", []string{"logs"}},
		"a divided word":         {[]string{"depart-/95", "ment/70 of/95"}, "department of", []string{"department"}},
		"a hyphen that stays":    {[]string{"Al-/95", "Ain/95"}, "Al- Ain", nil},
		"lines of a table":       {[]string{"|/30 Rent/95 _/10"}, "Rent", nil},
		"controls of direction":  {[]string{"\u200fيوم\u200e/95"}, "يوم", nil},
		"no confidence":          {[]string{"x/-1"}, "x", []string{"x"}},
	} {
		pages, err := FromTSV(tsvOf(c.lines...))
		require.NoError(t, err, name)
		require.Len(t, pages, 1, name)
		p := pages[0].Paragraphs[0]
		require.Equal(t, c.text, p.Text, name)
		var got []string
		for _, w := range p.Doubtful {
			got = append(got, string([]rune(p.Text)[w.Start:w.End]))
		}
		require.Equal(t, c.doubtful, got, name)
	}
}

// TestHostileTSV: what tesseract never writes is a fault, and no page has words without end.
func TestHostileTSV(t *testing.T) {
	for name, out := range map[string][]byte{
		"not UTF-8":   []byte("5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\t\xff\n"),
		"page 10^9":   []byte("5\t1000000000\t1\t1\t1\t1\t0\t0\t9\t9\t90\tx\n"),
		"no page":     []byte("5\tx\t1\t1\t1\t1\t0\t0\t9\t9\t90\tx\n"),
		"endless":     tsvOf(strings.Repeat("x/90 ", mostWords+1)),
		"a long word": tsvOf(strings.Repeat("x", mostRunes+1) + "/90"),
	} {
		_, err := FromTSV(out)
		var f *isolated.Fault
		require.ErrorAs(t, err, &f, name)
	}
	pages, err := FromTSV([]byte("level\n5\t1\n\n"))
	require.NoError(t, err)
	require.Empty(t, pages)
}

// page is a picture of lines that go down by degrees.
func page(w, h int, degrees float64) *gray {
	g := &gray{w: w, h: h, pix: bytes.Repeat([]byte{white}, w*h)}
	for y := h / 8; y < h*7/8; y += 24 {
		for x := w / 8; x < w*7/8; x++ {
			for k := range 8 {
				if (x/6)%4 > 0 {
					g.pix[(y+k)*w+x] = 20
				}
			}
		}
	}
	if degrees != 0 {
		g = g.rotated(-degrees)
	}
	return g
}

// TestSkew: the lines of a page are found whatever their angle, and made level.
func TestSkew(t *testing.T) {
	for _, degrees := range []float64{-4.7, -3, -1.2, 0, 0.8, 2.5, 4} {
		require.InDelta(t, degrees, page(600, 800, degrees).skew(), 0.15, "%v", degrees)
	}
	blank := &gray{w: 100, h: 100, pix: bytes.Repeat([]byte{white}, 10_000)}
	require.Zero(t, blank.skew())
	require.Zero(t, (&gray{w: 100, h: 100, pix: make([]byte, 10_000)}).skew())
}

// TestOrientation: a picture is turned as EXIF says, so that its first row is at the top.
func TestOrientation(t *testing.T) {
	upright := "123456"
	turned := map[int]gray{
		1: {3, 2, []byte("123456")}, 2: {3, 2, []byte("321654")}, 3: {3, 2, []byte("654321")}, 4: {3, 2, []byte("456123")},
		5: {2, 3, []byte("142536")}, 6: {2, 3, []byte("362514")}, 7: {2, 3, []byte("635241")}, 8: {2, 3, []byte("415263")},
	}
	for o, g := range turned {
		got := g.turned(o)
		require.Equal(t, upright, string(got.pix), "%d", o)
		require.Equal(t, []int{3, 2}, []int{got.w, got.h}, "%d", o)
	}
}

// pictureOf encodes a page in each format.
func pictureOf(t *testing.T) map[string][]byte {
	t.Helper()
	g := page(200, 280, 0)
	img := &image.Gray{Pix: g.pix, Stride: g.w, Rect: image.Rect(0, 0, g.w, g.h)}
	rgba := image.NewNRGBA(img.Rect)
	for y := range g.h {
		for x := range g.w {
			rgba.Set(x, y, color.NRGBA{A: 255 - g.pix[y*g.w+x]}) // black ink on glass
		}
	}
	out := map[string][]byte{"pgm": g.pgm()}
	for name, encode := range map[string]func(b *bytes.Buffer) error{
		"png":  func(b *bytes.Buffer) error { return png.Encode(b, img) },
		"rgba": func(b *bytes.Buffer) error { return png.Encode(b, rgba) },
		"jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) },
		"tiff": func(b *bytes.Buffer) error { return tiff.Encode(b, img, nil) },
	} {
		var b bytes.Buffer
		require.NoError(t, encode(&b))
		out[name] = b.Bytes()
	}
	return out
}

// TestPrepare: each format becomes the same picture in gray; a page that a file does not have is none.
func TestPrepare(t *testing.T) {
	files := pictureOf(t)
	for name, data := range files {
		got, err := Prepare(data, 1)
		require.NoError(t, err, name)
		require.True(t, bytes.HasPrefix(got, []byte("P5\n600 840\n255\n")), "%s grows threefold", name)
		again, err := Prepare(data, 1)
		require.NoError(t, err)
		require.Equal(t, got, again)
		want, err := Prepare(files["pgm"], 1)
		require.NoError(t, err)
		differ := 0
		for i := range got {
			if int(got[i])-int(want[i]) > 40 || int(want[i])-int(got[i]) > 40 {
				differ++
			}
		}
		require.Less(t, differ, len(got)/200, name)
		none, err := Prepare(data, 2)
		require.NoError(t, err)
		require.Nil(t, none, name)
	}
}

// hugePNG says that it has w × h pixels, in a few bytes.
func hugePNG(w, h uint32) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	head = append(head, 8, 0, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
}

// TestHostilePictures: what is too large is refused from its head, before a pixel is decoded; what is cut or no picture
// is broken.
func TestHostilePictures(t *testing.T) {
	files := pictureOf(t)
	loop := bytes.Clone(files["tiff"])
	at := binary.LittleEndian.Uint32(loop[4:])
	n := uint32(binary.LittleEndian.Uint16(loop[at:]))
	binary.LittleEndian.PutUint32(loop[at+2+n*tiffEntry:], at) // the page behind the last one is the first
	_, err := Prepare(loop, 1)
	require.NoError(t, err)
	none, err := Prepare(loop, 2)
	require.NoError(t, err)
	require.Nil(t, none)
	for name, c := range map[string]struct {
		data []byte
		kind error
	}{
		"10^9 pixels":       {hugePNG(40_000, 25_000), ErrTooLarge},
		"overflow":          {hugePNG(1<<31-1, 1<<31-1), ErrBroken},
		"a long strip":      {hugePNG(1, MaxPixels+1), ErrTooLarge},
		"a PGM of 10^10":    {[]byte("P5\n100000 100000\n255\n"), ErrTooLarge},
		"no pixels":         {[]byte("P5\n0 5\n255\n"), ErrBroken},
		"below zero":        {[]byte("P5\n-5 5\n255\n"), ErrBroken},
		"no picture":        {[]byte("words"), ErrBroken},
		"nothing":           {nil, ErrBroken},
		"a cut PNG":         {files["png"][:len(files["png"])/2], ErrBroken},
		"a cut JPEG":        {files["jpeg"][:len(files["jpeg"])/2], ErrBroken},
		"a cut PGM":         {files["pgm"][:900], ErrBroken},
		"a TIFF of 2 bytes": {[]byte("II*\x00\xff\xff\xff\xff"), nil},
	} {
		got, err := Prepare(c.data, 1)
		if c.kind == nil {
			require.NoError(t, err, name)
			require.Nil(t, got, name)
			continue
		}
		require.ErrorIs(t, err, c.kind, name)
	}
}

// TestPagesOfTIFF: of a file with more pages than are read it is known that there is one more.
func TestPagesOfTIFF(t *testing.T) {
	one := pictureOf(t)["tiff"]
	at := binary.LittleEndian.Uint32(one[4:])
	end := at + 2 + uint32(binary.LittleEndian.Uint16(one[at:]))*tiffEntry
	for _, n := range []int{1, MaxPages, MaxPages + 1} {
		data := bytes.Clone(one)
		last := end // where the last page names the next
		for range n - 1 {
			binary.LittleEndian.PutUint32(data[last:], uint32(len(data)))
			last = uint32(len(data)) + end - at
			data = append(data, one[at:end+4]...)
			binary.LittleEndian.PutUint32(data[last:], 0)
		}
		require.Len(t, tiffDirectories(data), n)
	}
}

func FuzzPrepare(f *testing.F) {
	for _, s := range []string{"\x89PNG\r\n\x1a\n", "\xFF\xD8\xFF\xE1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00",
		"II*\x00\x08\x00\x00\x00\x01\x00", "P5\n3 2\n255\n123456"} {
		f.Add([]byte(s))
	}
	for _, apart := range []bool{false, true} {
		f.Add(stripsOf(f, page(40, 60, 0), 16, apart))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Prepare(data, 1)
		var fault *isolated.Fault
		if err != nil && !errors.As(err, &fault) {
			t.Fatal(err)
		}
		if len(got) > side*side+100 {
			t.Fatalf("%d bytes", len(got))
		}
	})
}

func FuzzFromTSV(f *testing.F) {
	f.Add(tsvOf("Leave/96 is/90", "15-/95 days/30"))
	f.Fuzz(func(t *testing.T, out []byte) {
		pages, err := FromTSV(out)
		if err != nil {
			return
		}
		for _, page := range pages {
			for _, p := range page.Paragraphs {
				before := 0
				for _, w := range p.Doubtful {
					if w.Start < before || w.End <= w.Start || w.End > len([]rune(p.Text)) {
						t.Fatalf("%v in %q", w, p.Text)
					}
					before = w.End
				}
			}
		}
	})
}
