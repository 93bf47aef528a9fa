package importers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gowebpki/jcs"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// canonical is a session's content in the shape of sanad.session/v1 with every default filled in: what makes two
// imports the same. What the store, the judge and reviewers add is not in it.
type canonical struct {
	Format    string                     `json:"format"`
	Session   canonicalSession           `json:"session"`
	Documents []canonicalDocument        `json:"documents"`
	Claims    []canonicalClaim           `json:"claims"`
	Extra     map[string]json.RawMessage `json:"extra,omitempty"`
}

type canonicalSession struct {
	ExternalID   string `json:"external_id,omitempty"`
	Title        string `json:"title,omitempty"`
	Query        string `json:"query,omitempty"`
	Mode         string `json:"mode,omitempty"`
	Answer       string `json:"answer,omitempty"`
	Lang         string `json:"lang,omitempty"`
	Model        string `json:"model,omitempty"`
	ModelVersion string `json:"model_version,omitempty"`
	TraceID      string `json:"trace_id,omitempty"`
	DecisionID   string `json:"decision_id,omitempty"`
}

type canonicalDocument struct {
	ID            string           `json:"id"`
	Filename      string           `json:"filename,omitempty"`
	Title         string           `json:"title,omitempty"`
	URI           string           `json:"uri,omitempty"`
	Lang          string           `json:"lang,omitempty"`
	PublishedAt   string           `json:"published_at,omitempty"`
	ValidUntil    string           `json:"valid_until,omitempty"`
	Supersedes    string           `json:"supersedes,omitempty"`
	SourceQuality *float64         `json:"source_quality,omitempty"`
	Chunks        []canonicalChunk `json:"chunks"`
}

type canonicalChunk struct {
	ID          string     `json:"id"`
	Text        string     `json:"text"`
	Page        int        `json:"page_number,omitempty"`
	HeadingPath []string   `json:"heading_path,omitempty"`
	Span        *text.Span `json:"span,omitempty"`
}

type canonicalClaim struct {
	ID               string            `json:"claim_id"`
	Text             string            `json:"claim_text"`
	Type             ledger.ClaimType  `json:"claim_type"`
	Importance       ledger.Importance `json:"importance"`
	RequiresCitation bool              `json:"requires_citation"`
	Span             *text.Span        `json:"span,omitempty"`
	Given            bool              `json:"given"`
	Matches          []canonicalMatch  `json:"matches,omitempty"`
}

type canonicalMatch struct {
	Document    string         `json:"document_id"`
	Chunk       string         `json:"chunk_id"`
	Similarity  float64        `json:"similarity"`
	Support     ledger.Support `json:"support_level"`
	Contradicts bool           `json:"contradicts"`
	Snippet     string         `json:"snippet,omitempty"`
}

// Digest is the SHA-256 hex over the RFC 8785 form of a session's content (spec page 1): the same content gives the
// same digest however the file was laid out, and however far the session has been judged and reviewed since, unless
// judging moved a match to another chunk.
// Precondition: documents, chunks and claims are loaded whole and in order.
func Digest(s *ledger.Session) string {
	c := canonical{Format: SessionFormat, Extra: s.Extra, Session: canonicalSession{
		ExternalID: s.ExternalID, Title: s.Title, Query: s.Query, Mode: s.Mode, Answer: s.Answer, Lang: s.Lang,
		Model: s.Model, ModelVersion: s.ModelVersion, TraceID: s.TraceID, DecisionID: s.DecisionID,
	}}
	for i := range s.Documents {
		c.Documents = append(c.Documents, canonicalDoc(&s.Documents[i]))
	}
	for i := range s.Claims {
		c.Claims = append(c.Claims, canonicalOf(s, &s.Claims[i]))
	}
	data, err := json.Marshal(c)
	if err == nil {
		data, err = jcs.Transform(data)
	}
	if err != nil {
		panic("importers.Digest: " + err.Error()) // a session holds nothing that JSON cannot
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func canonicalDoc(d *ledger.Document) canonicalDocument {
	out := canonicalDocument{
		ID: d.Key, Filename: d.Filename, Title: d.Title, URI: d.URI, Lang: d.Lang, PublishedAt: d.PublishedAt,
		ValidUntil: d.ValidUntil, Supersedes: d.Supersedes, SourceQuality: d.SourceQuality,
		Chunks: make([]canonicalChunk, len(d.Chunks)),
	}
	for j := range d.Chunks {
		c := &d.Chunks[j]
		out.Chunks[j] = canonicalChunk{c.Key, c.Text, c.Page, c.HeadingPath, c.Span}
	}
	return out
}

// canonicalOf is a claim's content; matches belong to it only where the caller gave them.
func canonicalOf(s *ledger.Session, c *ledger.Claim) canonicalClaim {
	out := canonicalClaim{
		ID: c.Key, Text: c.Text, Type: c.Type, Importance: c.Importance,
		RequiresCitation: c.RequiresCitation, Span: c.Span, Given: c.Given,
	}
	if !c.Given {
		return out
	}
	matches := slices.Clone(c.Matches)
	ledger.SortMatches(matches)
	for _, m := range matches {
		d, ch := s.Document(m.Chunk.Document), s.Chunk(m.Chunk)
		if ch == nil || !m.Contradicts && m.Support == ledger.None {
			continue // such matches are dropped when they are judged
		}
		out.Matches = append(out.Matches, canonicalMatch{d.Key, ch.Key, m.Similarity, m.Support, m.Contradicts, strings.TrimSpace(m.Snippet)})
	}
	return out
}
