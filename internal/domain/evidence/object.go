package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// DefaultRole is the source role of a chunk that has none (rule E-3).
const DefaultRole = "unclassified"

// Chunk is a retrieved piece of a document, as the caller passes it; its roots are not checked (rule E-4).
type Chunk struct {
	SourceRoot  string  `json:"source_root"`
	DocumentURI string  `json:"document_uri"`
	Title       *string `json:"title,omitempty"`
	ChunkIdx    int     `json:"chunk_idx"`
	ChunkRoot   string  `json:"chunk_root"`
	Span        string  `json:"span"`
	SourceRole  string  `json:"source_role,omitempty"` // "" is DefaultRole
}

// Object is one span that a claim may point to (rule E-3).
type Object struct {
	PointerID   string  `json:"pointer_id"`  // "E1", "E2", …: the place in the map; differs between runs
	EvidenceID  string  `json:"evidence_id"` // derived from the content; never changes
	SourceRoot  string  `json:"source_root"`
	DocumentURI string  `json:"document_uri"`
	Title       *string `json:"title"`
	ChunkIdx    int     `json:"chunk_idx"`
	ChunkRoot   string  `json:"chunk_root"`
	OffsetStart int     `json:"offset_start"` // code points within the chunk
	OffsetEnd   int     `json:"offset_end"`
	SourceRole  string  `json:"source_role"`
	TextHash    string  `json:"text_hash"` // SHA-256 of Span
	Span        string  `json:"span"`
}

// ID returns the content-addressed handle of a span: "E" and the first 8 hex digits of
// SHA-256(chunk_root:start:end) (rule E-1).
func ID(chunkRoot string, start, end int) string {
	return "E" + hashHex(chunkRoot + ":" + strconv.Itoa(start) + ":" + strconv.Itoa(end))[:8]
}

// Build returns the evidence map: one object per chunk over its whole span, in input order (rule E-3). The result is
// never nil, so that an empty map is [] in JSON.
func Build(chunks []Chunk) []Object {
	out := make([]Object, 0, len(chunks))
	for i, c := range chunks {
		out = append(out, object(c, i+1, text.Span{Start: 0, End: text.Len(c.Span)}, c.Span))
	}
	return out
}

// SubObject returns the object of a span within a chunk, under the pointer of the given 1-based position: a match on
// one sentence is evidence with its own offsets and id (rule E-3). The span must be non-empty and inside the chunk.
func SubObject(c Chunk, position int, sp text.Span) (Object, error) {
	if n := text.Len(c.Span); sp.Start < 0 || sp.End > n || sp.Start >= sp.End {
		return Object{}, domain.Refuse(domain.Invalid, "", "refused_offsets_span_chunk", "N", sp.Start, "Most",
			sp.End, "All", n)
	}
	return object(c, position, sp, text.Slice(c.Span, sp)), nil
}

func object(c Chunk, position int, sp text.Span, span string) Object {
	role := c.SourceRole
	if role == "" {
		role = DefaultRole
	}
	return Object{
		PointerID:   "E" + strconv.Itoa(position),
		EvidenceID:  ID(c.ChunkRoot, sp.Start, sp.End),
		SourceRoot:  c.SourceRoot,
		DocumentURI: c.DocumentURI,
		Title:       c.Title,
		ChunkIdx:    c.ChunkIdx,
		ChunkRoot:   c.ChunkRoot,
		OffsetStart: sp.Start,
		OffsetEnd:   sp.End,
		SourceRole:  role,
		TextHash:    hashHex(span),
		Span:        span,
	}
}

func hashHex(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
