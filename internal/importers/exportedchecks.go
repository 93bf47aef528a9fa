package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

type citationCheckWire struct {
	Anchor             string `json:"anchor" limit:"200"`
	Status             string `json:"status" need:"noun_cited"`
	Cited              string `json:"cited_chunk" limit:"64"`
	CitedDocument      string `json:"cited_document_id" limit:"200"`
	Whole              bool   `json:"whole_document"`
	Supporting         string `json:"supporting_chunk" limit:"64"`
	SupportingDocument string `json:"supporting_document_id" limit:"200"`
}

type quotationCheckWire struct {
	Text     string `json:"text" limit:"20000"`
	Start    *int   `json:"start"`
	End      *int   `json:"end"`
	Status   string `json:"status" need:"noun_quote"`
	Chunk    string `json:"chunk" limit:"64"`
	Document string `json:"document_id" limit:"200"`
}

type leftOutCheckWire struct {
	Kind     string `json:"kind" need:"noun_left_out"`
	Document string `json:"document_id" limit:"200"`
	Index    int    `json:"index"`
}

// leftOutCheck finds the text that a claim rests on although it was left out.
func (b *builder) leftOutCheck(path string, x *leftOutCheckWire) (*ledger.LeftOutCheck, error) {
	kind, err := one(path+".kind", x.Kind, ledger.LeftOutKinds)
	if err != nil {
		return nil, err
	}
	for i := range b.s.Documents {
		if d := &b.s.Documents[i]; d.Key == x.Document && x.Index >= 0 && x.Index < len(d.LeftOut) {
			return &ledger.LeftOutCheck{Document: d.Position, Index: x.Index, Kind: kind}, nil
		}
	}
	return nil, domain.Refuse(domain.Invalid, path, "refused_ledger_left_out", "N", x.Index,
		"Name", words.Quoted(strictjson.Clip(x.Document)))
}

// restoreChecks reads what the checks of a claim found. They are not made again: a later program may look closer.
func (b *builder) restoreChecks(path string, w *ledgerClaim, c *ledger.Claim, answer int) error {
	c.Checks.Unchecked = w.Unchecked
	for i := range w.CitationChecks {
		at, x := at(path+".citation_checks", i, ""), &w.CitationChecks[i]
		status, err := one(at+".status", x.Status, ledger.CitationStatuses)
		if err != nil {
			return err
		}
		check := ledger.CitationCheck{Anchor: x.Anchor, Status: status, Whole: x.Whole}
		if check.Cited, err = b.checkedChunk(at+".cited_chunk", x.CitedDocument, x.Cited); err != nil {
			return err
		}
		if check.Supporting, err = b.checkedChunk(at+".supporting_chunk", x.SupportingDocument, x.Supporting); err != nil {
			return err
		}
		c.Checks.Citations = append(c.Checks.Citations, check)
	}
	for i := range w.QuotationChecks {
		at, x := at(path+".quotation_checks", i, ""), &w.QuotationChecks[i]
		status, err := one(at+".status", x.Status, ledger.QuotationStatuses)
		if err != nil {
			return err
		}
		check := ledger.QuotationCheck{Text: x.Text, Status: status}
		if check.Span, err = b.checkedSpan(at, x, answer); err != nil {
			return err
		}
		if check.Chunk, err = b.checkedChunk(at+".chunk", x.Document, x.Chunk); err != nil {
			return err
		}
		c.Checks.Quotations = append(c.Checks.Quotations, check)
	}
	if x := w.LeftOut; x != nil {
		check, err := b.leftOutCheck(path+".left_out", x)
		if err != nil {
			return err
		}
		c.Checks.LeftOut = check
	}
	for rank := range w.Matches {
		if w.Matches[rank].Absent {
			c.Checks.Absent = append(c.Checks.Absent, rank)
		}
		if w.Matches[rank].Doubtful {
			c.Checks.Doubtful = append(c.Checks.Doubtful, rank)
		}
	}
	return nil
}

func (b *builder) checkedSpan(path string, x *quotationCheckWire, answer int) (*text.Span, error) {
	span, err := spanOf(path, "start", "end", x.Start, x.End)
	if err == nil && span != nil && span.End > answer {
		err = domain.Refuse(domain.Invalid, path+".end", "refused_ledger_outside", "N", span.End, "Most", answer)
	}
	return span, err
}

// checkedChunk finds the chunk that a check names; nil if none.
func (b *builder) checkedChunk(path, document, hash string) (*ledger.ChunkRef, error) {
	if hash == "" {
		return nil, nil
	}
	for i := range b.s.Documents {
		d := &b.s.Documents[i]
		if d.Key != document {
			continue
		}
		for j := range d.Chunks {
			if strings.HasPrefix(d.Chunks[j].Hash, hash) {
				return &ledger.ChunkRef{Document: d.Position, Chunk: d.Chunks[j].Position}, nil
			}
		}
	}
	return nil, domain.Refuse(domain.Invalid, path, "refused_ledger_chunk",
		"Name", words.Quoted(strictjson.Clip(document)), "Field", words.Quoted(strictjson.Clip(hash)))
}
