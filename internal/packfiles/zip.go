package packfiles

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// A zip can say two things: programs read it from its end, from its beginning, or by its local headers, and each may
// find other files. Therefore every byte of a pack's zip outside of the files' contents is what exporters.Zip
// writes there, or the zip is refused (rule F-11). static/verify.html has the same fields in the same order, and says
// the same of each fault.

// packZipNames lists the files of the zip in their order. It has no others.
var packZipNames = []string{
	"pack.json", "pack.md", "pack.pdf", "pack.dsse.json", "pack.sigstore.json", "pack.tlog-proof", "salts.json",
	"tenant.pub", "VERIFY.md", "verify.html",
}

// The sizes of the records, by APPNOTE.TXT 6.3.10 of PKWARE, without names.
const (
	localSize = 30 + timeSize // of the header before a file
	sumsSize  = 16            // of the data descriptor behind it
	entrySize = 46 + timeSize // of its entry in the directory
	endSize   = 22            // of the end record, without a comment
	timeSize  = 9             // of the extra field that holds the time
)

// zipField is a field of a record: its name, and the bytes that it must have.
type zipField struct {
	name string
	want []byte
}

func field16(name string, v uint16) zipField {
	return zipField{name, binary.LittleEndian.AppendUint16(nil, v)}
}

func field32(name string, v uint32) zipField {
	return zipField{name, binary.LittleEndian.AppendUint32(nil, v)}
}

// otherField returns the name of the first field of a record that differs, and "" if none does.
func otherField(record []byte, fields []zipField) string {
	for _, f := range fields {
		if !bytes.HasPrefix(record, f.want) {
			return f.name
		}
		record = record[len(f.want):]
	}
	return ""
}

// zipEntry is what the directory says of a file.
type zipEntry struct {
	name              string
	made              uint32 // seconds since 1970, the same for all files
	at                int    // where its header begins
	sum, packed, size uint32
}

// method returns 0 for a stored file, 8 for one that is deflated. A PDF is compressed already.
func (e *zipEntry) method() uint16 {
	if e.name == "pack.pdf" {
		return 0
	}
	return 8
}

// head returns the fields from "version needed" to the date.
func (e *zipEntry) head() []zipField {
	t := time.Unix(int64(e.made), 0).UTC()
	return []zipField{
		field16("version needed", 20), field16("flags", 8), field16("method", e.method()),
		field16("time", uint16(t.Second()/2|t.Minute()<<5|t.Hour()<<11)),
		field16("date", uint16(t.Day()|int(t.Month())<<5|(t.Year()-1980)<<9&(1<<16-1))),
	}
}

// tail returns the name and the time, which end header and directory entry.
func (e *zipEntry) tail() []zipField {
	return []zipField{
		{"name", []byte(e.name)},
		{"extra field", binary.LittleEndian.AppendUint32([]byte("UT\x05\x00\x01"), e.made)},
	}
}

func (e *zipEntry) local() []zipField {
	fields := append([]zipField{field32("signature", 0x04034b50)}, e.head()...)
	fields = append(fields, field32("CRC-32", 0), field32("compressed size", 0), field32("size", 0),
		field16("name length", uint16(len(e.name))), field16("extra length", timeSize))
	return append(fields, e.tail()...)
}

func (e *zipEntry) sums() []zipField {
	return []zipField{
		field32("signature", 0x08074b50), field32("CRC-32", e.sum), field32("compressed size", e.packed),
		field32("size", e.size),
	}
}

func (e *zipEntry) entry() []zipField {
	fields := []zipField{field32("signature", 0x02014b50), field16("version made by", 3<<8|20)}
	fields = append(fields, e.head()...)
	fields = append(fields,
		field32("CRC-32", e.sum), field32("compressed size", e.packed), field32("size", e.size),
		field16("name length", uint16(len(e.name))), field16("extra length", timeSize), field16("comment length", 0),
		field16("disk", 0), field16("internal attributes", 0), field32("external attributes", 0o100644<<16),
		field32("offset", uint32(e.at)))
	return append(fields, e.tail()...)
}

// readPackZip reads the download of a pack.
func readPackZip(data []byte) (*File, error) {
	directory := 0
	for _, name := range packZipNames {
		directory += entrySize + len(name)
	}
	start := len(data) - endSize - directory
	if start < 0 {
		return nil, domain.Refuse(domain.Invalid, "", "refused_zip_cut")
	}
	if other := otherField(data[start+directory:], endFields(start, directory)); other != "" {
		return nil, domain.Refuse(domain.Invalid, "", "refused_zip_end", "Name", other)
	}
	out := &File{Kind: Zip, Files: pack.Files{Whole: true}}
	places, left, next, entries := out.places(), maxPackTotal, 0, data[start:]
	made := binary.LittleEndian.Uint32(entries[entrySize+len(packZipNames[0])-4:])
	for _, name := range packZipNames {
		e := zipEntry{name: name, made: made, at: next}
		e.sum, e.packed, e.size = binary.LittleEndian.Uint32(entries[16:]),
			binary.LittleEndian.Uint32(entries[20:]), binary.LittleEndian.Uint32(entries[24:])
		if other := otherField(entries, e.entry()); other != "" {
			return nil, domain.Refuse(domain.Invalid, "", "refused_zip_directory", "Name", name, "Other", other)
		}
		content, err := e.read(data[next:start], min(left, MaxFile))
		if err != nil {
			return nil, err
		}
		if place := places[name]; place != nil {
			*place = content
		}
		left -= len(content)
		entries = entries[entrySize+len(name):]
		next += localSize + len(name) + int(e.packed) + sumsSize
	}
	if next != start {
		return nil, domain.Refuse(domain.Invalid, "", "refused_zip_between")
	}
	return out, nil
}

func endFields(start, directory int) []zipField {
	n := uint16(len(packZipNames))
	return []zipField{
		field32("signature", 0x06054b50), field16("disk", 0), field16("disk of the directory", 0),
		field16("files on this disk", n), field16("number of files", n),
		field32("size of the directory", uint32(directory)), field32("offset of the directory", uint32(start)),
		field16("comment length", 0),
	}
}

// read unpacks a file of at most so many bytes. It begins at the beginning of files, which end with the last file.
func (e *zipEntry) read(files []byte, most int) ([]byte, error) {
	at := localSize + len(e.name)
	if int64(at)+int64(e.packed)+sumsSize > int64(len(files)) {
		return nil, domain.Refuse(domain.Invalid, "", "refused_zip_directory", "Name", e.name,
			"Other", "compressed size")
	}
	if other := otherField(files, e.local()); other != "" {
		return nil, domain.Refuse(domain.Invalid, "", "refused_zip_header", "Name", e.name, "Other", other)
	}
	if int64(e.size) > int64(most) {
		return nil, domain.Refuse(domain.TooLarge, e.name, "refused_file_unpacks", "N", most)
	}
	packed := files[at : at+int(e.packed)]
	content, err := e.unpack(packed)
	if err != nil || len(content) != int(e.size) || crc32.ChecksumIEEE(content) != e.sum {
		return nil, &domain.Error{Kind: domain.Invalid, Err: err,
			Message: words.Msg("refused_zip_unpack", "Name", e.name)}
	}
	if other := otherField(files[at+len(packed):], e.sums()); other != "" {
		return nil, domain.Refuse(domain.Invalid, "", "refused_zip_record", "Name", e.name, "Other", other)
	}
	return content, nil
}

// unpack returns the content, of at most one byte more than was stated. All of the packed bytes must belong to it.
func (e *zipEntry) unpack(packed []byte) ([]byte, error) {
	if e.method() == 0 {
		return packed, nil
	}
	from := bytes.NewReader(packed)
	content, err := io.ReadAll(io.LimitReader(flate.NewReader(from), int64(e.size)+1))
	if err == nil && from.Len() > 0 {
		err = io.ErrUnexpectedEOF
	}
	return content, err
}
