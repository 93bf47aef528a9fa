package importers

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// The kinds of file that a pack comes as.
const (
	PackZip      = "zip"      // the download (rule F-11)
	PackJSON     = "json"     // pack.json alone
	PackExport   = "export"   // {"dsse":…,"pack":…}
	PackPDF      = "pdf"      // pack.pdf, with pack.json attached
	PackProof    = "proof"    // of one claim
	PackRedacted = "redacted" // a redacted copy
)

// The limits of a pack's files. They are counted while reading, whatever the zip says of itself.
const (
	MaxPackFile  = 64 << 20  // a file as it comes, and each file of a zip
	maxPackTotal = 128 << 20 // all files of a zip together
	maxPackNames = 64
)

// PackFile is a pack as somebody was handed it: nothing in it is believed yet.
type PackFile struct {
	Kind  string
	Files pack.Files // of zip, json, export and pdf
	Data  []byte     // of proof and redacted: the file itself
	Other []string   // names in the zip that no signature covers, VERIFY.md and verify.html left out
}

// ReadPack tells by its content what a file is, and takes it apart. Errors: Unsupported, Invalid, TooLarge.
func ReadPack(data []byte) (*PackFile, error) {
	switch {
	case len(data) > MaxPackFile:
		return nil, domain.TooLargef("", "The file has more than %s bytes.", grouped(MaxPackFile))
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return readPackZip(data)
	case bytes.HasPrefix(data, []byte("%PDF-")):
		attached, err := attachedPack(data)
		return &PackFile{Kind: PackPDF, Files: pack.Files{Pack: attached, PDF: data}}, err
	case bytes.HasPrefix(data, []byte("{")):
		return readPackJSON(data)
	}
	return nil, &domain.Error{Kind: domain.Unsupported,
		Msg: "This is no zip, pack.json, PDF, proof or redacted copy of a pack."}
}

// readPackJSON tells the JSON files apart. What has another form than it must have is refused by those who check it.
func readPackJSON(data []byte) (*PackFile, error) {
	var says struct {
		Format     string
		Pack, DSSE json.RawMessage
	}
	if err := json.Unmarshal(data, &says); err != nil {
		return nil, &domain.Error{Kind: domain.Invalid, Msg: "This is not JSON.", Err: err}
	}
	switch { // of whichever version: pack says what it can read
	case pack.SameFormat(says.Format, pack.Format):
		return &PackFile{Kind: PackJSON, Files: pack.Files{Pack: data}}, nil
	case pack.SameFormat(says.Format, pack.ProofFormat):
		return &PackFile{Kind: PackProof, Data: data}, nil
	case pack.SameFormat(says.Format, pack.RedactedFormat):
		return &PackFile{Kind: PackRedacted, Data: data}, nil
	case says.Format == "" && len(says.Pack) > 0 && len(says.DSSE) > 0:
		return readPackExport(data, says.Pack, says.DSSE)
	}
	return nil, &domain.Error{Kind: domain.Unsupported, Msg: "This JSON is no pack, no proof and no redacted copy."}
}

// readPackExport takes an export apart. It must be nothing but the two, byte by byte, so that there is no place in it
// for something that nobody signed. A final newline is allowed.
func readPackExport(data, packJSON, envelope []byte) (*PackFile, error) {
	whole := slices.Concat([]byte(`{"dsse":`), envelope, []byte(`,"pack":`), packJSON, []byte("}"))
	if !bytes.Equal(bytes.TrimSuffix(data, []byte("\n")), whole) {
		return nil, &domain.Error{Kind: domain.Invalid,
			Msg: "This export has another form than it was made in: it was changed."}
	}
	return &PackFile{Kind: PackExport, Files: pack.Files{Pack: packJSON, Envelope: envelope}}, nil
}

// readPackZip reads the files that rule F-11 names, wherever their folder is.
func readPackZip(data []byte) (*PackFile, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &domain.Error{Kind: domain.Invalid, Msg: "This zip file is damaged.", Err: err}
	}
	if len(z.File) > maxPackNames {
		return nil, domain.TooLargef("", "The zip has more than %d files.", maxPackNames)
	}
	out := &PackFile{Kind: PackZip, Files: pack.Files{Whole: true}}
	places, left := out.places(), int64(maxPackTotal)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		place, known := places[baseName(f.Name)]
		if !known {
			out.Other = append(out.Other, f.Name)
			continue
		}
		if place == nil {
			continue
		}
		if *place != nil {
			return nil, domain.Invalidf(f.Name, "The zip has this file twice.")
		}
		if *place, err = unzip(f, min(left, MaxPackFile)); err != nil {
			return nil, err
		}
		left -= int64(len(*place))
	}
	slices.Sort(out.Other)
	if out.Files.Pack == nil {
		return nil, domain.Invalidf("", "The zip has no pack.json.")
	}
	return out, nil
}

func baseName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// places says where each file of the zip goes; nil is a file for people to read.
func (p *PackFile) places() map[string]*[]byte {
	f := &p.Files
	return map[string]*[]byte{
		"pack.json": &f.Pack, "pack.md": &f.Markdown, "pack.pdf": &f.PDF, "pack.dsse.json": &f.Envelope,
		"pack.sigstore.json": &f.Bundle,
		"pack.tlog-proof":    &f.LogProof, "salts.json": &f.Salts, "tenant.pub": &f.PublicKey, "VERIFY.md": nil,
		"verify.html": nil,
	}
}

// unzip reads a file of a zip, most bytes at the most. It never gives nil without an error.
func unzip(f *zip.File, most int64) ([]byte, error) {
	r, err := f.Open()
	if err == nil {
		defer r.Close() //nolint:errcheck // only read
		var data []byte
		data, err = counted(r, most)
		if err == nil {
			return data, nil
		}
	}
	if errors.Is(err, errMany) {
		return nil, domain.TooLargef(f.Name, "This file unpacks to more than %s bytes.", grouped(int(most)))
	}
	return nil, &domain.Error{Kind: domain.Invalid, Path: f.Name, Msg: "This file of the zip is damaged.", Err: err}
}

var errMany = errors.New("more bytes than are read")

// counted reads all of r, unless that is more than most bytes.
func counted(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errMany
	}
	return data, err
}
