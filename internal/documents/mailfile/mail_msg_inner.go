package mailfile

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// embedded returns an attached message as a file of its own, as Outlook saves one: its folder becomes the root of a
// compound file. Only the head of its properties is longer there (MS-OXMSG, 2.4.1).
func (o *outlook) embedded(s *storage) ([]byte, error) {
	w := &compoundWriter{}
	w.Add(compoundEntry{Name: "Root Entry", Kind: rootEntry})
	if err := o.copyInto(w, 0, s, true); err != nil {
		return nil, err
	}
	if names := o.root.at("__nameid_version1.0/"); names != nil {
		at := w.Add(compoundEntry{Name: "__nameid_version1.0", Kind: folderEntry})
		w.Entries[0].Children = append(w.Entries[0].Children, at)
		if err := o.copyInto(w, at, names, false); err != nil {
			return nil, err
		}
	}
	return w.File(), nil
}

// copyInto copies a folder into an entry.
func (o *outlook) copyInto(w *compoundWriter, into int, s *storage, message bool) error {
	const short, more = 24, 8 // bytes of the head of an attached message's properties, and of how many it is longer
	for _, name := range slices.Sorted(maps.Keys(s.streams)) {
		data, err := o.root.read(s.streams[name])
		if err != nil {
			return err
		}
		if message && name == "__properties_version1.0" && len(data) >= short && len(data)%16 != 0 {
			data = slices.Concat(data[:short], make([]byte, more), data[short:])
		}
		w.Entries[into].Children = append(w.Entries[into].Children,
			w.Add(compoundEntry{Name: name, Kind: streamEntry, Data: data}))
	}
	for _, name := range s.folders {
		if len(w.Entries) > mostStreams {
			return isolated.Over(words.Msg("bound_parts", "N", mostStreams))
		}
		at := w.Add(compoundEntry{Name: name, Kind: folderEntry})
		w.Entries[into].Children = append(w.Entries[into].Children, at)
		if err := o.copyInto(w, at, o.root.at(s.path+name+"/"), false); err != nil {
			return err
		}
	}
	return nil
}

// Kinds of entries of a compound file (MS-CFB, 2.6.1).
const (
	folderEntry = 1
	streamEntry = 2
	rootEntry   = 5
)

// Marks of its tables (MS-CFB, 2.1).
const (
	tableSector = 0xFFFFFFFD
	chainEnd    = 0xFFFFFFFE
	noEntry     = 0xFFFFFFFF
)

// Sizes of a compound file with large sectors, whose head has room for the table of all that is read here.
const (
	sectorBytes = 4096
	smallBytes  = 64
	smallStream = 4096 // shorter ones lie in a stream of small sectors
	entryBytes  = 128
)

// compoundEntry is a folder or stream of a compound file that is written.
type compoundEntry struct {
	Name     string
	Kind     byte
	Data     []byte
	Children []int
	start    uint32
	size     int

	left, right, child uint32
}

// compoundWriter writes a compound file (MS-CFB). The same entries are the same bytes.
type compoundWriter struct {
	Entries []compoundEntry
	table   []uint32 // the next sector of each
	sectors []byte   // all behind the head
}

func (w *compoundWriter) Add(e compoundEntry) int {
	e.left, e.right, e.child, e.start = noEntry, noEntry, noEntry, chainEnd
	w.Entries = append(w.Entries, e)
	return len(w.Entries) - 1
}

// File returns the file: a head, the streams, the entries, and the table of the sectors last.
func (w *compoundWriter) File() []byte {
	var small []byte
	var smallTable []uint32
	for i := range w.Entries {
		e := &w.Entries[i]
		if e.Children != nil {
			e.child = w.tree(e.Children)
		}
		if e.size = len(e.Data); e.size == 0 {
			continue
		}
		if e.size >= smallStream {
			e.start = w.put(e.Data)
			continue
		}
		e.start = uint32(len(small) / smallBytes)
		for n := (e.size + smallBytes - 1) / smallBytes; n > 1; n-- {
			smallTable = append(smallTable, uint32(len(smallTable)+1))
		}
		smallTable = append(smallTable, chainEnd)
		small = append(small, e.Data...)
		small = append(small, make([]byte, -len(small)&(smallBytes-1))...)
	}
	w.Entries[0].size = len(small)
	w.Entries[0].start = w.put(small)
	smallStart := w.put(numbers(smallTable))
	entries := w.entryBytes()
	entriesStart := w.put(entries)
	own := 1
	for own*sectorBytes/4 < len(w.table)+own {
		own++
	}
	tableStart := len(w.table)
	for range own {
		w.table = append(w.table, tableSector)
	}
	w.sectors = append(w.sectors, numbers(w.table)...)

	head := make([]byte, sectorBytes)
	copy(head, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	for at, n := range map[int]uint16{24: 0x3E, 26: 4, 28: 0xFFFE, 30: 12, 32: 6} {
		binary.LittleEndian.PutUint16(head[at:], n)
	}
	for at, n := range map[int]uint32{40: uint32(sectorsOf(len(entries))), 44: uint32(own), 48: entriesStart,
		56: smallStream, 60: smallStart, 64: uint32(sectorsOf(4 * len(smallTable))), 68: chainEnd} {
		binary.LittleEndian.PutUint32(head[at:], n)
	}
	const listed = 109 // sectors of the table, in the head
	for i := range listed {
		n := uint32(noEntry)
		if i < own {
			n = uint32(tableStart + i)
		}
		binary.LittleEndian.PutUint32(head[76+4*i:], n)
	}
	return append(head, w.sectors...)
}

func sectorsOf(size int) int { return (size + sectorBytes - 1) / sectorBytes }

// put adds the sectors of a stream, and returns the first.
func (w *compoundWriter) put(data []byte) uint32 {
	if len(data) == 0 {
		return chainEnd
	}
	start := len(w.table)
	for range sectorsOf(len(data)) - 1 {
		w.table = append(w.table, uint32(len(w.table)+1))
	}
	w.table = append(w.table, chainEnd)
	w.sectors = append(w.sectors, data...)
	w.sectors = append(w.sectors, make([]byte, -len(data)&(sectorBytes-1))...)
	return uint32(start)
}

func numbers(list []uint32) []byte {
	out := make([]byte, 0, 4*len(list))
	for _, n := range list {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	// a sector of the table that is not full says that the rest is free
	return append(out, slices.Repeat([]byte{0xFF}, -len(out)&(sectorBytes-1))...)
}

// tree makes a tree of a folder's entries, in the order of their names (MS-CFB, 2.6.4), and returns its root.
func (w *compoundWriter) tree(list []int) uint32 {
	slices.SortFunc(list, func(a, b int) int {
		x := utf16.Encode([]rune(strings.ToUpper(w.Entries[a].Name)))
		y := utf16.Encode([]rune(strings.ToUpper(w.Entries[b].Name)))
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return slices.Compare(x, y)
	})
	return w.branch(list)
}

func (w *compoundWriter) branch(list []int) uint32 {
	if len(list) == 0 {
		return noEntry
	}
	half := len(list) / 2
	e := &w.Entries[list[half]]
	e.left, e.right = w.branch(list[:half]), w.branch(list[half+1:])
	return uint32(list[half])
}

// outlookClass is what a message's root says it is (MS-OXMSG, 2.2).
const outlookClass = "\x0B\x0D\x02\x00\x00\x00\x00\x00\xC0\x00\x00\x00\x00\x00\x00\x46"

// entryBytes returns the entries as they are written; those of a sector that is not full are free.
func (w *compoundWriter) entryBytes() []byte {
	const longest = 31 // of a name, in units of UTF-16
	free := make([]byte, entryBytes)
	for _, at := range []int{68, 72, 76} {
		binary.LittleEndian.PutUint32(free[at:], noEntry)
	}
	var out []byte
	for i := range w.Entries {
		e := &w.Entries[i]
		row := make([]byte, entryBytes)
		name := utf16.Encode([]rune(e.Name))
		name = name[:min(len(name), longest)]
		for j, u := range name {
			binary.LittleEndian.PutUint16(row[2*j:], u)
		}
		binary.LittleEndian.PutUint16(row[64:], uint16(2*len(name)+2))
		row[66], row[67] = e.Kind, 1
		for at, n := range map[int]uint32{68: e.left, 72: e.right, 76: e.child, 116: e.start, 120: uint32(e.size)} {
			binary.LittleEndian.PutUint32(row[at:], n)
		}
		if e.Kind == rootEntry {
			copy(row[80:], outlookClass)
		}
		if e.Kind == folderEntry {
			binary.LittleEndian.PutUint32(row[116:], 0)
		}
		out = append(out, row...)
	}
	for len(out)%sectorBytes != 0 {
		out = append(out, free...)
	}
	return out
}
