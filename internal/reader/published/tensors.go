package published

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"sanad/internal/words"
)

const (
	wholeFile = "model.safetensors"
	indexFile = "model.safetensors.index.json"
)

// tensor is where the numbers of a tensor stand.
type tensor struct {
	file  *source
	kind  string // F32, F16 or BF16, or another one if it is not read
	shape []int64
	from  int64 // in the file
}

// sizes are the bytes of a number of each kind that a file may have.
var sizes = map[string]int64{
	"F64": 8, "I64": 8, "U64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2, "I16": 2, "U16": 2, "I8": 1, "U8": 1, "BOOL": 1,
}

// shard is a name of a part of a model, as hubs write it.
var shard = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}\.safetensors$`)

// tensors finds all tensors of a folder.
func (f *folder) tensors() (map[string]tensor, error) {
	found := map[string]tensor{}
	if f.has(wholeFile) {
		return found, f.addTensors(wholeFile, found)
	}
	if !f.has(indexFile) {
		return nil, refuse(wholeFile, words.Msg("reader_mend_safetensors"), words.Msg("reader_no_weights", "Name", indexFile))
	}
	var index struct {
		Files map[string]string `json:"weight_map"`
	}
	if err := f.readJSON(indexFile, mostIndex, &index); err != nil {
		return nil, err
	}
	var names []string
	for _, name := range index.Files {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > mostShards || !shard.MatchString(name) {
			return nil, refuse(indexFile, mendOther, words.Msg("reader_index", "N", len(names), "Name", shown(name), "Most", mostShards))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if err := f.addTensors(name, found); err != nil {
			return nil, err
		}
	}
	for name, file := range index.Files {
		if t, there := found[name]; !there || t.file.name != file {
			return nil, refuse(file, mendCopy, words.Msg("reader_index_lacks", "Name", shown(name), "File", indexFile))
		}
	}
	return found, nil
}

// addTensors adds the tensors of a file. Their places have to fill the file without a gap.
func (f *folder) addTensors(name string, found map[string]tensor) error {
	file, err := f.open(name, mostShard)
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, ".safetensors") && file.size < 200 && lfs(file) {
		return refuse(name, words.Msg("reader_mend_lfs"), words.Msg("reader_lfs"))
	}
	var length [8]byte
	if _, err := file.ReadAt(length[:], 0); err != nil {
		return refuse(name, mendCopy, words.Msg("reader_cut"))
	}
	size := binary.LittleEndian.Uint64(length[:])
	if size > mostHeader || int64(size) > file.size-8 {
		return refuse(name, mendCopy, words.Msg("reader_header", "N", fmt.Sprint(size), "Most", int(file.size)))
	}
	encoded := make([]byte, size)
	if _, err := file.ReadAt(encoded, 8); err != nil {
		return file.changed()
	}
	var header map[string]json.RawMessage
	if err := decodeJSON(name, encoded, &header); err != nil {
		return err
	}
	delete(header, "__metadata__")
	if len(found)+len(header) > mostTensors {
		return refuse(name, mendOther, words.Msg("reader_tensors", "N", len(header), "Most", mostTensors))
	}
	type place struct {
		from, to int64
		name     string
	}
	var places []place
	for tensorName, fields := range header {
		var t struct {
			Kind    string  `json:"dtype"`
			Shape   []int64 `json:"shape"`
			Offsets []int64 `json:"data_offsets"`
		}
		if err := decodeJSON(name, fields, &t); err != nil {
			return err
		}
		want, known := count(t.Shape, sizes[t.Kind])
		if !known || len(t.Offsets) != 2 || t.Offsets[0] < 0 || t.Offsets[1]-t.Offsets[0] != want {
			return refuse(name, mendCopy, words.Msg("reader_place", "Name", shown(tensorName), "Type", shown(t.Kind),
				"Shape", shown(fmt.Sprint(t.Shape)), "Place", shown(fmt.Sprint(t.Offsets))))
		}
		if _, twice := found[tensorName]; twice {
			return refuse(name, mendCopy, words.Msg("reader_two_files", "Name", shown(tensorName)))
		}
		found[tensorName] = tensor{file: file, kind: t.Kind, shape: t.Shape, from: 8 + int64(size) + t.Offsets[0]}
		places = append(places, place{t.Offsets[0], t.Offsets[1], tensorName})
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.from != b.from {
			return int(max(-1, min(1, a.from-b.from)))
		}
		return int(max(-1, min(1, a.to-b.to)))
	})
	end := int64(0)
	for _, p := range places {
		if p.from != end {
			return refuse(name, mendCopy, words.Msg("reader_overlap", "Name", shown(p.name)))
		}
		end = p.to
	}
	if end != file.size-8-int64(size) {
		return refuse(name, mendCopy, words.Msg("reader_length", "N", int(file.size-8-int64(size)), "Most", int(end)))
	}
	return nil
}

// lfs reports whether a file is what Git LFS leaves in the place of a large one.
func lfs(file *source) bool {
	begin := make([]byte, file.size)
	_, err := file.ReadAt(begin, 0)
	return err == nil && strings.HasPrefix(string(begin), "version https://git-lfs")
}

// count returns how many bytes a shape has, and whether it is one.
func count(shape []int64, size int64) (bytes int64, known bool) {
	bytes = size
	for _, n := range shape {
		if n < 0 || n > 1<<31 || n > 0 && bytes > mostShard/n {
			return 0, false
		}
		bytes *= n
	}
	return bytes, size > 0 && len(shape) <= 4
}

// numbers reads the numbers of a tensor from a place on as float32.
func (t *tensor) numbers(into []float32, from int) error {
	size := int(sizes[t.kind])
	encoded := make([]byte, size*len(into))
	if _, err := io.ReadFull(io.NewSectionReader(t.file, t.from+int64(size)*int64(from), int64(len(encoded))), encoded); err != nil {
		return t.file.changed()
	}
	for i := range into {
		switch t.kind {
		case "F32":
			into[i] = math.Float32frombits(binary.LittleEndian.Uint32(encoded[4*i:]))
		case "BF16":
			into[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(encoded[2*i:])) << 16)
		case "F16":
			into[i] = half(binary.LittleEndian.Uint16(encoded[2*i:]))
		default:
			return fmt.Errorf("numbers of the kind %s are not read", t.kind)
		}
	}
	return nil
}

// half returns a number of 16 bits (IEEE 754 binary16).
func half(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits)>>15<<31, uint32(bits)>>10&0x1F, uint32(bits)&0x3FF
	switch exponent {
	case 0: // as many times 2^-24
		v := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1F: // infinite, or no number
		return math.Float32frombits(sign | 0xFF<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
