package library

import (
	"net/url"
	"strconv"
	"strings"

	"sanad/internal/domain/library"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// CompareInput is two versions of a document, and a part of what changed.
type CompareInput struct {
	Document *library.Document
	Versions [2]library.Version // the older one first; both are the first one of a document that has no other
	Redline  *library.Redline   // nil for such a document
	Part     int                // of a long comparison, from 1
}

// ComparePage shows what changed between two versions.
type ComparePage struct {
	ui.Chrome
	Name, Href string
	Older      []ui.Option // versions to compare, nil of a document that has only one
	Newer      []ui.Option
	Versions   [2]CompareVersion
	Heading    string   // which versions are compared, "" if there is one only
	Said       []string // what the reader has to know about the comparison
	Redline    []ui.RedlinePart
	PDFHref    string // the redline as a file, "" if the reader may have no copy
	Pager      ui.Pager
}

// CompareVersion is one of the two, laid out.
type CompareVersion struct {
	Name  string
	Added say.Moment
}

// partBytes is how much text a page of a comparison shows, in bytes; a paragraph is shown whole.
const partBytes = 200_000

// NewComparePage lays out the comparison. Pure.
func NewComparePage(c ui.Chrome, in CompareInput) *ComparePage {
	base := "/library/" + in.Document.ID
	p := &ComparePage{Chrome: c, Name: in.Document.Name, Href: base}
	if in.Redline == nil {
		return p
	}
	older, newer := &in.Versions[0], &in.Versions[1]
	for n := in.Document.Version; n > 0; n-- {
		p.Older = append(p.Older, option(&c, n, older.No))
		p.Newer = append(p.Newer, option(&c, n, newer.No))
	}
	for i := range in.Versions {
		v := &in.Versions[i]
		p.Versions[i] = CompareVersion{Name: c.T("lib_is_version", "N", c.Num(v.No)), Added: c.Minute(v.CreatedAt)}
	}
	p.Heading = c.T("lib_compared", "From", c.Num(older.No), "To", c.Num(newer.No))
	p.Said = Said(&c, in.Redline)
	if !in.Redline.Changed() {
		return p
	}
	query := url.Values{"from": {strconv.Itoa(older.No)}, "to": {strconv.Itoa(newer.No)}}
	if c.May.CopyLibrary {
		p.PDFHref = ui.Address(base+"/compare.pdf", query)
	}
	p.show(&in, base+"/compare", query)
	return p
}

// Said is what a reader has to know about a comparison: that nothing changed, that it is coarse, that it is cut.
func Said(c *ui.Chrome, r *library.Redline) (out []string) {
	if !r.Changed() {
		out = append(out, c.T("redline_same"))
	}
	if r.Cut {
		out = append(out, c.T("lib_compared_cut", "N", c.Size(library.MaxCompared)))
	}
	if r.Coarse {
		out = append(out, c.T("redline_coarse"))
	}
	return out
}

func option(c *ui.Chrome, n, chosen int) ui.Option {
	return ui.Option{Value: strconv.Itoa(n), Label: c.Num(n), Selected: n == chosen}
}

// show lays out the part of the comparison that was asked for.
func (p *ComparePage) show(in *CompareInput, path string, query url.Values) {
	parts := Parts(&p.Chrome, in.Redline, in.Versions)
	part, length, place := 1, 0, ""
	for i := range parts {
		if length > partBytes {
			part, length, place = part+1, 0, ""
		}
		x := &parts[i]
		length += len(x.Pieces.Text())
		if part != max(1, in.Part) {
			continue
		}
		if x.LeftOut == "" {
			if x.Place == place {
				x.Place = ""
			} else {
				place = x.Place
			}
		}
		p.Redline = append(p.Redline, *x)
	}
	if in.Part > 1 {
		p.Pager.FirstHref = ui.Address(path, query)
	}
	if part > max(1, in.Part) {
		query.Set("part", strconv.Itoa(max(1, in.Part)+1))
		p.Pager.NextHref = ui.Address(path, query)
	}
}

// Parts lays out all that is shown of a comparison, each paragraph with its place.
func Parts(c *ui.Chrome, r *library.Redline, versions [2]library.Version) []ui.RedlinePart {
	var out []ui.RedlinePart
	for _, x := range r.Shown() {
		part := c.RedlineShown(r.Paragraphs, x)
		if x.LeftOut == 0 {
			v := &versions[1]
			if r.Places[x.At].Older {
				v = &versions[0]
			}
			part.Place = place(c, v, &r.Places[x.At])
		}
		out = append(out, part)
	}
	return out
}

// place says where a paragraph of a version stands, "" where neither page nor heading is known.
func place(c *ui.Chrome, v *library.Version, at *library.Place) string {
	heading := strings.Join(at.Heading, " › ")
	if at.Page == 0 {
		return heading
	}
	page := c.PageLabel(v.MediaType, v.Filename, at.Page)
	if heading == "" {
		return page
	}
	return page + " · " + say.Isolated(heading)
}
