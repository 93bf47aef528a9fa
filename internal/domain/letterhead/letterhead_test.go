package letterhead

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func picture(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		img.Set(i%width, i/width, c)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

// A PNG is written anew: nothing of the file is kept but its pixels, which lie on white.
func TestPNG(t *testing.T) {
	given := picture(t, 3, 2, color.NRGBA{R: 255, A: 128})
	kept, err := ReadLogo(append(bytes.Clone(given), "hidden"...))
	require.NoError(t, err)
	require.NotContains(t, string(kept), "hidden")
	again, err := ReadLogo(kept)
	require.NoError(t, err)
	require.Equal(t, kept, again, "the same picture is kept as the same bytes")
	p := (&Letterhead{Logo: kept}).Picture()
	require.Equal(t, []any{3.0, 2.0, 18}, []any{p.Width, p.Height, len(p.RGB)})
	require.Equal(t, []byte{255, 127, 127}, p.RGB[:3])
}

const leaf = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="10 20 40 30"><title>x</title>
<g transform="translate(10 20)" fill="#1b6638"><path d="M0 0h10v10H0z"/><path style="fill:none" d="M0 0 1 1"/>
<circle cx="5" cy="5" r="5" fill="rgb(1, 2, 3)"/><path fill-rule="evenodd" d="M0 0a5 5 0 0110 0q1,2 3,4t1-1Z"/></g></svg>`

func TestSVG(t *testing.T) {
	kept, err := ReadLogo([]byte(leaf))
	require.NoError(t, err)
	p := (&Letterhead{Logo: kept}).Picture()
	require.Equal(t, []any{40.0, 30.0, 3}, []any{p.Width, p.Height, len(p.Shapes)})
	square := p.Shapes[0]
	require.Equal(t, uint32(0x1b6638), square.Fill)
	require.Equal(t, [2]float64{0, 0}, square.Steps[0].At[0],
		"moved by the group, and by the origin of the view box")
	require.Equal(t, [2]float64{10, 10}, square.Steps[2].At[0])
	require.Equal(t, uint32(0x010203), p.Shapes[1].Fill)
	require.True(t, p.Shapes[2].EvenOdd)
	end := p.Shapes[2].Steps[2].At[2]
	require.InDelta(t, 10, end[0], 1e-9, "a half circle ends where it says")
	require.InDelta(t, 0, end[1], 1e-9)
}

// What would not look as its author meant, or does anything but be drawn, is refused, with what to do.
func TestRefusedLogos(t *testing.T) {
	svg := func(inside string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">` + inside + `</svg>`
	}
	path := `<path d="M0 0h9v9z"/>`
	for name, x := range map[string]struct{ data, want string }{
		"a JPEG":               {"\xff\xd8\xff\xe0", "neither a PNG nor an SVG"},
		"a broken PNG":         {"\x89PNG\r\n\x1a\nxxxx", "cannot be read"},
		"a wide PNG":           {string(picture(t, MaxSide+1, 1, color.Black)), "at most 1200 pixels"},
		"a large file":         {strings.Repeat(" ", MaxLogo+1), "at most 128 KiB"},
		"a script":             {svg(path + `<script>alert(1)</script>`), "“script”"},
		"a handler":            {svg(`<path onclick="x()" d="M0 0h9v9z"/>`), "“onclick”"},
		"a picture":            {svg(path + `<image href="http://x/y.png"/>`), "“image”"},
		"a reference":          {svg(path + `<use href="#a"/>`), "“use”"},
		"text":                 {svg(path + `<text>Sanad</text>`), "“text”"},
		"a style sheet":        {svg(`<style>path{fill:red}</style>` + path), "“style”"},
		"a style not drawn":    {svg(`<defs><g><style>path{fill:red}</style></g></defs>` + path), "“style”"},
		"a script not drawn":   {svg(path + `<metadata><x:script xmlns:x="urn:x">alert(1)</x:script></metadata>`), "“script”"},
		"a class":              {svg(`<path class="a" d="M0 0h9v9z"/>`), "“class”"},
		"a stroke":             {svg(`<path stroke="red" d="M0 0h9v9z"/>`), "“stroke”"},
		"a gradient":           {svg(`<path fill="url(#g)" d="M0 0h9v9z"/>`), "“url(#g)”"},
		"half transparent":     {svg(`<g opacity=".5">` + path + `</g>`), "“opacity”"},
		"an entity":            {`<!DOCTYPE svg [<!ENTITY a "b">]>` + svg(path), "“ENTITY”"},
		"a linked style sheet": {`<?xml-stylesheet href="http://x/y.css"?>` + svg(path), "style sheet"},
		"two drawings":         {svg(path) + svg(path), "more than one drawing"},
		"no size":              {`<svg>` + path + `</svg>`, "viewBox"},
		"nothing":              {svg(""), "no filled shape"},
		"broken XML":           {"<svg", "cannot be read as XML"},
		"a page":               {"<html><body>x</body></html>", "“html”"},
		"broken path":          {svg(`<path d="M0 0 x"/>`), "“path”"},
		"deep":                 {svg(strings.Repeat("<g>", 40) + strings.Repeat("</g>", 40)), "too many parts"},
		"many steps":           {svg(`<path d="M0 0` + strings.Repeat("h1", 21000) + `"/>`), "“path”"},
		"cut off in a part that is not drawn": {
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><metadata>`, "cannot be read as XML"},
		"a long name": {svg("<" + strings.Repeat("ن", 90) + "/>"), "“" + strings.Repeat("ن", 40) + "”"},
	} {
		_, err := ReadLogo([]byte(x.data))
		require.ErrorContains(t, err, x.want, name)
	}
}

func TestTidy(t *testing.T) {
	name, address, err := Tidy("  Gulf \n Health ", "King Road 1\r\n\n Riyadh\u202e ")
	require.NoError(t, err)
	require.Equal(t, "Gulf Health", name)
	require.Len(t, strings.Split(address, "\n"), 2, address)
	_, _, err = Tidy(strings.Repeat("x", MaxName+1), "")
	require.ErrorContains(t, err, "at most 120")
	_, _, err = Tidy("", strings.Repeat("x\n", MaxLines+1))
	require.ErrorContains(t, err, "at most 4 lines")
	require.True(t, (*Letterhead)(nil).Empty())
}

// FuzzSVG: whatever is given is refused or drawn within bounds.
func FuzzSVG(f *testing.F) {
	f.Add([]byte(leaf))
	f.Fuzz(func(t *testing.T, data []byte) {
		if kept, err := ReadLogo(data); err == nil {
			p := (&Letterhead{Logo: kept}).Picture()
			require.NotNil(t, p)
			require.LessOrEqual(t, len(p.Shapes), maxSteps)
		}
	})
}
