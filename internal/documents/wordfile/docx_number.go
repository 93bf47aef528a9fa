package wordfile

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/text"
)

// wordLevels is how many levels a list has.
const wordLevels = 9

// wordLevel is how a level of a list is numberedList.
type wordLevel struct {
	start  int
	format string // decimal, lowerLetter, bullet …
	text   string // "%1.%2"
	legal  bool   // numbers of the levels above are in digits
	after  int    // the level from which on it begins again, -1 if it never does, 0 for any above
	style  string // the paragraphs of this style are on it
}

// wordList is a list of the file: the definition that it uses, and what it changes of it.
type wordList struct {
	abstract string
	levels   map[int]wordLevel
	starts   map[int]int
}

// wordNumbers counts the lists of a file as its reader sees them.
type wordNumbers struct {
	abstracts map[string]*wordAbstract
	lists     map[string]*wordList
	counts    map[string]*[wordLevels]int // by definition
	begun     map[string]bool             // lists that set a start of their own once
}

// wordAbstract is a definition of lists.
type wordAbstract struct {
	levels map[int]wordLevel
	style  string // it is the one of this style of lists
	link   string // it uses the one of that style
}

// label counts a paragraph of a list, and returns its number as it is shown, "" for a bullet.
func (n *wordNumbers) label(of wordNumber) string {
	list := n.lists[of.list]
	if list == nil || of.level < 0 || of.level >= wordLevels {
		return ""
	}
	abstract := n.abstracts[list.abstract]
	if abstract == nil {
		return ""
	}
	level := func(i int) wordLevel {
		if l, ok := list.levels[i]; ok {
			return l
		}
		if l, ok := abstract.levels[i]; ok {
			return l
		}
		return wordLevel{start: 1, format: "decimal"}
	}
	counts := n.counts[list.abstract]
	if counts == nil {
		counts = &[wordLevels]int{}
		n.counts[list.abstract] = counts
		for i := range counts {
			counts[i] = level(i).start - 1
		}
	}
	if !n.begun[of.list] {
		n.begun[of.list] = true
		for i, start := range list.starts {
			if i >= 0 && i < wordLevels {
				counts[i] = start - 1
			}
		}
	}
	counts[of.level]++
	for i := of.level + 1; i < wordLevels; i++ {
		if l := level(i); l.after == 0 || l.after > of.level {
			counts[i] = l.start - 1
		}
	}
	own := level(of.level)
	if own.format == "bullet" || own.format == "none" && own.text == "" {
		return ""
	}
	return numberedList(own, of.level, func(i int) (int, string) {
		format := level(i).format
		if own.legal && i < of.level {
			format = "decimal"
		}
		value := counts[i]
		if i < of.level {
			value = max(value, level(i).start)
		}
		return value, format
	})
}

// numberedList fills a level's pattern with the numbers of its levels.
func numberedList(own wordLevel, level int, number func(int) (int, string)) string {
	var b strings.Builder
	for i := 0; i < len(own.text); i++ {
		if own.text[i] == '%' && i+1 < len(own.text) && own.text[i+1] >= '1' && own.text[i+1] <= '9' {
			if at := int(own.text[i+1] - '1'); at <= level {
				b.WriteString(WrittenNumber(number(at)))
			}
			i++
			continue
		}
		b.WriteByte(own.text[i])
	}
	return text.OneLine(b.String())
}

// WrittenNumber writes a number in a format of lists.
func WrittenNumber(n int, format string) string {
	switch format {
	case "none":
		return ""
	case "upperRoman":
		return roman(n)
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperLetter":
		return repeatedLetter(n, latinLetters)
	case "lowerLetter":
		return strings.ToLower(repeatedLetter(n, latinLetters))
	case "arabicAlpha":
		return repeatedLetter(n, arabicAlphabet)
	case "arabicAbjad":
		return repeatedLetter(n, arabicAbjad)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "ordinal":
		return strconv.Itoa(n) + ordinalEnd(n)
	}
	return strconv.Itoa(n)
}

var (
	latinLetters   = []rune("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	arabicAlphabet = []rune("أبتثجحخدذرزسشصضطظعغفقكلمنهوي")
	arabicAbjad    = []rune("أبجدهوزحطيكلمنسعفصقرشتثخذضظغ")
)

// repeatedLetter is the nth letter, doubled after the last one: Z, AA, BB.
func repeatedLetter(n int, letters []rune) string {
	if n < 1 || n > 100*len(letters) {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(letters[(n-1)%len(letters)]), (n-1)/len(letters)+1)
}

func roman(n int) string {
	if n < 1 || n >= 4000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, x := range []struct {
		value int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"},
		{9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= x.value; n -= x.value {
			b.WriteString(x.sign)
		}
	}
	return b.String()
}

func ordinalEnd(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
		return "th"
	case n%10 == 1:
		return "st"
	case n%10 == 2:
		return "nd"
	case n%10 == 3:
		return "rd"
	}
	return "th"
}

// wordNumberReader reads the part of numbering.
type wordNumberReader struct {
	abstracts map[string]*wordAbstract
	lists     map[string]*wordList

	abstract *wordAbstract
	list     *wordList
	override int
	at       int
	level    *wordLevel
}

func newWordNumberReader() *wordNumberReader {
	return &wordNumberReader{abstracts: map[string]*wordAbstract{}, lists: map[string]*wordList{}}
}

func (r *wordNumberReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.end(t.Name.Local)
	}
	return nil
}

func (r *wordNumberReader) start(e xml.StartElement) {
	val := block.Attribute(e, "val")
	number, err := strconv.Atoi(val)
	switch name := e.Name.Local; {
	case name == "abstractNum":
		r.abstract = &wordAbstract{levels: map[int]wordLevel{}}
		r.abstracts[block.Attribute(e, "abstractNumId")] = r.abstract
	case name == "num":
		r.list = &wordList{levels: map[int]wordLevel{}, starts: map[int]int{}}
		r.lists[block.Attribute(e, "numId")] = r.list
	case name == "abstractNumId" && r.list != nil:
		r.list.abstract = val
	case name == "styleLink" && r.abstract != nil:
		r.abstract.style = val
	case name == "numStyleLink" && r.abstract != nil:
		r.abstract.link = val
	case name == "lvlOverride":
		r.override, _ = strconv.Atoi(block.Attribute(e, "ilvl"))
	case name == "startOverride" && r.list != nil && err == nil:
		r.list.starts[r.override] = number
	case name == "lvl":
		r.at, _ = strconv.Atoi(block.Attribute(e, "ilvl"))
		r.level = &wordLevel{format: "decimal"}
	case r.level == nil:
	case name == "start" && err == nil:
		r.level.start = number
	case name == "numFmt":
		r.level.format = val
	case name == "lvlText":
		r.level.text = val
	case name == "isLgl":
		r.level.legal = block.IsOn(e)
	case name == "lvlRestart" && err == nil:
		if r.level.after = number; number == 0 {
			r.level.after = -1
		}
	case name == "pStyle":
		r.level.style = val
	}
}

func (r *wordNumberReader) end(name string) {
	switch name {
	case "lvl":
		if r.level != nil && r.list != nil {
			r.list.levels[r.at] = *r.level
		} else if r.level != nil && r.abstract != nil {
			r.abstract.levels[r.at] = *r.level
		}
		r.level = nil
	case "num":
		r.list = nil
	case "abstractNum":
		r.abstract = nil
	}
}

// numbers returns what counts the lists. Definitions that use that of a style are resolved.
func (r *wordNumberReader) numbers(styles wordStyleTable) *wordNumbers {
	for _, a := range r.abstracts {
		if a.link == "" || styles[a.link] == nil {
			continue
		}
		if list := r.lists[styles[a.link].number.list]; list != nil && r.abstracts[list.abstract] != nil {
			a.levels = r.abstracts[list.abstract].levels
		}
	}
	return &wordNumbers{abstracts: r.abstracts, lists: r.lists, counts: map[string]*[wordLevels]int{},
		begun: map[string]bool{}}
}

// levelOf returns the level of a style in a list: a style may leave it to the list.
func (n *wordNumbers) levelOf(list, style string) int {
	l := n.lists[list]
	if l == nil || n.abstracts[l.abstract] == nil {
		return 0
	}
	for i := range wordLevels {
		if style != "" && n.abstracts[l.abstract].levels[i].style == style {
			return i
		}
	}
	return 0
}
