package ledger

import (
	"slices"

	"sanad/internal/domain/text"
)

// Checks compares what the answer itself cites and quotes for a claim with the sources. They are made when the session
// is judged, and stored and exported with the claim (rule L-27).
type Checks struct {
	Citations  []CitationCheck  `json:"citations,omitempty"`
	Quotations []QuotationCheck `json:"quotations,omitempty"`
	Absent     []int            `json:"absent,omitempty"`    // given matches, by rank, whose snippet is not in their source
	Unchecked  bool             `json:"unchecked,omitempty"` // words could not be looked up: a source came without its text
	LeftOut    *LeftOutCheck    `json:"left_out,omitempty"`  // the claim rests on text that its sources leave out
	// matches, by rank, in which the claim's figures rest on words that OCR was not sure of
	Doubtful []int `json:"doubtful,omitempty"`
}

// Any reports whether something was found out.
func (c *Checks) Any() bool {
	return len(c.Citations)+len(c.Quotations)+len(c.Absent)+len(c.Doubtful) > 0 || c.Unchecked || c.LeftOut != nil
}

// CitationStatus is whether the passage that the answer cites supports the claim.
type CitationStatus string

// The outcomes of a citation check.
const (
	Holds       CitationStatus = "holds"         // the cited passage supports the claim
	InPart      CitationStatus = "in_part"       // it supports it in part
	Elsewhere   CitationStatus = "elsewhere"     // another passage supports it, the cited one does not: a miscitation
	DoesNotHold CitationStatus = "does_not_hold" // neither does
	NotResolved CitationStatus = "unresolved"    // the session does not have what is cited
	NotRead     CitationStatus = "unread"        // no judge read the cited passage: the claim is unjudged, or it is in another language
)

// CitationStatuses lists them in display order. Claims store them as bits by index: from the first release on append only (pinned by
// stored_test.go).
var CitationStatuses = []CitationStatus{Holds, InPart, Elsewhere, DoesNotHold, NotResolved, NotRead}

// Valid reports whether s is one of them.
func (s CitationStatus) Valid() bool { return slices.Contains(CitationStatuses, s) }

// CitationCheck is what became of one citation of a claim.
type CitationCheck struct {
	Anchor     string         `json:"anchor"` // as written: "[cite:a1b2c3d4]", "[1]"
	Status     CitationStatus `json:"status"`
	Cited      *ChunkRef      `json:"cited,omitempty"`      // nil if unresolved
	Whole      bool           `json:"whole,omitempty"`      // it names the document of Cited, no passage
	Supporting *ChunkRef      `json:"supporting,omitempty"` // the passage that supports the claim, nil if none
}

// QuotationStatus is how closely a quotation matches a source.
type QuotationStatus string

// The four outcomes of a quotation check.
const (
	QuoteExact      QuotationStatus = "exact"
	QuoteNormalised QuotationStatus = "normalised" // the same but for case, marks, digits, spelling variants
	QuoteFuzzy      QuotationStatus = "fuzzy"      // nearly the same words, or with parts left out
	QuoteNotFound   QuotationStatus = "not_found"  // in no source: invented
)

// QuotationStatuses lists them in display order. Claims store them as bits by index: from the first release on append only (pinned by
// stored_test.go).
var QuotationStatuses = []QuotationStatus{QuoteExact, QuoteNormalised, QuoteFuzzy, QuoteNotFound}

// Valid reports whether s is one of the four.
func (s QuotationStatus) Valid() bool { return slices.Contains(QuotationStatuses, s) }

// QuotationCheck is what became of one quotation of a claim.
type QuotationCheck struct {
	Text   string          `json:"text"`
	Span   *text.Span      `json:"span,omitempty"` // of the words in the answer, nil if the claim is not located there
	Status QuotationStatus `json:"status"`
	Chunk  *ChunkRef       `json:"chunk,omitempty"` // where it begins, nil if it is in no source
}

// Invented reports whether the claim has words in quotation marks, or a given snippet, that are in no source.
func (c *Checks) Invented() bool {
	return len(c.Absent) > 0 || c.QuotationMask()&QuoteNotFound.Bit() != 0
}

// CitationMask returns the statuses of the claim's citations as bits in the order of CitationStatuses.
func (c *Checks) CitationMask() (mask int) {
	for _, x := range c.Citations {
		mask |= bit(x.Status, CitationStatuses)
	}
	return mask
}

// QuotationMask returns the statuses of the claim's quotations as bits in the order of QuotationStatuses.
func (c *Checks) QuotationMask() (mask int) {
	for _, x := range c.Quotations {
		mask |= bit(x.Status, QuotationStatuses)
	}
	return mask
}

// Bit returns the bit of a status in CitationMask.
func (s CitationStatus) Bit() int { return bit(s, CitationStatuses) }

// Bit returns the bit of a status in QuotationMask.
func (s QuotationStatus) Bit() int { return bit(s, QuotationStatuses) }

func bit[T comparable](x T, all []T) int {
	for i, y := range all {
		if x == y {
			return 1 << i
		}
	}
	return 0
}

// UnreadPassage returns the passage that the answer cites and no judge read, nil if none.
func (c *Claim) UnreadPassage() *ChunkRef {
	for i := range c.Checks.Citations {
		if x := &c.Checks.Citations[i]; x.Status == NotRead && !x.Whole {
			return x.Cited
		}
	}
	return nil
}

// References appends to out the chunks that a claim's matches, its checks and what imported files said of it name, in
// that order; some may occur twice.
func (c *Claim) References(out []ChunkRef) []ChunkRef {
	for i := range c.Matches {
		out = append(out, c.Matches[i].Chunk)
	}
	add := func(ref *ChunkRef) {
		if ref != nil {
			out = append(out, *ref)
		}
	}
	for i := range c.Checks.Citations {
		add(c.Checks.Citations[i].Cited)
		add(c.Checks.Citations[i].Supporting)
	}
	for i := range c.Checks.Quotations {
		add(c.Checks.Quotations[i].Chunk)
	}
	if x := c.Checks.LeftOut; x != nil {
		out = append(out, ChunkRef{Document: x.Document})
	}
	for i := range c.Imported {
		for j := range c.Imported[i].Passages {
			out = append(out, c.Imported[i].Passages[j].Ref())
		}
	}
	return out
}

// cites reports whether the claim's checks resolved one of its citations.
func (c *Checks) cites() bool {
	return slices.ContainsFunc(c.Citations, func(x CitationCheck) bool { return x.Status != NotResolved })
}

// leave takes back that citations resolve to a document that was taken out of use.
func (c *Checks) leave(document int) {
	citations := slices.Clone(c.Citations)
	for i := range citations {
		if x := &citations[i]; x.Cited != nil && x.Cited.Document == document {
			*x = CitationCheck{Anchor: x.Anchor, Status: NotResolved}
		}
	}
	c.Citations = citations
	if c.LeftOut != nil && c.LeftOut.Document == document {
		c.LeftOut = nil
	}
}
