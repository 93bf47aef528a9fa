package importers

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// Inputs that are no JSON in UTF-8 are turned into it before anything else: UTF-16, as PowerShell writes it, the event
// stream of a streamed answer, and CSV, as pandas writes it. Such an input is held in memory as a whole.

// maxTurned is the most bytes of such an input.
const maxTurned = 32 << 20

// headBytes is how much of an input shows what it is.
const headBytes = 64 << 10

// turn is a form of input that is turned into JSON.
type turn struct {
	is   func(head string) bool // head is the beginning of the input
	read func(src string) (string, error)
}

var turns = []turn{
	{is: looksUTF16, read: fromUTF16}, {is: looksStream, read: eventsJSON}, {is: looksCSV, read: csvJSON},
}

// turned returns an input as JSON in UTF-8, as it is if it needs no turning.
func turned(src string) (string, error) {
	for _, t := range turns {
		if !t.is(src[:min(len(src), headBytes)]) {
			continue
		}
		if len(src) > maxTurned {
			return "", domain.Refuse(domain.TooLarge, "", "refused_turned_large", "N", len(src), "Most", maxTurned)
		}
		out, err := t.read(src)
		if err != nil {
			return "", err
		}
		src = out
	}
	return strings.TrimPrefix(src, "\ufeff"), nil
}

// turnedFile returns a file as JSON in UTF-8, itself if it needs no turning.
func turnedFile(file io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	head := make([]byte, min(size, headBytes))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	for _, t := range turns {
		if !t.is(string(head)) {
			continue
		}
		if size > maxTurned {
			return nil, 0, domain.Refuse(domain.TooLarge, "", "refused_turned_large", "N", int(size), "Most", maxTurned)
		}
		data, err := io.ReadAll(io.NewSectionReader(file, 0, size))
		if err != nil {
			return nil, 0, err
		}
		src, err := turned(string(data))
		return strings.NewReader(src), int64(len(src)), err
	}
	return file, size, nil
}

// looksUTF16 reports whether text is UTF-16, by its byte order mark or because every other byte of its beginning is
// zero.
func looksUTF16(head string) bool {
	return text.IsUTF16([]byte(head[:min(len(head), 2)])) || len(head) > 3 && utf16Order(head) != nil
}

// utf16Order tells the order of bytes by the zeros beside the first letters, which are those of JSON; nil if there are
// none.
func utf16Order(head string) binary.ByteOrder {
	switch {
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return binary.BigEndian
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return binary.LittleEndian
	}
	return nil
}

func fromUTF16(src string) (string, error) {
	data := []byte(src)
	if !text.IsUTF16(data[:2]) {
		mark := []byte{0xFF, 0xFE}
		if utf16Order(src) == binary.BigEndian {
			mark = []byte{0xFE, 0xFF}
		}
		data = append(mark, data...)
	}
	out, ok := text.DecodeUTF16(data)
	if !ok {
		return "", domain.Refuse(domain.Invalid, "", "refused_in_utf16")
	}
	return out, nil
}

// looksCSV reports whether text is a table with commas, semicolons or tabs: two lines of as many cells, at least two.
func looksCSV(head string) bool {
	head = strings.TrimPrefix(head, "\ufeff")
	if head == "" || strings.IndexByte("{[ \t\r\n", head[0]) >= 0 {
		return false
	}
	rows := csvReader(head)
	names, err := rows.Read()
	if err != nil || len(names) < 2 {
		return false
	}
	cells, err := rows.Read()
	var fault *csv.ParseError
	return err == nil && len(cells) == len(names) || errors.As(err, &fault) && errors.Is(fault.Err, csv.ErrQuote) ||
		errors.Is(err, io.EOF)
}

// csvReader returns a reader with the mark that stands between the cells of the first line.
func csvReader(src string) *csv.Reader {
	line, _, _ := strings.Cut(src, "\n")
	r := csv.NewReader(strings.NewReader(src))
	for _, mark := range []rune{';', '\t'} {
		if strings.Count(line, string(mark)) > strings.Count(line, string(r.Comma)) {
			r.Comma = mark
		}
	}
	return r
}

// csvJSON writes the rows of a table as a list of objects. A cell that holds a list, as JSON or as Python writes it, is
// that list, an empty one is left out, and any other a text.
func csvJSON(src string) (string, error) {
	rows := csvReader(strings.TrimPrefix(src, "\ufeff"))
	names, err := rows.Read()
	if err != nil {
		return "", csvFault(err)
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for n := 0; ; n++ {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", csvFault(err)
		}
		if n > 0 {
			out.WriteByte(',')
		}
		csvRow(&out, names, cells)
		if out.Len() > 4*maxTurned {
			return "", domain.Refuse(domain.TooLarge, "", "refused_turned_large", "N", out.Len(), "Most", 4*maxTurned)
		}
	}
	out.WriteByte(']')
	return out.String(), nil
}

// csvRow writes one row. Of columns with one name the first counts.
func csvRow(out *bytes.Buffer, names, cells []string) {
	out.WriteByte('{')
	seen := map[string]bool{}
	for i, cell := range cells {
		name := strings.TrimSpace(names[i])
		if name == "" || seen[name] || strings.TrimSpace(cell) == "" || strings.EqualFold(cell, "nan") {
			continue
		}
		if len(seen) > 0 {
			out.WriteByte(',')
		}
		seen[name] = true
		out.Write(mustJSON(name))
		out.WriteByte(':')
		if raw, ok := jsonIn(cell); ok && begins(raw) != '"' {
			out.Write(raw)
		} else {
			out.Write(mustJSON(strings.ToValidUTF8(cell, "�")))
		}
	}
	out.WriteByte('}')
}

// csvFault says where a table is broken.
func csvFault(err error) error {
	var fault *csv.ParseError
	if !errors.As(err, &fault) {
		return err
	}
	id := "refused_csv_quotes"
	if errors.Is(fault.Err, csv.ErrFieldCount) {
		id = "refused_csv_cells"
	}
	return domain.Refuse(domain.Invalid, "", id, "Line", fault.Line, "Column", fault.Column)
}
