package ledger

import (
	"fmt"
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// PassagesInput is the passages that may be attached to a claim.
type PassagesInput struct {
	Session *ledger.Session
	Claim   *ledger.Claim
	Near    []ledger.Near
	Words   string // that were searched, "" if the passages are those nearest to the claim
	Fault   string // message that says why the last attempt failed, "" if none did
}

// PassagesPage offers passages to attach to a claim.
type PassagesPage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Text, ClaimHref, Heading  string
	Href                      string // of this page
	Words                     string
	Found                     string // what the passages are
	Choices                   []PassageChoice
	Documents                 []SourceLine
	Fault                     string
}

// PassageChoice is the form that attaches one chunk, or a sentence of it.
type PassageChoice struct {
	Action, Revision, DocumentID string
	ID                           string // of the form's parts
	File, Place, Href            string
	Whole                        string // names the chunk, as the form does
	Sentences                    []ChoiceSentence
	Chosen                       string // names what is attached unless the reader chooses otherwise
	Nearest                      NearSentence
}

// ChoiceSentence is a sentence of a chunk, in full.
type ChoiceSentence struct {
	Value, Text string
	Dir, Lang   string
}

// NearSentence is the sentence of a chunk that is nearest to a claim, behind the sentence before it.
type NearSentence struct {
	Value        string // of the form, names the sentence
	Before, Said string
	Dir, Lang    string
}

// NewPassagesPage lays out the page. Pure.
func NewPassagesPage(c ui.Chrome, in PassagesInput) *PassagesPage {
	s := in.Session
	p := &PassagesPage{
		Chrome: c, SessionTitle: s.Title, SessionHref: "/sessions/" + s.ID, Text: in.Claim.Text,
		ClaimHref: claimPath(s.ID, in.Claim.Position), Words: in.Words,
		Href:    claimPath(s.ID, in.Claim.Position) + "/passages",
		Heading: c.T("passages_title", "N", c.Num(in.Claim.Number())),
	}
	switch {
	case len(in.Near) == 0:
		p.Found = c.T("passages_none")
	case in.Words != "":
		p.Found = c.T("passages_found")
	default:
		p.Found = c.T("passages_nearest")
	}
	if in.Fault != "" {
		p.Fault = c.T(in.Fault)
	}
	for _, x := range in.Near {
		d, ch := s.Document(x.Chunk.Document), s.Chunk(x.Chunk)
		choice := newPassageChoice(&c, s.ID, s.Revision, in.Claim.Number(), d, ch)
		choice.Nearest = newNearSentence(d, ch, x.Span)
		choice.Chosen = choice.Nearest.Value
		p.Choices = append(p.Choices, choice)
	}
	for i := range s.Documents {
		if d := &s.Documents[i]; d.Citable() && len(p.Documents) < listedSources {
			p.Documents = append(p.Documents,
				SourceLine{Name: say.DocumentName(d), Href: ui.ChunkPathFrom(d.ID, 0, in.Claim.Number())})
		}
	}
	return p
}

// newNearSentence is the sentence at span.
func newNearSentence(d *ledger.Document, ch *ledger.Chunk, span text.Span) NearSentence {
	out := NearSentence{
		Value: passageValue(ch.Position, span), Said: d.Shown(text.Slice(ch.Text, span)),
		Dir: direction(ch.Text, ch.Text), Lang: language(d.Lang, ch.Text),
	}
	for _, s := range text.Sentences(ch.Text) {
		words := d.Shown(text.Slice(ch.Text, s))
		if words == "" { // the line below the heads of a table
			continue
		}
		if s.End > span.Start {
			break
		}
		out.Before = words
	}
	return out
}

func passageValue(chunk int, span text.Span) string {
	return fmt.Sprintf("%d:%d-%d", chunk, span.Start, span.End)
}

// newPassageChoice lays out the form for one chunk: the whole of it, or one sentence.
func newPassageChoice(c *ui.Chrome, sessionID string, revision, claim int, d *ledger.Document,
	ch *ledger.Chunk) PassageChoice {
	out := PassageChoice{
		Action: claimPath(sessionID, claim-1) + "/passages", Revision: strconv.Itoa(revision), DocumentID: d.ID,
		ID: fmt.Sprintf("p-%d-%d", d.Position, ch.Position+1), File: say.DocumentName(d), Place: c.Place(d, ch),
		Href:  ui.ChunkPathFrom(d.ID, ch.Position, claim),
		Whole: passageValue(ch.Position, text.Span{End: text.Len(ch.Text)}),
	}
	out.Chosen = out.Whole
	for _, span := range text.Sentences(ch.Text) {
		words := d.Shown(text.Slice(ch.Text, span))
		if words == "" { // the line below the heads of a table
			continue
		}
		out.Sentences = append(out.Sentences, ChoiceSentence{
			Value: passageValue(ch.Position, span), Text: words,
			Dir: direction(words, ch.Text), Lang: language(d.Lang, words),
		})
	}
	return out
}

// attachedWords says who attached a match's passage, "" if a judge found it.
func attachedWords(c *ui.Chrome, m *ledger.Match) string {
	switch {
	case m.Attached == nil:
		return ""
	case m.Attached.By == "":
		return c.T("attached_imported", "Who", c.Named(m.Attached.Actor), "When", c.Time(m.Attached.At))
	}
	return c.T("attached_by", "Who", c.Named(m.Attached.Actor), "When", c.Time(m.Attached.At))
}

// newDetachForm names a passage as the form that attached it does; nil without one.
func newDetachForm(c *ui.Chrome, s *ledger.Session, claim *ledger.Claim, m *ledger.Match) *DetachForm {
	if m == nil {
		return nil
	}
	d := s.Document(m.Chunk.Document)
	if d == nil {
		return nil
	}
	return &DetachForm{
		Action: claimPath(s.ID, claim.Position) + "/passages/undo", DocumentID: d.ID,
		Passage: fmt.Sprintf("%d:%d-%d", m.Chunk.Chunk, m.Quote.Span.Start, m.Quote.Span.End),
		Label:   c.T("detach"), About: c.T("detach_claim", "N", c.Num(claim.Number())),
	}
}

// said says what became of the claim's verdict.
func (d *PassageDone) said(c *ui.Chrome, number int) string {
	changed, same := "nearest_used", "nearest_used_same"
	if d.Detached {
		changed, same = "detach_done", "detach_done_same"
	}
	word := func(v ledger.Verdict) string { return c.Verdict(v) }
	if d.From == d.To {
		return c.T(same, "N", c.Num(number), "To", word(d.To))
	}
	out := c.T(changed, "N", c.Num(number), "From", word(d.From), "To", word(d.To))
	if d.Unseen {
		out += " " + c.T("nearest_unseen")
	}
	return out
}

// AttachToInput is a passage and the ledger of its session.
type AttachToInput struct {
	Ledger         *ledger.Ledger
	Document       *ledger.Document
	Chunk          *ledger.Chunk
	Claim, Passage string // as chosen in the form, "" if it is new
	Fault          string // message that says why the last attempt failed, "" if none did
}

// AttachToPage asks to which claim a passage is attached.
type AttachToPage struct {
	ui.Chrome
	SessionTitle, SessionHref string
	Text                      string // of the passage
	Choice                    PassageChoice
	Claims                    []AttachClaim
	More                      bool // the ledger has more claims than the form lists
	Fault                     string
	Unusable                  bool // the document is withdrawn
}

// AttachClaim is a claim to which the passage may be attached.
type AttachClaim struct {
	Number, Name, Text string
	Badge              ui.Badge
	Chosen             bool
}

// listedClaims is how many claims the form lists.
const listedClaims = 100

// NewAttachToPage lays out the form: the claim that is chosen already comes first, then those not supported. Pure.
func NewAttachToPage(c ui.Chrome, in AttachToInput) *AttachToPage {
	s := in.Ledger.Session
	chosen, _ := strconv.Atoi(in.Claim) // 0: none
	p := &AttachToPage{
		Chrome: c, SessionTitle: s.Title, SessionHref: "/sessions/" + s.ID, Text: in.Document.Shown(in.Chunk.Text),
		Unusable: !in.Document.Citable(),
		Choice:   newPassageChoice(&c, s.ID, s.Revision, chosen, in.Document, in.Chunk),
	}
	p.Choice.Action = ui.AttachPath(in.Document.ID, in.Chunk.Position, 0)
	if in.Passage != "" {
		p.Choice.Chosen = in.Passage
	}
	for _, rank := range []int{0, 1, 2} {
		for i := range in.Ledger.Entries {
			e := &in.Ledger.Entries[i]
			if attachRank(e, chosen) != rank {
				continue
			}
			if len(p.Claims) == listedClaims {
				p.More = true
				break
			}
			n := e.Claim.Number()
			p.Claims = append(p.Claims, AttachClaim{
				Number: strconv.Itoa(n), Name: c.T("claim_n", "N", c.Num(n)), Text: e.Claim.Text,
				Badge: c.EntryBadge(e), Chosen: n == chosen,
			})
		}
	}
	if in.Fault != "" {
		p.Fault = c.T(in.Fault)
	}
	return p
}

// attachRank is the place of a claim in that form.
func attachRank(e *ledger.Entry, chosen int) int {
	switch {
	case e.Claim.Number() == chosen:
		return 0
	case e.Verdict == ledger.Supported:
		return 2
	}
	return 1
}
