package wordfile

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// RTFBegin is how every RTF file begins.
const RTFBegin = "{\\rtf"

// errRTFCut is that an RTF file ends within a group.
var errRTFCut = errors.New("the file ends within a group")

// ReadRTF reads the text of an RTF file (specification 1.9.1): headings, paragraphs, list items with their numbers and
// tables, then notes, comments, headers and footers. What is hidden, struck out or deleted by tracked changes is left
// out and listed (rule L-38). Pictures and objects are skipped; nothing is fetched or executed.
func ReadRTF(data []byte, out *block.Page) error {
	out.Blocks = []ledger.Block{}
	return ReadRTFInto(data, &out.List)
}

// ReadRTFInto adds the text of RTF to a list. Of a text that is cut off it adds what there is, and fails.
func ReadRTFInto(data []byte, out *block.List) error {
	r := &rtf{flow: newFlow(out), data: data, tables: map[*wordTable]*rtfTable{}, fonts: map[int]*rtfFont{},
		styles: map[int]rtfStyle{}, codePage: codePages[1252]}
	r.now.uc = 1
	err := r.read()
	if err != nil && !errors.Is(err, errRTFCut) {
		return err
	}
	r.end()
	return cmp.Or(out.Over, err)
}

// rtf reads a file of RTF byte by byte. Its groups are held in a list, so that no nesting exhausts the stack.
type rtf struct {
	flow
	data []byte
	at   int

	now    rtfState
	groups []rtfState // outside of the innermost one
	first  bool       // nothing of the open group was read
	star   bool       // its first control word may be unknown, in which case it is skipped

	bytes     []byte // text that is not decoded yet
	skip      int    // signs that stand for the last one in Unicode
	surrogate rune   // the first half of a sign

	codePage encoding.Encoding
	fonts    map[int]*rtfFont
	usual    int // the font where none is said
	colors   []int
	color    int
	styles   map[int]rtfStyle
	entry    int // of the table of fonts or styles that is read
	entered  rtfStyle
	name     string // of that entry
	label    string // of the list item that begins
	labelled bool
	marked   bool   // a note's mark was set, and its note follows
	notes    [2]int // footnotes and endnotes so far
	note     string // mark of the note that is read
	tables   map[*wordTable]*rtfTable
	row      rtfRow // as it is defined
	boxes    int    // open text boxes
}

// rtfTo is where the text of a group goes.
type rtfTo int8

const (
	rtfText   rtfTo = iota
	rtfNone         // nowhere, but groups in it may have a place
	rtfSkip         // nowhere, with all groups in it
	rtfFonts        // the table of fonts
	rtfColors       // that of colours
	rtfStyles       // that of styles
	rtfLabel        // the number of a list item
	rtfMath         // a formula
)

// rtfState is what a group restores at its end.
type rtfState struct {
	to      rtfTo
	outside rtfTo // of an alternative in Unicode
	uc      int   // signs that follow one in Unicode
	run     rtfRun
	para    rtfParagraph
	node    *block.Formula
	ends    func() // called at the end of the group
}

// rtfRun are the properties of text.
type rtfRun struct {
	hidden, struck, deleted, backed bool
	level                           rune
	color, size                     int

	font     int       // of letters that run from left to right
	complex  int       // of the others, plus 1; 0 if it does not say
	scripts  [3]int    // likewise of low, high and double-byte signs
	script   rtfScript // that the text which follows has
	sideways bool      // it runs from right to left
}

// rtfScript is a kind of signs, which may have a font of its own.
type rtfScript int8

const (
	rtfAny rtfScript = iota
	rtfLow
	rtfHigh
	rtfDouble
)

// rtfParagraph are the properties of a paragraph.
type rtfParagraph struct {
	style  int
	level  int // heading level that it states itself
	table  bool
	nested int // tables that it stands in
	shaded bool
}

type rtfStyle struct {
	level   int
	caption bool
}

// read reads the file's group.
func (r *rtf) read() error {
	for r.at < len(r.data) {
		c := r.data[r.at]
		r.at++
		switch c {
		case '{':
			r.flush()
			r.skip = 0
			if len(r.groups) > block.ArchiveDepth {
				return block.ErrArchiveDeep
			}
			r.groups = append(r.groups, r.now)
			r.now.ends, r.first, r.star = nil, true, false
		case '}':
			r.flush()
			r.skip = 0
			if r.close(); len(r.groups) == 0 {
				return r.out.Over // what follows is no part of the document
			}
		case '\\':
			r.control()
		case '\r', '\n', 0:
		default:
			r.first = false
			r.byte(c)
		}
		if r.out.Over != nil {
			return r.out.Over
		}
	}
	return errRTFCut
}

// close ends the innermost group.
func (r *rtf) close() {
	if ends := r.now.ends; ends != nil {
		ends()
	}
	if n := len(r.groups); n > 0 {
		r.now, r.groups = r.groups[n-1], r.groups[:n-1]
	}
}

// byte adds a byte of text.
func (r *rtf) byte(c byte) {
	switch {
	case r.skip > 0:
		r.skip--
	case r.now.to != rtfSkip && r.now.to != rtfNone:
		r.bytes = append(r.bytes, c)
	}
}

// flush decodes the bytes that were read.
func (r *rtf) flush() {
	if len(r.bytes) == 0 {
		return
	}
	b := r.bytes
	r.bytes = r.bytes[:0]
	r.write(r.decoded(b))
}

// write adds text where it belongs.
func (r *rtf) write(s string) {
	if r.surrogate != 0 && s != "" {
		r.surrogate, s = 0, "\uFFFD"+s
	}
	switch r.now.to {
	case rtfText:
		r.frame.text.Write(s, r.look())
	case rtfLabel:
		r.label += s
	case rtfFonts, rtfStyles:
		for {
			name, rest, ended := strings.Cut(s, ";")
			r.name += name
			if !ended {
				return
			}
			r.enter()
			s = rest
		}
	case rtfColors:
		for range strings.Count(s, ";") {
			r.colors, r.color = append(r.colors, r.color), -1
		}
	case rtfMath:
		r.now.node.Add(s)
	}
}

// look is how the text that follows looks.
func (r *rtf) look() RunLook {
	p := &r.now.run
	l := RunLook{Struck: p.struck, deleted: p.deleted, Level: p.level}
	switch {
	case p.hidden:
		l.Hidden = ledger.HiddenFormat
	case p.size > 0 && p.size <= TinySize:
		l.Hidden = ledger.Tiny
	case r.isWhite(p.color) && !p.backed && !r.now.para.shaded && !r.now.para.table && len(r.frame.open) == 0 &&
		r.boxes == 0:
		l.Hidden = ledger.SameColor
	}
	return l
}

// isWhite reports whether a colour of the table cannot be told from white paper.
func (r *rtf) isWhite(color int) bool {
	if color <= 0 || color >= len(r.colors) || r.colors[color] < 0 {
		return false
	}
	c := r.colors[color]
	return c>>16 >= 0xFA && c>>8&0xFF >= 0xFA && c&0xFF >= 0xFA
}

// control reads what follows a backslash: a sign or a control word with its number.
func (r *rtf) control() {
	if r.at >= len(r.data) {
		return
	}
	c := r.data[r.at]
	if !isASCIILetter(c) {
		r.at++
		r.sign(c)
		if c != '*' {
			r.first = false
		}
		return
	}
	from := r.at
	for r.at < len(r.data) && isASCIILetter(r.data[r.at]) {
		r.at++
	}
	word := string(r.data[from:min(r.at, from+rtfWordLength)])
	n, given := r.number()
	r.flush()
	if word == "bin" {
		r.at += min(max(n, 0), len(r.data)-r.at)
		return
	}
	first, star := r.first, r.star
	r.first, r.star = false, false
	if r.now.to == rtfSkip {
		return
	}
	if word == "u" {
		r.unicode(n)
		return
	}
	r.skip = 0
	if first && r.destination(word, star) || r.now.to == rtfSkip {
		return
	}
	r.word(word, n, given)
}

// rtfWordLength is the longest control word that is told from others (the specification has 32).
const rtfWordLength = 32

func isASCIILetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// number reads the number behind a control word, and the space that ends both.
func (r *rtf) number() (n int, given bool) {
	from := r.at
	if r.at < len(r.data) && r.data[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.data) && r.data[r.at] >= '0' && r.data[r.at] <= '9' {
		r.at++
	}
	if s := string(r.data[from:min(r.at, from+rtfDigits)]); s == "-" {
		r.at = from
	} else if v, err := strconv.Atoi(s); err == nil {
		n, given = v, true
	}
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	return n, given
}

// rtfDigits is the longest number of a control word, with its sign.
const rtfDigits = 11

// sign reads a control symbol.
func (r *rtf) sign(c byte) {
	switch c {
	case '\'':
		if r.at+2 > len(r.data) {
			r.at = len(r.data)
			return
		}
		if v, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8); err == nil {
			r.at += 2
			r.byte(byte(v))
		}
		return
	case '\\', '{', '}':
		r.byte(c)
		return
	case '*':
		r.star = r.first
		return
	}
	r.flush()
	if r.now.to == rtfSkip || r.now.to == rtfNone {
		return
	}
	switch c {
	case '~':
		r.write("\u00a0")
	case '_':
		r.write("-")
	case '\r', '\n':
		r.word("par", 0, false)
	case '\t':
		r.write(" ")
	}
}

// unicode adds a sign by its number in UTF-16, which may be written as a negative one.
func (r *rtf) unicode(n int) {
	r.skip = r.now.uc
	if n < 0 {
		n += 1 << 16
	}
	c := rune(min(max(n, 0), 1<<21))
	before := r.surrogate
	r.surrogate = 0
	switch {
	case utf16.IsSurrogate(c) && before != 0:
		c = utf16.DecodeRune(before, c)
	case utf16.IsSurrogate(c):
		r.surrogate = c
		return
	case c >= signArea && c < signArea+0x100:
		r.write(inFont(string(c), r.fontName()))
		return
	}
	r.write(string(c))
}

// endParagraph ends the open paragraph.
func (r *rtf) endParagraph() {
	r.inTables(r.now.para.depth())
	p := wordParagraph{level: r.now.para.level}
	style := r.styles[r.now.para.style]
	if p.level == 0 {
		p.level = style.level
	}
	p.caption = style.caption
	if p.item = r.labelled; p.item {
		if s := text.OneLine(r.label); !isBullet(s) {
			p.label = s
		}
	}
	r.paragraph(p)
	r.label, r.labelled = "", false
}

// isBullet reports whether the label of a list item is a sign of a font, and no number. Word draws some as letters.
func isBullet(s string) bool {
	return s == "" || s == "o" || strings.IndexFunc(s, block.IsLetterOrDigit) < 0
}

// mark sets the mark of a note: in the note itself its number, and in the text once its note is read.
func (r *rtf) mark() {
	if r.note != "" {
		r.frame.text.Write(r.note, RunLook{Level: block.MarkSign})
		return
	}
	r.marked = true
}

// openNote begins a note.
func (r *rtf) openNote() {
	if !r.marked {
		r.openPart(ledger.FileNote)
		return
	}
	r.marked = false
	kind, number := 0, strconv.Itoa
	if bytes.HasPrefix(bytes.TrimLeft(r.data[r.at:], " \r\n"), []byte("\\ftnalt")) {
		kind, number = 1, func(n int) string { return strings.ToLower(roman(n)) }
	}
	r.notes[kind]++
	r.note = number(r.notes[kind])
	r.frame.text.Write(r.note, RunLook{Level: block.MarkSign})
	r.openPart(ledger.FileNote)
}

// openPart begins a note, comment, header or footer, which ends with its group.
func (r *rtf) openPart(kind ledger.PartKind) {
	note, label, labelled := r.note, r.label, r.labelled
	if kind != ledger.FileNote {
		r.note = ""
	}
	r.label, r.labelled = "", false
	r.openFrame()
	r.now.to, r.now.run, r.now.para = rtfText, rtfRun{font: r.usual}, rtfParagraph{}
	r.now.ends = func() {
		r.endParagraph()
		r.inTables(0)
		r.closePart(kind)
		r.note, r.label, r.labelled = "", label, labelled
		if kind != ledger.FileNote {
			r.note = note
		}
	}
}

// openBox begins a text box, which ends with its group.
func (r *rtf) openBox() {
	r.boxes++
	label, labelled := r.label, r.labelled
	r.label, r.labelled = "", false
	r.openFrame()
	r.now.to, r.now.run, r.now.para = rtfText, rtfRun{font: r.usual}, rtfParagraph{}
	r.now.ends = func() {
		r.endParagraph()
		r.inTables(0)
		r.closeBox()
		r.label, r.labelled = label, labelled
		r.boxes--
	}
}

// end ends the body.
func (r *rtf) end() {
	r.endParagraph()
	r.inTables(0)
	r.flow.end()
}
