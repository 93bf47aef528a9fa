package exporters

import (
	"encoding/json"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
)

// sanadJSON has everything needed to restore an equal ledger: first the names of sanad.session/v1 (rule F-3), then
// judgements, citations and reviews. The store's ids and times are not included.
type sanadJSON struct {
	Format     string                     `json:"format"`
	RuleSet    int                        `json:"rule_set"`      // version of the rules of verdict, strength and flags
	ReadFormat string                     `json:"source_format"` // the format that the session was imported from
	Session    sessionJSON                `json:"session"`
	Documents  []documentJSON             `json:"documents"`
	Claims     []claimJSON                `json:"claims"`
	Run        runJSON                    `json:"run"`
	Extra      map[string]json.RawMessage `json:"extra,omitempty"`
	Imports    []ledger.Import            `json:"imports,omitempty"`   // the files that the session was imported from
	Signature  *pack.Envelope             `json:"signature,omitempty"` // see SignedJSON
}

type sessionJSON struct {
	ExternalID   string `json:"external_id,omitempty"`
	Title        string `json:"title"`
	Query        string `json:"query"`
	Mode         string `json:"mode"`
	Answer       string `json:"answer"`
	Lang         string `json:"lang,omitempty"`
	Model        string `json:"model,omitempty"`
	ModelVersion string `json:"model_version,omitempty"`
	TraceID      string `json:"trace_id,omitempty"`
	DecisionID   string `json:"decision_id,omitempty"`
	// 2, 3 … of a revised answer (rule L-31)
	AnswerVersion int `json:"answer_version,omitempty"`
}

type documentJSON struct {
	ID            string                `json:"id"`
	Filename      string                `json:"filename"`
	Title         string                `json:"title,omitempty"`
	URI           string                `json:"uri,omitempty"`
	Lang          string                `json:"lang,omitempty"`
	PublishedAt   string                `json:"published_at,omitempty"`
	ValidUntil    string                `json:"valid_until,omitempty"`
	Supersedes    string                `json:"supersedes,omitempty"`
	SourceQuality *float64              `json:"source_quality,omitempty"`
	Status        ledger.DocumentStatus `json:"status"`
	Withdrawn     string                `json:"withdrawn,omitempty"` // why it is out of use
	MediaType     string                `json:"media_type,omitempty"`
	TextBy        string                `json:"text_by,omitempty"`   // the reader that extracted the text
	BundleID      string                `json:"bundle_id,omitempty"` // of an item of an evidence bundle
	Origin        *library.Origin       `json:"origin,omitempty"`    // the version of a library that it was taken from
	Root          string                `json:"root"`
	LeftOut       []ledger.LeftOut      `json:"left_out,omitempty"` // of its file: what is hidden or struck out
	Chunks        []chunkJSON           `json:"chunks"`
}

type chunkJSON struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Page int    `json:"page_number,omitempty"`
	// which part of the file it comes from, left out of its body
	Kind        ledger.PartKind `json:"kind,omitempty"`
	HeadingPath []string        `json:"heading_path,omitempty"`
	Start       *int            `json:"start,omitempty"`
	End         *int            `json:"end,omitempty"`

	Scanned  bool                  `json:"scanned,omitempty"` // its words were read from a picture (rule L-39)
	Doubtful []ledger.DoubtfulWord `json:"doubtful,omitempty"`
}

type claimJSON struct {
	ID               string            `json:"claim_id"`
	Text             string            `json:"claim_text"`
	Type             ledger.ClaimType  `json:"claim_type"`
	Importance       ledger.Importance `json:"importance"`
	RequiresCitation bool              `json:"requires_citation"`
	Start            *int              `json:"start_offset"`
	End              *int              `json:"end_offset"`
	Judge            string            `json:"judge,omitempty"`
	Given            bool              `json:"given"`
	Unjudged         string            `json:"unjudged,omitempty"`
	Matches          []matchJSON       `json:"matches"`
	Citations        []citationJSON    `json:"citations,omitempty"`
	// what the checks found (rule L-27)
	CitationChecks  []citationCheckJSON  `json:"citation_checks,omitempty"`
	QuotationChecks []quotationCheckJSON `json:"quotation_checks,omitempty"`
	Unchecked       bool                 `json:"source_text_missing,omitempty"`
	LeftOut         *leftOutCheckJSON    `json:"left_out,omitempty"`
	Reviews         []reviewJSON         `json:"reviews,omitempty"`
	// how many reviews, the oldest ones, were made of an earlier judgement
	Stale int `json:"stale_reviews,omitempty"`
	// how many of the reviews, the newest ones, were sealed at export
	Withheld int `json:"withheld_reviews,omitempty"`
	// what the files that it was imported from said of it; it settles nothing
	Imported []ledger.Imported `json:"imported_reviews,omitempty"`
	// version of the answer that it is new in
	Since int `json:"since_version,omitempty"`
	// numbers, from 1, of the claims in whose place it came
	Replaces []int `json:"replaces,omitempty"`
}

type matchJSON struct {
	Document    string         `json:"document_id"`
	Chunk       string         `json:"chunk_id"`
	Similarity  float64        `json:"similarity"`
	Support     ledger.Support `json:"support_level"`
	Contradicts bool           `json:"contradicts"`
	Snippet     string         `json:"snippet"`
	Quote       quoteJSON      `json:"quote"`
	Absent      bool           `json:"not_in_source,omitempty"` // of a given match: its snippet is in no form in its source
	// the claim's figures rest on words in it that were read from a picture and are doubtful (rule L-39)
	Doubtful  bool              `json:"doubtful,omitempty"`
	Note      string            `json:"note,omitempty"`
	Conflicts []ledger.Conflict `json:"conflicts,omitempty"`
	Missing   []string          `json:"missing,omitempty"`
	Features  []ledger.Feature  `json:"features,omitempty"`
	Attached  *attachedJSON     `json:"attached,omitempty"`
}

// attachedJSON says which person attached a passage as evidence (rule L-33).
type attachedJSON struct {
	Actor string `json:"actor"`
	At    string `json:"at"`
}

// quoteJSON is a snippet's place in its chunk, in code points; the offsets are null if the chunk does not contain it.
type quoteJSON struct {
	Kind  text.PlacementKind `json:"kind"`
	Start *int               `json:"start"`
	End   *int               `json:"end"`
}

type citationJSON struct {
	Hash   string            `json:"hash"`
	Start  int               `json:"start"`
	End    int               `json:"end"`
	Status ledger.CiteStatus `json:"status"`
	Places []ledger.Place    `json:"places,omitempty"`
}

type reviewJSON struct {
	Actor      string            `json:"actor"`
	Role       string            `json:"role"`
	At         string            `json:"at"`
	Action     ledger.Action     `json:"action"`
	Verdict    ledger.Verdict    `json:"verdict,omitempty"`
	Reason     string            `json:"reason,omitempty"`
	Type       ledger.ClaimType  `json:"claim_type,omitempty"`
	Importance ledger.Importance `json:"importance,omitempty"`
	Undoes     int               `json:"undoes,omitempty"`      // number (from 1) of the review that an undo takes back
	Settles    bool              `json:"adjudicates,omitempty"` // it settles a difference between two reviewers
	ReplacedBy []int             `json:"replaced_by,omitempty"` // replace: numbers of the claims that came in its place
	Bulk       string            `json:"bulk,omitempty"`        // id of the step that confirmed several claims at once
	Asks       bool              `json:"asks,omitempty"`        // a comment that must be answered or resolved
	Thread     int               `json:"thread,omitempty"`      // number of the comment that begins its thread
}

// newReviewJSON returns a review for exports and the API.
func newReviewJSON(r *ledger.Review) reviewJSON {
	return reviewJSON{
		Actor: r.Actor, Role: r.Role, At: stamp(r.At), Action: r.Action, Verdict: r.Verdict, Reason: r.Reason,
		Type: r.Type, Importance: r.Importance, Undoes: r.Undoes, Settles: r.Adjudicates, Bulk: r.Batch,
		ReplacedBy: claimNumbers(r.Into), Asks: r.Asks, Thread: r.Thread,
	}
}

// claimNumbers returns the numbers, from 1, of the claims at some positions; nil for none.
func claimNumbers(positions []int) (out []int) {
	for _, at := range positions {
		out = append(out, at+1)
	}
	return out
}

type runJSON struct {
	Judge       string            `json:"judge"`
	Version     string            `json:"version"`
	Parameters  map[string]string `json:"parameters,omitempty"`
	InputDigest string            `json:"input_digest,omitempty"`
	BundleID    string            `json:"bundle_id,omitempty"` // of the evidence bundle that it read, and nothing else
	At          string            `json:"at"`
}

// newSanadJSON returns all but the documents and claims.
func newSanadJSON(s *ledger.Session) sanadJSON {
	out := sanadJSON{
		Format: ledger.ExportFormat, RuleSet: s.RuleSet, ReadFormat: s.Format, Extra: s.Extra,
		Session: sessionJSON{
			ExternalID: s.ExternalID, Title: s.Title, Query: s.Query, Mode: s.Mode, Answer: s.Answer, Lang: s.Lang,
			Model: s.Model, ModelVersion: s.ModelVersion, TraceID: s.TraceID, DecisionID: s.DecisionID,
			AnswerVersion: s.AnswerVersion,
		},
		Documents: []documentJSON{}, Claims: []claimJSON{},
		Run: runJSON{
			Judge: s.Run.Judge, Version: s.Run.Version, Parameters: s.Run.Parameters,
			InputDigest: s.Run.InputDigest, BundleID: s.Run.BundleID, At: stamp(s.Run.At),
		},
	}
	for _, x := range s.Imports {
		x.By = "" // an id of this store
		out.Imports = append(out.Imports, x)
	}
	return out
}

func newDocumentJSON(d *ledger.Document) documentJSON {
	out := documentJSON{
		ID: d.Key, Filename: d.Filename, Title: d.Title, URI: d.URI, Lang: d.Lang, PublishedAt: d.PublishedAt,
		ValidUntil: d.ValidUntil, Supersedes: d.Supersedes, SourceQuality: d.SourceQuality, Status: d.Status,
		Withdrawn: d.Withdrawn, BundleID: d.BundleID, Origin: d.Origin,
		MediaType: d.MediaType, TextBy: d.TextBy, Root: d.Root, LeftOut: d.LeftOut,
		Chunks: make([]chunkJSON, len(d.Chunks)),
	}
	for i := range d.Chunks {
		c := &d.Chunks[i]
		start, end := ends(c.Span)
		out.Chunks[i] = chunkJSON{
			ID: c.Key, Text: c.Text, Page: c.Page, Kind: c.Kind, HeadingPath: c.HeadingPath, Start: start, End: end,
			Scanned: c.Scanned, Doubtful: c.Doubtful,
		}
	}
	return out
}

func newClaimJSON(c *ledger.Claim, s *ledger.Session) claimJSON {
	start, end := ends(c.Span)
	out := claimJSON{
		ID: c.Key, Text: c.Text, Type: c.Type, Importance: c.Importance, RequiresCitation: c.RequiresCitation,
		Start: start, End: end, Judge: c.Judge, Given: c.Given, Unjudged: c.Unjudged, Stale: c.Stale,
		Withheld: c.Withheld, Since: c.Since, Imported: c.Imported, Replaces: claimNumbers(c.Replaces), Matches: make([]matchJSON, len(c.Matches)),
	}
	for i := range c.Matches {
		out.Matches[i] = newMatchJSON(&c.Matches[i], s)
	}
	for _, rank := range c.Checks.Absent {
		if rank < len(out.Matches) {
			out.Matches[rank].Absent = true
		}
	}
	for _, rank := range c.Checks.Doubtful {
		if rank < len(out.Matches) {
			out.Matches[rank].Doubtful = true
		}
	}
	out.CitationChecks, out.QuotationChecks = citationChecks(&c.Checks, s), quotationChecks(&c.Checks, s)
	out.Unchecked, out.LeftOut = c.Checks.Unchecked, leftOutCheck(&c.Checks, s)
	for _, x := range c.Citations {
		out.Citations = append(out.Citations, citationJSON{
			Hash: x.Hash, Start: x.Span.Start, End: x.Span.End, Status: x.Status, Places: x.Places,
		})
	}
	for i := range c.Reviews {
		out.Reviews = append(out.Reviews, newReviewJSON(&c.Reviews[i]))
	}
	return out
}

func newMatchJSON(m *ledger.Match, s *ledger.Session) matchJSON {
	out := matchJSON{
		Similarity: m.Similarity, Support: m.Support, Contradicts: m.Contradicts, Snippet: m.Snippet,
		Quote: newQuoteJSON(m.Quote),
		Note:  m.Note, Conflicts: m.Conflicts, Missing: m.Missing, Features: m.Features,
	}
	if m.Attached != nil {
		out.Attached = &attachedJSON{m.Attached.Actor, stamp(m.Attached.At)}
	}
	if d, c := s.Document(m.Chunk.Document), s.Chunk(m.Chunk); c != nil {
		out.Document, out.Chunk = d.Key, c.Key
	}
	return out
}

func newQuoteJSON(p text.Placement) quoteJSON {
	if p.Kind == "" || p.Kind == text.NotPlaced {
		return quoteJSON{Kind: text.NotPlaced}
	}
	start, end := ends(&p.Span)
	return quoteJSON{p.Kind, start, end}
}

// ends returns the two offsets of a span, nil if none.
func ends(sp *text.Span) (start, end *int) {
	if sp == nil {
		return nil, nil
	}
	return &sp.Start, &sp.End
}
