package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the pictures of internal/e2e/testdata/pictures anew")

// Pictures are small: a picture's pixel is the mean of a square of the page, and no page is looked at further down than
// tallest. Comparing is coarser still, in cells of cell pixels: letters are drawn a little differently by each version
// of Chromium and FreeType, and that has to vanish in the mean of 16×16 pixels of the page, while a box that has moved
// by a line, a column that is gone or a colour that has changed has to stay. The fonts are the product's own, so that
// words break at the same places on every machine.
const (
	shrink  = 4    // pixels of the page for one of the picture, either way
	cell    = 4    // pixels of the picture for one that is compared
	tallest = 7000 // pixels of the page
	levels  = 24   // by how much cells differ before they are counted, of 255, in any of red, green and blue

	// mostDiffering is the share of the cells with something in them that may differ. Two runs on one machine differ in
	// none, as do letters drawn blurred or half a pixel off; the smallest of the broken layouts of
	// TestPicturesTellABrokenLayout in 2.8 % (it logs the figures).
	mostDiffering = 0.01
)

const (
	pictureFolder = "testdata/pictures"
	failedFolder  = "../../bin/pictures"
)

// steady is what a page shows that is another one in every run: ids of packs and keys, digests, the id of the request.
// Boxes stand for it, so that its place and length are compared and its letters are not.
const steady = `(() => { if (document.adoptedStyleSheets.length) return document.fonts.ready.then(() => true);
	const s = new CSSStyleSheet();
	s.replaceSync(".mono, code { color: transparent !important; background: GrayText !important; } .foot { visibility: hidden; }");
	document.adoptedStyleSheets = [s]; scrollTo(0, 0); document.activeElement?.blur();
	return document.fonts.ready.then(() => true); })()`

// shoot takes the picture of the page as it stands, whole, shrunk and of few colours.
func (b *tab) shoot() *image.Paletted {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](steady, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err)
	size := eval[[]float64](b, "[innerWidth, Math.max(document.documentElement.scrollHeight, innerHeight)]")
	data, err := chromedp.Run(b.ctx, func(ctx context.Context, tg *chromedp.Target) ([]byte, error) {
		r, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Format: page.CaptureScreenshotFormatPng, CaptureBeyondViewport: new(true), OptimizeForSpeed: new(true),
			Clip: &page.Viewport{Width: size[0], Height: min(size[1], tallest), Scale: 1},
		})
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	})
	require.NoError(b.t, err)
	shot, err := png.Decode(bytes.NewReader(data))
	require.NoError(b.t, err)
	return few(shrunk(shot, shrink))
}

// still keeps a page from moving while it is looked at.
func (b *tab) still() {
	b.t.Helper()
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return chromedp.Void{}, err
	})
}

// shrunk returns the mean of each square of n pixels; what is over at the edges is left out.
func shrunk(in image.Image, n int) *image.RGBA {
	size := in.Bounds().Size()
	full := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(full, full.Bounds(), in, in.Bounds().Min, draw.Src)
	out := image.NewRGBA(image.Rect(0, 0, max(size.X/n, 1), max(size.Y/n, 1)))
	for y := range size.Y / n {
		for x := range size.X / n {
			var sum [3]int
			for dy := range n {
				row := full.Pix[full.PixOffset(x*n, y*n+dy):]
				for dx := range n {
					for c := range sum {
						sum[c] += int(row[4*dx+c])
					}
				}
			}
			at := out.PixOffset(x, y)
			for c := range sum {
				out.Pix[at+c] = uint8(sum[c] / (n * n))
			}
			out.Pix[at+3] = 255
		}
	}
	return out
}

// few returns a picture of at most 256 colours: of each channel every 5th value, where those are too many
// every 15th, and at last every 51st.
func few(in *image.RGBA) *image.Paletted {
	for _, step := range []int{5, 15, 51} {
		palette, at := color.Palette{}, map[color.RGBA]uint8{}
		out := image.NewPaletted(in.Bounds(), nil)
		near := func(v uint8) uint8 { return uint8((int(v) + step/2) / step * step) }
		for y := range in.Bounds().Dy() {
			for x := range in.Bounds().Dx() {
				p := in.RGBAAt(x, y)
				p.R, p.G, p.B = near(p.R), near(p.G), near(p.B)
				i, known := at[p]
				if !known {
					i = uint8(len(palette))
					at[p] = i
					palette = append(palette, p)
				}
				out.SetColorIndex(x, y, i)
			}
		}
		if out.Palette = palette; len(palette) <= 256 {
			return out
		}
	}
	panic("six values of three channels are 216 colours")
}

// difference compares two pictures: the share of cells that differ among those with something in them, and the actual
// picture with the differing cells in red.
func difference(wanted, actual image.Image) (share float64, marked *image.RGBA) {
	w, a := shrunk(wanted, cell), shrunk(actual, cell)
	all := w.Bounds().Union(a.Bounds())
	marked = image.NewRGBA(image.Rect(0, 0, all.Dx()*cell, all.Dy()*cell))
	draw.Draw(marked, marked.Bounds(), actual, image.Point{}, draw.Src)
	paper, inked, differ := commonest(w), 0, 0
	for y := range all.Dy() {
		for x := range all.Dx() {
			p, q, at := paper, paper, image.Pt(x, y)
			if at.In(w.Bounds()) {
				p = w.RGBAAt(x, y)
			}
			if at.In(a.Bounds()) {
				q = a.RGBAAt(x, y)
			}
			if far(p, paper) < levels/2 && far(q, paper) < levels/2 {
				continue
			}
			inked++
			if far(p, q) > levels {
				differ++
				draw.Draw(marked, image.Rect(x*cell, y*cell, (x+1)*cell, (y+1)*cell), image.NewUniform(color.RGBA{
					R: 220, A: 255,
				}), image.Point{}, draw.Src)
			}
		}
	}
	return float64(differ) / float64(max(inked, 1)), marked
}

// commonest is the colour of the paper.
func commonest(in *image.RGBA) color.RGBA {
	seen, best := map[color.RGBA]int{}, color.RGBA{}
	for y := range in.Bounds().Dy() {
		for x := range in.Bounds().Dx() {
			p := in.RGBAAt(x, y)
			if seen[p]++; seen[p] > seen[best] {
				best = p
			}
		}
	}
	return best
}

// far is the greatest difference of two colours in a channel.
func far(p, q color.RGBA) int {
	most := 0
	for _, c := range [][2]uint8{{p.R, q.R}, {p.G, q.G}, {p.B, q.B}} {
		d := int(c[0]) - int(c[1])
		most = max(most, d, -d)
	}
	return most
}

func writePNG(t *testing.T, name string, in image.Image) {
	t.Helper()
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	require.NoError(t, encoder.Encode(&out, in))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, out.Bytes(), 0o644))
}

// sees compares the page as it stands with its committed picture, or with -update writes that anew. It goes on after
// one that differs, so that one run shows all of them.
func (b *tab) sees(name string) {
	b.t.Helper()
	actual, file := b.shoot(), filepath.Join(pictureFolder, name+".png")
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		require.NoError(b.t, err)
	}
	if err == nil {
		wanted, err := png.Decode(bytes.NewReader(old))
		require.NoError(b.t, err, file)
		share, marked := difference(wanted, actual)
		if share <= mostDiffering {
			return // with -update too: a picture is written anew only where the page looks different
		}
		if !*update {
			base := filepath.Join(failedFolder, name)
			writePNG(b.t, base+".actual.png", actual)
			writePNG(b.t, base+".difference.png", marked)
			b.t.Errorf("%s looks different from its picture in %s of its cells. Look at bin/pictures/%s.actual.png and .difference.png beside internal/e2e/%s; "+
				"if it is meant, run go test ./internal/e2e -run TestPictures -update", name,
				fmt.Sprintf("%.1f%%", 100*share), name, file)
			return
		}
	}
	if !*update {
		b.t.Errorf("%s has no picture: look at the page, then run go test ./internal/e2e -run TestPictures -update",
			name)
		return
	}
	writePNG(b.t, file, actual)
}
