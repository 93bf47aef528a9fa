package block

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Limits of files that are archives of XML.
const (
	ArchiveBytes = 64 << 20 // of all unpacked parts together
	ArchiveDepth = 256      // of nested elements
	ArchiveFiles = 10_000   // entries of the archive
)

var (
	errArchiveBig  = isolated.Over(words.Msg("bound_unpacked", "N", ArchiveBytes>>20))
	ErrArchiveDeep = isolated.Over(words.Msg("bound_deep", "N", ArchiveDepth))
)

// ArchiveParts returns the parts of an archive by their names in lower case. Some programs write backslashes in names.
func ArchiveParts(data []byte) (map[string]*zip.File, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(z.File) > ArchiveFiles {
		return nil, isolated.Over(words.Msg("bound_parts", "N", ArchiveFiles))
	}
	parts := map[string]*zip.File{}
	for _, f := range z.File {
		parts[path.Clean(strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/")))] = f
	}
	return parts, nil
}

// Relation is how a part of the archive is related to another one.
type Relation struct{ Id, Kind, Target string }

// Relations are those of one part, in the order of the file.
type Relations []Relation

// First returns the target of the first relation of a kind, "" if none.
func (l Relations) First(kind string) string {
	for _, r := range l {
		if r.Kind == kind {
			return r.Target
		}
	}
	return ""
}

// RelatedParts reads a part of relationships (ECMA-376, part 2, 9.3): the names of other parts, by the last word of
// their type. Word's editor on the web does not use the usual names. Names that are in no part of the archive are left
// out.
func RelatedParts(parts map[string]*zip.File, name string, left *int64) (found Relations, err error) {
	dir := path.Dir(path.Dir(name))
	err = ReadPart(parts[name], left, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" {
			return nil
		}
		target, kind := strings.ToLower(Attribute(e, "Target")), path.Base(Attribute(e, "Type"))
		if !strings.HasPrefix(target, "/") {
			target = dir + "/" + target
		}
		target = strings.TrimPrefix(path.Clean(target), "/")
		if parts[target] != nil {
			found = append(found, Relation{Attribute(e, "Id"), kind, target})
		}
		return nil
	})
	return found, err
}

// ReadPart passes the tokens of a part to take, and subtracts what it unpacked from left.
func ReadPart(f *zip.File, left *int64, take func(xml.Token) error) error {
	if f == nil {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read
	return ReadXML(r, left, take)
}

// ReadXML passes the tokens of XML to take, and subtracts what it has from left. It counts the bytes itself, as the
// sizes stated in an archive can't be trusted.
func ReadXML(in io.Reader, left *int64, take func(xml.Token) error) error {
	limited := &io.LimitedReader{R: in, N: *left + 1}
	counted := newTagReader(limited)
	d := xml.NewDecoder(counted)
	depth := 0
	for {
		t, err := d.RawToken()
		if limited.N <= 0 {
			return errArchiveBig
		}
		if errors.Is(err, io.EOF) {
			*left = limited.N - 1
			return nil
		}
		if err != nil {
			return err
		}
		_, text := t.(xml.CharData)
		counted.next(text)
		switch t.(type) {
		case xml.StartElement:
			if depth++; depth > ArchiveDepth {
				return ErrArchiveDeep
			}
		case xml.EndElement:
			depth--
		}
		if err := take(t); err != nil {
			return err
		}
	}
}

// ReadWhole returns the bytes of a part, nil if none.
func ReadWhole(f *zip.File, left *int64) ([]byte, error) {
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(r, *left+1))
	if *left -= int64(len(data)); *left < 0 {
		return nil, errArchiveBig
	}
	return data, err
}

// Attribute returns the value of an attribute, whatever its prefix; "" if none.
func Attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// IsSet reports whether an attribute of a switch is on.
func IsSet(e xml.StartElement, name string) bool {
	switch Attribute(e, name) {
	case "1", "true", "on":
		return true
	}
	return false
}

// IsOn reports whether an element that switches something on does so: it may say that it switches it off.
func IsOn(e xml.StartElement) bool {
	switch Attribute(e, "val") {
	case "0", "false", "off", "none":
		return false
	}
	return true
}

// TargetOf returns the target of a relation, "" if none.
func (l Relations) TargetOf(id string) string {
	if i := l.ByID(id); i >= 0 {
		return l[i].Target
	}
	return ""
}

// RelationID returns the id of the part that an element is related to. Other ids of an element have no prefix.
func RelationID(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

// ByID returns the index of a relation, -1 if none.
func (l Relations) ByID(id string) int {
	for i := range l {
		if l[i].Id == id {
			return i
		}
	}
	return -1
}

// RelatedOf returns the parts that a part is related to.
func RelatedOf(parts map[string]*zip.File, name string, left *int64) (Relations, error) {
	dir, file := path.Split(name)
	return RelatedParts(parts, dir+"_rels/"+file+".rels", left)
}
