package exporters

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
)

// citationCheckJSON is what became of one citation of a claim (rule L-27). Chunks are named by their hash of 8 digits.
type citationCheckJSON struct {
	Anchor             string                `json:"anchor"`
	Status             ledger.CitationStatus `json:"status"`
	Cited              string                `json:"cited_chunk"` // "" if unresolved
	CitedDocument      string                `json:"cited_document_id,omitempty"`
	Whole              bool                  `json:"whole_document,omitempty"` // it names the document, no passage
	Supporting         string                `json:"supporting_chunk,omitempty"`
	SupportingDocument string                `json:"supporting_document_id,omitempty"`
}

// quotationCheckJSON is what became of one quotation of a claim. The offsets are code points of the answer, null if the
// claim is not located in it.
type quotationCheckJSON struct {
	Text     string                 `json:"text"`
	Start    *int                   `json:"start"`
	End      *int                   `json:"end"`
	Status   ledger.QuotationStatus `json:"status"`
	Chunk    string                 `json:"chunk,omitempty"` // where it begins, "" if it is in no source
	Document string                 `json:"document_id,omitempty"`
}

// entryChecks are the fields of an entry that came with the second rule set. An export of an older one leaves them out:
// its digest stays what it was.
type entryChecks struct {
	RuleSet int                      `json:"rule_set"`
	Source  *ledger.ConfidenceSource `json:"confidence_source"` // null of an unjudged claim
	Prob    *float64                 `json:"probability"`       // null unless the judge is calibrated
	Tier    *ledger.Tier             `json:"tier"`              // null unless the verdict is weak and has a probability
	// of confidence_score, which stays the judge's, where a reviewer's verdict replaced the judge's
	JudgeSource *ledger.ConfidenceSource `json:"machine_confidence_source,omitempty"`
	JudgeProb   *float64                 `json:"machine_probability,omitempty"`
	Citations   []citationCheckJSON      `json:"citation_checks"`
	Quotations  []quotationCheckJSON     `json:"quotation_checks"`
	// something could not be looked up for want of a source's text
	Unchecked bool `json:"source_text_missing,omitempty"`
	// the claim rests on text that its source leaves out
	LeftOut *leftOutCheckJSON `json:"left_out,omitempty"`
}

// leftOutCheckJSON names the text that a claim rests on although it is hidden or struck out in its file (rule L-38).
type leftOutCheckJSON struct {
	Kind     ledger.LeftOutKind `json:"kind"`
	Document string             `json:"document_id"`
	Index    int                `json:"index"` // in the document's left_out, from 0
}

func leftOutCheck(c *ledger.Checks, s *ledger.Session) *leftOutCheckJSON {
	if c.LeftOut == nil {
		return nil
	}
	out := &leftOutCheckJSON{Kind: c.LeftOut.Kind, Index: c.LeftOut.Index}
	if d := s.Document(c.LeftOut.Document); d != nil {
		out.Document = d.Key
	}
	return out
}

func newEntryChecks(e *ledger.Entry, s *ledger.Session) *entryChecks {
	c := &e.Claim.Checks
	var source *ledger.ConfidenceSource
	if e.Source != "" {
		source = &e.Source
	}
	var tier *ledger.Tier
	if e.Tier != "" {
		tier = &e.Tier
	}
	out := &entryChecks{
		RuleSet: s.RuleSet, Source: source, Prob: e.Probability, Tier: tier,
		Citations:  append([]citationCheckJSON{}, citationChecks(c, s)...),
		Quotations: append([]quotationCheckJSON{}, quotationChecks(c, s)...), Unchecked: c.Unchecked,
		LeftOut: leftOutCheck(c, s),
	}
	if e.Override && e.JudgeSource != "" {
		out.JudgeSource, out.JudgeProb = &e.JudgeSource, e.JudgeProbability
	}
	return out
}

func citationChecks(c *ledger.Checks, s *ledger.Session) (out []citationCheckJSON) {
	for _, x := range c.Citations {
		y := citationCheckJSON{Anchor: x.Anchor, Status: x.Status, Whole: x.Whole}
		y.CitedDocument, y.Cited = chunkName(s, x.Cited)
		y.SupportingDocument, y.Supporting = chunkName(s, x.Supporting)
		out = append(out, y)
	}
	return out
}

// citedWords returns the beginning of a cited passage that no judge read, so that a person can; "" for any other one.
func citedWords(x *ledger.CitationCheck, s *ledger.Session) string {
	if x.Status != ledger.NotRead || x.Whole || x.Cited == nil || s.Chunk(*x.Cited) == nil {
		return ""
	}
	return prose.Clipped(s.Document(x.Cited.Document).Shown(s.Chunk(*x.Cited).Text), prose.QuoteLength)
}

func quotationChecks(c *ledger.Checks, s *ledger.Session) (out []quotationCheckJSON) {
	for _, x := range c.Quotations {
		y := quotationCheckJSON{Text: x.Text, Status: x.Status}
		y.Start, y.End = ends(x.Span)
		y.Document, y.Chunk = chunkName(s, x.Chunk)
		out = append(out, y)
	}
	return out
}

// chunkName returns the document's id and the short hash of a chunk, "" if none.
func chunkName(s *ledger.Session, ref *ledger.ChunkRef) (document, hash string) {
	if ref == nil {
		return "", ""
	}
	d, c := s.Document(ref.Document), s.Chunk(*ref)
	if c == nil {
		return "", ""
	}
	return d.Key, c.Hash[:min(len(c.Hash), ledger.HashDigits)]
}
