package ledger

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// The views do not import the store; the functions here convert what it loads to what they show.

// ledgerPart converts a page of the store for the views.
func (s *server) ledgerPart(c echo.Context, p *db.LedgerPage) ledgerviews.LedgerPart {
	part := ledgerviews.LedgerPart{
		Session: p.Session, Overview: p.Overview, Flags: p.Flags, Answer: p.Answer.Text, AnswerStart: p.Answer.Start,
		AnswerLength: p.Answer.Length, Matching: p.Matching, More: p.Matching == db.MaxMatching, Prev: p.Prev,
		Next: p.Next, Runs: p.Runs,
		Marks: make([]ui.Mark, len(p.Marks)), Reader: s.Who(c).ID, Own: p.Own, State: p.State, Closing: p.Closing,
	}
	for i, m := range p.Marks {
		part.Marks[i] = ui.Mark{Position: m.Position, Span: m.Span, Verdict: m.Verdict}
	}
	return part
}

// sessionSources returns the input of the list of sources.
func sessionSources(p *db.LedgerPage) ledgerviews.SourcesInput {
	return ledgerviews.SourcesInput{Documents: p.Documents, Matched: excerpts(p.Passages.Matched),
		Openings: excerpts(p.Passages.Openings)}
}

func excerpts(all []db.Passage) []ledgerviews.Excerpt {
	out := make([]ledgerviews.Excerpt, len(all))
	for i, p := range all {
		out[i] = ledgerviews.Excerpt(p)
	}
	return out
}

func documentInput(p *db.DocumentPage, chunk, claim int) ledgerviews.DocumentInput {
	in := ledgerviews.DocumentInput{
		SessionID: p.SessionID, SessionTitle: p.SessionTitle, Document: p.Document, Total: p.TotalChunks,
		Cited: map[int][]ledgerviews.CitedBy{}, Current: chunk, Claim: claim, Prev: p.Prev, Next: p.Next,
		CitedAt: p.CitedAt, Words: p.Claim, Older: (*ledgerviews.DocumentLink)(p.Older),
		Newer: (*ledgerviews.DocumentLink)(p.Newer),
	}
	for _, h := range p.Outline {
		in.Outline = append(in.Outline,
			ledgerviews.OutlineEntry{Title: h.Path[len(h.Path)-1], Level: len(h.Path), Position: h.Position,
				Page: h.Page})
	}
	for position, claims := range p.Cited {
		for _, c := range claims {
			in.Cited[position] = append(in.Cited[position], ledgerviews.CitedBy{Number: c.Number, Verdict: c.Verdict})
		}
	}
	return in
}
