package importers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/gowebpki/jcs"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// canonicalHead is a session's content in the form of sanad.session/v1 with every default filled in; two imports with
// the same content are the same session. Additions of the store, the judge and reviewers are not included. Its first
// two fields, the lists "claims" and "documents", are hashed item by item and therefore not in the struct.
type canonicalHead struct {
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

// canonicalDocument is a document without its first field, the list "chunks", which is also hashed item by item. Fields
// of structs that are hashed item by item are in the order of RFC 8785.
type canonicalDocument struct {
	Filename      string           `json:"filename,omitempty"`
	ID            string           `json:"id"`
	Lang          string           `json:"lang,omitempty"`
	LeftOut       []ledger.LeftOut `json:"left_out,omitempty"`
	PublishedAt   string           `json:"published_at,omitempty"`
	SourceQuality *float64         `json:"source_quality,omitempty"`
	Supersedes    string           `json:"supersedes,omitempty"`
	Title         string           `json:"title,omitempty"`
	URI           string           `json:"uri,omitempty"`
	ValidUntil    string           `json:"valid_until,omitempty"`
}

type canonicalChunk struct {
	Doubtful    []canonicalDoubt `json:"doubtful,omitempty"`
	HeadingPath []string         `json:"heading_path,omitempty"`
	ID          string           `json:"id"`
	Kind        ledger.PartKind  `json:"kind,omitempty"`
	Page        int              `json:"page_number,omitempty"`
	Scanned     bool             `json:"scanned,omitempty"`
	Span        *canonicalSpan   `json:"span,omitempty"`
	Text        string           `json:"text"`
}

type canonicalDoubt struct {
	Confidence int `json:"confidence"`
	End        int `json:"end"`
	Start      int `json:"start"`
}

func doubtsLike(list []ledger.DoubtfulWord) (out []canonicalDoubt) {
	for _, w := range list {
		out = append(out, canonicalDoubt{Confidence: w.Confidence, End: w.End, Start: w.Start})
	}
	return out
}

type canonicalClaim struct {
	ID               string            `json:"claim_id"`
	Text             string            `json:"claim_text"`
	Type             ledger.ClaimType  `json:"claim_type"`
	Given            bool              `json:"given"`
	Importance       ledger.Importance `json:"importance"`
	Matches          []canonicalMatch  `json:"matches,omitempty"`
	RequiresCitation bool              `json:"requires_citation"`
	Span             *canonicalSpan    `json:"span,omitempty"`
}

type canonicalMatch struct {
	Chunk       string         `json:"chunk_id"`
	Contradicts bool           `json:"contradicts"`
	Document    string         `json:"document_id"`
	Similarity  float64        `json:"similarity"`
	Snippet     string         `json:"snippet,omitempty"`
	Support     ledger.Support `json:"support_level"`
}

type canonicalSpan struct {
	End   int `json:"end"`
	Start int `json:"start"`
}

func spanLike(sp *text.Span) *canonicalSpan {
	if sp == nil {
		return nil
	}
	return &canonicalSpan{sp.End, sp.Start}
}

// Digest returns the SHA-256 (hex) of the RFC 8785 form of a session's content (rule L-24): the same content has the
// same digest, however the file was laid out and however far the session has been judged and reviewed, unless judging
// moved a match to another chunk. Documents, chunks and claims must be loaded completely and in order.
func Digest(s *ledger.Session) string {
	head := canonicalHead{Format: SessionFormat, Extra: s.Extra, Session: canonicalSession{
		ExternalID: s.ExternalID, Title: s.Title, Query: s.Query, Mode: s.Mode, Answer: s.Answer, Lang: s.Lang,
		Model: s.Model, ModelVersion: s.ModelVersion, TraceID: s.TraceID, DecisionID: s.DecisionID,
	}}
	h := sha256.New()
	var w canonicalWriter
	io.WriteString(h, `{"claims":`)
	w.list(h, len(s.Claims), "null", func(i int) { w.add(canonicalOf(s, &s.Claims[i])) })
	io.WriteString(h, `,"documents":`)
	w.list(h, len(s.Documents), "null", func(i int) { w.document(h, &s.Documents[i]) })
	h.Write([]byte{','})
	h.Write(jcsOf(head)[1:]) // its names sort after the lists
	return hex.EncodeToString(h.Sum(nil))
}

// canonicalWriter writes the items that are hashed one by one, since the whole may be a hundred megabytes.
type canonicalWriter struct {
	buf bytes.Buffer
	enc *json.Encoder
}

// list hashes n items, which item adds one by one; empty is written for a list without items.
func (w *canonicalWriter) list(h hash.Hash, n int, empty string, item func(int)) {
	if n == 0 {
		io.WriteString(h, empty)
		return
	}
	for i := range n {
		h.Write([]byte{"[,"[min(i, 1)]})
		item(i)
		h.Write(w.buf.Bytes())
		w.buf.Reset()
	}
	h.Write([]byte{']'})
}

// add writes v, whose fields are in RFC 8785's order, as RFC 8785 JSON. Go's encoder formats numbers and text as RFC
// 8785 does, except for characters that it escapes as \u; those values go through jcs.
func (w *canonicalWriter) add(v any) {
	if w.enc == nil {
		w.enc = json.NewEncoder(&w.buf)
		w.enc.SetEscapeHTML(false)
	}
	from := w.buf.Len()
	if err := w.enc.Encode(v); err != nil {
		panic("importers.Digest: " + err.Error()) // a session contains no value that JSON lacks
	}
	w.buf.Truncate(w.buf.Len() - 1) // the line feed at the end
	if bytes.Contains(w.buf.Bytes()[from:], []byte(`\u`)) {
		w.buf.Truncate(from)
		w.buf.Write(jcsOf(v))
	}
}

// document writes a document; its chunks go straight into the hash.
func (w *canonicalWriter) document(h hash.Hash, d *ledger.Document) {
	io.WriteString(h, `{"chunks":`)
	w.list(h, len(d.Chunks), "[]", func(j int) {
		c := &d.Chunks[j]
		w.add(canonicalChunk{
			HeadingPath: c.HeadingPath, ID: c.Key, Kind: c.Kind, Page: c.Page, Span: spanLike(c.Span), Text: c.Words(),
			Scanned: c.Scanned, Doubtful: doubtsLike(c.Doubtful),
		})
	})
	h.Write([]byte{','})
	h.Write(jcsOf(canonicalDocument{
		Filename: d.Filename, ID: d.Key, Lang: d.Lang, LeftOut: d.LeftOut, PublishedAt: d.PublishedAt,
		SourceQuality: d.SourceQuality,
		Supersedes:    d.Supersedes, Title: d.Title, URI: d.URI, ValidUntil: d.ValidUntil,
	})[1:])
}

// jcsOf returns v as RFC 8785 JSON.
func jcsOf(v any) []byte {
	data, err := json.Marshal(v)
	if err == nil {
		data, err = jcs.Transform(data)
	}
	if err != nil {
		panic("importers.Digest: " + err.Error()) // a session contains no value that JSON lacks
	}
	return data
}

// canonicalOf returns a claim's content; matches are part of it only if the caller provided them.
func canonicalOf(s *ledger.Session, c *ledger.Claim) canonicalClaim {
	out := canonicalClaim{
		ID: c.Key, Text: c.Text, Type: c.Type, Importance: c.Importance,
		RequiresCitation: c.RequiresCitation, Span: spanLike(c.Span), Given: c.Given,
	}
	if !c.Given {
		return out
	}
	matches := slices.Clone(c.Matches)
	ledger.SortMatches(matches)
	for _, m := range matches {
		d, ch := s.Document(m.Chunk.Document), s.Chunk(m.Chunk)
		if ch == nil || !m.Contradicts && m.Support == ledger.None {
			continue // judging drops such matches
		}
		if m.Similarity == 0 {
			m.Similarity = 0 // RFC 8785 has no -0
		}
		out.Matches = append(out.Matches, canonicalMatch{
			Chunk: ch.Key, Contradicts: m.Contradicts, Document: d.Key, Similarity: m.Similarity,
			Snippet: strings.TrimSpace(m.Snippet), Support: m.Support,
		})
	}
	return out
}
