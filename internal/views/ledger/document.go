package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// DocumentInput is a window of a document with what cites it.
type DocumentInput struct {
	ledger.DocumentPage
	Hidden   bool                          // the reader may not see the text: it was withdrawn
	Current  int                           // chunk position, -1 if none
	Claim    int                           // number of the claim the reader comes from, 0 if none; Words are its text
	Matches  bool                          // other matches of claims are marked too, not only what decides them
	Rank     *int                          // of the match of that claim that is shown, from 0; nil for all of them
	Span     *text.Span                    // of the passage in the current chunk that is shown instead, nil for none
	Bounded  bool                          // long chunks are cut around the passage
	ClaimAt  func(by *ledger.Cited) string // address of a claim; nil for its place in the ledger
	Withdraw WithdrawForm                  // of who wants to withdraw it
	Version  VersionForm                   // of who wants to replace it
	Warnings []domain.Warning              // what was noticed when its file was read, just now
	Erased   *erasure.Request              // what erased it here; nil if nothing did
	Library  library.Document              // that it was taken from; zero if none, if that is erased, or not the reader's
}

// WithdrawForm is what was typed to withdraw a document, and what is wrong with it.
type WithdrawForm struct {
	Reason   string
	NoReason bool
	Changed  bool // the ledger has changed since the form was made
}

// VersionForm is what was typed to replace a document, and what is wrong with it.
type VersionForm struct {
	Reason    string
	NoReason  bool
	Changed   bool          // the ledger has changed since the form was made
	FileFault *ui.FormFault // what is wrong with the file

	FromLibrary   bool // it was the form that takes the library's version, with this reason
	LibraryReason string
}

// DocumentPage is the document viewer.
type DocumentPage struct {
	ui.Chrome
	Library, LibraryHref, LibraryNewer string // version of the library that it was taken from; a newer one; "" for none
	LibrarySince, SinceHref            string // what changed since that version, "" if there is no newer one
	LibraryNo, LibraryDo               string // the newer version, and the button that replaces the document with it
	LibraryReason, LibraryFault        string // as typed, or as offered
	Name, Title                        string
	TextDir                            string // direction of the document's text
	TextLang                           string // its language, "" if unknown
	SessionTitle                       string
	SessionHref                        string
	Published, Valid                   string
	Root                               string
	Hash                               string // of the current chunk, "" if none is
	BackHref, BackLabel                string
	BackClaim                          bool // it leads back to a claim
	OriginalHref                       string
	PDF                                *OriginalPDF // the original beside the text, nil if it is not a PDF
	TextBy                             string       // which reader made the text, "" if it came as text
	AttachTo                           string       // "Attach to claim 3", "Attach to a claim", "" if the reader may not
	Match                              string       // "Cited passage 3 of 12", "" if none is current
	MatchesHref                        string       // to this page with all matches marked, or only what decides; "" if there are no others
	MatchesText                        string
	PrevMatch                          string // address of the cited passage before, "" if none
	NextMatch                          string
	Sheets                             []Sheet
	Words                              string // of that passage
	Outline                            []OutlineLine
	Passages                           []Passage
	Rail                               []RailMark
	PrevHref, NextHref                 string
	Lang                               string
	Length                             string
	Withdrawn                          string // why, "" if it is in use
	LeftOut                            *LeftOutView
	Comments                           string // that its file holds remarks, "" if none
	Hidden                             string // who may read the text, "" if the reader may
	WithdrawHref                       string // "" if there is no such form
	EraseHref                          string // form that asks for an erasure, "" if the reader may not
	Revision, Reason                   string
	Fault                              string
	Changed                            string // that the page has changed since the form was made, "" if not
	Withdrawing                        bool   // that form is open
	Replacing                          bool   // or that one
	ReplaceHref                        string // "" if there is no such form
	ReplaceReason                      string // as typed
	ReasonFault                        string
	FileFault                          string
	Older, Newer                       *ledger.DocumentName
	JudgeHref                          string // of the form that judges its session again, "" if the reader may not
	Warnings                           []domain.Warning
}

// OriginalPDF is the original file for the reader beside the text.
type OriginalPDF struct {
	Href, Page, Label string // the file, the page to open it at, and what the link says
	PageOf            string // "Page # of #"
}

// Sheet is one page of the document, or all of it where it has no pages.
type Sheet struct {
	Label  string // "Page 12", "" without pages
	Folio  string
	Chunks []ChunkView
}

// ChunkView is one chunk with its headings and paragraphs.
type ChunkView struct {
	ID         string // c-13
	N          string // its position, from 0
	Part       string // which part of the file it comes from, "" for the body
	Scanned    string // that its words were read from a picture, "" if not
	Paragraphs []Paragraph
	Class      string
	Current    bool
	Cut        bool // a part of it is shown
	Claims     []ClaimLink
	AttachHref string // form that attaches it to the claim that the reader comes from, or to any; "" for none
}

// ClaimLink leads to a claim that rests on the passage.
type ClaimLink struct {
	Badge        ui.Badge
	Number, Href string
	Back         bool // it leads back to a ledger, which has its filter again
	Other        bool // the passage matches the claim, and its verdict rests on another
}

// tone is the class that colours the link: in the claim's colour only where its verdict rests on the passage.
func (l *ClaimLink) tone() string {
	if l.Other {
		return "other-match"
	}
	return "v-" + l.Badge.Key
}

// OutlineLine is one heading in the outline.
type OutlineLine struct {
	Title, Href, Page string
	Level             string
}

// Passage is one cited passage in the list beside the text.
type Passage struct {
	Text, Href, Where string
	Current           bool
}

// RailMark is one cited passage on the rail, in thousandths of the document.
type RailMark struct {
	Y, Href string
	Current bool
}

// NewDocumentPage lays out the viewer. Pure.
func NewDocumentPage(c ui.Chrome, in DocumentInput) *DocumentPage {
	d := &in.Document
	p := &DocumentPage{
		Chrome: c, Name: say.DocumentName(d), Title: d.Title, SessionTitle: in.SessionTitle,
		SessionHref: "/sessions/" + in.SessionID,
		Published:   d.PublishedAt, Valid: d.ValidUntil, Lang: d.Lang, Length: c.N("n_passages", in.TotalChunks),
	}
	if p.Title == p.Name {
		p.Title = ""
	}
	if len(d.Root) >= 12 {
		p.Root = d.Root[:8] + "…" + d.Root[len(d.Root)-4:]
	}
	if d.Blob != "" && c.May.CopyFile {
		p.OriginalHref = "/documents/" + d.ID + "/original"
	}
	if of := &in.Library; of.ID != "" {
		p.Library = c.T("lib_from", "Name", say.Isolated(of.Name), "N", c.Num(d.Library.No))
		p.LibraryHref = "/library/" + of.ID
		if of.Version > d.Library.No {
			p.LibraryNewer = c.T("lib_newer", "N", c.Num(of.Version))
			p.LibrarySince, p.SinceHref = c.T("lib_changed_since", "N", c.Num(d.Library.No)), ui.LibraryCompare(of.ID,
				d.Library.No, of.Version)
			p.LibraryNo = strconv.Itoa(of.Version)
			p.LibraryDo = c.T("lib_replace_do", "N", c.Num(of.Version))
			p.LibraryReason = cmp.Or(in.Version.LibraryReason, c.T("lib_replace_reason", "Name", of.Name, "N", c.Num(of.Version)))
		}
	}
	p.Withdrawn, p.Revision, p.Reason = d.Withdrawn, strconv.Itoa(in.Revision), in.Withdraw.Reason
	if day, erased := d.ErasedOn(); erased {
		p.Withdrawn = c.T("doc_erased_on", "Date", c.CalendarDay(day)) + " " + c.T("doc_erased_hint")
	} else if c.May.Erase {
		p.EraseHref = "/admin/erasures?kind=document&id=" + d.ID
	}
	if in.Erased != nil {
		p.Withdrawn = c.Erased(in.Erased) + " " + c.T("doc_erased_hint")
	}
	if in.Hidden {
		p.Hidden = c.T("doc_hidden")
	}
	if c.May.Import {
		p.JudgeHref = p.SessionHref + "/judge"
	}
	if c.May.Import && d.Citable() {
		p.WithdrawHref = "/documents/" + d.ID + "/withdraw"
		p.ReplaceHref = "/documents/" + d.ID + "/replace"
	}
	p.version(in)
	if in.Withdraw.NoReason {
		p.Fault = c.T("fault_doc_reason")
	}
	p.Withdrawing = in.Withdraw.NoReason || in.Withdraw.Changed
	if in.Withdraw.Changed || in.Version.Changed {
		p.Changed = c.T("fault_step_changed")
	}
	p.BackHref, p.BackLabel = p.SessionHref, c.T("back_to_ledger")
	if in.Claim > 0 {
		p.BackHref, p.BackLabel = ledgerClaim(in.SessionID, in.Claim), c.T("back_to_claim", "N", c.Num(in.Claim))
		p.BackClaim = true
	}
	if d.TextBy == "sanad" || d.TextBy == "pdftotext" { // an imported ledger may name another
		p.TextBy = c.T("text_by_" + d.TextBy)
	} else if _, ocr, ok := strings.Cut(d.TextBy, "tesseract "); ok {
		p.TextBy = c.T("text_by_ocr", "Name", say.Isolated("tesseract "+ocr))
	}
	p.LeftOut = newLeftOutView(&p.Chrome, d)
	if in.Comments > 0 {
		p.Comments = c.N("doc_comments", in.Comments)
	}
	p.original(in)
	p.matches(in)
	p.otherMatches(in)
	p.sheets(in)
	p.sidebar(in)
	return p
}

// version lays out the form that replaces the document, and the links to its other versions.
func (p *DocumentPage) version(in DocumentInput) {
	p.Older, p.Newer, p.ReplaceReason, p.Warnings = in.Older, in.Newer, in.Version.Reason, in.Warnings
	if in.Version.FromLibrary {
		if in.Version.NoReason {
			p.LibraryFault = p.T("fault_doc_replace_reason")
		} else {
			p.LibraryFault = p.FaultWords(in.Version.FileFault)
		}
		return
	}
	p.Replacing = in.Version.NoReason || in.Version.FileFault != nil || in.Version.Changed
	if in.Version.NoReason {
		p.ReasonFault = p.T("fault_doc_replace_reason")
	}
	p.FileFault = p.FaultWords(in.Version.FileFault)
}

// original lays out the PDF beside the text, open at the current chunk's page or the first one shown.
func (p *DocumentPage) original(in DocumentInput) {
	if p.OriginalHref == "" || in.Document.MediaType != filetype.PDF.MediaType {
		return
	}
	page := 1
	for i := range in.Document.Chunks {
		if ch := &in.Document.Chunks[i]; ch.Page > 0 && (i == 0 || ch.Position == in.Current) {
			page = ch.Page
		}
	}
	n := strconv.Itoa(page)
	p.PDF = &OriginalPDF{
		Href: p.OriginalHref, Page: n, Label: p.T("show_original", "N", p.Num(page)),
		PageOf: p.T("original_page_of", "N", "#", "Of", "#"),
	}
}

// matches lays out the links from the current cited passage to the previous and next one in the whole document.
func (p *DocumentPage) matches(in DocumentInput) {
	i, found := slices.BinarySearch(in.CitedAt, in.Current)
	to := func(k int) string { return ui.ChunkPathFrom(in.Document.ID, in.CitedAt[k], in.Claim) }
	if i > 0 {
		p.PrevMatch = to(i - 1)
	}
	next := i
	if found {
		next++
		p.Match = p.T("passage_of", "N", p.Num(i+1), "Of", p.Num(len(in.CitedAt)))
	}
	if next < len(in.CitedAt) {
		p.NextMatch = to(next)
	}
}

// otherMatches offers to mark all matches, or only what decides a claim.
func (p *DocumentPage) otherMatches(in DocumentInput) {
	q := p.Query("matches")
	if in.Matches {
		p.MatchesHref, p.MatchesText = ui.Address(p.Chrome.Path(), q), p.T("matches_deciding")
		return
	}
	for _, cited := range in.Cited {
		for i := range cited {
			if !decides(&cited[i]) {
				q.Set("matches", "all")
				p.MatchesHref, p.MatchesText = ui.Address(p.Chrome.Path(), q), p.T("matches_all")
				return
			}
		}
	}
}

func (p *DocumentPage) sheets(in DocumentInput) {
	words := shownWords(&in.Document)
	p.TextDir, p.TextLang = say.DirOf(words...), cmp.Or(p.Lang, say.LanguageOf(words...))
	var path []string
	for i := range in.Document.Chunks {
		ch := &in.Document.Chunks[i]
		folio := ""
		if ch.Page > 0 {
			folio = p.Num(ch.Page)
		}
		if n := len(p.Sheets); n == 0 || p.Sheets[n-1].Folio != folio {
			s := Sheet{Folio: folio}
			if folio != "" {
				s.Label = p.PageLabel(in.Document.MediaType, in.Document.Filename, ch.Page)
			}
			p.Sheets = append(p.Sheets, s)
		}
		last := &p.Sheets[len(p.Sheets)-1]
		v := p.chunk(in, ch)
		in.Above = in.Above.After(ch.Text)
		if n := len(ch.HeadingPath); n > 0 && !slices.Equal(path, ch.HeadingPath) && (len(v.Paragraphs) == 0 ||
			!v.Paragraphs[0].Heading) {
			v.Paragraphs = slices.Insert(v.Paragraphs, 0, Paragraph{Heading: true, Text: ch.HeadingPath[n-1]})
		}
		path = ch.HeadingPath
		last.Chunks = append(last.Chunks, v)
	}
	firstPassage(p.Sheets)
	p.Words = wordsOf(p.Sheets)
}

// shownWords are the texts of the part of a document that is shown, by which its direction and its language are told.
func shownWords(d *ledger.Document) []string {
	parts := make([]string, len(d.Chunks))
	for i := range d.Chunks {
		parts[i] = d.Chunks[i].Text
	}
	return parts
}

func (p *DocumentPage) chunk(in DocumentInput, ch *ledger.Chunk) ChunkView {
	v := ChunkView{
		ID: "c-" + strconv.Itoa(ch.Position+1), N: strconv.Itoa(ch.Position), Class: "chunk",
		Current: ch.Position == in.Current,
	}
	if ch.Kind != ledger.Body && ch.Kind != ledger.SheetRow { // whose label says its row
		v.Part = p.T("part_" + string(ch.Kind))
	}
	if ch.Scanned {
		v.Scanned = p.T("doc_scanned")
	}
	if v.Current {
		p.Hash = ch.Hash[:ledger.HashDigits]
	}
	if (in.Claim > 0 || v.Current) && p.May.Review && in.Document.Citable() {
		p.AttachTo = p.T("attach_to_link")
		if in.Claim > 0 {
			p.AttachTo = p.T("passage_attach_to", "N", p.Num(in.Claim))
		}
		v.AttachHref = ui.AttachPath(in.Document.ID, ch.Position, in.Claim)
	}
	links := p.claimLinks(in, in.Cited[ch.Position])
	marks := chunkMarks(&in, ch, text.Len(ch.Text))
	part := in.part(marks)
	v.Cut = part.Len() < len(marks)
	v.Paragraphs = paragraphs(ch, marks, links, part, ledger.Grids(ch.Text, in.Above))
	v.Claims = eachOnce(shownLinks(links, in.Matches))
	if len(v.Claims) > 0 {
		v.Class += " cited"
	}
	if v.Current {
		v.Class += " cited is-current"
	}
	return v
}

// claimLinks are the links to the claims that lean on a chunk.
func (p *DocumentPage) claimLinks(in DocumentInput, cited []ledger.Cited) []ClaimLink {
	out := make([]ClaimLink, len(cited))
	for i := range cited {
		by := &cited[i]
		out[i] = ClaimLink{
			Badge: p.VerdictBadge(by.Verdict, 1), Number: p.Num(by.Number), Href: ledgerClaim(in.SessionID, by.Number), Back: true,
			Other: !decides(by),
		}
		if in.ClaimAt != nil {
			out[i].Href, out[i].Back = in.ClaimAt(by), false
		}
	}
	return out
}

// shownLinks leaves out what is shown on demand, unless it is.
func shownLinks(links []ClaimLink, all bool) []ClaimLink {
	if all {
		return links
	}
	return slices.DeleteFunc(slices.Clone(links), func(l ClaimLink) bool { return l.Other })
}

// eachOnce returns the first link to each claim.
func eachOnce(links []ClaimLink) []ClaimLink {
	var out []ClaimLink
	for _, l := range links {
		if n := len(out); n == 0 || out[n-1].Number != l.Number { // they are in order
			out = append(out, l)
		}
	}
	return out
}

// shownInOutline is how much of a cited passage the list beside the text shows, in code points.
const shownInOutline = 60

// sidebar lays out the column beside the text: outline, cited passages, rail, pages.
func (p *DocumentPage) sidebar(in DocumentInput) {
	href := func(position int) string {
		if p.loaded(in, position) {
			return "#c-" + strconv.Itoa(position+1)
		}
		return ui.ChunkPathFrom(in.Document.ID, position, in.Claim)
	}
	for _, o := range in.Outline {
		line := OutlineLine{Title: o.Path[len(o.Path)-1], Href: href(o.Position),
			Level: strconv.Itoa(min(len(o.Path), 4))}
		if o.Page > 0 {
			line.Page = p.Num(o.Page)
		}
		p.Outline = append(p.Outline, line)
	}
	for i := range in.Document.Chunks {
		ch := &in.Document.Chunks[i]
		if len(in.Cited[ch.Position]) == 0 {
			continue
		}
		current := ch.Position == in.Current
		p.Passages = append(p.Passages, Passage{
			Text: cmp.Or(shortened(citedWords(&in.Document, ch, in.Cited[ch.Position]), shownInOutline), ch.Hash[:ledger.HashDigits]),
			Href: href(ch.Position), Where: p.Source(&in.Document, ch).Place, Current: current,
		})
	}
	for _, at := range in.CitedAt {
		p.Rail = append(p.Rail, RailMark{strconv.Itoa(at * 986 / max(in.TotalChunks, 1)), href(at), at == in.Current})
	}
	if in.Prev >= 0 {
		p.PrevHref = ui.ChunkPathFrom(in.Document.ID, in.Prev, in.Claim)
	}
	if in.Next >= 0 {
		p.NextHref = ui.ChunkPathFrom(in.Document.ID, in.Next, in.Claim)
	}
}

// citedWords are the words of a passage by which it is listed: those that decide a claim, or else its first ones.
func citedWords(d *ledger.Document, ch *ledger.Chunk, cited []ledger.Cited) string {
	for i := range cited {
		if by := &cited[i]; decides(by) && by.Quote.Len() > 0 {
			return strings.TrimSpace(d.ShownQuote(ch, by.Quote))
		}
	}
	return strings.TrimSpace(d.Shown(ch.Text))
}

func (p *DocumentPage) loaded(in DocumentInput, position int) bool {
	n := len(in.Document.Chunks)
	return n > 0 && position >= in.Document.Chunks[0].Position && position <= in.Document.Chunks[n-1].Position
}

// LeftOutView is what the document's page says of text in its file that a reader does not see, or sees struck out.
type LeftOutView struct {
	Counts []string // "3 hidden passages"
	Lines  []LeftOutLine
	More   string // how many more are not listed, "" if none
}

// LeftOutLine is one such passage.
type LeftOutLine struct {
	ID       string
	How, Dir string
	Page     string // "" if unknown
	Parts    []string
	Struck   bool // every second part is struck
}

// newLeftOutView lists what a document leaves out; nil if nothing.
func newLeftOutView(c *ui.Chrome, d *ledger.Document) *LeftOutView {
	if len(d.LeftOut) == 0 {
		return nil
	}
	v := &LeftOutView{}
	hidden, struck := d.CountLeftOut()
	if hidden > 0 {
		v.Counts = append(v.Counts, c.N("doc_left_out_hidden", hidden))
	}
	if struck > 0 {
		v.Counts = append(v.Counts, c.N("doc_left_out_struck", struck))
	}
	for i := range d.LeftOut {
		x := &d.LeftOut[i]
		line := LeftOutLine{ID: "left-out-" + strconv.Itoa(i+1), How: leftOutHow(c, x.How), Dir: say.Dir(x.Text),
			Parts: x.StruckParts(), Struck: x.Kind == ledger.Struck}
		if x.Page > 0 {
			line.Page = c.PageLabel(d.MediaType, d.Filename, x.Page)
		}
		v.Lines = append(v.Lines, line)
		if x.More > 0 {
			v.More = c.N("doc_left_out_more", x.More)
		}
	}
	return v
}

// leftOutHow says by what a passage is hidden or struck.
func leftOutHow(c *ui.Chrome, how ledger.LeftOutHow) string {
	if how == ledger.StruckOut {
		return c.T("doc_left_out_struck_out")
	}
	return c.T("doc_left_out_" + string(how))
}
