package ocr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"io"

	"golang.org/x/image/tiff"
)

// How a TIFF file begins, in the two orders of bytes.
const (
	littleTIFF = "II*\x00"
	bigTIFF    = "MM\x00*"
)

// directory is one of the pages of a TIFF file.
type directory struct {
	at          uint32
	order       binary.ByteOrder
	orientation int
}

// first returns the file with this page as its first.
func (d *directory) first(data []byte) []byte {
	out := bytes.Clone(data)
	d.order.PutUint32(out[4:], d.at)
	return out
}

// The sizes of TIFF's structures in bytes, and the tag of the orientation.
const (
	tiffHead       = 8
	tiffEntry      = 12
	tagOrientation = 0x0112
)

// tiffDirectories lists the pages of a TIFF file, those that are read and one more at most, or of the part of a JPEG
// file that is like one.
func tiffDirectories(data []byte) (out []directory) {
	if len(data) < tiffHead {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 'M' {
		order = binary.BigEndian
	}
	seen := map[uint32]bool{}
	for at := order.Uint32(data[4:]); at != 0 && !seen[at] && len(out) <= MaxPages; {
		seen[at] = true
		if uint64(at)+2 > uint64(len(data)) {
			break
		}
		d := directory{at: at, order: order, orientation: 1}
		n := int(order.Uint16(data[at:]))
		entries := data[at+2:]
		if len(entries) < n*tiffEntry {
			break
		}
		for k := range n {
			if e := entries[k*tiffEntry:]; order.Uint16(e) == tagOrientation {
				d.orientation = int(order.Uint16(e[8:]))
			}
		}
		out = append(out, d)
		if entries = entries[n*tiffEntry:]; len(entries) < 4 {
			break
		}
		at = order.Uint32(entries)
	}
	return out
}

// The tags of a TIFF page whose strips are JPEG, and the compression that says so.
const (
	tagWidth        = 0x0100
	tagHeight       = 0x0101
	tagCompression  = 0x0103
	tagStripOffsets = 0x0111
	tagRowsPerStrip = 0x0116
	tagStripBytes   = 0x0117
	tagJPEGTables   = 0x015B

	compressionJPEG = 7
)

// decodeTIFF decodes the first page of a TIFF file. Strips in JPEG, as scanners write them, are decoded here.
func decodeTIFF(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if directories := tiffDirectories(data); len(directories) > 0 {
		if t := (tiffTags{directory: directories[0], data: data}); t.number(tagCompression) == compressionJPEG {
			return t.strips()
		}
	}
	return tiff.Decode(bytes.NewReader(data))
}

// tiffTags reads the tags of a page. Precondition: tiffDirectories has found it in data.
type tiffTags struct {
	directory
	data []byte
}

// value returns what a tag holds, and how many bytes each of its items has; nil if the page has no such tag or it is
// broken.
func (t *tiffTags) value(tag uint16) (value []byte, size int) {
	entries := t.data[t.at+2:]
	for k := range int(t.order.Uint16(t.data[t.at:])) {
		e := entries[k*tiffEntry : (k+1)*tiffEntry]
		if t.order.Uint16(e) != tag {
			continue
		}
		switch t.order.Uint16(e[2:]) {
		case 1, 7: // bytes
			size = 1
		case 3:
			size = 2
		case 4:
			size = 4
		default:
			return nil, 0
		}
		length := uint64(size) * uint64(t.order.Uint32(e[4:]))
		if length <= 4 {
			return e[8 : 8+length], size
		}
		if at := uint64(t.order.Uint32(e[8:])); at+length <= uint64(len(t.data)) {
			return t.data[at : at+length], size
		}
		return nil, 0
	}
	return nil, 0
}

// numbers returns the numbers that a tag holds.
func (t *tiffTags) numbers(tag uint16) (out []int) {
	value, size := t.value(tag)
	for ; size > 1 && len(value) >= size; value = value[size:] {
		if size == 2 {
			out = append(out, int(t.order.Uint16(value)))
		} else {
			out = append(out, int(t.order.Uint32(value)))
		}
	}
	return out
}

// number returns the one number that a tag holds, 0 if it holds none.
func (t *tiffTags) number(tag uint16) int {
	if list := t.numbers(tag); len(list) == 1 {
		return list[0]
	}
	return 0
}

// errStrips says that the strips of a page are not what its tags say.
var errStrips = errors.New("a TIFF page whose strips are broken")

// strips decodes a page whose strips are JPEG. No strip is decoded that is larger than the page says.
func (t *tiffTags) strips() (image.Image, error) {
	width, height := t.number(tagWidth), t.number(tagHeight)
	offsets, lengths, rows := t.numbers(tagStripOffsets), t.numbers(tagStripBytes), t.number(tagRowsPerStrip)
	if rows < 1 || rows > height {
		rows = height
	}
	if width < 1 || height < 1 || width > MaxPixels/height || len(offsets) != len(lengths) ||
		len(offsets) != (height+rows-1)/rows {
		return nil, errStrips
	}
	left := len(t.data) // strips lie apart: all of them are no more than the file
	tables, _ := t.value(tagJPEGTables)
	out := image.NewGray(image.Rect(0, 0, width, height))
	for i, at := range offsets {
		if left -= lengths[i]; at > len(t.data) || lengths[i] > len(t.data)-at || left < 0 {
			return nil, errStrips
		}
		strip := withTables(tables, t.data[at:at+lengths[i]])
		c, err := jpeg.DecodeConfig(bytes.NewReader(strip))
		if err != nil || c.Width != width || c.Height < min(rows, height-i*rows) || c.Height > rows+maxBlock {
			return nil, errors.Join(errStrips, err)
		}
		img, err := jpeg.Decode(bytes.NewReader(strip))
		if err != nil {
			return nil, err
		}
		copy(out.Pix[i*rows*width:min((i+1)*rows, height)*width], grayOf(img).pix)
	}
	return out, nil
}

// maxBlock is by how many rows a strip may be larger than it says, as the blocks of JPEG have up to so many.
const maxBlock = 16

// withTables returns a JPEG stream with the tables that the page keeps apart from it: both begin with a mark of two
// bytes, and the tables end with one.
func withTables(tables, stream []byte) []byte {
	const mark = 2
	if len(tables) < 2*mark || len(stream) < mark || binary.BigEndian.Uint16(tables) != 0xFFD8 {
		return stream
	}
	return append(bytes.Clone(tables[:len(tables)-mark]), stream[mark:]...)
}
