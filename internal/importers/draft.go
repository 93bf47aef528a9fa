package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// draft is what one session of a provider's file says, before anything of it is looked for in the texts.
type draft struct {
	path     string // of the part of the file that it comes from
	answerAt string // path of the answer
	head     sessionWire
	sources  []*source
	byID     map[string]*source
	claims   []statement     // as the file has them; nil if the answer is to be split
	units    []text.Span     // parts of the answer that are one claim each; the rest of it is split
	markers  []text.Span     // marks in brackets in the answer, which are no part of its statements
	marks    []mark          // citations and labels
	scores   []upstreamScore // about the whole answer
	text     strings.Builder // the answer so far
	length   int             // of it, in code points
	spend    *spend          // what may be searched
	fault    error           // why the row cannot be taken at all
	notes    []Warning       // what was not taken, and why
}

// source is a document of a draft: passages that came with one id.
type source struct {
	path, id, title, uri, date string
	parts                      []part
	quoted                     bool // its parts are what others quoted of it; its own text is not in the file

	known  map[string]int // texts of the parts
	at     int            // position in the session
	text   string
	starts []int // of the parts, in code points of text
	words  *words
}

// part is one passage of a source.
type part struct {
	path, text string
	page       int
}

// statement is a claim that the file states.
type statement struct {
	path, text string
	upstream   *upstreamVerdict
}

// mark is what the file says about a place: a citation or a label. The quoted words decide the place, offsets only help
// (rule F-6).
type mark struct {
	path, kind string
	said       quoted  // in the answer
	source     *source // nil if the file does not name one
	shown      quoted  // in the source
	block      *[2]int // parts of the source, the end exclusive
	whole      bool    // it cites its source as a whole, which has no words of its own to compare
	claim      int     // the statement it belongs to, by its number from 1; 0 for the ones that stand at said
	label      *upstreamVerdict
	why        string // why it cannot be placed
	page       int    // of the source, 0 when unknown
}

// quoted is words with the place that the file gives them.
type quoted struct {
	words    string
	from, to *int
	in       unit
}

// Short names for what a file says.
type (
	upstreamVerdict = ledger.UpstreamVerdict
	upstreamScore   = ledger.UpstreamScore
)

func newDraft(path, answerAt string) *draft {
	return &draft{path: path, answerAt: joined(path, answerAt), byID: map[string]*source{}, spend: newSpend()}
}

// skip notes something in the file that is not imported.
func (d *draft) skip(path, why string) { d.notes = append(d.notes, Warning{path, why}) }

// leftOut notes a field of one version of a format that was ignored because the field of another version was used.
func (d *draft) leftOut(path, taken string) {
	d.skip(path, "This is of another version of the format than "+taken+
		", which is there too and was taken; this was left out.")
}

// source returns the source of an id, or a new one; "" is always new.
func (d *draft) source(path, id string) *source {
	if s := d.byID[id]; s != nil && id != "" {
		return s
	}
	s := &source{path: path, id: id}
	d.sources = append(d.sources, s)
	d.byID[id] = s
	return s
}

// passage adds a passage to the source of an id. An empty passage is noted; for one that exists already its place is
// returned.
func (d *draft) passage(path, id, title, words string) *source {
	s := d.source(path, id)
	if s.title == "" {
		s.title = title
	}
	switch {
	case !blank(words):
	case len(s.parts) > 0:
		d.skip(path, "This passage has no words; nothing can be found in it.")
		return s
	default: // the document will be told to have no text, unless a passage follows
		return s
	}
	s.add(part{path: path, text: words})
	return s
}

// add adds a passage that is not there yet.
func (s *source) add(p part) {
	if s.known == nil {
		s.known = map[string]int{}
	}
	if !has(s.known, p.text) {
		s.known[p.text] = len(s.parts)
		s.parts = append(s.parts, p)
	}
}

// cite makes a mark cite a source, and in it the passage with these words if there is one.
func (m *mark) cite(s *source, words string) {
	m.source, m.block = s, nil
	if i, ok := s.known[words]; ok {
		m.block = &[2]int{i, i + 1}
	}
}

// say appends text to the answer and returns its span, in code points.
func (d *draft) say(words, between string) text.Span {
	if d.length > 0 && words != "" {
		d.text.WriteString(between)
		d.length += text.Len(between)
	}
	from := d.length
	d.text.WriteString(words)
	d.length += text.Len(words)
	return text.Span{Start: from, End: d.length}
}

// here quotes the whole of a span that follows from the file's own structure.
func here(words string, sp text.Span) quoted {
	return quoted{words: words, from: &sp.Start, to: &sp.End}
}

// checkAnswer refuses a draft without an answer, or one over the limit.
func (d *draft) checkAnswer(most int) error {
	if d.head.Answer = d.text.String(); blank(d.head.Answer) && len(d.claims) == 0 {
		return domain.Invalidf(d.answerAt,
			"There is no answer here, so there is nothing to check; give the answer beside its sources.")
	}
	if d.length > most {
		return domain.TooLargef(d.answerAt, "The answer is longer than %s characters; shorten it.", grouped(most))
	}
	return nil
}
