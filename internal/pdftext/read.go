package pdftext

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

func init() { model.ConfigPath = "disable" } // pdfcpu would write a folder into the user's home

// maxStream is the most that one stream may unpack to, in bytes.
const maxStream = 64 << 20

// configuration limits what pdfcpu accepts; a file of a few thousand pages stays far below these limits.
func configuration() *model.Configuration {
	c := model.NewDefaultConfiguration()
	c.ValidationMode = model.ValidationRelaxed
	c.Offline = true
	c.Limits.MaxStreamBytes, c.Limits.MaxDecodeBytes = maxStream, maxStream
	c.Limits.MaxObjectCount, c.Limits.MaxXRefEntries = 500_000, 500_000
	c.Limits.MaxRecursionDepth = 64
	return c
}

// Read reads a file in this process. Errors are *Fault. A hostile file can take any amount of time and memory; use
// Isolated for uploads.
func Read(data []byte, limits Limits) (t *Text, err error) {
	limits = limits.withDefaults(len(data))
	page := 0
	defer func() {
		if v := recover(); v != nil {
			t, err = nil, &Fault{Kind: ErrBroken, Page: page, Cause: fmt.Errorf("panic: %v", v)}
		}
	}()
	ctx, err := pdfcpu.Read(bytes.NewReader(data), configuration())
	switch {
	case errors.Is(err, pdfcpu.ErrWrongPassword), errors.Is(err, pdfcpu.ErrEncrypted),
		errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		return nil, &Fault{Kind: ErrEncrypted, Cause: err}
	case err != nil:
		return nil, &Fault{Kind: ErrBroken, Cause: err}
	}
	if err := ctx.EnsurePageCount(); err != nil {
		return nil, &Fault{Kind: ErrBroken, Cause: err}
	}
	if ctx.PageCount > limits.Pages {
		return nil, &Fault{Kind: ErrTooLarge,
			Cause: isolated.Over(words.Msg("bound_pages", "N", ctx.PageCount, "Most", limits.Pages))}
	}
	left := limits.Steps
	r := reading{objects: objects{table: ctx.XRefTable, steps: &left}, fonts: map[string]*font{}}
	r.layers = r.layersOf()
	if root, err := ctx.Catalog(); err == nil {
		again, _ := ctx.DereferenceBoolean(r.dict(root["AcroForm"])["NeedAppearances"], model.V10)
		r.regenerates = again != nil && bool(*again)
	}
	var pages []pageLines
	runes := 0
	for page = 1; page <= ctx.PageCount; page++ {
		read, err := r.page(page)
		if left < 0 {
			return nil, &Fault{Kind: ErrTooLarge, Page: page,
				Cause: isolated.Over(words.Msg("bound_steps", "N", limits.Steps, "Bytes", len(data)))}
		}
		// pdfcpu takes some passwords for right that are not
		if err != nil && !anyWords(pages) && (ctx.E != nil || bytes.Contains(data, []byte("/Encrypt"))) {
			return nil, &Fault{Kind: ErrEncrypted, Page: page, Cause: err}
		}
		if err != nil {
			return nil, &Fault{Kind: ErrBroken, Page: page, Cause: err}
		}
		if runes += read.runes(); runes > limits.Runes {
			return nil, &Fault{Kind: ErrTooLarge, Page: page,
				Cause: isolated.Over(words.Msg("bound_characters", "N", limits.Runes))}
		}
		pages = append(pages, read)
	}
	page = 0
	return &Text{Reader: Own, Pages: paragraphs(pages)}, nil
}

// runes is how long the text of a page is, with what stands aside and what nobody sees.
func (p *pageLines) runes() (n int) {
	for i := range p.lines {
		n += len(p.lines[i].text)
	}
	for i := range p.hidden {
		n += len(p.hidden[i].Text)
	}
	for i := range p.aside {
		n += len(p.aside[i].text)
	}
	return n
}

func anyWords(pages []pageLines) bool {
	return slices.ContainsFunc(pages, func(p pageLines) bool { return len(p.lines) > 0 })
}

// reading is the state of reading one file.
type reading struct {
	objects
	fonts  map[string]*font
	layers layers
	// see drawing
	regenerates bool
}

// page reads the lines of a page.
func (r *reading) page(n int) (pageLines, error) {
	d, _, inherited, err := r.table.PageDict(n, false)
	if err != nil {
		return pageLines{}, err
	}
	content, err := r.content(d["Contents"])
	if err != nil {
		return pageLines{}, err
	}
	resources := r.dict(d["Resources"])
	if resources == nil && inherited != nil {
		resources = inherited.Resources
	}
	p := drawing{objects: r.objects, fonts: r.fonts, layers: r.layers, regenerates: r.regenerates, path: newPath()}
	p.state = state{ctm: identity, stretch: 1, look: firstLook}
	p.text, p.line = identity, identity
	p.page(content, resources, 0)
	aside := p.annotations(r.array(d["Annots"]))
	s := sheet{crop: cropOf(inherited), unit: 1, paints: p.paints, take: r.take}
	if u, ok := r.number(d["UserUnit"]); ok && u > 0 {
		s.unit = u
	}
	shown, hidden := s.hide(p.glyphs)
	p.rules.sort()
	s.strike(shown, p.rules.single, p.strikes)
	shown, tables := lattices(shown, &p.rules, r.take)
	return pageLines{
		lines: lines(columns(shown, r.take), &p.rules, tables), hidden: hiddenWords(hidden), aside: aside,
		pictured: s.scanned,
	}, nil
}

// cropOf returns the part of a page that is shown.
func cropOf(a *model.InheritedPageAttrs) rect {
	out := everywhere
	if a == nil {
		return out
	}
	for _, box := range []*types.Rectangle{a.MediaBox, a.CropBox} {
		if box == nil {
			continue
		}
		r := out.intersect(nowhere.point(box.LL.X, box.LL.Y).point(box.UR.X, box.UR.Y))
		if !r.empty() {
			out = r
		}
	}
	return out
}

// pageLines is what was read of a page.
type pageLines struct {
	lines  []line
	hidden []Hidden
	aside  []asideText

	pictured bool
}

// content joins a page's streams. A stream that cannot be decompressed is an error; otherwise its words would be
// missing unnoticed.
func (r *reading) content(x types.Object) ([]byte, error) {
	v, err := r.table.Dereference(x)
	if err != nil || v == nil {
		return nil, err
	}
	parts, ok := v.(types.Array)
	if !ok {
		parts = types.Array{x}
	}
	var out []byte
	for _, part := range parts {
		sd, _, err := r.table.DereferenceStreamDict(part)
		if err != nil {
			return nil, err
		}
		if sd == nil {
			continue
		}
		if sd.Content == nil {
			if err := sd.DecodeWithLimit(maxStream); err != nil {
				return nil, err
			}
		}
		if len(out)+len(sd.Content) > maxStream {
			return nil, fmt.Errorf("its drawing is larger than %d bytes", maxStream)
		}
		out = append(append(out, sd.Content...), '\n')
	}
	return out, nil
}
