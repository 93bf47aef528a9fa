package typeset

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
)

// A PDF file as a list of objects: read as fpdf writes it, and written with object streams (PDF 1.5), which compress
// the many small objects of a structure tree well.

// pdfFile holds a file's objects; object n is at index n, and 0 is unused.
type pdfFile struct{ objects [][]byte }

var errFile = errors.New("typeset: the page writer's file can't be read")

// readPDF parses fpdf's file by its cross-reference table.
func readPDF(raw []byte) (*pdfFile, error) {
	tail := bytes.LastIndex(raw, []byte("startxref\n"))
	if tail < 0 {
		return nil, errFile
	}
	table, err := strconv.Atoi(string(bytes.Fields(raw[tail+10:])[0]))
	if err != nil || table < 0 || table > tail {
		return nil, errFile
	}
	lines := bytes.Split(raw[table:tail], []byte("\n"))
	var offsets []int
	for _, l := range lines[3:] { // "xref", "0 n", the free entry
		if len(l) < 18 || l[17] != 'n' {
			break
		}
		at, err := strconv.Atoi(string(l[:10]))
		if err != nil {
			return nil, errFile
		}
		offsets = append(offsets, at)
	}
	return cutObjects(raw, offsets, table)
}

// cutObjects returns the body of each object, which ends at the next object or the table.
func cutObjects(raw []byte, offsets []int, table int) (*pdfFile, error) {
	sorted := append(slices.Sorted(slices.Values(offsets)), table)
	f := &pdfFile{objects: make([][]byte, len(offsets)+1)}
	for i, at := range offsets {
		next, _ := slices.BinarySearch(sorted, at+1)
		if at < 0 || next >= len(sorted) || sorted[next] > len(raw) {
			return nil, errFile
		}
		body := raw[at:sorted[next]]
		head, end := bytes.Index(body, []byte("obj\n")), bytes.LastIndex(body, []byte("endobj"))
		if head < 0 || end < head {
			return nil, errFile
		}
		f.objects[i+1] = bytes.TrimRight(body[head+4:end], "\n")
	}
	return f, nil
}

// add appends an object and returns its number.
func (f *pdfFile) add(body []byte) int {
	f.objects = append(f.objects, body)
	return len(f.objects) - 1
}

// reserve reserves numbers for n objects and returns the first.
func (f *pdfFile) reserve(n int) int {
	first := len(f.objects)
	f.objects = append(f.objects, make([][]byte, n)...)
	return first
}

// stream returns a stream object; dict is its dictionary's content without length and filter.
func stream(dict string, data []byte) []byte {
	packed := deflate(data)
	out := fmt.Appendf(nil, "<<%s/Length %d/Filter/FlateDecode>>\nstream\n", dict, len(packed))
	return append(append(out, packed...), "\nendstream"...)
}

// packers are compressors for reuse; one takes a megabyte.
var packers = sync.Pool{New: func() any {
	z, _ := zlib.NewWriterLevel(io.Discard, zlib.BestCompression) // the level is valid
	return z
}}

func deflate(data []byte) []byte {
	out := bytes.NewBuffer(make([]byte, 0, len(data)/4+64))
	z := packers.Get().(*zlib.Writer)
	defer packers.Put(z)
	z.Reset(out)
	_, _ = z.Write(data) // a bytes.Buffer never fails
	_ = z.Close()
	return out.Bytes()
}

// perStream is how many objects share an object stream.
const perStream = 400

// entry is a row of the cross-reference stream: kind 1 is at an offset, kind 2 in an object stream.
type entry struct {
	kind byte
	at   uint32
	in   uint16
}

// write returns the whole file. trailer is added to the cross-reference stream's dictionary.
func (f *pdfFile) write(trailer string) []byte {
	out := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	entries := make([]entry, len(f.objects), len(f.objects)+len(f.objects)/perStream+2)
	var small []int
	put := func(n int, body []byte) {
		entries[n] = entry{1, uint32(len(out)), 0}
		out = fmt.Appendf(out, "%d 0 obj\n", n)
		out = append(append(out, body...), "\nendobj\n"...)
	}
	for n := 1; n < len(f.objects); n++ {
		switch body := f.objects[n]; {
		case body == nil: // dropped
		case bytes.HasSuffix(body, []byte("endstream")):
			put(n, body)
		default:
			small = append(small, n)
		}
	}
	f.gather(small)
	for group := range slices.Chunk(small, perStream) {
		n := len(entries)
		entries = append(entries, entry{})
		for i, m := range group {
			entries[m] = entry{2, uint32(n), uint16(i)}
		}
		put(n, f.objectStream(group))
	}
	return appendXref(out, entries, trailer)
}

// gather moves objects with text behind the others and sorts them by their text. Equal texts in both languages' parts,
// otherwise thousands of objects apart, become neighbours and compress to a few bytes.
func (f *pdfFile) gather(small []int) {
	words := make(map[int][]byte, len(small))
	for _, n := range small {
		if _, said, ok := bytes.Cut(f.objects[n], []byte("/ActualText")); ok {
			words[n] = said
		}
	}
	slices.SortStableFunc(small, func(a, b int) int { return bytes.Compare(words[a], words[b]) })
}

// objectStream packs small objects into one stream.
func (f *pdfFile) objectStream(group []int) []byte {
	var index, bodies []byte
	for _, n := range group {
		index = fmt.Appendf(index, "%d %d ", n, len(bodies))
		bodies = append(append(bodies, f.objects[n]...), '\n')
	}
	return stream(fmt.Sprintf("/Type/ObjStm/N %d/First %d", len(group), len(index)), append(index, bodies...))
}

// appendXref ends the file with a cross-reference stream. Each row is stored as its difference from the row above (PNG
// predictor "up").
func appendXref(out []byte, entries []entry, trailer string) []byte {
	at := len(out)
	entries = append(entries, entry{1, uint32(at), 0})
	var rows, last, row []byte
	last = make([]byte, 7)
	for _, e := range entries {
		row = append(row[:0], e.kind)
		row = binary.BigEndian.AppendUint32(row, e.at)
		row = binary.BigEndian.AppendUint16(row, e.in)
		rows = append(rows, 2)
		for i := range row {
			rows = append(rows, row[i]-last[i])
		}
		copy(last, row)
	}
	dict := fmt.Sprintf("/Type/XRef/Size %d/W[1 4 2]/DecodeParms<</Predictor 12/Columns 7>>%s", len(entries), trailer)
	out = fmt.Appendf(out, "%d 0 obj\n", len(entries)-1)
	out = append(append(out, stream(dict, rows)...), "\nendobj\n"...)
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF\n", at)
}
