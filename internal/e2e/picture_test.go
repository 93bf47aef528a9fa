package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
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

var update = flag.Bool("update", false, "write the pictures of internal/e2e/testdata/pictures again")

// Pictures are small: a pixel of a picture is the mean of a square of the page, and a page is pictured down to
// tallest. The comparison is coarser, in cells of cell pixels: each version of Chromium and FreeType draws letters
// slightly differently, which the mean of 16×16 pixels of the page hides, whereas a box moved by a line, a missing
// column or a changed colour remains visible. The fonts are the product's own, so that lines break at the same places
// on every machine.
const (
	shrink  = 4    // pixels of the page per pixel of the picture, in each direction
	cell    = 4    // pixels of the picture per compared cell, in each direction
	tallest = 7000 // pixels of the page
	levels  = 24   // smallest counted difference of cells, of 255, in any of red, green and blue

	// mostDiffering is the tolerated share of differing cells among those that aren't background. Two runs on one
	// machine have none, even if letters are blurred or half a pixel off; the least of the broken layouts of
	// TestPicturesTellABrokenLayout has 2.8 % (the test logs the figures).
	mostDiffering = 0.01
)

const (
	pictureFolder = "testdata/pictures"
	failedFolder  = "../../bin/pictures"
)

// steady replaces what differs in every run, namely ids of packs and keys, digests and the request id, by boxes, so
// that their place and length are compared, but not their letters. It also takes the focus away; the browser sets that
// of an autofocus field only when it draws its first frame, which may be after the page was loaded. And it keeps the
// page from scrolling.
const steady = `(async () => {
	await document.fonts.ready;
	if (document.adoptedStyleSheets.length) return true;
	const s = new CSSStyleSheet();
	s.replaceSync(".mono, code { color: transparent !important; background: GrayText !important; } .foot { visibility: hidden; } html, body { overflow: hidden !important; }");
	document.adoptedStyleSheets = [s];
	await new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)));
	scrollTo(0, 0); document.activeElement?.blur();
	return true;
})()`

// shoot returns a picture of the whole page, shrunk and with few colours.
func (b *tab) shoot() *image.Paletted {
	b.t.Helper()
	b.whole()
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](steady, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err)
	size := eval[[]float64](b, "[innerWidth, innerHeight, document.documentElement.scrollHeight]")
	width, height := size[0], min(max(size[1], size[2]), tallest)
	beyond := height > size[1] // only then: where all fits the window, Chromium would move a page that runs from right to left
	data, err := chromedp.Run(b.ctx, func(ctx context.Context, tg *chromedp.Target) ([]byte, error) {
		r, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Format: page.CaptureScreenshotFormatPng, CaptureBeyondViewport: &beyond, OptimizeForSpeed: new(true),
			Clip: &page.Viewport{Width: width, Height: height, Scale: 1},
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

// still stops the page from moving while its picture is taken.
func (b *tab) still() {
	b.t.Helper()
	b.do(func(ctx context.Context, tg *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return chromedp.Void{}, err
	})
}

// shrunk returns the mean of each square of n pixels; an incomplete square at the edge is dropped.
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

// few returns a picture of at most 256 colours: it keeps every 5th value of each channel or, if those are too many
// colours, every 15th, else every 51st.
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

// difference compares two pictures. It returns the share of differing cells among those that aren't background, and the
// actual picture with the differing cells in red.
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

// commonest returns the most frequent colour, which is the background.
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

// far returns the greatest difference between two colours in any channel.
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

// sees compares the page with its committed picture, or with -update rewrites the picture. A difference doesn't stop
// the test, so that one run shows all of them.
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
			return // with -update too: a picture is rewritten only if the page looks different
		}
		if !*update {
			base := filepath.Join(failedFolder, name)
			writePNG(b.t, base+".actual.png", actual)
			writePNG(b.t, base+".difference.png", marked)
			b.t.Errorf("%s differs from internal/e2e/%s in %.1f%% of its cells: compare it with bin/pictures/%s.actual.png "+
				"and .difference.png; if the change is intended, run go test ./internal/e2e -run TestPictures -update",
				name, file, 100*share, name)
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
