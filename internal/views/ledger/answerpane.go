package ledger

import (
	"cmp"
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// answer lays out the loaded part of the answer with its claims and citations.
func (p *SessionPage) answer(in *SessionInput) {
	cites := map[string]*ledger.Citation{}
	for i := range in.Session.Claims {
		for j := range in.Session.Claims[i].Citations {
			cites[in.Session.Claims[i].Citations[j].Hash] = &in.Session.Claims[i].Citations[j]
		}
	}
	numbers := map[string]int{}
	cite := func(hash string) *ui.AnswerCite {
		if numbers[hash] == 0 {
			numbers[hash] = len(numbers) + 1
		}
		return p.cite(in.Session, cites[hash], hash, numbers[hash])
	}
	own := in.ownVerdicts()
	claim := func(m ledger.AnswerMark) *ui.AnswerClaim {
		m.Verdict = cmp.Or(own[m.Position], m.Verdict)
		n := strconv.Itoa(m.Position + 1)
		return &ui.AnswerClaim{Number: m.Position + 1, Class: "claim v-" + say.VerdictKey(m.Verdict),
			Href: p.Path + "?claim=" + n + "#claim-" + n, Label: claimLabel(&p.Chrome, m.Position+1, m.Verdict),
			Lang: p.Chrome.Lang}
	}
	blocks := in.answer().Blocks(in.Answer.Start, in.Marks, claim, cite)
	p.Answer = p.InOwn(blocks)
	p.AnswerCut = in.Answer.Start > 0 || in.Answer.Length > text.Len(in.Answer.Text)
}

// ownVerdicts are the verdicts of the reader's sealed decisions on the claims of the page, by position.
func (in *SessionInput) ownVerdicts() map[int]ledger.Verdict {
	s, out := in.Session, map[int]ledger.Verdict{}
	if s.Second != ledger.SecondBlind {
		return out
	}
	for i := range s.Claims {
		if e, _ := s.EntryFor(s.Claims[i].Position, nil, in.Reader); e.Sealed {
			out[e.Claim.Position] = e.Verdict
		}
	}
	return out
}

// cite lays out one citation anchor: a number that links to its passage, or a visible sign that it does not resolve.
func (p *SessionPage) cite(s *ledger.Session, c *ledger.Citation, hash string, n int) *ui.AnswerCite {
	out := &ui.AnswerCite{Label: "[" + p.Num(n) + "]", Lang: p.Chrome.Lang}
	switch {
	case c == nil: // its claim is on another page of the table
		out.Title = p.T("citation_n", "N", p.Num(n), "Where", hash[:ledger.HashDigits])
		out.Href = p.Path + "/citations/" + hash
	case c.Status == ledger.Resolved:
		out.Title = p.T("citation_n", "N", p.Num(n), "Where", c.Places[0].Filename)
		if out.Href = citeHref(s, c.Places[0]); out.Href == "" {
			out.Href = p.Path + "/citations/" + hash
		}
	case c.Status == ledger.Ambiguous:
		out.Label, out.Broken, out.Title = "["+hash[:ledger.HashDigits]+" ≈]", true, p.T("citation_ambiguous")
	default:
		out.Label, out.Broken, out.Title = "["+hash[:ledger.HashDigits]+" ?]", true, p.T("citation_unresolved")
	}
	return out
}

// citeHref is the address of a cited passage, in this session or another of the tenant; "" if its document is unknown.
func citeHref(s *ledger.Session, at ledger.Place) string {
	document := at.DocumentID
	if at.SessionID == "" {
		document = ""
		for i := range s.Documents {
			if s.Documents[i].Key == at.DocumentID {
				document = s.Documents[i].ID
			}
		}
	}
	if document == "" {
		return ""
	}
	return ui.ChunkPath(document, at.Position)
}

// claimLabel names a claim in the answer by its number and verdict.
func claimLabel(c *ui.Chrome, number int, v ledger.Verdict) string {
	return c.T("claim_label", "N", c.Num(number), "Verdict", c.Verdict(v))
}
