// Package ledger holds the evidence ledger: a session's claims judged against its documents, with verdicts, summary,
// risk flags and reviews. It is the only place where a verdict is decided (rule L-4).
package ledger

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/domain/text"
)

// The names of our own formats. Stored and exported.
const (
	SessionFormat = "sanad.session/v1" // of an import (rule F-3)
	ExportFormat  = "sanad.ledger/v1"  // of an exported ledger's key sanad (rule L-22)
)

// Closing is who closed a session, when and why.
type Closing struct {
	At     time.Time
	By     string // shown name
	Reason string // "" if none was given
}

// Closed reports whether somebody has closed the session.
func (s *Session) Closed() bool { return !s.Closing.At.IsZero() }

// Follows names the session whose answer a new session revises. It is not stored: it says what the store checks.
type Follows struct {
	SessionID string // "" if the session revises no answer
	Revision  int    // of that session when it was read
}

// Session is one question and one generated answer under review.
// All offsets count Unicode code points. IDs are the store's UUIDs; Keys are the caller's own ids.
type Session struct {
	ID           string
	LedgerID     string // UUID of the ledger, the same for every revision
	ExternalID   string
	Title        string
	Query        string
	Mode         string // "answer" unless the caller says otherwise
	Answer       string // Markdown, as generated
	Lang         string // BCP 47 tag, "" when unknown
	Model        string
	ModelVersion string
	TraceID      string
	DecisionID   string
	BundleID     string                     // of the evidence bundle of its first run; kept with the run
	Format       string                     // the interchange format it came in
	Extra        map[string]json.RawMessage // unknown fields of the import, by path
	// SHA-256 hex of the canonical import, by which an import with the same content is recognised
	Digest        string
	AnswerVersion int          // 2, 3 … of a revised answer; 0 of the first version
	FirstLedger   string       // LedgerID of the first version, "" of the first version itself
	Follows       Follows      // of a new session: whose answer it revises
	Documents     []Document   // ordered by Position
	Claims        []Claim      // ordered by Position
	Run           Run          // the judge run that the matches come from
	Second        SecondReview // whether two people review each claim
	Seats         Seats        // who is to review it
	Imports       []Import     // the exported ledgers that it was read from, oldest first
	// number of the rules that it was assessed by, see RuleSets; 0 before Assess
	RuleSet int
	Closing Closing // who closed it; zero unless it is closed
	// grows with every change; what readers are shown is RevisionFor
	Revision  int
	SealedBy  SealedBy // how many reviews are sealed; only those of the reader after HideSealed
	CreatedAt time.Time
	UpdatedAt time.Time // of the last change that everybody sees
}

// DocumentStatus is the state of a document: only a ready one may be cited.
type DocumentStatus string

// The states of a document.
const (
	Ready   DocumentStatus = "ready"
	Deleted DocumentStatus = "deleted"
	Erased  DocumentStatus = "erased" // its text is gone for good; places and hashes are kept
)

// Document is a source given with a session. Its text is the text of its chunks in order.
type Document struct {
	ID            string
	Key           string
	Position      int // 0-based in the session
	Filename      string
	Title         string
	URI           string
	Lang          string
	PublishedAt   string // "2024-01-01" or RFC 3339, "" when unknown
	ValidUntil    string // the last day (or instant) it is valid, "" for no end
	Supersedes    string // Key of the document of this session that it replaces, "" if none
	SourceQuality *float64
	Status        DocumentStatus
	MediaType     string // of the original, "" where only text was given
	// the readers that extracted the text ("sanad", "pdftotext", "sanad + tesseract 5.3.0 (ara+eng)"), "" if the original
	// is text
	TextBy     string
	Blob       string          // key of the original in the bucket, "" if none is kept
	BlobSHA256 string          // of the original, in hex; "" if none is kept
	Root       string          // Merkle root over the chunk roots in order (rule E-4)
	BundleID   string          // of the evidence bundle that it is an item of, "" for a document of the session
	Library    library.Ref     // version of a document of the library that it was taken from, zero if none
	Origin     *library.Origin // likewise, also of the library of the store that the session was exported from
	Withdrawn  string          // the reason why it is out of use, "" if it is in use
	LeftOut    []LeftOut       // of its file: what a reader does not see, or sees struck out
	Chunks     []Chunk
}

// HiddenFrom reports whether people of a role are not shown the document's text: that of a withdrawn one is for
// reviewers and auditors, with the reason (rule ER-3).
func (d *Document) HiddenFrom(role access.Role) bool {
	return d.Withdrawn != "" && d.Status != Erased && !role.ReadsWithdrawn()
}

// Citable reports whether a document is in use: neither deleted nor withdrawn.
func (d *Document) Citable() bool { return d.Status == Ready && d.Withdrawn == "" }

// Replaces returns the document of this session that d is a newer version of, nil if it names none.
func (s *Session) Replaces(d *Document) *Document {
	if d.Supersedes == "" {
		return nil
	}
	for i := range s.Documents {
		if old := &s.Documents[i]; old.Key == d.Supersedes && old.Position != d.Position {
			return old
		}
	}
	return nil
}

// Chunk is one citable piece of a document.
type Chunk struct {
	ID          string
	Key         string   // the caller's id, or one made from the position
	Position    int      // 0-based in the document
	Text        string   // "" while it is put away: what takes part in importing reads Words
	Hash        string   // full SHA-256 hex of the normalised text; its first 8 digits are the chunk_hash
	Root        string   // full SHA-256 hex of the text as it is: the chunk_root of the evidence map
	Page        int      // page number as printed, 0 when unknown
	Kind        PartKind // which part of the file it comes from
	HeadingPath []string
	Span        *text.Span // in the document's text, nil when unknown

	Scanned  bool           // its words were read from a picture, by OCR (rule L-39)
	Doubtful []DoubtfulWord // those of which OCR was not sure, in order

	away func() string // reads the text while it is put away, nil otherwise
	size int           // bytes of the text that is put away
}

// PutAway lets go of a text of so many bytes that read returns, so that importing a large session does not hold it.
func (c *Chunk) PutAway(size int, read func() string) { c.Text, c.size, c.away = "", size, read }

// Words returns the text, also one that is put away.
func (c *Chunk) Words() string {
	if c.away != nil {
		return c.away()
	}
	return c.Text
}

// Size returns the length of the text in bytes.
func (c *Chunk) Size() int { return len(c.Text) + c.size }

// ChunkRef names a chunk of a session by its document's and its own position.
type ChunkRef struct{ Document, Chunk int }

// WholeDocument is the Chunk of a ChunkRef that names a document and no passage of it: what an answer cites may be one.
const WholeDocument = -1

// Names reports whether a reference, which may be one of a WholeDocument, names a chunk.
func (r ChunkRef) Names(chunk ChunkRef) bool {
	return r == chunk || r.Chunk == WholeDocument && r.Document == chunk.Document
}

// Run records how the matches were made. The same input, judge and version give the same ledger.
type Run struct {
	ID          string
	Judge       string
	Version     string
	Parameters  map[string]string
	InputDigest string
	BundleID    string        // of the evidence bundle that it read and nothing else, "" if it read the documents
	At          time.Time     // the time that ages are measured at
	Duration    time.Duration // kept for operators, never exported
}

// ChangedClaims is the value of the parameter "claims" of a run that judged only claims whose result may change.
const ChangedClaims = "changed"

// JudgedSome reports whether the run judged only claims whose result may change, and kept all others as they were.
func (r *Run) JudgedSome() bool { return r.Parameters["claims"] == ChangedClaims }

// ReadsComments reports whether remarks on the documents' texts are evidence in the run: somebody switched them on.
func (r *Run) ReadsComments() bool { return r.Parameters[CommentsParameter] == commentsRead }

// ReadComments switches them on or off, for the next run too.
func (r *Run) ReadComments(on bool) {
	if r.ReadsComments() == on {
		return
	}
	r.Parameters = maps.Clone(r.Parameters)
	if r.Parameters == nil {
		r.Parameters = map[string]string{}
	}
	if delete(r.Parameters, CommentsParameter); on {
		r.Parameters[CommentsParameter] = commentsRead
	}
}

// commentsRead is the value of CommentsParameter. Stored and exported.
const commentsRead = "evidence"

// Reader is the digest of the model that read the claims, and Calibration that of what turned its answers into
// probabilities. Both are "" if words only were compared or the matches were given.
func (r *Run) Reader() string      { return r.Parameters[ReaderParameter] }
func (r *Run) Calibration() string { return r.Parameters[CalibrationParameter] }

// Uncalibrated is the calibration of a reader whose answers are not turned into probabilities. Stored and exported.
const Uncalibrated = "none"

// Calibrated reports whether what the reader says was turned into a probability.
func (r *Run) Calibrated() bool { return r.Calibration() != "" && r.Calibration() != Uncalibrated }

// The parameters of a run that name them. Stored and exported.
const (
	CommentsParameter    = "comments"
	ReaderParameter      = "reader"
	CalibrationParameter = "calibration"
)

// shippedReaders are the digests of the readers that came with the program, the newest first. One stays when another
// takes its place, so that runs made with it keep its name. A digest is what the file of weights ends with, not the
// file's own SHA-256.
var shippedReaders = []string{"ec956ca393342b8a0ab2796390c750b12dce83be7eb4243855c5394ed452e62f"}

// ReaderMessage returns the id of the message that names a reader with its Digest: Sanad's own or another one.
func ReaderMessage(digest string) string {
	if slices.Contains(shippedReaders, digest) {
		return "reader_shipped"
	}
	return "reader_other"
}

// ReadsAll reports whether the run read with a reader that the operator chose: it reads every language.
func (r *Run) ReadsAll() bool {
	reader := r.Reader()
	return reader != "" && !slices.Contains(shippedReaders, reader)
}

// WordsOnly reports whether the embedded judge compared words only, as it does without its reader.
func (r *Run) WordsOnly() bool { return r.judgedBy("lexical") }

// judgedBy reports whether a judge made the run, alone or beside another one.
func (r *Run) judgedBy(name string) bool { return slices.Contains(strings.Split(r.Judge, "+"), name) }

// ReadOtherwise reports whether the embedded judge made both runs, with another reader or calibration. Whoever compares
// their verdicts asks this first: what differs may come from that alone.
func (r *Run) ReadOtherwise(before *Run) bool {
	own := func(r *Run) bool { return r.judgedBy("embedded") || r.WordsOnly() }
	return own(r) && own(before) && (r.Reader() != before.Reader() || r.Calibration() != before.Calibration())
}

// DigestDigits is how many digits of a digest are shown where there is no room for all of them.
const DigestDigits = 12

// CutDigest returns a digest's first digits, with an ellipsis for the rest.
func CutDigest(digest string, digits int) string {
	if len(digest) <= digits {
		return digest
	}
	return digest[:digits] + "…"
}

// Document returns the document at a position, or nil if it was not loaded.
func (s *Session) Document(position int) *Document {
	i, ok := slices.BinarySearchFunc(s.Documents, position, func(d Document, p int) int { return d.Position - p })
	if !ok {
		return nil
	}
	return &s.Documents[i]
}

// DocumentByID returns the document with an id of the store, or nil if it was not loaded.
func (s *Session) DocumentByID(id string) *Document {
	for i := range s.Documents {
		if s.Documents[i].ID == id {
			return &s.Documents[i]
		}
	}
	return nil
}

// Chunk returns the chunk that ref names, or nil if it was not loaded.
func (s *Session) Chunk(ref ChunkRef) *Chunk {
	d := s.Document(ref.Document)
	if d == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(d.Chunks, ref.Chunk, func(c Chunk, p int) int { return c.Position - p })
	if !ok {
		return nil
	}
	return &d.Chunks[i]
}

// Claim returns the claim at a position, or nil if it was not loaded.
func (s *Session) Claim(position int) *Claim {
	i, ok := slices.BinarySearchFunc(s.Claims, position, func(c Claim, p int) int { return c.Position - p })
	if !ok {
		return nil
	}
	return &s.Claims[i]
}

// Sheet returns the name of a row's sheet; "" if the chunk is no row of a sheet, or it has no name.
func (c *Chunk) Sheet() string {
	if c.Kind != SheetRow || len(c.HeadingPath) == 0 {
		return ""
	}
	return c.HeadingPath[0]
}

// Section returns the number of the innermost heading above a chunk, or its title if it has no number.
func (c *Chunk) Section() string {
	if len(c.HeadingPath) == 0 {
		return ""
	}
	return sectionName(c.HeadingPath[len(c.HeadingPath)-1])
}

// SectionOf is Section for a quotation: the nearest heading above it within the chunk, since a passage that came with
// an import can hold several, else the heading above the chunk.
func (c *Chunk) SectionOf(quote text.Placement) string {
	name := c.Section()
	if c.Kind == SheetRow || quote.Kind == "" || quote.Kind == text.NotPlaced {
		return name
	}
	for _, b := range ParseBlocks(c.Text, c.Page, 0) {
		if b.Span.Start >= quote.Span.Start {
			break
		}
		if t := headingTitle(b.Text); b.Level > 0 && t != "" {
			name = sectionName(t)
		}
	}
	return name
}

// sectionName returns a heading's number, or its title if it has none.
func sectionName(heading string) string {
	if number := sectionNumber.FindString(heading); number != "" {
		return strings.TrimRight(number, ".")
	}
	return heading
}

// IsSectionNumber reports whether a section's name is only a number.
func IsSectionNumber(name string) bool {
	return name != "" && strings.TrimRight(sectionNumber.FindString(name), ".") == name
}

// sectionNumber is a heading's leading number: "4", "4.2", "٤٫٢", "A.1".
var sectionNumber = regexp.MustCompile(`^(?:[A-Z]\.)?\p{Nd}+(?:[.٫]\p{Nd}+)*\.?`)

// Evident reports whether a chunk may be evidence of itself: a comment is only if its run reads comments, or if a
// person attaches it.
func (s *Session) Evident(c *Chunk) bool { return c.Kind != FileComment || s.Run.ReadsComments() }

// CountLeftOut returns how many passages of the file are hidden from a reader, and how many struck out, also those that
// are not listed.
func (d *Document) CountLeftOut() (hidden, struck int) {
	for i := range d.LeftOut {
		if x := &d.LeftOut[i]; x.Kind == Struck {
			struck += 1 + x.More
		} else {
			hidden += 1 + x.More
		}
	}
	return hidden, struck
}
