package gallery

import (
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryLedger is the ledger's table with the elements around it.
func galleryLedger(c *ui.Chrome) []Sample {
	all := samplePage(c, func(in *ledgerviews.SessionInput) { in.Open = sampleContradicted })
	none := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.Filter, in.Matching = ledger.ClaimFilter{Text: "nothing fits"}, 0
	})
	none.Rows = nil
	empty := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.LedgerPart = samplePart(&ledger.Session{ID: in.Session.ID})
	})
	loading := samplePage(c, nil, sampleSupported, sampleContradicted)
	filtered := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.Filter = ledger.ClaimFilter{Verdict: ledger.Contradicted, Type: ledger.Numeric, Flagged: true,
			Flag: ledger.Contradiction, Text: rtlText}
		in.Matching, in.More = 2000, true
		in.Prev, in.Next = new(-1), new(50)
	}, sampleContradicted)
	cut := samplePage(c, func(in *ledgerviews.SessionInput) { in.Answer.Length = 100_000 })
	huge := samplePage(c, nil, sampleHuge)
	rtl := samplePage(c, nil, sampleRTL)
	return []Sample{
		{State: "title and summary", Body: titleAndSummary(all)},
		{State: "answer", Body: ui.AnswerText(all.Answer)},
		{State: "answer, a part of it", Body: answerPart(cut)},
		{State: "table, a row in every state, one open", Body: ledgerviews.LedgerTable(all)},
		{State: "table, filtered, one of many pages", Body: ledgerviews.LedgerTable(filtered)},
		{State: "table, nothing fits the filter", Body: ledgerviews.LedgerTable(none)},
		{State: "table, no claims", Body: ledgerviews.LedgerTable(empty)},
		{State: "table, loading", Body: busy(inTable(c, loading.Rows))},
		{State: "row, huge text", Body: inTable(c, huge.Rows)},
		{State: "row, right to left", Body: inTable(c, rtl.Rows)},
		{State: "sources", Body: ledgerviews.SourcesPanel(c, sampleSources(c, 2, 2))},
		{State: "sources, many of a larger number", Body: ledgerviews.SourcesPanel(c, sampleSources(c, 24, 60))},
	}
}

// sampleSources lists the first n of a number of documents.
func sampleSources(c *ui.Chrome, n, of int) *ledgerviews.SourceList {
	s := &ledger.Session{}
	for i := range n {
		d := gallerySession().Documents[i%3]
		d.ID, d.Position = d.ID+"-"+c.Num(i), i
		s.Documents = append(s.Documents, d)
	}
	list := samplePage(c, nil, sampleSupported).SourceList(s, ledgerviews.SourcesInput{
		Documents: of, Matched: []ledger.Passage{{Chunk: ledger.ChunkRef{}, Similarity: 0.9,
			Text: samplePassage}},
		Openings: []ledger.Passage{{Chunk: ledger.ChunkRef{Document: 1}, Similarity: 0, Text: rtlText}},
	})
	return &list
}
