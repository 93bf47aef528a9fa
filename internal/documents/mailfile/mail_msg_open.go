package mailfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/richardlehane/mscfb"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// storage is a folder of a compound file.
type storage struct {
	path    string // of its names, each with a "/" behind it
	streams map[string]*mscfb.File
	folders []string // names, in the order of the file
}

// compound is a compound file (MS-CFB): folders by their path.
type compound struct {
	folders map[string]*storage
	left    int64 // bytes that may still be read: two streams may share theirs
}

func (c *compound) at(path string) *storage { return c.folders[path] }

// mostStreams is how many streams and folders a message may have.
const mostStreams = 50_000

// storedTimes is by how many times the streams of a compound file may exceed it, as several may share their bytes.
const storedTimes = 4

// openCompound reads the names of a compound file. The library trusts the sizes that a file states of itself, so they
// are compared with the file's own first.
func openCompound(data []byte) (*compound, error) {
	const headBytes = 512
	if len(data) < headBytes {
		return nil, io.ErrUnexpectedEOF
	}
	sectors := uint32(len(data)/headBytes) + 1
	for _, at := range []int{0x28, 0x2C, 0x40, 0x48} { // of directory, table, small table, table of the table
		if binary.LittleEndian.Uint32(data[at:]) > sectors {
			return nil, io.ErrUnexpectedEOF
		}
	}
	r, err := mscfb.New(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if len(r.File) > mostStreams {
		return nil, isolated.Over(words.Msg("bound_parts", "N", mostStreams))
	}
	c := &compound{folders: map[string]*storage{"": {streams: map[string]*mscfb.File{}}},
		left: storedTimes * int64(len(data))}
	for i, f := range r.File {
		if i == 0 {
			continue // the root
		}
		if len(f.Path) > mostMailDepth {
			return nil, isolated.Over(words.Msg("bound_deep", "N", mostMailDepth))
		}
		in := c.folder(f.Path)
		if f.FileInfo().IsDir() {
			in.folders = append(in.folders, f.Name)
			c.folder(append(slices.Clone(f.Path), f.Name))
			continue
		}
		in.streams[f.Name] = f
	}
	return c, nil
}

// folder returns the folder of a path, which it makes if none yet.
func (c *compound) folder(path []string) *storage {
	key := ""
	if len(path) > 0 {
		key = strings.Join(path, "/") + "/"
	}
	if c.folders[key] == nil {
		c.folders[key] = &storage{path: key, streams: map[string]*mscfb.File{}}
	}
	return c.folders[key]
}

// read returns the bytes of a stream, nil if there is none or if they are not all there.
func (c *compound) read(f *mscfb.File) ([]byte, error) {
	if f == nil || f.Size <= 0 {
		return nil, nil
	}
	if c.left -= f.Size; c.left < 0 {
		return nil, isolated.Over(words.Msg("bound_attached_bytes", "N", storedTimes))
	}
	out := make([]byte, f.Size)
	if _, err := f.ReadAt(out, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return out, nil
}

// LooksOutlook reports whether a compound file is a message of Outlook: its root says so, or says nothing and the file
// has the properties of one.
func LooksOutlook(data []byte) bool {
	const first, head, class = 48, 512, 80 // places of the first sector of entries, and of the class of the root
	if len(data) < head {
		return false
	}
	shift := binary.LittleEndian.Uint16(data[30:])
	if shift != 9 && shift != 12 {
		return false
	}
	at := (int(binary.LittleEndian.Uint32(data[first:]))+1)<<shift + class
	if at+len(outlookClass) > len(data) {
		return false
	}
	root := string(data[at : at+len(outlookClass)])
	return root == outlookClass || root == strings.Repeat("\x00", len(root)) && bytes.Contains(data, propertiesName)
}

// propertiesName is the name of the stream that every message has, as a compound file writes it.
var propertiesName = []byte(strings.Join(strings.Split("__properties_version1.0", ""), "\x00"))
