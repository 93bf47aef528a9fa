package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// SourceKinds lists the kinds of sources; "" means document.
var SourceKinds = []string{"document", "record", "tool", ModelOutput}

// ModelOutput is the kind of a source that is the model's own prose.
const ModelOutput = "model_output"

// MaxExcerpt is the longest excerpt, in code points (rule P-8).
const MaxExcerpt = 2000

// maxGiven is how much of a too long excerpt a draft keeps for a person to shorten.
const maxGiven = 10 * MaxExcerpt

// EvidenceSource is something that was consulted for a decision (rule P-1).
type EvidenceSource struct {
	Source           string   `json:"source"`
	URI              string   `json:"uri,omitempty"`
	InternalRef      string   `json:"internal_ref,omitempty"`
	RetrievedAt      string   `json:"retrieved_at"`
	Confidence       *float64 `json:"confidence"`
	Kind             string   `json:"kind"`
	SensitivityClass string   `json:"sensitivity_class"`
	Quote
}

// Quote is the content of a source, and what is derived from it: one leaf of the content root. Hashes are written
// "sha256:" and hex; for an S3 source excerpt is empty and excerpt_hash is that of salt ‖ content.
type Quote struct {
	Excerpt     string `json:"excerpt"`
	ExcerptHash string `json:"excerpt_hash"`
	ContentHash string `json:"content_hash,omitempty"`
	ChunkRoot   string `json:"chunk_root"`
	OffsetStart *int   `json:"offset_start,omitempty"` // code points within the chunk
	OffsetEnd   *int   `json:"offset_end,omitempty"`
	EvidenceID  string `json:"evidence_id"`
}

// Shown is the excerpt as a reader sees it: without its marks if the source is a Markdown file.
func (s *EvidenceSource) Shown() string { return shownOf(s.Source, s.Excerpt) }

// shownOf is a quotation of a document, of which a pack has the name alone, as a reader sees it.
func shownOf(document, words string) string {
	words = ledger.SaidRows(words)
	if filetype.IsMarkdown("", document) {
		return text.Unmark(words)
	}
	return words
}

// S3 reports whether the content of the source may not be stored.
func (s *EvidenceSource) S3() bool { return s.SensitivityClass == "S3" }

// check collects the errors that cannot be corrected in a draft.
func (s *EvidenceSource) check(f *faults, path string) {
	f.short(path+".source", s.Source, MaxName)
	f.short(path+".uri", s.URI, MaxURI)
	f.short(path+".internal_ref", s.InternalRef, MaxURI)
	f.short(path+".excerpt", s.Excerpt, maxGiven)
	f.short(path+".evidence_id", s.EvidenceID, MaxID)
	f.optional(path+".kind", s.Kind, SourceKinds)
	f.optional(path+".sensitivity_class", s.SensitivityClass, SensitivityClasses)
	f.time(path+".retrieved_at", s.RetrievedAt)
	f.hash(path+".excerpt_hash", s.ExcerptHash)
	f.hash(path+".content_hash", s.ContentHash)
	f.hash(path+".chunk_root", s.ChunkRoot)
	if s.OffsetStart != nil && *s.OffsetStart < 0 || s.OffsetEnd != nil && (s.OffsetStart == nil ||
		*s.OffsetEnd < *s.OffsetStart) {
		f.add(path+".offset_end", "refused_offsets")
	}
}

// hash accepts 64 hex digits, with or without "sha256:", or nothing.
func (f *faults) hash(path, value string) {
	if value != "" && bare(value) == "" {
		f.add(path, "fault_sha256")
	}
}

// promote returns a decision's evidence as a source of a pack: derived values are filled in and given ones are kept, so
// that Validate can find a hash that does not match the excerpt.
func (s EvidenceSource) promote() EvidenceSource {
	if s.Kind == "" {
		s.Kind = SourceKinds[0]
	}
	if s.SensitivityClass == "" {
		s.SensitivityClass = SensitivityClasses[0]
	}
	s.Excerpt = strings.ToValidUTF8(s.Excerpt, "\uFFFD")
	if s.ExcerptHash == "" && !s.S3() {
		s.ExcerptHash = Hash([]byte(s.Excerpt))
	}
	if s.ExcerptHash == "" { // an S3 source without its hash breaks a rule and does not count as evidence
		s.ContentHash = prefixed(s.ContentHash)
		return s
	}
	s.ExcerptHash, s.ContentHash = prefixed(s.ExcerptHash), prefixed(s.ContentHash)
	s.ChunkRoot = bare(s.ChunkRoot)
	if s.ChunkRoot == "" || s.OffsetStart == nil || s.OffsetEnd == nil {
		start, end := 0, text.Len(s.Excerpt)
		s.ChunkRoot, s.OffsetStart, s.OffsetEnd = bare(s.ExcerptHash), &start, &end // the excerpt is its own chunk
		if s.EvidenceID != "" {
			return s
		}
	}
	s.EvidenceID = evidence.ID(s.ChunkRoot, *s.OffsetStart, *s.OffsetEnd)
	return s
}

// Reference returns the name of a source in the memo: E and its 1-based position.
func Reference(position int) string { return fmt.Sprintf("E%d", position+1) }

// Hash returns "sha256:" and the hex SHA-256 of data.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hashPrefix + hex.EncodeToString(sum[:])
}

const hashPrefix = "sha256:"

// bare returns the 64 lower-case hex digits of a hash, "" if it is none.
func bare(hash string) string {
	hash = strings.ToLower(strings.TrimPrefix(hash, hashPrefix))
	if b, err := hex.DecodeString(hash); err != nil || len(b) != sha256.Size {
		return ""
	}
	return hash
}

// prefixed returns a hash as the pack writes it; anything that is not a hash is returned unchanged.
func prefixed(hash string) string {
	if digits := bare(hash); digits != "" {
		return hashPrefix + digits
	}
	return hash
}
