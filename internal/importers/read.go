package importers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

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
	Reviews   int            // how many reviews an exported ledger brought; who gave them was not checked, and no warning says so yet
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
	if err := checkSize(data, opt.Bytes); err != nil {
		return nil, err
	}
	src := string(data) // the one copy; what is read are parts of it
	format, err := detect(src)
	if err != nil {
		return nil, err
	}
	b := newBuilder(opt)
	strict := Strict{Limits: opt.limits(), Unknown: b.unknown, UnknownBytes: opt.UnknownBytes}
	if format == LedgerFormat {
		var file ledgerFile
		if err := decode(src, &file, strict); err != nil {
			return nil, err
		}
		return b.exported(&file)
	}
	var file sessionFile
	if err := decode(src, &file, strict); err != nil {
		return nil, err
	}
	return b.own(&file)
}

// detect tells the format by the input's own fields. It passes over the whole input, so that whatever is wrong with the
// JSON itself is said before anything else.
func detect(src string) (string, error) {
	var format json.RawMessage
	has := map[string]bool{} // the fields that are there, true where they are not null
	d := &decoder{src: src}
	note := func(key string) (reflect.Value, string, error) {
		if key == "format" || key == "sanad" || key == "ledger_id" {
			has[key] = d.peek() != 'n'
		}
		if key == "format" {
			return reflect.ValueOf(&format).Elem(), "", nil
		}
		return reflect.Value{}, "", nil
	}
	kind := byte(0)
	err := d.only(func() error {
		if kind = d.peek(); kind == '{' {
			return d.members(note)
		}
		return d.value(reflect.Value{}, "")
	})
	_, stated := has["format"]
	_, ours := has["sanad"]
	switch {
	case err != nil:
		return "", err
	case kind == 'n':
		return "", domain.Invalidf("", `The input is null; send an object of the format "%s".`, SessionFormat)
	case kind != '{':
		return "", domain.Invalidf("", "The whole is %s; send an object.", found(kind))
	case ours && has["ledger_id"]:
		return LedgerFormat, nil
	case string(format) == `"`+SessionFormat+`"`:
		return SessionFormat, nil
	case stated:
		return "", unsupported("format", "This says %s.", clipKey(string(format), true))
	case has["ledger_id"]:
		return "", unsupported("sanad", `This is an exported ledger without its "sanad" part.`)
	}
	return "", unsupported("format", `The input has no "format".`)
}

// unsupported is the error for a format that is not read here; path is the first field that tells so.
func unsupported(path, what string, args ...any) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "importers.Read", Path: path, Msg: fmt.Sprintf(what, args...) +
		fmt.Sprintf(` Expected is an object with "format": "%s", or a ledger as exported here (with "ledger_id" and "sanad").`, SessionFormat)}
}
