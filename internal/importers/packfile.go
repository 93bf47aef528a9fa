package importers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// The kinds of file in which a pack comes.
const (
	PackZip      = "zip"      // the download (rule F-11)
	PackFolder   = "folder"   // the files of the download, unpacked
	PackJSON     = "json"     // pack.json alone
	PackExport   = "export"   // {"dsse":…,"pack":…}
	PackPDF      = "pdf"      // pack.pdf, with pack.json attached
	PackProof    = "proof"    // of a single claim
	PackRedacted = "redacted" // a redacted copy
	PackErased   = "erased"   // what is kept of an erased pack
)

// The limits of a pack's files. They are enforced while reading, whatever sizes the zip states.
const (
	MaxPackFile  = 64 << 20  // a whole file, or any one file of a zip
	maxPackTotal = 128 << 20 // all files of a zip
)

// PackFile is a pack as received: nothing in it has been verified.
type PackFile struct {
	Kind  string
	Files pack.Files // of zip, folder, json, export and pdf
	Data  []byte     // for proof, redacted and erased: the file itself
	Other []string   // what else is in the folder
}

// ReadPack detects the kind of a file by its content and splits it into its parts. Errors:
// Unsupported, Invalid, TooLarge.
func ReadPack(data []byte) (*PackFile, error) {
	switch {
	case len(data) > MaxPackFile:
		return nil, domain.Refuse(domain.TooLarge, "", "refused_pack_file_large", "N", MaxPackFile)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return readPackZip(data)
	case bytes.HasPrefix(data, []byte("%PDF-")):
		attached, err := attachedPack(data)
		return &PackFile{Kind: PackPDF, Files: pack.Files{Pack: attached, PDF: data}}, err
	case bytes.HasPrefix(data, []byte("{")):
		return readPackJSON(data)
	}
	return nil, &domain.Error{Kind: domain.Unsupported,
		Message: words.Msg("refused_no_pack")}
}

// readPackJSON distinguishes the JSON files. The verifiers refuse files of the wrong form.
func readPackJSON(data []byte) (*PackFile, error) {
	var says struct {
		Format     string
		Pack, DSSE json.RawMessage
	}
	if err := json.Unmarshal(data, &says); err != nil {
		return nil, &domain.Error{Kind: domain.Invalid, Message: words.Msg("refused_not_json"), Err: err}
	}
	switch { // any version; package pack decides which it can read
	case pack.SameFormat(says.Format, pack.Format):
		return &PackFile{Kind: PackJSON, Files: pack.Files{Pack: data}}, nil
	case pack.SameFormat(says.Format, pack.ProofFormat):
		return &PackFile{Kind: PackProof, Data: data}, nil
	case pack.SameFormat(says.Format, pack.RedactedFormat):
		return &PackFile{Kind: PackRedacted, Data: data}, nil
	case pack.SameFormat(says.Format, pack.ErasedFormat):
		return &PackFile{Kind: PackErased, Data: data}, nil
	case says.Format == "" && len(says.Pack) > 0 && len(says.DSSE) > 0:
		return readPackExport(data, says.Pack, says.DSSE)
	}
	return nil, &domain.Error{Kind: domain.Unsupported, Message: words.Msg("refused_json_no_pack")}
}

// readPackExport splits an export. It must consist of exactly the two values, byte for byte, so that it can't contain
// anything unsigned. A final newline is allowed.
func readPackExport(data, packJSON, envelope []byte) (*PackFile, error) {
	whole := slices.Concat([]byte(`{"dsse":`), envelope, []byte(`,"pack":`), packJSON, []byte("}"))
	if !bytes.Equal(bytes.TrimSuffix(data, []byte("\n")), whole) {
		return nil, &domain.Error{Kind: domain.Invalid,
			Message: words.Msg("refused_export_changed")}
	}
	return &PackFile{Kind: PackExport, Files: pack.Files{Pack: packJSON, Envelope: envelope}}, nil
}

// ReadPackFolder takes the files of a pack from a folder, into which somebody unpacked its zip. The names are those of
// its files; read returns the content of one and is asked only for those that belong to a pack.
func ReadPackFolder(names []string, read func(name string) ([]byte, error)) (*PackFile, error) {
	out := &PackFile{Kind: PackFolder}
	places := out.places()
	for _, name := range names {
		place, known := places[name]
		if !known {
			out.Other = append(out.Other, name)
		}
		if place == nil {
			continue
		}
		var err error
		if *place, err = read(name); err != nil {
			return nil, err
		}
	}
	slices.Sort(out.Other)
	if out.Files.Pack == nil {
		return nil, domain.Refuse(domain.Invalid, "", "refused_folder_no_pack")
	}
	return out, nil
}

// places says where each file of the download is stored; nil means a file for people only.
func (p *PackFile) places() map[string]*[]byte {
	f := &p.Files
	return map[string]*[]byte{
		"pack.json": &f.Pack, "pack.md": &f.Markdown, "pack.pdf": &f.PDF, "pack.dsse.json": &f.Envelope,
		"pack.sigstore.json": &f.Bundle,
		"pack.tlog-proof":    &f.LogProof, "salts.json": &f.Salts, "tenant.pub": &f.PublicKey, "VERIFY.md": nil,
		"verify.html": nil,
	}
}

var errMany = errors.New("more bytes than are read")

// counted reads all of r; it fails if there are more than most bytes.
func counted(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errMany
	}
	return data, err
}
