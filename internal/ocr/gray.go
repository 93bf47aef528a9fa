package ocr

import (
	"image"
	"math"
)

// gray is a picture in shades of gray.
type gray struct {
	w, h int
	pix  []uint8 // row by row
}

// white is paper.
const white = 255

// grayOf converts a picture; what is transparent is white.
func grayOf(src image.Image) *gray {
	b := src.Bounds()
	g := &gray{w: b.Dx(), h: b.Dy(), pix: make([]uint8, b.Dx()*b.Dy())}
	for y := range g.h {
		row := g.pix[y*g.w : (y+1)*g.w]
		switch m := src.(type) {
		case *image.Gray:
			copy(row, m.Pix[y*m.Stride:])
		case *image.YCbCr:
			copy(row, m.Y[y*m.YStride:])
		default:
			for x := range row {
				r, gr, bl, a := src.At(b.Min.X+x, b.Min.Y+y).RGBA()
				row[x] = uint8((19595*r + 38470*gr + 7471*bl + 65536*(0xffff-a)) >> 24)
			}
		}
	}
	return g
}

// turned returns the picture as EXIF's orientation says that it is looked at; 1 leaves it as it is.
func (g *gray) turned(orientation int) *gray {
	if orientation < 2 || orientation > 8 {
		return g
	}
	out := &gray{w: g.w, h: g.h, pix: make([]uint8, len(g.pix))}
	if orientation > 4 {
		out.w, out.h = g.h, g.w
	}
	right, bottom := g.w-1, g.h-1
	for y := range out.h {
		for x := range out.w {
			var from image.Point
			switch orientation {
			case 2:
				from = image.Pt(right-x, y)
			case 3:
				from = image.Pt(right-x, bottom-y)
			case 4:
				from = image.Pt(x, bottom-y)
			case 5:
				from = image.Pt(y, x)
			case 6:
				from = image.Pt(y, bottom-x)
			case 7:
				from = image.Pt(right-y, bottom-x)
			case 8:
				from = image.Pt(right-y, x)
			}
			out.pix[y*out.w+x] = g.pix[from.Y*g.w+from.X]
		}
	}
	return out
}

// resized returns the picture with another width and height: the mean of what each new pixel covers, or between the
// nearest ones if the picture grows.
func (g *gray) resized(w, h int) *gray {
	w, h = max(w, 1), max(h, 1)
	if w == g.w && h == g.h {
		return g
	}
	out := &gray{w: w, h: h, pix: make([]uint8, w*h)}
	sx, sy := float64(g.w)/float64(w), float64(g.h)/float64(h)
	for y := range h {
		for x := range w {
			if sx >= 1 && sy >= 1 {
				out.pix[y*w+x] = g.mean(int(float64(x)*sx), int(float64(y)*sy), int(float64(x+1)*sx), int(float64(y+1)*sy))
				continue
			}
			out.pix[y*w+x] = g.at((float64(x)+0.5)*sx-0.5, (float64(y)+0.5)*sy-0.5)
		}
	}
	return out
}

// mean is the mean of a part of the picture, which has at least one pixel.
func (g *gray) mean(x0, y0, x1, y1 int) uint8 {
	sum, n := 0, 0
	for y := y0; y < min(max(y1, y0+1), g.h); y++ {
		for _, p := range g.pix[y*g.w+x0 : y*g.w+min(max(x1, x0+1), g.w)] {
			sum += int(p)
			n++
		}
	}
	return uint8(sum / max(n, 1))
}

// at is the shade between pixels; beyond the edge it is that of the edge.
func (g *gray) at(x, y float64) uint8 {
	x, y = min(max(x, 0), float64(g.w-1)), min(max(y, 0), float64(g.h-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, g.w-1), min(y0+1, g.h-1)
	fx, fy := x-float64(x0), y-float64(y0)
	above := float64(g.pix[y0*g.w+x0])*(1-fx) + float64(g.pix[y0*g.w+x1])*fx
	below := float64(g.pix[y1*g.w+x0])*(1-fx) + float64(g.pix[y1*g.w+x1])*fx
	return uint8(above*(1-fy) + below*fy + 0.5)
}

// rotated returns the picture turned about its middle; what comes in from outside is white.
func (g *gray) rotated(degrees float64) *gray {
	out := &gray{w: g.w, h: g.h, pix: make([]uint8, len(g.pix))}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	cx, cy := float64(g.w-1)/2, float64(g.h-1)/2
	for y := range g.h {
		for x := range g.w {
			dx, dy := float64(x)-cx, float64(y)-cy
			fx, fy := cx+dx*cos-dy*sin, cy+dx*sin+dy*cos
			shade := uint8(white)
			if fx >= 0 && fy >= 0 && fx <= float64(g.w-1) && fy <= float64(g.h-1) {
				shade = g.at(fx, fy)
			}
			out.pix[y*g.w+x] = shade
		}
	}
	return out
}

// How a page's skew is looked for.
const (
	skewSide  = 1000 // of the picture that is looked at, in pixels
	mostSkew  = 5.0  // degrees
	skewStep  = 0.5
	fineStep  = 0.1
	leastSkew = 0.2 // less does not trouble tesseract
)

// skew returns by how many degrees the lines of a page go down to the right: at that angle, the rows of pixels differ
// most between lines and the space between them.
func (g *gray) skew() float64 {
	f := min(1, skewSide/float64(max(g.w, g.h)))
	small := g.resized(int(float64(g.w)*f), int(float64(g.h)*f))
	limit := small.threshold()
	var dark []image.Point
	for y := range small.h {
		for x := range small.w {
			if small.pix[y*small.w+x] < limit {
				dark = append(dark, image.Pt(x-small.w/2, y))
			}
		}
	}
	if len(dark) == 0 || len(dark) > small.w*small.h/2 { // no page of text
		return 0
	}
	rows := make([]float64, small.h+small.w)
	best, angle := 0.0, 0.0
	try := func(degrees float64) {
		if s := sharpness(dark, rows, small.w/2, degrees); s > best {
			best, angle = s, degrees
		}
	}
	try(0)
	for k := 1; float64(k)*skewStep <= mostSkew; k++ {
		try(float64(k) * skewStep)
		try(-float64(k) * skewStep)
	}
	for k, around := 1, angle; float64(k)*fineStep < skewStep; k++ {
		try(around + float64(k)*fineStep)
		try(around - float64(k)*fineStep)
	}
	return angle
}

// sharpness says how much the numbers of dark pixels in neighbouring rows differ when the rows go down by degrees.
func sharpness(dark []image.Point, rows []float64, offset int, degrees float64) (sum float64) {
	clear(rows)
	tan := math.Tan(degrees * math.Pi / 180)
	for _, p := range dark {
		if y := offset + int(math.Floor(float64(p.Y)-float64(p.X)*tan)); y >= 0 && y < len(rows) {
			rows[y]++
		}
	}
	for i := 1; i < len(rows); i++ {
		d := rows[i] - rows[i-1]
		sum += d * d
	}
	return sum
}

// threshold is the shade that divides ink from paper best (Otsu).
func (g *gray) threshold() uint8 {
	var count [256]float64
	total := 0.0
	for _, p := range g.pix {
		count[p]++
		total += float64(p)
	}
	below, sum, best, limit := 0.0, 0.0, 0.0, 0
	for shade := range 256 {
		above := float64(len(g.pix)) - below
		if below > 0 && above > 0 {
			d := sum/below - (total-sum)/above
			if v := below * above * d * d; v > best {
				best, limit = v, shade
			}
		}
		below += count[shade]
		sum += count[shade] * float64(shade)
	}
	return uint8(limit)
}
