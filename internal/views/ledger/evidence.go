package ledger

import (
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Light is the first light: whether, and how exactly, the quote is in its source. Then is what the second one asks of
// the same words.
type Light struct{ Key, Icon, Word, Asks, Then string }

// Evidence is one quotation with its place.
type Evidence struct {
	Key      string // verdict key, for the bar's colour
	Given    string // words that were given as a quotation
	Invented bool   // they are not in the source
	File     string
	Place    string
	Hash     string
	Href     string
	Attached string // who attached the passage, "" if a judge found it
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
		if e.Override && m == e.Best {
			quote.Key = string(e.Verdict)
		}
		v.Evidence = &quote
	} else if ref := e.Claim.UnreadPassage(); ref != nil && e.Unjudged() && s.Chunk(*ref) != nil {
		quote := newQuotation(v.c, s, e.Claim, &ledger.Match{Chunk: *ref, Quote: text.Placement{Kind: text.Exact}})
		quote.Key = "unjudged"
		v.Evidence = &quote
	}
}

// newQuotation lays out what stands around the passage of a match: its source, and who attached it. Words that were
// given as a quotation and are not in the source are shown as such.
func newQuotation(c *ui.Chrome, s *ledger.Session, claim *ledger.Claim, m *ledger.Match) Evidence {
	ev := Evidence{Key: matchKey(claim, m), Attached: attachedWords(c, m)}
	d := s.Document(m.Chunk.Document)
	if d != nil {
		ev.File, ev.Href = say.DocumentName(d), ui.ChunkPathFrom(d.ID, m.Chunk.Chunk, claim.Number())
	}
	ch := s.Chunk(m.Chunk)
	if ch == nil {
		return ev
	}
	ev.Place, ev.Hash = c.Place(d, ch), ch.Hash[:ledger.HashDigits]
	if m.Quote.Kind == text.NotPlaced {
		ev.Invented, ev.Given = m.Snippet != "", cut(s.Document(m.Chunk.Document).Shown(m.Snippet), maxListed)
	}
	return ev
}

// matchKey is the verdict that a match speaks for.
func matchKey(claim *ledger.Claim, m *ledger.Match) string {
	switch {
	case claim.Undecided(m):
		return string(ledger.Weak)
	case m.Contradicts:
		return string(ledger.Contradicted)
	case m.Support == ledger.Full:
		return string(ledger.Supported)
	case m.Support == ledger.Partial:
		return string(ledger.Weak)
	}
	return string(ledger.NotFound)
}

// supportWord is the message of what a match says.
func supportWord(claim *ledger.Claim, m *ledger.Match) string {
	switch {
	case claim.Undecided(m):
		return "support_doubtful"
	case m.Contradicts:
		return "support_contradicts"
	}
	return "support_" + string(m.Support)
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
