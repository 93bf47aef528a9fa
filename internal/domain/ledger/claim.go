package ledger

import (
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// Claim is one checkable statement of the answer.
type Claim struct {
	ID               string
	Key              string // claim_id, the caller's
	Position         int    // 0-based; people see Number
	Text             string
	Type             ClaimType  // as imported; reviews may change it, see Entry
	Importance       Importance // likewise
	RequiresCitation bool
	Span             *text.Span // in the answer, nil when it could not be located
	Judge            string     // which judge judged it: "given", "lexical"
	Given            bool       // the caller supplied the matches (possibly none)
	Matches          []Match    // best similarity first
	Unjudged         string     // why no judge could judge it, "" if one did
	Citations        []Citation // anchors of the answer that belong to it
	Checks           Checks     // what the answer cites and quotes for it, compared with the sources
	Reviews          []Review   // oldest first
	Stale            int        // how many of the oldest reviews were made of an older judgement
	Replaces         []int      // positions of the claims in whose place it came, nil for one of the answer
	Since            int        // version of the answer that it is new in, 0 for the first
	Withheld         int        // how many of the newest stale reviews were sealed when they became stale
	Imported         []Imported // what exported ledgers said of it; settles nothing here

	UnjudgedSaid domain.Message // what Unjudged says; zero if it came with an import. Never exported
}

// Leave leaves the claim unjudged with the cause; the zero message says that it is judged.
func (c *Claim) Leave(cause domain.Message) { c.Unjudged, c.UnjudgedSaid = cause.String(), cause }

// ByEmbedded reports whether the embedded judge judged the claim, with its reader or by words only.
func (c *Claim) ByEmbedded() bool { return c.Judge == "embedded" || c.Judge == "lexical" }

// CitedLanguage is the id of why a claim is unjudged that cites only passages in a language that no judge read.
const CitedLanguage = "note_cited_lang"

// Cause returns why no judge could judge the claim, zero if one did.
func (c *Claim) Cause() domain.Message { return saidOr(c.UnjudgedSaid, c.Unjudged) }

// Number is the 1-based number people see.
func (c *Claim) Number() int { return c.Position + 1 }

// Match is one chunk judged against one claim.
type Match struct {
	Chunk       ChunkRef
	Similarity  float64 // 0 to 1
	Support     Support
	Contradicts bool
	Snippet     string         // the words of the evidence that matter
	Quote       text.Placement // where the snippet is in the chunk
	Note        string         // the judge's remark; "" if none
	Conflicts   []Conflict     // the words that contradict each other
	Missing     []string       // words of the claim that the evidence lacks
	Features    []Feature      // why this verdict
	Attached    *Attached      // who attached the passage, nil if a judge found it

	doubtful bool // of Session.weighed: its support was lowered, for the claim's figures rest on doubtful words

	NoteSaid domain.Message `json:"-"` // what Note says; zero if it came with an import. Never exported
}

// Remark sets the judge's remark.
func (m *Match) Remark(note domain.Message) { m.Note, m.NoteSaid = note.String(), note }

// OtherPlace is the id of the remark on a passage that supports a claim, but stands in another place than the claim
// cites.
const OtherPlace = "note_other_place"

// Remarked returns the judge's remark, zero if none.
func (m *Match) Remarked() domain.Message { return saidOr(m.NoteSaid, m.Note) }

// saidOr returns a message, or the English words that came without one.
func saidOr(said domain.Message, english string) domain.Message {
	if said.IsZero() && english != "" {
		return words.AsWritten(english)
	}
	return said
}

// Attached says who attached a passage to a claim as evidence.
type Attached struct {
	Actor string    // shown name
	By    string    // id of the person or machine, "" if it came with an import
	At    time.Time // when
}

// Conflict names the words of claim and evidence that contradict each other.
type Conflict struct {
	Kind     string `json:"kind"` // number, negation, entity
	Claim    string `json:"claim"`
	Evidence string `json:"evidence"`
}

// Feature is a named figure that a judge based its match on, 0 to 1. Weight is its contribution to the log-odds of
// support, relative to a typical claim: positive for support, negative against it; 0 if the judge doesn't say.
type Feature struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight,omitempty"`
}
