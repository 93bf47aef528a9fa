package sources

import "encoding/json"

// Kind is what a source is.
type Kind string

// The four kinds (rule S-3); any other is read as Custom.
const (
	Documents Kind = "documents"
	Jobs      Kind = "jobs"
	Entities  Kind = "entities"
	Custom    Kind = "custom"
)

// Candidate is a retrieved document (rule S-1). Only ItemID is required.
type Candidate struct {
	ItemID   string                     `json:"item_id"`
	Kind     Kind                       `json:"kind"`
	Title    string                     `json:"title"`
	URL      string                     `json:"url"`
	Summary  string                     `json:"summary"`
	Content  string                     `json:"content"`
	Score    *float64                   `json:"score"`    // nil sorts last
	Rank     *int                       `json:"rank"`     // of the retriever, nil sorts last
	Metadata map[string]json.RawMessage `json:"metadata"` // raw, so that a number keeps its exact text
}

// Chunk is a retrieved passage. It is ignored if its item is not a candidate.
type Chunk struct {
	ItemID string   `json:"item_id"`
	Text   string   `json:"text"`
	Score  *float64 `json:"score"` // nil sorts last
}

// From is the origin of a snippet.
type From string

// The three origins of a snippet.
const (
	FromChunk From = "chunk"
	FromDoc   From = "doc"
	Unknown   From = "unknown" // there is no snippet
)

// Item is a source as it is shown (rule S-1). Unknown fields are null.
type Item struct {
	SourceID    string                     `json:"source_id"`
	Kind        Kind                       `json:"kind"`
	Title       *string                    `json:"title"`
	URL         *string                    `json:"url"`
	Snippet     *string                    `json:"snippet"`
	SnippetFrom From                       `json:"snippet_from"`
	Snippets    []Snippet                  `json:"snippets,omitzero"` // if several were requested; the first is Snippet
	Score       *float64                   `json:"score"`
	Rank        int                        `json:"rank"` // 1-based, in this list
	Metadata    map[string]json.RawMessage `json:"metadata"`
}

// Snippet is a passage with the anchor that cites it.
type Snippet struct {
	Text string `json:"text"`
	// ledger.ChunkHash of the whole chunk, as in [cite:a1b2c3d4]; null for a document's own text
	ChunkHash *string `json:"chunk_hash"`
}
