package ledger

import (
	"time"

	"sanad/internal/domain/text"
)

// Import is an exported ledger that a session was read from. Its reviews and its judgement stand beside ours as the
// file's: they settle nothing here, because whoever held the file could change them (rule L-32). Stored as JSON.
type Import struct {
	File     string    `json:"file,omitempty"`  // name of the file, "" if it was sent without one
	By       string    `json:"by_id,omitempty"` // who brought it; the id is of one store and not exported
	ByName   string    `json:"brought_by,omitempty"`
	At       time.Time `json:"at"` // when it was brought
	Judge    string    `json:"judge,omitempty"`
	Version  string    `json:"version,omitempty"`
	JudgedAt time.Time `json:"judged_at"`
	// the store whose key signed the unchanged file, by the name that the tenant gave it; "" if no key that the tenant
	// trusts did. It is decided where the file is imported, and never read from a file.
	Store string `json:"store,omitempty"`
	Key   string `json:"key_id,omitempty"` // fingerprint of that key
}

// Imported is what an exported ledger said about one claim. Stored and exported as JSON.
type Imported struct {
	Import     int              `json:"import"` // index in Session.Imports
	Judge      string           `json:"judge,omitempty"`
	Machine    Verdict          `json:"machine_verdict,omitempty"`
	Verdict    Verdict          `json:"verdict,omitempty"` // with the file's reviews applied
	Confidence float64          `json:"confidence_score,omitempty"`
	Reviews    []ImportedReview `json:"reviews,omitempty"`       // oldest first
	Stale      int              `json:"stale_reviews,omitempty"` // how many of the oldest were of an older judgement
	// what people had attached to the claim as evidence, the best match first
	Passages []ImportedPassage `json:"passages,omitempty"`
}

// ImportedPassage is a passage that a person attached to a claim where the file was made (rule L-33). It repeats no
// word of the document, so that none is left when the document is erased.
type ImportedPassage struct {
	Actor    string    `json:"actor"`
	At       time.Time `json:"at"`
	Document int       `json:"document"` // index in the session's documents
	Chunk    int       `json:"chunk"`    // index in the document's chunks
	Start    int       `json:"start"`    // in the chunk's text, in code points
	End      int       `json:"end"`
}

// Ref names the chunk that the passage is in.
func (p *ImportedPassage) Ref() ChunkRef { return ChunkRef{p.Document, p.Chunk} }

// Span is the passage's place in its chunk.
func (p *ImportedPassage) Span() text.Span { return text.Span{Start: p.Start, End: p.End} }

// ImportedReview is a review in an exported ledger: the words of a file, whoever it names.
type ImportedReview struct {
	Actor       string     `json:"actor"`
	Role        string     `json:"role,omitempty"`
	At          time.Time  `json:"at"`
	Action      Action     `json:"action"`
	Verdict     Verdict    `json:"verdict,omitempty"`
	Reason      string     `json:"reason,omitempty"`
	Type        ClaimType  `json:"claim_type,omitempty"`
	Importance  Importance `json:"importance,omitempty"`
	Undoes      int        `json:"undoes,omitempty"`
	Adjudicates bool       `json:"adjudicates,omitempty"`
	Batch       string     `json:"bulk,omitempty"` // of the file's store: it takes nothing back here
	Asks        bool       `json:"asks,omitempty"`
	Thread      int        `json:"thread,omitempty"`
}

// SetImported moves the judgement, the reviews and the attached passages that a session was read with to what its file
// said, as a new import,
// and leaves its claims unjudged and unreviewed, for our judge and our people. Precondition: the session was read from
// an exported ledger and is complete.
func (s *Session) SetImported() {
	n := len(s.Imports)
	s.Imports = append(s.Imports, Import{Judge: s.Run.Judge, Version: s.Run.Version, JudgedAt: s.Run.At})
	entries := s.machineEntries()
	for i := range s.Claims {
		c, e := &s.Claims[i], &entries[i]
		said := Imported{Import: n, Judge: c.Judge, Machine: e.Machine, Verdict: e.Verdict, Confidence: e.Confidence,
			Stale: c.Stale}
		for j := range c.Reviews {
			said.Reviews = append(said.Reviews, c.Reviews[j].AsImported())
		}
		said.Passages = attachedPassages(c)
		c.Imported = append(c.Imported, said)
		c.Judge, c.Given, c.Unjudged, c.Matches, c.Citations = "", false, "", nil, nil
		c.Checks, c.Reviews, c.Stale, c.Withheld, c.Replaces = Checks{}, nil, 0, 0, nil
	}
	s.Run, s.RuleSet = Run{BundleID: s.Run.BundleID}, 0 // it tells which documents to read
}

// attachedPassages returns the passages that people attached to a claim, as the word of a file.
func attachedPassages(c *Claim) (out []ImportedPassage) {
	for _, m := range c.Matches {
		if m.Attached != nil {
			out = append(out, ImportedPassage{Actor: m.Attached.Actor, At: m.Attached.At, Document: m.Chunk.Document,
				Chunk: m.Chunk.Chunk, Start: m.Quote.Span.Start, End: m.Quote.Span.End})
		}
	}
	return out
}

// AsImported returns a review as the words of a file.
func (r *Review) AsImported() ImportedReview {
	return ImportedReview{Actor: r.Actor, Role: r.Role, At: r.At, Action: r.Action, Verdict: r.Verdict,
		Reason: r.Reason, Type: r.Type, Importance: r.Importance, Undoes: r.Undoes, Adjudicates: r.Adjudicates,
		Batch: r.Batch, Asks: r.Asks, Thread: r.Thread}
}

// AsReview returns an imported review in the shape of a review, for what shows both alike.
func (r *ImportedReview) AsReview() Review {
	return Review{Actor: r.Actor, Role: r.Role, At: r.At, Action: r.Action, Verdict: r.Verdict, Reason: r.Reason,
		Type: r.Type, Importance: r.Importance, Undoes: r.Undoes, Adjudicates: r.Adjudicates,
		Batch: r.Batch, Asks: r.Asks, Thread: r.Thread}
}

// Brought completes the newest import with who brought which file.
func (s *Session) Brought(file, by, name string, at time.Time) {
	if n := len(s.Imports); n > 0 {
		x := &s.Imports[n-1]
		x.File, x.By, x.ByName, x.At = file, by, name, at
	}
}

// SignedBy notes that the newest import is an unchanged file of another store.
func (s *Session) SignedBy(store, key string) {
	if n := len(s.Imports); n > 0 {
		s.Imports[n-1].Store, s.Imports[n-1].Key = store, key
	}
}

// ImportOf returns the import that x came with.
func (s *Session) ImportOf(x *Imported) Import {
	if x.Import < 0 || x.Import >= len(s.Imports) {
		return Import{}
	}
	return s.Imports[x.Import]
}
