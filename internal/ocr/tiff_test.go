package ocr

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"
)

// stripsOf encodes a page as a TIFF file whose strips are JPEG. If apart is set, their tables stand in a tag of the
// page.
func stripsOf(t testing.TB, g *gray, rows int, apart bool) []byte {
	t.Helper()
	data := []byte(littleTIFF + "\x00\x00\x00\x00")
	put := func(b []byte) (at uint32) {
		at = uint32(len(data))
		data = append(data, b...)
		return at
	}
	var offsets, lengths, tables []byte
	n := uint32(0)
	for y := 0; y < g.h; y += rows {
		h := min(rows, g.h-y)
		img := &image.Gray{Pix: g.pix[y*g.w : (y+h)*g.w], Stride: g.w, Rect: image.Rect(0, 0, g.w, h)}
		var b bytes.Buffer
		require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}))
		strip := b.Bytes()
		if apart {
			tables, strip = withoutTables(strip)
		}
		offsets = binary.LittleEndian.AppendUint32(offsets, put(strip))
		lengths = binary.LittleEndian.AppendUint32(lengths, uint32(len(strip)))
		n++
	}
	var entries []byte
	count := uint16(0)
	tag := func(id, kind uint16, n, value uint32) {
		entries = binary.LittleEndian.AppendUint16(entries, id)
		entries = binary.LittleEndian.AppendUint16(entries, kind)
		entries = binary.LittleEndian.AppendUint32(entries, n)
		entries = binary.LittleEndian.AppendUint32(entries, value)
		count++
	}
	long := func(id uint16, value uint32) { tag(id, 4, 1, value) }
	longs := func(id uint16, list []byte) {
		if n == 1 {
			long(id, binary.LittleEndian.Uint32(list))
			return
		}
		tag(id, 4, n, put(list))
	}
	long(tagWidth, uint32(g.w))
	long(tagHeight, uint32(g.h))
	long(0x0102, 8) // bits of a shade
	long(tagCompression, compressionJPEG)
	long(0x0106, 1) // black is zero
	longs(tagStripOffsets, offsets)
	long(tagRowsPerStrip, uint32(rows))
	longs(tagStripBytes, lengths)
	if apart {
		tag(tagJPEGTables, 7, uint32(len(tables)), put(tables))
	}
	binary.LittleEndian.PutUint32(data[4:], uint32(len(data)))
	put(binary.LittleEndian.AppendUint16(nil, count))
	put(entries)
	put([]byte{0, 0, 0, 0})
	return data
}

// withoutTables takes the tables out of a JPEG stream.
func withoutTables(stream []byte) (tables, rest []byte) {
	tables, rest = []byte{0xFF, 0xD8}, []byte{0xFF, 0xD8}
	at := 2
	for stream[at+1] != 0xDA {
		end := at + 2 + int(binary.BigEndian.Uint16(stream[at+2:]))
		if mark := stream[at+1]; mark == 0xDB || mark == 0xC4 {
			tables = append(tables, stream[at:end]...)
		} else {
			rest = append(rest, stream[at:end]...)
		}
		at = end
	}
	return append(tables, 0xFF, 0xD9), append(rest, stream[at:]...)
}

// TestStripsOfJPEG: a TIFF file of strips in JPEG is read as the page that it holds.
func TestStripsOfJPEG(t *testing.T) {
	want := page(200, 280, 0)
	for _, rows := range []int{280, 64, 281} { // one strip, several, one that says too many rows
		for _, apart := range []bool{false, true} {
			img, err := decodeTIFF(bytes.NewReader(stripsOf(t, want, rows, apart)))
			require.NoError(t, err, "%d %v", rows, apart)
			got := grayOf(img)
			require.Equal(t, []int{want.w, want.h}, []int{got.w, got.h})
			off := 0
			for i := range want.pix {
				if d := int(want.pix[i]) - int(got.pix[i]); d > 60 || d < -60 {
					off++
				}
			}
			require.Less(t, off, len(want.pix)/100, "%d %v", rows, apart)
		}
	}
}

// TestBrokenStrips: strips that are not what the tags say are a fault, and none is decoded that is larger than the
// page.
func TestBrokenStrips(t *testing.T) {
	sound := stripsOf(t, page(200, 280, 0), 64, false)
	at := binary.LittleEndian.Uint32(sound[4:]) + 2
	for name, c := range map[string]struct {
		entry int
		value uint32
	}{
		"another width": {0, 100}, "more rows": {1, 1000}, "endless rows": {1, 1 << 31}, "strips behind the end": {5, 1 << 30},
		"one row a strip": {6, 1}, "lengths behind the end": {7, uint32(len(sound))},
	} {
		data := bytes.Clone(sound)
		binary.LittleEndian.PutUint32(data[at+uint32(c.entry)*tiffEntry+8:], c.value)
		_, err := Prepare(data, 1)
		require.Error(t, err, name)
	}
	_, err := Prepare(sound, 1)
	require.NoError(t, err)
}
