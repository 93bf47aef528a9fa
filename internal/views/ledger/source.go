package ledger

import (
	"net/url"
	"strconv"

	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
)

// The views of the evidence column, by their value in its address. The evidence itself has none.
const (
	ViewEvidence = "evidence"
	ViewText     = "text"
	ViewOriginal = "original"
)

// ColumnInput is what the evidence column shows of the claim in focus: what its address asks for, and what was loaded
// for that. The zero value is its evidence.
type ColumnInput struct {
	Position int      // of the claim that the rest is about
	View     string   // "" for the evidence
	Passage  int      // number, from 1, of the match that is shown; 0 for the one that decides
	At       *url.URL // of the ledger, with its filter, if another page loads the column into it; nil otherwise

	Document *ledger.DocumentPage // the text around the passage, nil if the view shows none
	Hidden   bool                 // the reader may not see it
	Chunk    int                  // position of the current chunk
	Span     *text.Span           // of the passage in it, where no match is shown
}

// SourceColumn is what the evidence column shows: the tabs, and what the chosen one needs.
type SourceColumn struct {
	View    string
	Tabs    []TabLink
	Others  []PassageLine
	Text    *DocumentPage // nil where the claim has no passage
	Place   string        // "Leave.pdf, page 3"
	Whole   string        // address of the page of the whole document
	Earlier string        // address of the text before, "" if none
	Later   string
	Why     string // why there is no original to show, "" if there is one
}

// PassageLine is a passage that a claim leans on, in one line.
type PassageLine struct {
	Key, Icon, Word string // what it says about the claim
	Page, File      string // "p. 3"; the file where it is another document's
	Text, Href      string
}

// columnAddress is where the evidence column of a claim stands: a page and its query.
type columnAddress struct {
	path string
	kept url.Values
}

// to returns the address with some more parameters, given in pairs; an empty value is left out.
func (a columnAddress) to(pairs ...string) string {
	q := url.Values{}
	for k, v := range a.kept {
		q[k] = v
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return ui.Address(a.path, q)
}

// passing are the parameters of a ledger's address that are no filter of its list.
var passing = []string{
	"after", "claim", "confirmed", "batch", "undone", "again", "withdrawn", "tab", "pick", "lang", "theme", "digits",
	"view", "passage", "document", "chunk", "span", "find", "attached",
}

// addressOf returns where the column of a claim stands: beside the list at this address, or on the claim's own page.
func addressOf(session string, number int, at *url.URL) columnAddress {
	if at == nil {
		return columnAddress{path: claimPath(session, number-1)}
	}
	q := at.Query()
	after := q.Get("after")
	for _, name := range passing {
		q.Del(name)
	}
	if after != "" {
		q.Set("after", after)
	}
	q.Set("claim", strconv.Itoa(number))
	return columnAddress{path: at.Path, kept: q}
}

// ShownMatch returns the match of a claim that is shown, and its number: the one that is asked for by number, from 1,
// else the one that decides; nil if the claim has none.
func ShownMatch(e *ledger.Entry, passage int) (*ledger.Match, int) {
	if n := len(e.Claim.Matches); passage >= 1 && passage <= n {
		return &e.Claim.Matches[passage-1], passage
	}
	for i := range e.Claim.Matches {
		if &e.Claim.Matches[i] == e.Best {
			return e.Best, i + 1
		}
	}
	return nil, 0
}

// column lays out the tabs of the evidence, and what the chosen one shows.
func (v *ClaimView) column(s *ledger.Session, e *ledger.Entry, in *ColumnInput) {
	at := addressOf(s.ID, v.Number, in.At)
	m, n := ShownMatch(e, in.Passage)
	passage := ""
	if m != nil && m != e.Best {
		passage = strconv.Itoa(n)
	}
	v.Source = SourceColumn{View: in.View, Others: v.otherPassages(s, e, m, at, in.View)}
	if v.Source.View == "" {
		v.Source.View = ViewEvidence
	}
	for _, key := range []string{ViewEvidence, ViewText, ViewOriginal} {
		view, hash := key, ""
		switch key {
		case ViewEvidence:
			view = ""
		case ViewText:
			hash = "#passage"
		}
		v.Source.Tabs = append(v.Source.Tabs, TabLink{
			Key: key, Label: v.c.T("view_" + key), Href: at.to("view", view, "passage", passage) + hash,
			Current: key == v.Source.View,
		})
	}
	if in.Document != nil {
		v.sourceText(in, n, at)
	}
}

// otherPassages lists the passages of a claim beside the one that is shown; each opens in the same view.
func (v *ClaimView) otherPassages(s *ledger.Session, e *ledger.Entry, shown *ledger.Match, at columnAddress,
	view string) []PassageLine {
	var out []PassageLine
	for i := range e.Claim.Matches {
		m := &e.Claim.Matches[i]
		if m == shown {
			continue
		}
		key := matchKey(e.Claim, m)
		line := PassageLine{
			Key: key, Icon: ui.Icons[ledger.Verdict(key)], Word: v.c.T(supportWord(e.Claim, m)), Text: opening(s, m),
			Href: at.to("view", view, "passage", strconv.Itoa(i+1)),
		}
		line.Page = v.c.Source(s.Document(m.Chunk.Document), s.Chunk(m.Chunk)).Place
		if shown == nil || shown.Chunk.Document != m.Chunk.Document {
			line.File = v.c.Source(s.Document(m.Chunk.Document), nil).File
		}
		out = append(out, line)
	}
	return out
}

// shownOpening is how much of a passage a line about it shows, in code points.
const shownOpening = 110

// opening returns how the words of a match begin: its quotation, or its chunk if none was found there.
func opening(s *ledger.Session, m *ledger.Match) string {
	words := m.Snippet
	if ch := s.Chunk(m.Chunk); ch != nil && m.Quote.Span.Len() > 0 {
		words = text.Slice(ch.Text, m.Quote.Span)
	} else if ch != nil && words == "" {
		words = ch.Text
	}
	return shortened(s.Document(m.Chunk.Document).Shown(words), shownOpening)
}

// shortened cuts words after n code points.
func shortened(words string, n int) string {
	if text.Len(words) <= n {
		return words
	}
	return text.Slice(words, text.Span{End: n}) + "…"
}

// sourceText lays out the text around the passage, and the page of the original that it stands on. rank is the number,
// from 1, of the match that is shown.
func (v *ClaimView) sourceText(in *ColumnInput, rank int, at columnAddress) {
	d := &in.Document.Document
	view := DocumentInput{
		DocumentPage: *in.Document, Hidden: in.Hidden, Current: in.Chunk, Claim: v.Number, Span: in.Span, Bounded: true,
		ClaimAt: func(by *ledger.Cited) string {
			other := addressOf(in.Document.SessionID, by.Number, in.At)
			return other.to("view", ViewText, "passage", strconv.Itoa(by.Rank+1)) + "#passage"
		},
	}
	if in.Span == nil {
		view.Rank = new(rank - 1)
	}
	src := &v.Source
	src.Text = NewDocumentPage(*v.c, view)
	src.Whole = ui.ChunkPathFrom(d.ID, in.Chunk, v.Number)
	more := func(chunk int) string {
		if chunk < 0 {
			return ""
		}
		return at.to("view", ViewText, "document", d.ID, "chunk", strconv.Itoa(chunk+1), "passage", strconv.Itoa(rank))
	}
	src.Earlier, src.Later = more(in.Document.Prev), more(in.Document.Next)
	src.Why = v.whyNoOriginal(in, src.Text)
}

// whyNoOriginal says why no page of the original is shown, "" if one is.
func (v *ClaimView) whyNoOriginal(in *ColumnInput, p *DocumentPage) string {
	switch {
	case p.Hidden != "" || in.Document.Document.Status == ledger.Erased:
		return v.c.T("original_gone")
	case in.Document.Document.Blob == "":
		return v.c.T("original_none")
	case !v.c.May.CopyFile:
		return v.c.T("original_no_copies")
	case in.Document.Document.MediaType != filetype.PDF.MediaType:
		return v.c.T("original_no_pages")
	}
	return ""
}
