package ledger

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
)

// Light is the first light: whether, and how exactly, the quote is in its source. Then is what the second one asks of
// the same words.
type Light struct{ Key, Icon, Word, Asks, Then string }

// Evidence is one quotation with its place.
type Evidence struct {
	Key      string // verdict key, for the bar's colour
	Segments []ui.Segment
	Before   bool // text stands before the quotation
	After    bool
	Invented bool // the quotation is not in the source: it is shown as given
	File     string
	Place    string
	Hash     string
	Href     string
	Support  string
	Note     string
	Attached string // who attached the passage, "" if a judge found it
	Missing  []string
}

// newLight is the first light: is the quote in the source. It speaks of a quotation that somebody else made.
func newLight(c *ui.Chrome, e *ledger.Entry) Light {
	if e.Best == nil {
		return Light{Key: "not_found", Icon: "○", Word: c.T("quote_none"), Asks: c.T("light_quote"),
			Then: c.T("light_supports_none")}
	}
	kind := e.Quote()
	if e.Claim.Judge != "given" && kind != text.NotPlaced { // our own judge cut it out of the source: nobody quoted it
		return Light{Key: string(ledger.Supported), Icon: ui.Icons[ledger.Supported], Word: c.T("quote_passage"),
			Asks: c.T("light_passage"), Then: c.T("light_supports_passage")}
	}
	key := map[text.PlacementKind]ledger.Verdict{
		text.Exact: ledger.Supported, text.Normalised: ledger.Supported, text.Fuzzy: ledger.Weak,
		text.NotPlaced: ledger.Contradicted,
	}[kind]
	return Light{Key: string(key), Icon: ui.Icons[key], Word: c.T("quote_" + string(kind)),
		Asks: c.T("light_quote"), Then: c.T("light_supports")}
}

// evidence shows the match that is asked for, else the one that decides.
func (v *ClaimView) evidence(s *ledger.Session, e *ledger.Entry, in *ColumnInput) {
	if m, _ := ShownMatch(e, in.Passage); m != nil {
		quote := newQuotation(v.c, s, e.Claim, m)
		v.Evidence = &quote
	}
}

// excerptWindow is the length, in code points, of the excerpt for a passage whose quote could not be located.
const excerptWindow = 300

// newQuotation lays out one match: the sentence that contains the quote, with matching and conflicting words marked. A
// quote that is not in the source is shown as it was given, and marked as such.
func newQuotation(c *ui.Chrome, s *ledger.Session, claim *ledger.Claim, m *ledger.Match) Evidence {
	ev := Evidence{Key: matchKey(m), Support: c.T(supportWord(m)), Note: m.Note, Missing: m.Missing,
		Attached: attachedWords(c, m)}
	d, ch := s.Document(m.Chunk.Document), s.Chunk(m.Chunk)
	if d != nil {
		ev.File = ui.DocumentName(d)
		ev.Href = ui.ChunkPathFrom(d.ID, m.Chunk.Chunk, claim.Number())
	}
	if ch == nil {
		ev.Segments = []ui.Segment{{Text: m.Snippet}}
		return ev
	}
	ev.Place, ev.Hash = c.Place(ch), ch.Hash[:ledger.HashDigits]
	if m.Quote.Kind == text.NotPlaced {
		ev.Invented = m.Snippet != ""
		ev.Segments = segments(claim.Text, m.Snippet, m.Conflicts)
		return ev
	}
	span := sentenceAround(ch.Text, m.Quote.Span)
	if m.Quote.Span.Len() == 0 {
		span = evidence.Excerpt(claim.Text, ch.Text, excerptWindow)
	}
	ev.Before, ev.After = span.Start > 0, span.End < text.Len(ch.Text)
	ev.Segments = segments(claim.Text, text.Slice(ch.Text, span), m.Conflicts)
	ev.Missing = unmarked(ev.Missing, ev.Segments)
	return ev
}

// unmarked returns the words that no segment marks as matching. A missing word of the judge's may be in the passage,
// which can be wider than what the judge read.
func unmarked(words []string, segments []ui.Segment) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.ContainsFunc(segments,
			func(s ui.Segment) bool { return s.Kind == "match" && strings.EqualFold(s.Text, w) })
	})
}

// sentenceAround widens a span to the sentences it touches, so that no quotation begins in mid-sentence.
func sentenceAround(chunk string, quote text.Span) text.Span {
	out := quote
	for _, s := range text.Sentences(chunk) {
		if s.Start < quote.End && s.End > quote.Start {
			out.Start, out.End = min(out.Start, s.Start), max(out.End, s.End)
		}
	}
	return out
}

func matchKey(m *ledger.Match) string {
	switch {
	case m.Contradicts:
		return string(ledger.Contradicted)
	case m.Support == ledger.Full:
		return string(ledger.Supported)
	case m.Support == ledger.Partial:
		return string(ledger.Weak)
	}
	return string(ledger.NotFound)
}

func supportWord(m *ledger.Match) string {
	if m.Contradicts {
		return "support_contradicts"
	}
	return "support_" + string(m.Support)
}

// segments splits a passage where matching or conflicting words begin and end; a conflict overrides a match.
func segments(claim, passage string, conflicts []ledger.Conflict) []ui.Segment {
	runes := []rune(passage)
	kinds := make([]string, len(runes))
	paint := func(sp text.Span, kind string) {
		for i := max(sp.Start, 0); i < min(sp.End, len(runes)); i++ {
			kinds[i] = kind
		}
	}
	for _, sp := range evidence.Highlight(claim, passage) {
		paint(sp, "match")
	}
	for _, x := range conflicts {
		if at := text.Place(x.Evidence, passage); at.Kind == text.Exact || at.Kind == text.Normalised {
			paint(at.Span, "conflict")
		}
	}
	var out []ui.Segment
	start := 0
	for i := range runes {
		if i+1 == len(runes) || kinds[i+1] != kinds[i] {
			out, start = append(out, ui.Segment{Text: string(runes[start : i+1]), Kind: kinds[i]}), i+1
		}
	}
	return out
}

// quotationText is a passage with its matching and conflicting words marked, with nothing added between the segments.
func quotationText(c *ui.Chrome, e Evidence) templ.Component {
	return ui.InlineText(func(o *ui.Inline) {
		o.In(ui.SegmentsDir(e.Segments))
		if e.Before {
			o.Raw("… ")
		}
		for _, s := range e.Segments {
			switch s.Kind {
			case "match":
				o.Raw("<mark>")
				o.Flow(s.Text)
				o.Raw("</mark>")
			case "conflict":
				o.Raw(`<span class="conflict"><span class="vh">`)
				o.Text(c.T("conflicting"))
				o.Raw("</span>")
				o.Flow(s.Text)
				o.Raw("</span>")
			default:
				o.Flow(s.Text)
			}
		}
		if e.After {
			o.Raw(" …")
		}
	})
}
