package library

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// MaxCited is how many cited passages are compared for one page, MaxAttached how many packs with a document's file are
// listed.
const (
	MaxCited    = 1_000
	MaxAttached = 1_000
)

// Uses is a page of what rests on versions of a document.
type Uses struct {
	Sessions, Packs int // how many there are of all
	Rows            []Use
	Attached        []PackUse // on the first page: packs that have a version as a file, and by no session
	AttachedMore    bool      // not all of these were read
	Next            string    // the After of the next page, "" after the last one
}

// UsesQuery says what of it is asked for: what rests on the versions from From to To.
type UsesQuery struct {
	From, To int
	After    string // the Next of the page before, "" for the first page
	Limit    int
	Compare  bool // with the newest version: what became of what claims cite
}

// Use is a session that rests on a version, with the packs that refer to the session.
type Use struct {
	SessionNo int // its place in lists
	SessionID string
	Title     string
	Version   int
	Packs     []PackUse
	Cited     []Cited // what its claims cite of an older version than the newest
	Cut       bool    // not all of these were read
	Behind    bool    // passages of an older version, which this one replaced, still decide claims
}

// PackUse is a pack that refers to a session, or has a file of the library.
type PackUse struct {
	ID, Title, State string
	Version          int // of the file
}

// Newer is a document of a session that was taken from the library, which has a newer version.
type Newer struct {
	DocumentID string // of the session's document
	Ref               // the version that it was taken from
	Name       string // in the library
	Newest     int
}

// Cited is a passage of a version that a claim cites.
type Cited struct {
	Claim   int // number of the claim, from 1
	Words   string
	Page    int
	Heading []string
	Now     Fate // in the newest version; "" where that was not asked
	At      Passage
}

// Fate says what became of cited words in another version.
type Fate string

// What may become of cited words. Words are the same if their letters are: white space alone may differ.
const (
	Same  Fate = "same"  // they stand on the same page under the same heading
	Moved Fate = "moved" // they stand elsewhere
	Lost  Fate = "lost"  // they don't stand there any more
)

// Fates are all of these.
var Fates = []Fate{Same, Moved, Lost}

// Finder finds words in the text of a version.
type Finder struct {
	passages []Passage
	starts   []int // of each passage in all
	all      string
}

// NewFinder returns a finder in passages.
func NewFinder(passages []Passage) *Finder {
	f := &Finder{passages: passages}
	var all strings.Builder
	for i := range passages {
		f.starts = append(f.starts, all.Len())
		all.WriteString(spaced(passages[i].Text))
		all.WriteByte(' ')
	}
	f.all = all.String()
	return f
}

// spaced returns s with one space for each run of white space.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// Find says what became of cited words. Of several places, one on the same page and under the same heading is taken,
// else the first.
func (f *Finder) Find(c *Cited) (Fate, Passage) {
	words := spaced(c.Words)
	if words == "" {
		return Lost, Passage{}
	}
	var first *Passage
	for from := 0; ; {
		at := strings.Index(f.all[from:], words)
		if at < 0 {
			break
		}
		at += from
		if from = at + 1; !whole(f.all, at, at+len(words)) {
			continue
		}
		p := &f.passages[f.passage(at)]
		if p.Page == c.Page && slices.Equal(p.Heading, c.Heading) {
			return Same, Passage{Page: p.Page, Heading: p.Heading}
		}
		if first == nil {
			first = p
		}
	}
	if first == nil {
		return Lost, Passage{}
	}
	return Moved, Passage{Page: first.Page, Heading: first.Heading}
}

// whole reports whether s[start:end] begins and ends at the edge of a word: "15 days" doesn't stand in "115 days", nor
// "within 5" in "within 50" or "within 5.5".
func whole(s string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(s[start:])
	last, _ := utf8.DecodeLastRuneInString(s[:end])
	before, n := utf8.DecodeLastRuneInString(s[:start])
	after, m := utf8.DecodeRuneInString(s[end:])
	if inWord(before) && inWord(first) || inWord(last) && inWord(after) {
		return false
	}
	inNumber := func(mark, beyond, edge rune) bool {
		return strings.ContainsRune(".,٫٬", mark) && unicode.IsNumber(beyond) && unicode.IsNumber(edge)
	}
	beyond, _ := utf8.DecodeLastRuneInString(s[:start-n])
	next, _ := utf8.DecodeRuneInString(s[end+m:])
	return !inNumber(before, beyond, first) && !inNumber(after, next, last)
}

// inWord reports whether r belongs to a word. Scripts that put no space between words have no edges to look at.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}

// passage returns the index of the passage that a place in the whole text lies in.
func (f *Finder) passage(at int) int {
	i, found := slices.BinarySearch(f.starts, at)
	if !found {
		i--
	}
	return i
}

// Compare sets what became of the cited words of all uses in the text of another version.
func Compare(uses []Use, passages []Passage) {
	f := NewFinder(passages)
	for i := range uses {
		for j := range uses[i].Cited {
			c := &uses[i].Cited[j]
			c.Now, c.At = f.Find(c)
		}
	}
}

// Count returns how many cited passages of a use have a fate.
func (u *Use) Count(fate Fate) (n int) {
	for i := range u.Cited {
		if u.Cited[i].Now == fate {
			n++
		}
	}
	return n
}

// WordsOf returns the words of a passage that a match cites: those of its quotation, or the snippet where that has no
// place in the passage.
func WordsOf(passage, snippet string, start, end int) string {
	if words := text.Slice(passage, text.Span{Start: start, End: end}); words != "" {
		return words
	}
	return snippet
}
