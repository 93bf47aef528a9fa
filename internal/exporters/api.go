package exporters

import (
	"slices"

	"github.com/google/uuid"

	"sanad/internal/domain/ledger"
)

// LedgerView is the field "ledger" of GET /api/v1/sessions/{id}/ledger: first the names of rule L-2, then Sanad's own.
type LedgerView struct {
	ID        string      `json:"id"`
	SessionID string      `json:"session_id"`
	CreatedAt string      `json:"created_at"`
	UpdatedAt string      `json:"updated_at"`
	Entries   []EntryView `json:"entries"`   // those that count, in claim order
	Aside     []EntryView `json:"set_aside"` // those that no longer count: no claims, and replaced ones
	Summary   summaryJSON `json:"summary"`
	RiskFlags []riskView  `json:"risk_flags"`
	Questions []string    `json:"follow_up_questions"`
	Actions   []string    `json:"recommended_actions"`
	Revision  int         `json:"revision"`
}

// EntryView is one judged claim of a LedgerView.
type EntryView struct {
	ID         string            `json:"id"`
	ClaimID    string            `json:"claim_id"` // the caller's
	ClaimText  string            `json:"claim_text"`
	ClaimType  ledger.ClaimType  `json:"claim_type"`
	Importance ledger.Importance `json:"claim_importance"`
	Verdict    *ledger.Verdict   `json:"verdict"` // null if unjudged
	Confidence float64           `json:"confidence_score"`
	ChunkIDs   []string          `json:"evidence_chunk_ids"` // chunk hashes of 8 digits
	Snippet    string            `json:"evidence_snippet"`
	Source     *sourceView       `json:"source_document"` // null without evidence
	Notes      string            `json:"notes"`

	Position       int                `json:"position"` // 0-based
	Number         int                `json:"number"`   // as shown to people, from 1
	Start          *int               `json:"start_offset"`
	End            *int               `json:"end_offset"`
	MachineVerdict *ledger.Verdict    `json:"machine_verdict"`
	Overridden     bool               `json:"overridden"`
	State          ledger.ReviewState `json:"state"`
	Unjudged       string             `json:"unjudged,omitempty"` // why no judge could judge it
	Strength       *strengthJSON      `json:"evidence_strength"`  // null without evidence
	// the snippet's place in its chunk; null without evidence
	Quote *quoteJSON `json:"quote"`
	// why the verdict is weak although a model says supported
	Capped    ledger.Cap     `json:"weak_because,omitempty"`
	Uncited   bool           `json:"uncited"`
	Stale     bool           `json:"stale"`    // the deciding review was made of an earlier judgement
	Affected  bool           `json:"affected"` // the evidence is in a withdrawn document
	Citations []CitationView `json:"citations"`
	Matches   []MatchView    `json:"matches"`
	Reviews   []reviewView   `json:"reviews"`
	// what the imported file, or whoever sent the claim, said of it in their own words, if anything; it decides nothing
	Upstream *ledger.UpstreamVerdict `json:"upstream,omitempty"`
	// what imported ledgers said of it, if any; it settles nothing
	Imported []importedView    `json:"imported_reviews,omitempty"`
	Flags    []ledger.RiskType `json:"flags"`
	// numbers of the claims in whose place it came
	Replaces []int `json:"replaces,omitempty"`
	entryChecks
	// its figures beside those of its passage; read anew for each answer, so that no exported file has them (rule L-41)
	Compared []comparedJSON `json:"compared"`
}

// CitationView is an anchor and its resolution.
type CitationView struct {
	Hash      string         `json:"chunk_hash"`
	Resolved  bool           `json:"resolved"`
	Ambiguous bool           `json:"ambiguous"`
	Chunks    []ledger.Place `json:"chunks"`
	Error     string         `json:"error,omitempty"`
}

// CitationAnswer is the answer to GET /api/v1/citations/{hash}: the resolution, with the passage.
type CitationAnswer struct {
	CitationView
	Chunk *CitedChunk `json:"chunk"` // null unless it is resolved
}

// CitedChunk is the passage that a citation resolves to, at the first of its places.
type CitedChunk struct {
	ledger.Place
	HeadingPath []string `json:"heading_path,omitempty"`
	Text        string   `json:"text"`
}

type sourceView struct {
	ID          string   `json:"id"` // the caller's
	Filename    string   `json:"filename"`
	Page        int      `json:"page_number,omitempty"`
	HeadingPath []string `json:"heading_path,omitempty"`
	Scanned     bool     `json:"scanned,omitempty"` // the passage was read from a picture
}

// MatchView is a match with the place of its chunk.
type MatchView struct {
	matchJSON
	Filename  string `json:"filename"`
	ChunkHash string `json:"chunk_hash"`
	Page      int    `json:"page_number,omitempty"`
}

type reviewView struct {
	ID    string `json:"id"`
	Stale bool   `json:"stale"` // made of a judgement that has since changed
	reviewJSON
}

type riskView struct {
	ID          string          `json:"id"` // UUIDv5 of the ledger's id and the type
	Type        ledger.RiskType `json:"type"`
	Severity    ledger.Severity `json:"severity"`
	Description string          `json:"description"`
	Count       int             `json:"affected_count"`
	Affected    []string        `json:"affected_claim_ids"` // of a part of the ledger, those of the listed entries
	Mitigation  string          `json:"mitigation"`
}

// APILedger returns the whole ledger for the API (rules L-2 and F-4).
func APILedger(l *ledger.Ledger) *LedgerView {
	s := l.Session
	out := &LedgerView{
		ID: s.LedgerID, SessionID: s.ID, CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt),
		Revision: s.Revision,
		Entries:  make([]EntryView, len(l.Entries)), Aside: make([]EntryView, len(l.Aside)), Summary: newSummaryJSON(&l.Summary),
		RiskFlags: make([]riskView, len(l.Flags)),
		Questions: advice(l.FollowUps()), Actions: advice(l.Actions()),
	}
	for i := range l.Entries {
		out.Entries[i] = newEntryView(&l.Entries[i], s)
	}
	for i := range l.Aside {
		out.Aside[i] = newEntryView(&l.Aside[i], s)
	}
	for i, f := range l.Flags {
		out.RiskFlags[i] = riskView{
			ID: flagID(s.LedgerID, f.Type), Type: f.Type, Severity: f.Severity, Description: f.Description(),
			Count: f.Count, Affected: flagClaims(f), Mitigation: f.Mitigation(),
		}
	}
	return out
}

// APIPart is APILedger of a part of a ledger. A flag names the listed entries that it affects.
func APIPart(p *ledger.Part) *LedgerView {
	out := APILedger(&p.Ledger)
	for i := range out.RiskFlags {
		f := &out.RiskFlags[i]
		f.Affected = []string{}
		for k := range p.Entries {
			if slices.Contains(p.Entries[k].Flags, f.Type) {
				f.Affected = append(f.Affected, p.Entries[k].Claim.Key)
			}
		}
	}
	return out
}

// flagID returns an id for a flag that stays the same in every revision of its ledger.
func flagID(ledgerID string, t ledger.RiskType) string {
	space, err := uuid.Parse(ledgerID)
	if err != nil {
		space = uuid.NewSHA1(uuid.NameSpaceOID, []byte(ledgerID))
	}
	return uuid.NewSHA1(space, []byte(t)).String()
}

func newEntryView(e *ledger.Entry, s *ledger.Session) EntryView {
	c := e.Claim
	start, end := ends(c.Span)
	out := EntryView{
		ID: c.ID, ClaimID: c.Key, ClaimText: c.Text, ClaimType: e.Type, Importance: e.Importance,
		Verdict: verdict(e.Verdict), Confidence: e.Confidence, ChunkIDs: chunkHashes(e, s), Notes: e.Notes(),
		Position: c.Position, Number: c.Number(), Start: start, End: end, MachineVerdict: verdict(e.Machine),
		Overridden: e.Override,
		State:      e.State, Unjudged: c.Unjudged, Strength: strength(e), Uncited: e.Uncited, Stale: e.Stale,
		Affected:  e.Affected(),
		Capped:    e.CappedBy(),
		Citations: make([]CitationView, len(c.Citations)), Matches: make([]MatchView, len(c.Matches)),
		Reviews: make([]reviewView, len(c.Reviews)), Flags: append([]ledger.RiskType{}, e.Flags...),
		Replaces:    claimNumbers(c.Replaces),
		entryChecks: *newEntryChecks(e, s),
		Compared:    newComparedJSON(e),
	}
	if e.Best != nil {
		q := newQuoteJSON(e.Best.Quote)
		out.Snippet, out.Quote = e.Best.Snippet, &q
	}
	if e.Document != nil {
		out.Source = &sourceView{ID: e.Document.Key, Filename: e.Document.Filename}
		if e.Chunk != nil {
			out.Source.Page, out.Source.HeadingPath = e.Chunk.Page, e.Chunk.HeadingPath
			out.Source.Scanned = e.Chunk.Scanned
		}
	}
	if u := s.Upstream(c.Position); u != nil && u.Stated() {
		out.Upstream = &u.UpstreamVerdict
	}
	for i := range c.Citations {
		out.Citations[i] = APICitation(c.Citations[i])
	}
	for i := range c.Matches {
		out.Matches[i] = APIMatch(&c.Matches[i], s)
		out.Matches[i].Absent = slices.Contains(c.Checks.Absent, i)
		out.Matches[i].Doubtful = slices.Contains(c.Checks.Doubtful, i)
	}
	for i := range c.Imported {
		out.Imported = append(out.Imported, newImportedView(s, &c.Imported[i]))
	}
	for i := range c.Reviews {
		out.Reviews[i] = newReviewView(c.Reviews[i], i < c.Stale)
	}
	return out
}

// APIMatch returns a match for the API; s must contain the document and chunk that it names.
func APIMatch(m *ledger.Match, s *ledger.Session) MatchView {
	out := MatchView{matchJSON: newMatchJSON(m, s)}
	if d, c := s.Document(m.Chunk.Document), s.Chunk(m.Chunk); c != nil {
		out.Filename, out.Page = d.Filename, c.Page
		out.ChunkHash = c.Hash[:min(len(c.Hash), ledger.HashDigits)]
	}
	return out
}

// importedView is what an imported ledger said of a claim, with the file it stood in and who brought it.
type importedView struct {
	File      string `json:"file"`
	BroughtBy string `json:"brought_by"`
	BroughtAt string `json:"brought_at"`
	Store     string `json:"store,omitempty"` // whose trusted key signed the file unchanged
	ledger.Imported
}

func newImportedView(s *ledger.Session, x *ledger.Imported) importedView {
	from := s.ImportOf(x)
	return importedView{File: from.File, BroughtBy: from.ByName, BroughtAt: stamp(from.At), Store: from.Store,
		Imported: *x}
}

func newReviewView(r ledger.Review, stale bool) reviewView {
	return reviewView{r.ID, stale, newReviewJSON(&r)}
}

// APICitation returns one citation for the API (rule L-11).
func APICitation(c ledger.Citation) CitationView {
	out := CitationView{
		Hash: c.Hash, Resolved: c.Status == ledger.Resolved, Ambiguous: c.Status == ledger.Ambiguous,
		Chunks: append([]ledger.Place{}, c.Places...),
	}
	switch c.Status {
	case ledger.Unresolved:
		out.Error = ledger.UnresolvedText
	case ledger.Ambiguous:
		out.Error = "Citation matches several different chunks; use more digits of the hash"
	case ledger.Resolved:
	}
	return out
}

// ReviewView is the answer to a review: the review and the entry after it.
type ReviewView struct {
	Review reviewView `json:"review"`
	Entry  EntryView  `json:"entry"`
}

// APIReview returns the review that person has just made of the claim at position, and the entry as they may see it. l
// must have that claim's entry (others may be missing), with person's review as its newest.
func APIReview(l *ledger.Ledger, position int, person string) ReviewView {
	e := l.Entries[slices.IndexFunc(l.Entries, func(e ledger.Entry) bool { return e.Claim.Position == position })]
	claim := *e.Claim
	claim.Reviews, claim.Stale = l.Session.Visible(&claim, person)
	e.Claim = &claim
	view := newEntryView(&e, l.Session)
	return ReviewView{view.Reviews[len(view.Reviews)-1], view}
}
