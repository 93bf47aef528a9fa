package importers

import (
	"crypto/ed25519"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/recode"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// The formats that Read knows, as values of Result.Format.
const (
	SessionFormat = ledger.SessionFormat // our own (rule F-3)
	LedgerFormat  = ledger.ExportFormat  // an exported ledger (rule L-22)
	FormFormat    = "sanad.form/v1"      // pasted and uploaded, see FromForm
)

// Result is the outcome of an import.
type Result struct {
	// ids and times unset; Keys, Positions, Digest and Extra set; given matches in the order of the file
	Session   ledger.Session
	Originals []Original       // uploaded files, to be stored unchanged
	Warnings  []domain.Warning // unusual parts of the input, in its order
	Format    string           // the format that was read
	Placed    Placed           // how the citations and labels of a provider's file were placed
	Row       string           // the session's place in a file of several: "[3]"; "" if it is the whole file
	// number of reviews in an exported ledger, of earlier imports too; no warning says yet that they settle nothing
	Reviews int

	split  bool                            // the claims are drawn from the answer; else the file gave them
	signed func() (*pack.Envelope, string) // the file's signature, see SignedBy; nil if it can have none
	texts  *textFile                       // where texts of the session are; nil if they are in memory
}

// Close ends the use of a Result of ReadAgain, and of its session.
func (r *Result) Close() error { return r.texts.close() }

// SignedBy reports whether the file is an exported ledger that the key signed and nobody has changed since.
func (r *Result) SignedBy(key ed25519.PublicKey) bool {
	if r.signed == nil {
		return false
	}
	envelope, digest := r.signed()
	if envelope == nil {
		return false
	}
	stated, err := envelope.ExportDigest(key)
	return err == nil && stated == digest
}

// Original is an uploaded file, unchanged.
type Original struct {
	Document  int // index of its document
	MediaType string
	Data      []byte
}

// Read reads one file in any of the known formats, detected by content. Errors are *domain.Error: Unsupported for an
// unknown format, TooLarge with the limit, Invalid with the place and how to fix it.
func Read(data []byte, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	if err := checkSize(len(data), opt.Bytes); err != nil {
		return nil, err
	}
	return readTurned(string(data), opt)
}

// ReadFrom is Read for a stream of size bytes, of which it holds one copy in memory.
func ReadFrom(from io.Reader, size int64, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	if err := checkSize(int(size), opt.Bytes); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.Grow(int(size))
	if _, err := io.CopyN(&b, from, size); err != nil {
		return nil, err
	}
	return readTurned(b.String(), opt)
}

// readTurned reads an input that may be no JSON.
func readTurned(src string, opt Options) (*Result, error) {
	src, err := recode.JSON(src)
	if err != nil {
		return nil, err
	}
	return readText(src, opt)
}

// readText is Read for a string. Strings in the result may share its memory.
func readText(src string, opt Options) (*Result, error) {
	format, err := detect(src)
	if err != nil {
		return nil, err
	}
	b := newBuilder(opt)
	strict := strictjson.Options{
		Limits: opt.limits(), Unknown: b.unknown, UnknownBytes: opt.UnknownBytes, Copy: len(src) > sharedText,
	}
	if format == "" {
		return readForeign(src, opt)
	}
	if format == plainLedgerFormat {
		return b.plain(src)
	}
	if format == LedgerFormat {
		var file ledgerFile
		if err := decode(src, &file, strict); err != nil {
			return nil, err
		}
		r, err := b.exported(&file)
		if err == nil {
			r.signed = sync.OnceValues(func() (*pack.Envelope, string) { return signatureOf(src) })
		}
		return r, err
	}
	var file sessionFile
	if err := decode(src, &file, strict); err != nil {
		return nil, err
	}
	return b.own(&file)
}

// sharedText is how many bytes an input may have whose texts are parts of it in memory. Those of a larger one are
// copied: they would keep all of it, escapes, numbers and names included, as long as the session is in memory.
const sharedText = 1 << 20

// plainLedgerFormat stands for a ledger in the form of the founding spec, see plainLedger.
const plainLedgerFormat = "ledger"

// detect returns the format identified by the input's own fields, "" if it is not one of ours. It scans the whole
// input, so that broken JSON is reported before anything else. Several values, as in JSONL, are not one of ours.
func detect(src string) (string, error) {
	h, err := readHeading(src)
	if err != nil {
		return "", domainFault(err)
	}
	format, err := h.tells()
	if err == nil && format != "" && h.loosed != nil {
		return "", domainFault(h.loosed)
	}
	return format, err
}

// tells returns the format of ours that a heading tells, "" if none.
func (h *heading) tells() (string, error) {
	_, stated := h.has["format"]
	_, ours := h.has["sanad"]
	switch {
	case h.kind == 'n':
		return "", domain.Refuse(domain.Invalid, "", "refused_in_null", "Name", SessionFormat)
	case h.kind == '[' && h.filled:
		return "", nil
	case h.kind != '{':
		return "", domain.Refuse(domain.Invalid, "", "json_whole", "What", strictjson.TypeName(h.kind),
			"Wanted", words.Msg("noun_object"))
	case ours && h.has["ledger_id"]:
		return LedgerFormat, nil
	case string(h.format) == `"`+SessionFormat+`"`:
		return SessionFormat, nil
	case stated:
		return "", unsupported("format", words.Msg("refused_in_says", "Words", strictjson.Clip(string(h.format))))
	case h.has["ledger_id"] && h.has["entries"]:
		return plainLedgerFormat, nil
	case h.has["ledger_id"]:
		return "", unsupported("sanad", words.Msg("refused_in_plain"))
	}
	return "", nil
}

// heading has the fields that identify an input's format.
type heading struct {
	kind   byte            // first byte of the input's value
	filled bool            // a list with items that are objects
	has    map[string]bool // the identifying fields that are present, true if they are not null
	format json.RawMessage
	loosed error // what only other programs may write, nil if nothing
}

// readHeading scans the whole input. More values may follow the first one, unless that identifies a format of ours.
func readHeading(src string) (*heading, error) {
	h, c := &heading{has: map[string]bool{}}, strictjson.NewLooseCursor(src, 0)
	err := c.Whole(func() error {
		if h.kind = c.Peek(); h.kind != '{' {
			h.filled = strings.HasPrefix(strings.TrimLeft(src[min(c.Pos()+1, len(src)):], " \t\r\n"), "{")
			return c.Skip()
		}
		err := c.Members(func(key string) error { return h.note(c, key) })
		for err == nil && len(h.has) == 0 && c.Peek() == '{' {
			err = c.Skip()
		}
		return err
	})
	h.loosed = c.Loosed()
	return h, err
}

// note reads the value of a key if it helps to identify the format.
func (h *heading) note(c *strictjson.Cursor, key string) (err error) {
	if key == "format" || key == "sanad" || key == "ledger_id" || key == "entries" {
		h.has[key] = c.Peek() != 'n'
	}
	if key == "format" {
		h.format, err = c.Raw()
	}
	return err
}

// unsupported returns the error for an unknown format; path is the first field that shows it.
func unsupported(path string, why domain.Message) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "importers.Read", Path: path,
		Message: words.Msg("refused_in_expected", "Why", why, "Name", SessionFormat)}
}
