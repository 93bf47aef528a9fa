package mailfile

import (
	"cmp"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// mostRTF is how large the unpacked text of a message may be.
const mostRTF = 32 << 20

// rtfPreset is what the window holds before a text begins (MS-OXRTFCP, 2.1.2.1).
const rtfPreset = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript ` +
	`\fdecor MS Sans ` + "SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par " +
	`\pard\plain\f0\fs20\b\i\u\tab\tx`

var errRTF = errors.New("the packed text of the message is broken")

// unpackRTF unpacks the RTF of a message (MS-OXRTFCP). What is cut off ends where it breaks off.
func unpackRTF(data []byte) ([]byte, error) {
	const head, packed, plain = 16, 0x75465A4C, 0x414C454D
	if len(data) < head {
		return nil, nil
	}
	size := int(binary.LittleEndian.Uint32(data[4:]))
	kind := binary.LittleEndian.Uint32(data[8:])
	data = data[head:]
	if size > mostRTF {
		return nil, isolated.Over(words.Msg("bound_unpacked", "N", mostRTF>>20))
	}
	switch kind {
	case plain:
		return data[:min(size, len(data))], nil
	case packed:
		return unpackWindow(data, size), nil
	}
	return nil, errRTF
}

// unpackWindow unpacks runs of bytes that stand as they are or repeat what the last 4,096 bytes hold.
func unpackWindow(data []byte, size int) []byte {
	const window = 4096
	var held [window]byte
	at := copy(held[:], rtfPreset)
	out := make([]byte, 0, min(size, 20*len(data)))
	put := func(b byte) {
		held[at%window] = b
		at++
		out = append(out, b)
	}
	for len(data) > 0 && len(out) < size {
		flags := data[0]
		data = data[1:]
		for bit := 0; bit < 8 && len(out) < size; bit++ {
			if flags>>bit&1 == 0 {
				if len(data) == 0 {
					return out
				}
				put(data[0])
				data = data[1:]
				continue
			}
			if len(data) < 2 {
				return out
			}
			pair := int(data[0])<<8 | int(data[1])
			data = data[2:]
			from := pair >> 4
			if from == at%window {
				return out
			}
			for i := range pair&15 + 2 {
				put(held[(from+i)%window])
			}
		}
	}
	return out
}

// wrapSkipped are groups of RTF whose text is not shown.
var wrapSkipped = map[string]bool{"colortbl": true, "stylesheet": true, "info": true, "pict": true,
	"object": true, "header": true, "footer": true, "headerl": true, "headerr": true, "footerl": true, "footerr": true,
	"listtable": true, "listoverridetable": true, "generator": true, "themedata": true, "datastore": true, "fldinst": true,
	"rsidtbl": true, "xmlnstbl": true, "latentstyles": true, "filetbl": true, "revtbl": true, "bkmkstart": true,
	"bkmkend": true, "mhtmltag": true}

// wrapSigns are words of RTF that stand for a sign.
var wrapSigns = map[string]string{"par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n",
	"tab": "\t", "cell": "\t",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—",
	"emspace": " ", "enspace": " ", "zwnj": "\u200c", "zwj": "\u200d"}

// fontPages are the character sets of fonts, by the number of their kind.
var fontPages = map[int]string{128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253",
	162: "windows-1254", 163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257",
	204: "windows-1251", 222: "windows-874", 238: "windows-1250"}

// wrapGroup is what holds for the open group.
type wrapGroup struct {
	skip   bool // its text is not shown
	tag    bool // its text is HTML
	hidden bool // \htmlrtf: what stands here is written in the HTML too
	fall   int  // signs that stand behind \u for programs that don't know it
	table  bool // of fonts
	font   int
}

// wrappedText reads the HTML that RTF wraps (MS-OXRTFEX): what is no tag stands in the RTF's own text.
type wrappedText struct {
	s      string
	out    strings.Builder
	bytes  []byte         // signs in the code page that are not decoded yet
	page   string         // the character set if a font states none
	fonts  map[int]string // character sets of fonts
	font   int            // whose character set is being read
	groups []wrapGroup
	left   int // signs that are passed over
}

// isRTF reports whether a text is RTF, and what a program made it of: \fromhtml, \fromtext or nothing (MS-OXRTFEX).
func isRTF(data []byte) (of string, ok bool) {
	head := string(data[:min(len(data), 1000)])
	for _, word := range []string{`\fromhtml`, `\fromtext`} {
		if strings.Contains(head, word) {
			of = word
		}
	}
	return of, strings.HasPrefix(head, `{\rtf`)
}

// htmlInRTF returns the HTML that RTF wraps. page is the character set if the text states none.
func htmlInRTF(data []byte, page string) string {
	t := &wrappedText{s: string(data), page: page, fonts: map[int]string{}, groups: []wrapGroup{{fall: 1}}}
	for t.s != "" {
		t.next()
	}
	t.flush()
	return t.out.String()
}

func (t *wrappedText) group() *wrapGroup { return &t.groups[len(t.groups)-1] }

// mostGroups is how deep groups may nest; deeper ones are read as if they did not.
const mostGroups = 1000

func (t *wrappedText) next() {
	c := t.s[0]
	switch c {
	case '{':
		t.s = t.s[1:]
		if t.left = 0; len(t.groups) < mostGroups {
			t.groups = append(t.groups, *t.group())
		}
	case '}':
		t.s = t.s[1:]
		if t.left = 0; len(t.groups) > 1 {
			t.groups = t.groups[:len(t.groups)-1]
		}
	case '\\':
		t.command()
	case '\r', '\n':
		t.s = t.s[1:]
	default:
		t.s = t.s[1:]
		t.sign(c)
	}
}

// shows reports whether the text of the open group is shown.
func (t *wrappedText) shows() bool {
	g := t.group()
	return !g.skip && !g.hidden
}

// sign adds a byte in the code page.
func (t *wrappedText) sign(c byte) {
	if t.left > 0 {
		t.left--
		return
	}
	if !t.shows() {
		return
	}
	if font := t.group().font; font != t.font {
		t.flush()
		t.font = font
	}
	t.bytes = append(t.bytes, c)
}

func (t *wrappedText) flush() {
	if len(t.bytes) > 0 {
		s, _ := inCharset(cmp.Or(t.fonts[t.font], t.page), t.bytes)
		t.out.WriteString(s)
		t.bytes = t.bytes[:0]
	}
}

func (t *wrappedText) write(s string) {
	if t.shows() {
		t.flush()
		t.out.WriteString(s)
	}
}

// command reads what begins with a backslash.
func (t *wrappedText) command() {
	if len(t.s) < 2 {
		t.s = ""
		return
	}
	switch c := t.s[1]; {
	case c == '\'':
		if len(t.s) >= 4 {
			if n, err := strconv.ParseUint(t.s[2:4], 16, 8); err == nil {
				t.sign(byte(n))
			}
		}
		t.s = t.s[min(len(t.s), 4):]
	case c == '*':
		t.s = t.s[2:]
		t.star()
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		name, number, has := t.word()
		t.do(name, number, has)
	default:
		t.s = t.s[2:]
		switch c {
		case '\\', '{', '}':
			t.sign(c)
		case '~':
			t.write("\u00a0")
		case '_':
			t.write("-")
		case '\r', '\n':
			t.write("\n")
		}
	}
}

// star reads the head of a group that programs pass over if they don't know it.
func (t *wrappedText) star() {
	if !strings.HasPrefix(t.s, `\`) {
		return
	}
	rest := t.s
	name, _, _ := t.word()
	switch {
	case name == "htmltag":
		t.group().tag = true
	case name == "shppict" || name == "nonshppict" || name != "":
		t.group().skip = true
	default:
		t.s = rest
	}
}

// word reads a command: letters, perhaps a number, perhaps a space that belongs to it.
func (t *wrappedText) word() (name string, number int, has bool) {
	i := 1
	for i < len(t.s) && (t.s[i] >= 'a' && t.s[i] <= 'z' || t.s[i] >= 'A' && t.s[i] <= 'Z') && i <= 40 {
		i++
	}
	name = t.s[1:i]
	from := i
	if i < len(t.s) && t.s[i] == '-' {
		i++
	}
	for i < len(t.s) && t.s[i] >= '0' && t.s[i] <= '9' && i-from < 12 {
		i++
	}
	number, err := strconv.Atoi(t.s[from:i])
	if i < len(t.s) && t.s[i] == ' ' {
		i++
	}
	t.s = t.s[i:]
	return name, number, err == nil
}

// do does what a command says.
func (t *wrappedText) do(name string, number int, has bool) {
	g := t.group()
	switch name {
	case "htmlrtf":
		g.hidden = !has || number != 0
	case "uc":
		g.fall = max(0, min(number, 10))
	case "u":
		if r := rune(uint16(number)); t.shows() && utf8.ValidRune(r) {
			t.write(string(r))
		}
		t.left = g.fall
	case "bin":
		t.s = t.s[min(len(t.s), max(0, number)):]
	case "f":
		g.font = number
	case "fonttbl":
		g.table, g.skip = true, true
	case "fcharset":
		if page := fontPages[number]; g.table && page != "" {
			t.fonts[g.font] = page
		}
	case "ansicpg":
		if page := codePage(number); page != "" {
			t.page = page
		}
	default:
		if wrapSkipped[name] {
			g.skip = true
			return
		}
		if sign := wrapSigns[name]; sign != "" && (g.tag || sign != "\t") {
			t.write(sign)
		}
	}
}
