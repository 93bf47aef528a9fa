package packfiles

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
	Zip      = "zip"      // the download (rule F-11)
	Folder   = "folder"   // the files of the download, unpacked
	JSON     = "json"     // pack.json alone
	Export   = "export"   // {"dsse":…,"pack":…}
	PDF      = "pdf"      // pack.pdf, with pack.json attached
	Proof    = "proof"    // of a single claim
	Redacted = "redacted" // a redacted copy
	Erased   = "erased"   // what is kept of an erased pack
)

// The limits of a pack's files. They are enforced while reading, whatever sizes the zip states.
const (
	MaxFile      = 64 << 20  // a whole file, or any one file of a zip
	maxPackTotal = 128 << 20 // all files of a zip
)

// File is a pack as received: nothing in it has been verified.
type File struct {
	Kind  string
	Files pack.Files // of zip, folder, json, export and pdf
	Data  []byte     // for proof, redacted and erased: the file itself
	Other []string   // what else is in the folder
}

// Read detects the kind of a file by its content and splits it into its parts. Errors:
// Unsupported, Invalid, TooLarge.
func Read(data []byte) (*File, error) {
	switch {
	case len(data) > MaxFile:
		return nil, domain.Refuse(domain.TooLarge, "", "refused_pack_file_large", "N", MaxFile)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return readPackZip(data)
	case bytes.HasPrefix(data, []byte("%PDF-")):
		attached, err := attachedPack(data)
		return &File{Kind: PDF, Files: pack.Files{Pack: attached, PDF: data}}, err
	case bytes.HasPrefix(data, []byte("{")):
		return readPackJSON(data)
	}
	return nil, &domain.Error{Kind: domain.Unsupported,
		Message: words.Msg("refused_no_pack")}
}

// readPackJSON distinguishes the JSON files. The verifiers refuse files of the wrong form.
func readPackJSON(data []byte) (*File, error) {
	var says struct {
		Format     string
		Pack, DSSE json.RawMessage
	}
	if err := json.Unmarshal(data, &says); err != nil {
		return nil, &domain.Error{Kind: domain.Invalid, Message: words.Msg("refused_not_json"), Err: err}
	}
	switch { // any version; package pack decides which it can read
	case pack.SameFormat(says.Format, pack.Format):
		return &File{Kind: JSON, Files: pack.Files{Pack: data}}, nil
	case pack.SameFormat(says.Format, pack.ProofFormat):
		return &File{Kind: Proof, Data: data}, nil
	case pack.SameFormat(says.Format, pack.RedactedFormat):
		return &File{Kind: Redacted, Data: data}, nil
	case pack.SameFormat(says.Format, pack.ErasedFormat):
		return &File{Kind: Erased, Data: data}, nil
	case says.Format == "" && len(says.Pack) > 0 && len(says.DSSE) > 0:
		return readPackExport(data, says.Pack, says.DSSE)
	}
	return nil, &domain.Error{Kind: domain.Unsupported, Message: words.Msg("refused_json_no_pack")}
}

// readPackExport splits an export. It must consist of exactly the two values, byte for byte, so that it can't contain
// anything unsigned. A final newline is allowed.
func readPackExport(data, packJSON, envelope []byte) (*File, error) {
	whole := slices.Concat([]byte(`{"dsse":`), envelope, []byte(`,"pack":`), packJSON, []byte("}"))
	if !bytes.Equal(bytes.TrimSuffix(data, []byte("\n")), whole) {
		return nil, &domain.Error{Kind: domain.Invalid,
			Message: words.Msg("refused_export_changed")}
	}
	return &File{Kind: Export, Files: pack.Files{Pack: packJSON, Envelope: envelope}}, nil
}

// ReadFolder takes the files of a pack from a folder, into which somebody unpacked its zip. The names are those of
// its files; read returns the content of one and is asked only for those that belong to a pack.
func ReadFolder(names []string, read func(name string) ([]byte, error)) (*File, error) {
	out := &File{Kind: Folder}
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
func (p *File) places() map[string]*[]byte {
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
