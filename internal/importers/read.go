package importers

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// The formats that Read knows, as Result.Format names them.
const (
	SessionFormat = "sanad.session/v1" // our own (spec page 7)
	LedgerFormat  = "sanad.ledger/v1"  // an exported ledger (spec page 1 "Exports")
	FormFormat    = "sanad.form/v1"    // pasted and uploaded, see FromForm
)

// Result is what an import gives.
type Result struct {
	Session   ledger.Session // ids and times unset; Keys, Positions, Digest, Extra set; given matches in the file's order
	Originals []Original     // uploaded files, to be kept as they are
	Warnings  []Warning      // what was read but is worth a look, in input order
	Format    string         // the format that was read
}

// Original is an uploaded file as it came.
type Original struct {
	Document  int // position of its document
	MediaType string
	Data      []byte
}

// Warning tells of a place in the input that was read in a way the sender may not expect.
type Warning struct {
	Path string `json:"path"`
	Msg  string `json:"message"`
}

// Read reads one file in any of the known formats, told by its content. Errors are *domain.Error: Unsupported for a
// format that is not read here, TooLarge with the limit, Invalid with the place and the mend.
func Read(data []byte, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	format, err := detect(data, opt)
	if err != nil {
		return nil, err
	}
	b := newBuilder(opt)
	strict := Strict{MaxBytes: opt.Bytes, Limits: opt.limits(), Unknown: b.unknown}
	if format == LedgerFormat {
		var file ledgerFile
		if err := Decode(data, &file, strict); err != nil {
			return nil, err
		}
		return b.exported(&file)
	}
	var file sessionFile
	if err := Decode(data, &file, strict); err != nil {
		return nil, err
	}
	return b.own(&file)
}

// detect tells the format; it reads the whole input once, so that whatever is wrong with the JSON itself is said first.
func detect(data []byte, opt Options) (string, error) {
	var whole json.RawMessage
	if err := Decode(data, &whole, Strict{MaxBytes: opt.Bytes}); err != nil {
		return "", err
	}
	var top map[string]json.RawMessage
	first := ""
	if err := Decode(whole, &top, Strict{MaxBytes: opt.Bytes}); err != nil {
		return "", err
	}
	if top == nil {
		return "", domain.Invalidf("", `The input is null; send an object of the format "%s".`, SessionFormat)
	}
	if _, ok := top["sanad"]; ok && top["ledger_id"] != nil {
		return LedgerFormat, nil
	}
	stated, ok := top["format"]
	switch {
	case ok && string(stated) == `"`+SessionFormat+`"`:
		return SessionFormat, nil
	case ok:
		return "", unsupported("format", "This says %s.", clipKey(string(stated), true))
	}
	for _, known := range []string{"ledger_id", "session", "documents", "claims"} {
		if _, ok := top[known]; ok && first == "" {
			first = known
		}
	}
	if first == "ledger_id" {
		return "", unsupported("sanad", `This is an exported ledger without its "sanad" part.`)
	}
	return "", unsupported("format", `The input has no "format".`)
}

// unsupported is the error for a format that is not read here; path is the first field that tells so.
func unsupported(path, what string, args ...any) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "importers.Read", Path: path, Msg: fmt.Sprintf(what, args...) +
		fmt.Sprintf(` Expected is an object with "format": "%s", or a ledger as exported here (with "ledger_id" and "sanad").`, SessionFormat)}
}
