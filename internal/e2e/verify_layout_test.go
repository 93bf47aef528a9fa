package e2e

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/internal/packfiles"
)

// zipCase is a zip, and what verifiers say of it: a part of the refusal, or "" if they read it.
type zipCase struct {
	name string
	zip  []byte
	says string
}

// place is a field of a record of a zip, as APPNOTE.TXT 6.3.10 lists them.
type place struct {
	name     string
	at, size int
}

func localPlaces(n int) []place {
	return []place{
		{"signature", 0, 4}, {"version needed", 4, 2}, {"flags", 6, 2}, {"method", 8, 2}, {"time", 10, 2},
		{"date", 12, 2}, {"CRC-32", 14, 4}, {"compressed size", 18, 4}, {"size", 22, 4}, {"name length", 26, 2},
		{"extra length", 28, 2}, {"name", 30, n}, {"extra field", 30 + n, 9},
	}
}

func entryPlaces(n int) []place {
	return []place{
		{"signature", 0, 4}, {"version made by", 4, 2}, {"version needed", 6, 2}, {"flags", 8, 2}, {"method", 10, 2},
		{"time", 12, 2}, {"date", 14, 2}, {"CRC-32", 16, 4}, {"compressed size", 20, 4}, {"size", 24, 4},
		{"name length", 28, 2}, {"extra length", 30, 2}, {"comment length", 32, 2}, {"disk", 34, 2},
		{"internal attributes", 36, 2}, {"external attributes", 38, 4}, {"offset", 42, 4}, {"name", 46, n},
		{"extra field", 46 + n, 9},
	}
}

var (
	sumsPlaces = []place{{"signature", 0, 4}, {"CRC-32", 4, 4}, {"compressed size", 8, 4}, {"size", 12, 4}}
	endPlaces  = []place{
		{"signature", 0, 4}, {"disk", 4, 2}, {"disk of the directory", 6, 2}, {"files on this disk", 8, 2},
		{"number of files", 10, 2}, {"size of the directory", 12, 4}, {"offset of the directory", 16, 4},
		{"comment length", 20, 2},
	}
)

// zipMap says where the parts of a pack's zip are.
type zipMap struct {
	local, sums, entry map[string]int
	directory, end     int
}

func mapOf(t *testing.T, data []byte) zipMap {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	m := zipMap{local: map[string]int{}, sums: map[string]int{}, entry: map[string]int{}, end: len(data) - 22}
	m.directory = int(binary.LittleEndian.Uint32(data[m.end+16:]))
	at := m.directory
	for _, f := range z.File {
		body, err := f.DataOffset()
		require.NoError(t, err)
		m.local[f.Name] = int(body) - 39 - len(f.Name)
		m.sums[f.Name] = int(body) + int(f.CompressedSize64)
		m.entry[f.Name] = at
		at += 55 + len(f.Name)
	}
	return m
}

// changedFields changes each field of each record of three files, and of the end record, by its lowest and its highest
// bit.
func changedFields(t *testing.T, data []byte) (cases []zipCase) {
	t.Helper()
	m := mapOf(t, data)
	change := func(where string, at int, places []place, says func(field, bit string) string) {
		for _, p := range places {
			for bit, one := range map[string]struct {
				at   int
				mask byte
			}{"lowest": {0, 1}, "highest": {p.size - 1, 0x80}} {
				changed := slices.Clone(data)
				changed[at+p.at+one.at] ^= one.mask
				cases = append(cases, zipCase{where + ", " + p.name + ", " + bit + " bit", changed, says(p.name, bit)})
			}
		}
	}
	for _, name := range []string{"pack.json", "pack.pdf", "verify.html"} {
		change("header of "+name, m.local[name], localPlaces(len(name)), func(field, _ string) string {
			if name == "pack.json" && field == "signature" {
				return " " // the file does not begin as a zip
			}
			return "The header before " + name + " in the zip is not that of a pack's zip (" + field + ")"
		})
		change("entry of "+name, m.entry[name], entryPlaces(len(name)), func(field, bit string) string {
			switch {
			case field == "compressed size" && bit == "lowest":
				return name // one more or one less, and of the last file one more runs into the directory
			case field == "CRC-32", field == "size" && bit == "lowest":
				return name + " in the zip does not unpack to what the directory states"
			case field == "size":
				return "unpacks to more than"
			case field == "extra field" && bit == "highest" && name == "pack.json":
				field = "time" // the others are held to the time of the first
			}
			return "does not describe " + name + " as a pack's zip does (" + field + ")"
		})
		change("record behind "+name, m.sums[name], sumsPlaces, func(field, _ string) string {
			return "The record after " + name + " in the zip is not that of a pack's zip (" + field + ")"
		})
	}
	change("end record", m.end, endPlaces, func(field, _ string) string {
		return "does not end as a pack's zip does (" + field + ")"
	})
	return cases
}

// rezipped packs files by another hand: with archive/zip, in the order of names, with headers that change may change.
func rezipped(t *testing.T, files map[string][]byte, names []string, change func(*zip.FileHeader)) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		h := zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Unix(1_700_000_000, 0).UTC()}
		if name == "pack.pdf" {
			h.Method = zip.Store
		}
		h.SetMode(0o644)
		if change != nil {
			change(&h)
		}
		w, err := z.CreateHeader(&h)
		require.NoError(t, err)
		if strings.HasSuffix(name, "/") {
			continue
		}
		content, ok := files[filepath.Base(name)]
		if !ok {
			content = []byte("nobody signed this")
		}
		_, err = w.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

const (
	endsElse = "does not end as a pack's zip does"
	describe = "does not describe "
	notAZip  = " "
)

// byOtherHands are zips of the same files that another program may have written.
func byOtherHands(t *testing.T, files map[string][]byte) (cases []zipCase) {
	t.Helper()
	names := packs.ZipNames
	add := func(name, says string, list []string, change func(*zip.FileHeader)) {
		cases = append(cases, zipCase{name, rezipped(t, files, list, change), says})
	}
	add("packed again in the same layout", "", names, nil)
	for i, name := range names {
		add("without "+name, endsElse, slices.Delete(slices.Clone(names), i, i+1), nil)
		again := slices.Clone(names)
		again[i] = names[(i+1)%len(names)]
		add(again[i]+" twice, no "+name, "", again, nil)
		cases[len(cases)-1].says = describe
		if len(again[i]) != len(name) {
			cases[len(cases)-1].says = endsElse
		}
	}
	swapped := slices.Clone(names)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	reversed := slices.Clone(names)
	slices.Reverse(reversed)
	add("first two swapped", describe, swapped, nil)
	add("reversed", describe, reversed, nil)
	add("a file more, first", endsElse, append([]string{"README"}, names...), nil)
	add("a file more, last", endsElse, append(slices.Clone(names), "payload.exe"), nil)
	add("a folder more", endsElse, append(slices.Clone(names), "folder/"), nil)
	add("pack.json twice, last", endsElse, append(slices.Clone(names), "pack.json"), nil)
	add("pack.json twice, first", endsElse, append([]string{"pack.json"}, names...), nil)
	renamed := func(from, to string) func(*zip.FileHeader) {
		return func(h *zip.FileHeader) { h.Name = strings.Replace(h.Name, from, to, 1) }
	}
	add("in a folder", endsElse, names, func(h *zip.FileHeader) { h.Name = "pack/" + h.Name })
	add("one in a folder", endsElse, names, renamed("salts.json", "x/salts.json"))
	add("one in ./", endsElse, names, renamed("pack.md", "./pack.md"))
	add("one in ../", endsElse, names, renamed("pack.md", "../pack.md"))
	add("one from the root", endsElse, names, renamed("pack.md", "/pack.md"))
	add("one behind a backslash", endsElse, names, renamed("pack.md", `x\pack.md`))
	add("capitals", describe+"pack.json", names, renamed("pack.json", "PACK.JSON"))
	add("Cyrillic", endsElse, names, renamed("pack.json", "pаck.json"))
	add("a NUL", endsElse, names, renamed("pack.json", "pack.json\x00"))
	for name, change := range map[string]func(*zip.FileHeader){
		"all stored": func(h *zip.FileHeader) { h.Method = zip.Store },
		"all deflated": func(h *zip.FileHeader) {
			h.Method = zip.Deflate
		},
		"for the owner alone": func(h *zip.FileHeader) { h.SetMode(0o600) },
		"executable":          func(h *zip.FileHeader) { h.SetMode(0o755) },
		"a link":              func(h *zip.FileHeader) { h.SetMode(os.ModeSymlink | 0o644) },
		"other times": func(h *zip.FileHeader) {
			h.Modified = h.Modified.Add(time.Duration(len(h.Name)) * time.Minute)
		},
		"local time": func(h *zip.FileHeader) { h.Modified = h.Modified.In(time.FixedZone("", 3*3600)) },
		"named UTF-8": func(h *zip.FileHeader) {
			h.Flags |= 1 << 11
		},
	} {
		add(name, describe, names, change)
	}
	for name, change := range map[string]func(*zip.FileHeader){
		"no time":             func(h *zip.FileHeader) { h.Modified = time.Time{} },
		"another extra field": func(h *zip.FileHeader) { h.Extra = []byte("ux\x04\x00\x01\x01\x00\x00") },
		"comments on files":   func(h *zip.FileHeader) { h.Comment = "pack.json" },
	} {
		add(name, endsElse, names, change)
	}
	files["VERIFY.md"], files["verify.html"] = []byte("# By somebody else"), []byte("<!doctype html>")
	add("another VERIFY.md and verify.html", "", names, nil)
	files["pack.md"] = []byte("# Changed")
	add("another pack.md", "", names, nil)
	files["pack.json"] = []byte("{}")
	add("another pack.json", "", names, nil)
	return cases
}

// put returns the zip with bytes inserted, and as many bytes more in the offsets that are named.
func put(data []byte, at int, more []byte, offsets ...int) []byte {
	out := slices.Clone(data)
	for _, o := range offsets {
		binary.LittleEndian.PutUint32(out[o:], binary.LittleEndian.Uint32(out[o:])+uint32(len(more)))
	}
	return slices.Insert(out, at, more...)
}

// structures are zips with something more, something less, or something elsewhere.
func structures(t *testing.T, data []byte) (cases []zipCase) {
	t.Helper()
	m := mapOf(t, data)
	add := func(name, says string, zipped []byte) { cases = append(cases, zipCase{name, zipped, says}) }
	add("as it was downloaded", "", data)

	var offsets []int // of everything in the directory
	for _, at := range m.entry {
		offsets = append(offsets, at+42)
	}
	offsets = append(offsets, m.end+16)
	decoy := data[:m.local["pack.md"]] // a whole pack.json with its header
	for name, front := range map[string][]byte{
		"a byte": {0}, "a text": []byte("#!/bin/sh\n"), "a program": []byte("MZ\x90\x00"),
	} {
		add(name+" in front", notAZip, slices.Concat(front, data))
		add(name+" in front, offsets moved", notAZip, put(data, 0, front, offsets...))
	}
	for name, front := range map[string][]byte{
		"a decoy": decoy, "a signature": []byte("PK\x03\x04"), "a zip": data,
	} {
		add(name+" in front", endsElse+" (offset of the directory)", slices.Concat(front, data))
		add(name+" in front, offsets moved", describe+"pack.json as a pack's zip does (offset)",
			put(data, 0, front, offsets...))
	}
	for name, behind := range map[string][]byte{
		"a newline": []byte("\n"), "a zero": {0}, "22 zeros": make([]byte, 22), "64 KiB": make([]byte, 1<<16),
		"a decoy": decoy, "half an end record": data[m.end : m.end+11], "a record of another archive": data[:30],
	} {
		add(name+" behind", endsElse+" (", slices.Concat(data, behind))
	}
	end := data[m.end:]
	add("a second end record", endsElse+" (offset of the directory)", slices.Concat(data, end))
	none := make([]byte, 22)
	copy(none, "PK\x05\x06")
	add("an end record of no files behind", endsElse+" (files on this disk)", slices.Concat(data, none))
	add("an end record of no files before", endsElse+" (offset of the directory)", put(data, m.end, none))
	add("a directory of its own behind", endsElse+" (offset of the directory)",
		slices.Concat(data, data[m.directory:]))
	for name, comment := range map[string][]byte{
		"a comment": []byte("hello"), "an end record as comment": end, "an empty end record as comment": none,
	} {
		commented := slices.Concat(data, comment)
		binary.LittleEndian.PutUint16(commented[m.end+20:], uint16(len(comment)))
		add(name, endsElse+" (", commented)
	}

	gap := []byte("hidden")
	behind := func(name string) (after []int) { // the offsets that move with what is put before a file
		for other, at := range m.entry {
			if m.local[other] >= m.local[name] {
				after = append(after, at+42)
			}
		}
		return append(after, m.end+16)
	}
	add("between files", describe+"pack.md as a pack's zip does (offset)",
		put(data, m.local["pack.md"], gap, behind("pack.md")...))
	add("between files, offsets as before", endsElse+" (offset of the directory)",
		put(data, m.local["pack.md"], gap))
	add("before the directory", "between the files and the directory", put(data, m.directory, gap, m.end+16))
	add("before the directory, a decoy", "between the files and the directory", put(data, m.directory, decoy, m.end+16))
	add("behind the directory", endsElse+" (offset of the directory)", put(data, m.end, gap))
	add("within the directory", endsElse+" (size of the directory)", put(data, m.entry["pack.md"], gap, m.end+12))
	add("a signature of the directory", endsElse+" (size of the directory)",
		put(data, m.end, []byte("PK\x05\x05\x00\x00"), m.end+12))
	add("an archive of 64 bits", endsElse+" (offset of the directory)",
		put(data, m.end, append([]byte("PK\x06\x07"), make([]byte, 16)...)))
	add("a header of an archive's extra data", "between the files and the directory",
		put(data, m.directory, []byte("PK\x06\x08\x00\x00\x00\x00"), m.end+16))

	shared := slices.Clone(data)
	copy(shared[m.entry["pack.md"]+42:], data[m.entry["pack.json"]+42:m.entry["pack.json"]+46])
	add("two entries of one file", describe+"pack.md as a pack's zip does (offset)", shared)
	later := slices.Clone(data) // every time a second later, which the time of a zip does not tell
	for _, name := range packs.ZipNames {
		later[m.local[name]+39+len(name)-4]++
		later[m.entry[name]+55+len(name)-4]++
	}
	if data[m.local["pack.json"]+39+len("pack.json")-4]%2 == 0 {
		add("all a second later", "", later)
	} else {
		add("all a second later", describe+"pack.json as a pack's zip does (time)", later)
	}
	later = slices.Clone(data)
	later[m.local["salts.json"]+39+len("salts.json")-4]++
	add("one header a second later", "before salts.json in the zip is not that of a pack's zip (extra field)", later)

	for _, n := range []int{0, 3, 4, 21, 22, 30, 100, 682, 683, 684, len(data) / 2, m.directory, m.end, len(data) - 1} {
		says := endsElse
		if n < 683 {
			says = "cut off"
		}
		if n < 4 {
			says = notAZip
		}
		add(fmt.Sprintf("cut off after %d bytes", n), says, data[:n])
	}
	return cases
}

// rebuilt returns the zip with other packed bytes of pack.json, and the sum and size that are stated of them.
func rebuilt(t *testing.T, data, packed []byte, sum, size uint32) []byte {
	t.Helper()
	m := mapOf(t, data)
	body := 39 + len("pack.json")
	out := slices.Concat(data[:body], packed, data[m.sums["pack.json"]:])
	grown := len(packed) - (m.sums["pack.json"] - body)
	set := func(at int, v int) { binary.LittleEndian.PutUint32(out[at:], uint32(v)) }
	for name, at := range m.entry {
		if name != "pack.json" {
			set(at+grown+42, m.local[name]+grown)
		}
	}
	set(m.end+grown+16, m.directory+grown)
	for _, at := range []int{m.sums["pack.json"] + grown + 4, m.entry["pack.json"] + grown + 16} {
		set(at, int(sum))
		set(at+4, len(packed))
		set(at+8, int(size))
	}
	return out
}

func deflated(t *testing.T, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// contents are zips whose pack.json is packed otherwise.
func contents(t *testing.T, data, packJSON []byte) (cases []zipCase) {
	t.Helper()
	add := func(name, says string, packed []byte, sum, size uint32) {
		cases = append(cases, zipCase{name, rebuilt(t, data, packed, sum, size), says})
	}
	sum, size := crc32.ChecksumIEEE(packJSON), uint32(len(packJSON))
	const lies = "pack.json in the zip does not unpack to what the directory states"
	for name, level := range map[string]int{"stored": 0, "fast": 1, "best": 9, "Huffman only": flate.HuffmanOnly} {
		add("deflated, "+name, "", deflated(t, packJSON, level), sum, size)
	}
	packed := deflated(t, packJSON, 6)
	add("a byte behind the stream", lies, append(slices.Clone(packed), 0), sum, size)
	add("a stream behind the stream", lies, slices.Concat(packed, packed), sum, size)
	add("a stream cut off", lies, packed[:len(packed)-6], sum, size)
	add("no stream", lies, nil, sum, size)
	add("no content", lies, deflated(t, nil, 6), sum, size)
	add("not deflated", lies, packJSON, sum, size)
	add("a block of a type that does not exist", lies, []byte{0xff, 0xff}, sum, size)
	add("a byte less stated", lies, packed, sum, size-1)
	add("a byte more stated", lies, packed, sum, size+1)
	add("nothing stated", lies, packed, sum, 0)
	add("another sum stated", lies, packed, sum^1, size)
	add("empty", "", deflated(t, nil, 6), 0, 0)
	bomb := make([]byte, packfiles.MaxFile+1)
	add("a bomb", "unpacks to more than", deflated(t, bomb, 1), crc32.ChecksumIEEE(bomb), uint32(len(bomb)))
	add("a bomb that says it is small", lies, deflated(t, bomb, 1), sum, size)
	return cases
}

// TestVerifyPageZipLayout holds program and page to the one layout of a pack's zip: each case of the table is accepted
// by both or refused by both, with the same words, and a refusal names what is wrong.
func TestVerifyPageZipLayout(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	files := map[string][]byte{}
	z, err := zip.NewReader(bytes.NewReader(h.zip), int64(len(h.zip)))
	require.NoError(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		files[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	cases := slices.Concat(changedFields(t, h.zip), structures(t, h.zip), contents(t, h.zip, files["pack.json"]),
		byOtherHands(t, files))
	require.GreaterOrEqual(t, len(cases), 150)
	var paths []string
	for i, c := range cases {
		paths = append(paths, h.write(fmt.Sprintf("case-%03d.zip", i), c.zip))
	}

	b := open(t, &app{})
	h.openVerify(b)
	b.do(chromedp.SetUploadFiles(chromedp.ID("files"), paths))
	eval[bool](b, `globalThis.runFiles = async fingerprint => {
	  const out = [];
	  for (const f of at("files").files) {
	    const data = new Uint8Array(await f.arrayBuffer());
	    out.push(await takeApart([{ name: "pack.zip", data }]).then(f => verify(f, { fingerprint }))
	      .then(r => [r.verdict, ...r.checks.map(c => c.status), ...r.faults ?? []].join(" "),
	        e => e instanceof Bad ? "refused: " + fill(e.key, e.args) : "fault " + e));
	  }
	  return out;
	}; true`)
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf("runFiles(%q)", h.fingerprint),
		chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.Len(t, got, len(cases))
	seen, accepted := map[string]bool{}, 0
	for i, c := range cases {
		require.False(t, seen[c.name], c.name)
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			file, err := packfiles.Read(c.zip)
			if c.says == "" {
				require.NoError(t, err)
				require.Equal(t, goOutcome(pack.Verify(file.Files, pack.Trust{Fingerprint: h.fingerprint})), got[i])
				accepted++
				return
			}
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, e.Safe(), c.says)
			if e.Kind == domain.Invalid {
				require.Equal(t, "refused: "+e.Text(), got[i])
			} else {
				require.Contains(t, got[i], "refused: ")
			}
		})
	}
	t.Logf("%d zips, %d of them read", len(cases), accepted)
	require.True(t, strings.HasPrefix(got[slices.IndexFunc(cases, func(c zipCase) bool {
		return c.name == "as it was downloaded"
	})], "verified "))
	b.calm()
}
