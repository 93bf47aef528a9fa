package bundle

import (
	"cmp"
	"path"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// The types of evidence (rule B-3).
const (
	InlineText      = "inline_text"
	LakeText        = "lake_text"
	LakeHTTP        = "lake_http"
	SQLQueryDef     = "sql_query_def"
	SQLResult       = "sql_result"
	DocChunk        = "doc_chunk"
	TranscriptChunk = "transcript_chunk"
)

// Bundle is the artifact. Its JSON has the names of rules B-2 to B-10, and besides them dropped_items and
// failed_sources.
type Bundle struct {
	BundleID      string    `json:"bundle_id"`
	CreatedUTC    time.Time `json:"created_utc"` // whole seconds
	BuildVersion  string    `json:"build_version"`
	Policy        Policy    `json:"policy"`
	Items         []Item    `json:"items"`
	Summary       Summary   `json:"summary"`
	DroppedItems  []Dropped `json:"dropped_items"`
	FailedSources []Failed  `json:"failed_sources"`
}

// Bytes returns the artifact as it is stored in the lake: RFC 8785 JSON.
func (b *Bundle) Bytes() ([]byte, error) { return canonical.JSON(b) }

// Item is one piece of evidence, bounded and, if the policy says so, redacted.
type Item struct {
	EvidenceID    string    `json:"evidence_id"`
	EvidenceType  string    `json:"evidence_type"`
	SourceRef     SourceRef `json:"source_ref"`
	Content       string    `json:"content"`
	ContentSHA256 string    `json:"content_sha256"`
	ByteCount     int       `json:"byte_count"`
	FullRef       *FullRef  `json:"full_ref,omitempty"` // set if Content is not the whole source
	Metadata      Metadata  `json:"metadata"`
}

// SourceRef says where an item comes from; which fields are set depends on its type.
type SourceRef struct {
	SourceURI  string `json:"source_uri,omitempty"`
	LakeURI    string `json:"lake_uri,omitempty"`
	QueryKey   string `json:"query_key,omitempty"`
	DocumentID string `json:"document_id,omitempty"`
}

// ofRequest is the source of inline evidence that names none.
const ofRequest = "job_input"

// URI is where the source is, "" if the item does not say.
func (r *SourceRef) URI() string {
	if r.SourceURI == ofRequest {
		return r.LakeURI
	}
	return cmp.Or(r.SourceURI, r.LakeURI)
}

// maxSourceName is the longest name of a source, in code points.
const maxSourceName = 150

// SourceName is what people know the item's source by: its document, its query, the end of its path in the lake, or what
// the caller called it; the evidence id if it has no name.
func (x *Item) SourceName() string {
	r := &x.SourceRef
	name := cmp.Or(r.DocumentID, r.QueryKey)
	if name == "" && r.LakeURI != "" {
		name = path.Base(r.LakeURI)
	}
	name = strings.TrimSpace(text.CleanName(cmp.Or(name, r.URI(), x.EvidenceID)))
	if name == "" {
		return x.EvidenceID
	}
	return text.Slice(name, text.Span{End: min(text.Len(name), maxSourceName)})
}

// FullRef points to the whole of a source that an item shows a part of. Size and hash are of the artifact in the lake.
type FullRef struct {
	LakeURI  string `json:"lake_uri"`
	Size     int    `json:"size"`
	SHA256   string `json:"sha256"`
	RowCount *int   `json:"row_count,omitempty"`
	ColCount *int   `json:"col_count,omitempty"`
}

// Metadata records every decision about an item.
type Metadata struct {
	Bounding  Bounding   `json:"bounding"`
	Redaction *Redaction `json:"redaction,omitempty"` // set when the policy has redaction on
	Sampling  *Sampling  `json:"sampling,omitempty"`  // of a SQL result
	Chunk     *Chunk     `json:"chunk,omitempty"`     // of a document or transcript
	HTTP      *HTTPMeta  `json:"http,omitempty"`
	Repaired  int        `json:"invalid_utf8_replaced,omitempty"` // runs of bytes that were not UTF-8
}

// Bounding says how an item was cut (rule B-6). Sizes are bytes.
type Bounding struct {
	Applied         bool   `json:"applied"`
	OriginalSize    int    `json:"original_size"`
	BoundedSize     int    `json:"bounded_size"`
	TruncationPoint *int   `json:"truncation_point,omitempty"`
	Note            string `json:"note,omitempty"`
}

// Redaction says what was masked: kinds and counts, never values.
type Redaction struct {
	Applied bool           `json:"applied"`
	Profile string         `json:"profile"` // of the rules, see redact.Redactor.Profile
	Kinds   map[string]int `json:"kinds,omitempty"`
}

// Summary counts a bundle (rule B-10).
type Summary struct {
	ItemCount      int            `json:"item_count"`
	TypeCounts     map[string]int `json:"type_counts"`
	TotalBytes     int            `json:"total_bytes"`
	ApproxTokens   int            `json:"approx_tokens"`
	BundleBounding BundleBounding `json:"bundle_bounding"`
}

// BundleBounding says what was dropped because of the bundle's limits (rule B-6). Repeated items count as dropped.
type BundleBounding struct {
	Applied       bool   `json:"applied"`
	OriginalCount int    `json:"original_count"`
	FinalCount    int    `json:"final_count"`
	ItemsDropped  int    `json:"items_dropped"`
	TotalBytes    int    `json:"total_bytes"`
	Note          string `json:"note,omitempty"`
}

// The reasons for dropping an item.
const (
	OverItems = "max_items"
	OverBytes = "max_total_bytes"
	OverRows  = "max_sql_rows" // from version 2.1
	Duplicate = "duplicate"
)

// Dropped is an item that is not in the bundle.
type Dropped struct {
	EvidenceID    string    `json:"evidence_id"`
	EvidenceType  string    `json:"evidence_type"`
	SourceRef     SourceRef `json:"source_ref"`
	ByteCount     int       `json:"byte_count"`
	ContentSHA256 string    `json:"content_sha256"`
	Reason        string    `json:"reason"`
}

// Failed is a source that could not be used: failures are evidence too.
type Failed struct {
	Path         string    `json:"path"` // in the request: "evidence_refs.lake_text[0]"
	EvidenceType string    `json:"evidence_type,omitempty"`
	SourceRef    SourceRef `json:"source_ref"`
	Reason       string    `json:"reason"`

	Said domain.Message `json:"-"` // what Reason says; stored beside the artifact, zero in one that was read
}

// Cause returns what the reason says; that of an artifact is in English only.
func (f *Failed) Cause() domain.Message {
	if f.Said.IsZero() {
		return words.AsWritten(f.Reason)
	}
	return f.Said
}

// is reports whether the reason is a message without values. It compares the English sentence, which is all that an
// artifact holds.
func (f *Failed) is(id string) bool { return f.Reason == words.Msg(id).String() }
