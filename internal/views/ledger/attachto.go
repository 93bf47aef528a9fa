package ledger

import (
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

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

// NewAttachToPage lays out the form: claims that are not supported come first. Pure.
func NewAttachToPage(c ui.Chrome, in AttachToInput) *AttachToPage {
	s := in.Ledger.Session
	p := &AttachToPage{
		Chrome: c, SessionTitle: s.Title, SessionHref: "/sessions/" + s.ID, Text: in.Document.Shown(in.Chunk.Text),
		Unusable: !in.Document.Citable(),
		Choice:   newPassageChoice(&c, s.ID, s.Revision, 0, in.Document, in.Chunk),
	}
	p.Choice.Action = ui.AttachPath(in.Document.ID, in.Chunk.Position)
	for i := range p.Choice.Options {
		p.Choice.Options[i].Selected = p.Choice.Options[i].Value == in.Passage
	}
	for _, supported := range []bool{false, true} {
		for i := range in.Ledger.Entries {
			e := &in.Ledger.Entries[i]
			if (e.Verdict == ledger.Supported) != supported {
				continue
			}
			if len(p.Claims) == listedClaims {
				p.More = true
				break
			}
			n := strconv.Itoa(e.Claim.Number())
			p.Claims = append(p.Claims, AttachClaim{
				Number: n, Name: c.T("claim_n", "N", c.Num(e.Claim.Number())), Text: e.Claim.Text,
				Badge: c.EntryBadge(e), Chosen: n == in.Claim,
			})
		}
	}
	if in.Fault != "" {
		p.Fault = c.T(in.Fault)
	}
	return p
}
