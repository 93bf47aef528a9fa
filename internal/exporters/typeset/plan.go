package typeset

// How a document is spread over its pages: with what space between lines, with or without a page of contents, and where
// its pages end. No page of a document of ordinary length is less than a third full (rule PDF-12).

// plan is how a document is laid out.
type plan struct {
	scale  float64   // of leading and space
	bare   bool      // without contents
	limits []float64 // where the pages of each stretch end; those that are not listed end at bodyBottom
}

// stretch is a run of pages that nothing but their length divides: a section, or a part of one between page breaks.
type stretch struct {
	first, last int     // pages
	end         float64 // of the last page's content
}

const (
	closer     = 0.955 // of the leading and the space between blocks
	shortPages = 24    // up to so many pages a document is laid out closer, if that saves a page
	mostPages  = 60    // up to so many pages the end of a document is balanced; each try lays out all of it
	fewPages   = 3     // up to so many pages a document has no contents
	leastFull  = 0.38  // of a page: what is set fills less than it takes up
	mostTries  = 20
	pageHigh   = bodyBottom - bodyTop
)

// lay lays out a document.
func lay(d *Doc) (*flow, error) {
	p := plan{scale: 1}
	f, err := layAt(d, p)
	if err != nil {
		return nil, err
	}
	if len(f.listed) > 0 && len(f.pages) <= fewPages {
		p.bare = true
		f, err = layAt(d, p)
	}
	if err != nil || len(f.pages) > mostPages || !f.wasteful() {
		return f, err
	}
	if len(f.pages) <= shortPages {
		tight := p
		tight.scale = closer
		if g, err := layAt(d, tight); err == nil && len(g.pages) < len(f.pages) {
			f, p = g, tight
		}
	}
	return balanced(d, f, p)
}

// balanced ends the pages of each stretch whose last page is nearly empty a little earlier, so that more is left for the
// last one. It returns the first layout without such a page, or else the one given.
func balanced(d *Doc, f *flow, p plan) (*flow, error) {
	for try := range mostTries {
		if !f.wasteful() {
			return f, nil
		}
		p.limits = f.limits(1 + 0.2*float64(try))
		g, err := layAt(d, p)
		if err != nil {
			return nil, err
		}
		if !g.wasteful() {
			return g, nil
		}
	}
	return f, nil
}

// limits returns where the pages of each stretch should end; more is how much more than what the last page lacks is left
// for it.
func (f *flow) limits(more float64) []float64 {
	out := make([]float64, len(f.spread))
	for i, s := range f.spread {
		out[i] = bodyBottom
		if i < len(f.plan.limits) {
			out[i] = f.plan.limits[i]
		}
		if s.wasteful() {
			lacks := bodyTop + leastFull*pageHigh - s.end
			out[i] -= min(more*lacks/float64(s.last-s.first), pageHigh*(1-leastFull)-20)
		}
	}
	return out
}

// wasteful reports whether the last page of a stretch of several is nearly empty.
func (s *stretch) wasteful() bool { return s.last > s.first && s.end < bodyTop+leastFull*pageHigh }

func (f *flow) wasteful() bool {
	for i := range f.spread {
		if f.spread[i].wasteful() {
			return true
		}
	}
	return false
}

// beginStretch begins a stretch on the page that will be made next.
func (f *flow) beginStretch() {
	f.limit = bodyBottom
	if n := len(f.spread); n < len(f.plan.limits) {
		f.limit = f.plan.limits[n]
	}
	f.spread = append(f.spread, stretch{first: len(f.pages)})
}

// endStretch ends the present stretch on the present page.
func (f *flow) endStretch() {
	s := &f.spread[len(f.spread)-1]
	s.last, s.end = len(f.pages)-1, f.y+f.notesOn()
}

// endSection ends the section's last stretch; one without a page, after a page break that nothing follows, is dropped.
func (f *flow) endSection() {
	if last := len(f.spread) - 1; f.spread[last].first >= len(f.pages) {
		f.spread = f.spread[:last]
		return
	}
	f.endStretch()
}
