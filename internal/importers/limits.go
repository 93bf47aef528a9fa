package importers

import (
	"cmp"
	"context"
	"crypto/sha256"

	"sanad/internal/documents"
	"sanad/internal/domain/ledger"
	"sanad/internal/ocr"
	"sanad/internal/pdftext"
)

// Options are the limits of an import; zero means the default. Input over a limit is refused with domain.TooLarge.
type Options struct {
	Bytes         int // whole input, in bytes; 128 MiB
	DocumentBytes int // one document's text or uploaded file, in bytes; 10 MiB
	Answer        int // code points; 1,000,000
	Documents     int // per session; 1,000
	Chunks        int // per session; 200,000
	Claims        int // per session; 100,000
	Matches       int // per claim; 100
	Reviews       int // per claim; 1,000
	Unknown       int // unknown fields kept in Session.Extra; 10,000
	UnknownBytes  int // total of those fields with their paths, in bytes; 1 MiB

	// Claimless takes an answer in which nothing can be checked, or an empty one, as a session without claims. By default
	// it is refused.
	Claimless bool

	// Lines takes JSONL line by line: one whose JSON is broken is refused alone. By default the whole file is. Only
	// ReadEach uses it.
	Lines bool

	// TextDir is the folder of a file for the texts of a large session while it is imported; with "" they are held in
	// memory. Only ReadEach and ReadAgain use it.
	TextDir string
	// large is from how many bytes on a session is read in parts; 0 for the constant
	large int64

	// refused are spans that a live trace lacks, which the session says
	refused []ledger.RefusedSpans

	// PDF and Parse are the readers of files; nil means in this process. See documents.Options.
	PDF   func(ctx context.Context, data []byte) (*pdftext.Text, error)
	Parse func(ctx context.Context, mediaType string, data []byte) (*documents.Parsed, error)
	// Pictures is likewise, but nil means that no picture is read.
	Pictures func(ctx context.Context, data []byte, pages []int) (*ocr.Text, error)
}

// DocumentBytes is the default limit for a document, in bytes (rule SEC-9).
const DocumentBytes = 10 << 20

// withDefaults returns the options with defaults for limits that are not set.
func (o Options) withDefaults() Options {
	return Options{
		Bytes:         cmp.Or(o.Bytes, MaxBytes),
		DocumentBytes: cmp.Or(o.DocumentBytes, DocumentBytes),
		Answer:        cmp.Or(o.Answer, 1_000_000),
		Documents:     cmp.Or(o.Documents, ledger.MaxDocuments),
		Chunks:        cmp.Or(o.Chunks, ledger.MaxChunks),
		Claims:        cmp.Or(o.Claims, ledger.MaxClaims),
		Matches:       cmp.Or(o.Matches, 100),
		Reviews:       cmp.Or(o.Reviews, 1_000),
		Unknown:       cmp.Or(o.Unknown, 10_000),
		UnknownBytes:  cmp.Or(o.UnknownBytes, 1<<20),
		Claimless:     o.Claimless,
		Lines:         o.Lines,
		TextDir:       o.TextDir,
		large:         cmp.Or(o.large, largeSession),
		refused:       o.refused,
		PDF:           o.PDF,
		Parse:         o.Parse,
		Pictures:      o.Pictures,
	}
}

// limits returns the limits by their name in the `limit` tags of wire structs. Limits of short texts are numbers
// in the tag.
func (o Options) limits() map[string]int {
	return map[string]int{
		"answer": o.Answer, "documents": o.Documents, "chunks": o.Chunks,
		"claims": o.Claims, "matches": o.Matches, "reviews": o.Reviews, "unknown": o.Unknown,
	}
}

// Once returns the options with readers that read the same bytes once, for the sessions of one request that rest on the
// same files. What was found in files of at most most bytes together is kept as long as the options are. They are for
// one goroutine.
func (o Options) Once(most int) Options {
	if read := o.PDF; read != nil {
		kept := found[*pdftext.Text]{left: most}
		o.PDF = func(ctx context.Context, data []byte) (*pdftext.Text, error) {
			return kept.of("", data, func() (*pdftext.Text, error) { return read(ctx, data) })
		}
	}
	if read := o.Parse; read != nil {
		kept := found[*documents.Parsed]{left: most}
		o.Parse = func(ctx context.Context, mediaType string, data []byte) (*documents.Parsed, error) {
			return kept.of(mediaType, data, func() (*documents.Parsed, error) { return read(ctx, mediaType, data) })
		}
	}
	return o
}

// found is what readers found in files.
type found[T any] struct {
	kept map[[sha256.Size]byte]T
	left int // bytes of further files
}

func (f *found[T]) of(kind string, data []byte, read func() (T, error)) (T, error) {
	sum := sha256.New()
	sum.Write([]byte(kind + "\x00"))
	sum.Write(data)
	key := [sha256.Size]byte(sum.Sum(nil))
	if out, ok := f.kept[key]; ok {
		return out, nil
	}
	out, err := read()
	if err == nil && len(data) <= f.left {
		f.left -= len(data)
		if f.kept == nil {
			f.kept = map[[sha256.Size]byte]T{}
		}
		f.kept[key] = out
	}
	return out, err
}
