package ledger

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// CheckLines are what became of the citations and quotations of a claim.
type CheckLines struct {
	Citations, Quotations []CheckLine
	Unchecked             bool // something could not be looked up
}

// CheckLine is one citation or quotation with its outcome, and the passage that it was found in or that supports the
// claim.
type CheckLine struct {
	Words           string // the anchor, or the words quoted
	Key, Icon, Word string
	Where, Href     string // "" if none
}

// Any reports whether there is something to show.
func (l *CheckLines) Any() bool { return len(l.Citations)+len(l.Quotations) > 0 || l.Unchecked }

// The verdicts whose colours and icons the outcomes take.
var (
	citationKeys = map[ledger.CitationStatus]ledger.Verdict{
		ledger.Holds: ledger.Supported, ledger.InPart: ledger.Weak, ledger.Elsewhere: ledger.Contradicted,
		ledger.DoesNotHold: ledger.Contradicted, ledger.NotResolved: ledger.NotFound,
		ledger.NotRead: ledger.Unjudged,
	}
	quotationKeys = map[ledger.QuotationStatus]ledger.Verdict{
		ledger.QuoteExact: ledger.Supported, ledger.QuoteNormalised: ledger.Supported, ledger.QuoteFuzzy: ledger.Weak,
		ledger.QuoteNotFound: ledger.Contradicted,
	}
)

func newCheckLines(c *ui.Chrome, s *ledger.Session, checks *ledger.Checks) CheckLines {
	out := CheckLines{Unchecked: checks.Unchecked}
	for _, x := range checks.Citations {
		key := citationKeys[x.Status]
		line := CheckLine{Words: x.Anchor, Key: string(key), Icon: ui.Icons[key],
			Word: c.T("citation_status_" + string(x.Status))}
		if x.Status == ledger.Elsewhere {
			line.at(c, s, x.Supporting)
		}
		if x.Status == ledger.NotRead {
			line.at(c, s, x.Cited)
		}
		out.Citations = append(out.Citations, line)
	}
	for _, x := range checks.Quotations {
		key := quotationKeys[x.Status]
		line := CheckLine{Words: x.Text, Key: string(key), Icon: ui.Icons[key], Word: c.T("quotation_" + string(x.Status))}
		line.at(c, s, x.Chunk)
		out.Quotations = append(out.Quotations, line)
	}
	return out
}

// at names a passage and links to it.
func (l *CheckLine) at(c *ui.Chrome, s *ledger.Session, ref *ledger.ChunkRef) {
	if ref == nil {
		return
	}
	d, ch := s.Document(ref.Document), s.Chunk(*ref)
	if ch == nil {
		return
	}
	l.Where, l.Href = say.DocumentName(d)+c.Place(d, ch), ui.ChunkPath(d.ID, ref.Chunk)
}
