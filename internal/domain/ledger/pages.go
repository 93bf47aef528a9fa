package ledger

import (
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/text"
)

// Page is the part of a session that one page shows.
type Page struct {
	// Session has only this page's claims, whole; of the documents the first 200 and those that the claims match,
	// with the matched chunks only; as Answer the loaded part; as Extra only what a provider's file said of the whole
	// and of them.
	Session   *Session
	Documents int // how many the session has
	Runs      int // how often it was judged
	Overview  Overview
	Flags     map[int][]RiskType // by claim position, for Session.EntryAt
	Answer    AnswerPart
	Marks     []AnswerMark // the claims that stand in the loaded part of the answer, in text order
	Matching  int          // claims that pass the filter; where counting stops, that many or more
	Prev      *int         // pass as after for the page before, nil on the first one; for a claim, the one before it
	Next      *int         // pass as after for the next page, nil on the last one; for a claim, the one after it
	First     bool         // nothing stands before this page
	State     State        // how far the review has come
	Newest    NewestAnswer // zero if the answer was never revised
	Closing   Closing      // zero unless State is Closed
	Own       int          // where two review, how many claims the reader has decided
	OwnLeft   int          // where two review, how many claims that are not settled the reader has not decided
	Due       due.Date     // none on the page of one claim
	Saved     []SavedView  // of ledgers, that the reader is offered; none on the page of one claim
	Passages  PassageList  // for the list of sources; none if the page has no such list
	// Bulk is what confirming all that pass the filter would do, in figures; nil for who may not. Count is -1 where
	// they are too many.
	Bulk *Confirmable
	// Reasons is where the sign-off policy demands a reason; none for those who may not review.
	Reasons Reasons

	Mentions map[string][]notify.Mention // by id of the review
	People   []access.Named              // who can be mentioned, with the name to type; for those who may review
}

// PartQuery asks for a part of a ledger's entries. An entry passes that has one of the verdicts and both statuses.
type PartQuery struct {
	Verdicts  []Verdict       // Unjudged is one of them; none for all
	Citation  CitationStatus  // "" for all
	Quotation QuotationStatus // "" for all
	From      int             // the position of the first claim
	Limit     int
}

// Counted returns how many entries pass the query, before From and Limit, if the summary has that number.
func (q *PartQuery) Counted(s *Summary) (n int, ok bool) {
	if q.Citation != "" || q.Quotation != "" {
		return 0, false
	}
	if len(q.Verdicts) == 0 {
		return s.Total, true
	}
	for _, v := range q.Verdicts {
		if v == Unjudged {
			n += s.Unjudged
		}
		n += s.ByVerdict[v]
	}
	return n, true
}

// Part is a ledger with some of the entries that count and all that no longer do. Its session has their claims only; of
// the documents all, with the chunks that these claims name; no answer; as Extra what a Page's has. Its flags name the
// claims that Head keeps.
type Part struct {
	Ledger

	Matching int  // entries that pass the query, before From and Limit
	Left     int  // of them, those after the listed ones
	Next     *int // position of the first of those, nil if none
}

// AnswerPart is the part of an answer that a page shows.
type AnswerPart struct {
	Text   string
	Start  int  // where it begins in the answer, in code points
	Length int  // of the whole answer, in code points
	Whole  bool // nothing is left out
}

// AnswerMark is a claim that stands in the shown part of an answer, for underlining.
type AnswerMark struct {
	Position   int       // of the claim
	Span       text.Span // in the whole answer
	Verdict    Verdict   // effective, "" unjudged
	Confidence float64   // the machine's
}

// Passage is a piece of a document: the words that a claim matches, or how the document begins.
type Passage struct {
	Chunk      ChunkRef
	Similarity float64 // of the match, 0 for a beginning
	Text       string
}

// PassageList is what the list of sources of a session is made of (rule S-1).
type PassageList struct {
	Matched  []Passage // of the first claims, in their order
	Openings []Passage // of the first documents
}

// DocumentPage is the part of a document that one page shows.
type DocumentPage struct {
	SessionID    string
	SessionTitle string
	Revision     int             // of the session, as the reader is shown it
	Document     Document        // with the shown chunks only
	Above        OpenGrid        // the table that the chunks before them leave open
	TotalChunks  int             // of the whole document
	Comments     int             // those of them that are remarks on its text (FileComment)
	Outline      []Heading       // of the whole document, at most 500
	Cited        map[int][]Cited // by chunk position: the claims that match it, at most 1,000 on a page
	CitedAt      []int           // positions of the chunks that claims match, of the whole document, at most 2,000
	Words        string          // of the claim that is asked for, "" if none
	Older, Newer *DocumentName   // the versions of it before and after, nil if none
	Prev         int             // pass as chunk for the pages beside, -1 if none
	Next         int
}

// Hide leaves out the text of the document and what repeats it.
func (p *DocumentPage) Hide() {
	p.Document.Chunks, p.Document.Blob, p.Outline, p.Cited, p.CitedAt = nil, "", nil, nil, nil
	p.Document.LeftOut, p.Comments = nil, 0
	p.Words, p.Prev, p.Next, p.Above = "", -1, -1, OpenGrid{}
}

// Heading is a place in a document where the headings change. It is stored.
type Heading struct {
	Path     []string `json:"path"`
	Position int      `json:"position"` // of the first chunk under it
	Page     int      `json:"page,omitempty"`
}

// Cited is a claim of the document's session that matches a chunk.
type Cited struct {
	Number      int     // of the claim, from 1
	Verdict     Verdict // effective, "" unjudged
	Support     Support
	Contradicts bool
	Rank        int       // of the match among the claim's, from 0
	Quote       text.Span // the words in the chunk, empty if they are not in it
	Conflicts   []Conflict
}

// DocumentName is a document by its name.
type DocumentName struct{ ID, Filename string }

// RunRow is one judge run of a session.
type RunRow struct {
	Number int // from 1
	Run    Run
	Newest bool   // its judgement is the session's
	MadeBy string // id of the actor; "" of the first, which came with the session
	// Against the run before; all 0 of the first.
	Changed, Flips, Stale int
}

// RunChange is what a run changed of one claim.
type RunChange struct {
	Change
	Key, Text string // of the claim
	LookAgain bool   // its review is stale now, whether this run made it so or a document that was withdrawn before
}

// RunPage is one run with a part of what it changed compared with the run before.
type RunPage struct {
	RunRow
	SessionID, Title string
	Runs             int // how many the session has
	LookAgain        int // claims of the session whose review is stale now
	Before           *RunRow
	Changes          []RunChange
	Documents        []Document // those that the changes name, without chunks, by position
	Pages            map[ChunkRef]int
	Hashes           map[ChunkRef]string // of chunks that the changes name: the first HashDigits digits
	Bundles          []string            // ids of the bundles that the run was given, at most 20
	Next             int                 // pass as after for the next page, -1 on the last one
}

// Confirmable is what confirming the claims of a selection would do now (Session.PlanConfirm), in figures.
type Confirmable struct {
	Session   *Session        // without answer; its claims and documents are those of First
	ByVerdict map[Verdict]int // what would be confirmed
	Count     int             // how many these are
	// the first of them, the gravest verdicts before the others: position, text, verdict, confidence and whether it is a
	// person's; none where they are too many
	First     []Entry
	Documents int  // how many the session has
	Unjudged  int  // there is no verdict to confirm
	Decided   int  // as Plan.Decided
	Spared    int  // as Plan.Spared
	All       bool // the tenant's policy lets bulk steps take critical and flagged claims
	// Positions of the first claims that are left out, in order, by the reasons above.
	UnjudgedAt, DecidedAt, SparedAt []int
}
