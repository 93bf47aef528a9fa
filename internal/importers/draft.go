package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// draft is the content of one session of a provider's file, before any quotation is searched for in the texts.
type draft struct {
	path     string // of this session's part of the file
	answerAt string // path of the answer
	head     sessionWire
	sources  []*source
	byID     map[string]*source
	claims   []statement      // given by the file; nil if the answer is to be split
	units    []text.Span      // parts of the answer that are one claim each; the rest is split
	markers  []text.Span      // bracketed citation marks in the answer, which are not part of its statements
	marks    []mark           // citations and labels
	scores   []upstreamScore  // for the whole answer
	text     strings.Builder  // the answer so far
	held     map[string]bool  // the passages of all sources
	apart    bool             // whether a tool's call stands between what was said and what will be
	said     bool             // whether there is an answer, if only an empty one
	length   int              // of text, in code points
	spend    *spend           // budget for searching
	fault    error            // why the whole row is refused
	notes    []domain.Warning // what was skipped, and why
	unread   domain.Message   // where an answer may stand that could not be read, zero if nowhere
}

// source is a document of a draft: the passages that share one id.
type source struct {
	path, id, title, uri, date string
	parts                      []part
	quoted                     bool // its parts are quotations by others; its own text is not in the file

	known  map[string]int // index in parts by text
	at     int            // position in the session
	text   string
	starts []int // of the parts, in code points of text
	words  *finder
}

// part is one passage of a source.
type part struct {
	path, text string
	page       int
}

// statement is a claim stated by the file.
type statement struct {
	path, text string
	upstream   *upstreamVerdict
}

// mark is a citation or label of the file. Its quoted words decide where it is; the offsets only help (rule F-6).
type mark struct {
	path, kind string
	said       quoted  // quoted from the answer
	source     *source // nil if the file does not name one
	shown      quoted  // quoted from the source
	block      *[2]int // range of parts of the source, end exclusive
	whole      bool    // cites the source as a whole, so there are no words to compare
	claim      int     // number of the statement it belongs to, from 1; 0 for the statements at said
	label      *upstreamVerdict
	why        domain.Message // why it can't be placed
	page       int            // of the source; 0 if unknown
}

// Shorter names for types of the domain.
type (
	upstreamVerdict = ledger.UpstreamVerdict
	upstreamScore   = ledger.UpstreamScore
)

func newDraft(path, answerAt string) *draft {
	return &draft{path: path, answerAt: joined(path, answerAt), byID: map[string]*source{}, spend: newSpend()}
}

// skip records something in the file that is not imported.
func (d *draft) skip(path string, why domain.Message) {
	d.notes = append(d.notes, domain.Warn(path, why))
}

// leftOut records a field of one version of a format that was ignored because the field of another version was used.
func (d *draft) leftOut(path, taken string) {
	d.skip(path, words.Msg("warning_version", "Field", taken))
}

// source returns the source with an id, or a new one; "" always gives a new one.
func (d *draft) source(path, id string) *source {
	if s := d.byID[id]; s != nil && id != "" {
		return s
	}
	s := &source{path: path, id: id}
	d.sources = append(d.sources, s)
	d.byID[id] = s
	return s
}

// passage adds a passage to the source with an id and returns the source. An empty passage is recorded as skipped; one
// that the source already has is not added again.
func (d *draft) passage(path, id, title, said string) *source {
	s := d.source(path, id)
	if s.title == "" {
		s.title = title
	}
	switch {
	case !blank(said):
	case len(s.parts) > 0:
		d.skip(path, words.Msg("warning_passage_words"))
		return s
	default: // the import warns that the document has no text, unless a passage follows
		return s
	}
	s.add(part{path: path, text: said})
	if d.held == nil {
		d.held = map[string]bool{}
	}
	d.held[said] = true
	return s
}

// add adds a passage unless the source has it.
func (s *source) add(p part) {
	if s.known == nil {
		s.known = map[string]int{}
	}
	if !has(s.known, p.text) {
		s.known[p.text] = len(s.parts)
		s.parts = append(s.parts, p)
	}
}

// cite makes a mark cite a source and, if there is one, its passage with these words.
func (m *mark) cite(s *source, words string) {
	m.source, m.block = s, nil
	if i, ok := s.known[words]; ok {
		m.block = &[2]int{i, i + 1}
	}
}

// say appends text to the answer and returns its span, in code points. Texts with a tool's call between them are
// paragraphs of their own.
func (d *draft) say(words, between string) text.Span {
	if d.length > 0 && words != "" {
		if d.apart {
			between = "\n\n"
		}
		d.text.WriteString(between)
		d.length += text.Len(between)
	}
	from := d.length
	d.said, d.apart = true, d.apart && words == ""
	d.text.WriteString(words)
	d.length += text.Len(words)
	return text.Span{Start: from, End: d.length}
}

// here returns a quotation of a whole span that follows from the file's own structure.
func here(words string, sp text.Span) quoted {
	return quoted{words: words, from: &sp.Start, to: &sp.End}
}

// checkAnswer returns an error if the draft has no answer or one over the limit. An answer without words is none,
// unless empty is set.
func (d *draft) checkAnswer(most int, empty bool) error {
	d.head.Answer = d.text.String()
	if blank(d.head.Answer) && len(d.claims) == 0 && !(empty && d.said) {
		why := d.unread
		if why.IsZero() {
			why = words.Msg("refused_in_no_answer")
		}
		return &domain.Error{Kind: domain.Invalid, Path: d.answerAt, Message: why}
	}
	if d.length > most {
		return domain.Refuse(domain.TooLarge, d.answerAt, "refused_in_answer_long", "N", most)
	}
	return nil
}
