package importers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/gowebpki/jcs"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// canonical is a session's content in the shape of sanad.session/v1 with every default filled in: what makes two
// imports the same. What the store, the judge and reviewers add is not in it.
// Its first two fields, the lists "claims" and "documents", are hashed item by item and stand in no struct.
type canonical struct {
	Format  string                     `json:"format"`
	Session canonicalSession           `json:"session"`
	Extra   map[string]json.RawMessage `json:"extra,omitempty"`
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
	head := canonical{Format: SessionFormat, Extra: s.Extra, Session: canonicalSession{
		ExternalID: s.ExternalID, Title: s.Title, Query: s.Query, Mode: s.Mode, Answer: s.Answer, Lang: s.Lang,
		Model: s.Model, ModelVersion: s.ModelVersion, TraceID: s.TraceID, DecisionID: s.DecisionID,
	}}
	h := sha256.New()
	io.WriteString(h, `{"claims":`)
	hashList(h, len(s.Claims), func(i int) any { return canonicalOf(s, &s.Claims[i]) })
	io.WriteString(h, `,"documents":`)
	hashList(h, len(s.Documents), func(i int) any { return canonicalDoc(&s.Documents[i]) })
	h.Write([]byte{','})
	h.Write(jcsOf(head)[1:]) // an object too; its names come after these
	return hex.EncodeToString(h.Sum(nil))
}

// hashList writes a list item by item, since the whole of it may be a hundred megabytes; null where it is empty.
func hashList(w io.Writer, n int, item func(int) any) {
	if n == 0 {
		io.WriteString(w, "null")
		return
	}
	for i := range n {
		w.Write([]byte{"[,"[min(i, 1)]})
		w.Write(jcsOf(item(i)))
	}
	w.Write([]byte{']'})
}

// jcsOf writes v as RFC 8785 JSON.
func jcsOf(v any) []byte {
	data, err := json.Marshal(v)
	if err == nil {
		data, err = jcs.Transform(data)
	}
	if err != nil {
		panic("importers.Digest: " + err.Error()) // a session holds nothing that JSON cannot
	}
	return data
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
