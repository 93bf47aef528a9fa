package ledger

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// LeftOut is text of a document's file that is not in the document's text and supports nothing: a reader of the file
// does not see it, or sees it struck out (rule L-38). Stored and exported.
type LeftOut struct {
	Kind LeftOutKind `json:"kind"`
	How  LeftOutHow  `json:"how"`
	Text string      `json:"text"` // of a struck one the passage around it too, with ~~ around what is struck
	Page int         `json:"page_number,omitempty"`
	At   int         `json:"at,omitempty"`   // where it stood in the document's text, in code points
	More int         `json:"more,omitempty"` // of the last one of its kind: how many others of that kind are not listed
}

// LeftOutKind is why a text was left out.
type LeftOutKind string

// The two kinds.
const (
	Hidden LeftOutKind = "hidden"
	Struck LeftOutKind = "struck"
)

// LeftOutKinds lists them.
var LeftOutKinds = []LeftOutKind{Hidden, Struck}

// LeftOutHow is by what a text is hidden or struck.
type LeftOutHow string

// The ways to hide a text and to strike it out.
const (
	HiddenFormat LeftOutHow = "format"      // formatted as hidden, as in Word
	HiddenStyle  LeftOutHow = "style"       // an attribute or style sheet says that it is not shown
	Transparent  LeftOutHow = "transparent" // drawn with nothing: opacity 0, render mode 3 without a picture below
	OffPage      LeftOutHow = "off_page"    // beyond the edge of the page
	Tiny         LeftOutHow = "tiny"        // too small to be read
	SameColor    LeftOutHow = "same_color"  // in the colour of what is behind it
	Covered      LeftOutHow = "covered"     // below something that is drawn over it
	InComment    LeftOutHow = "comment"     // in a comment of the source, of HTML or Markdown
	StruckOut    LeftOutHow = "struck"      // struck through
	Deletion     LeftOutHow = "deletion"    // marked as deleted, by tracked changes or as such
)

// LeftOutHows lists them.
var LeftOutHows = []LeftOutHow{HiddenFormat, HiddenStyle, Transparent, OffPage, Tiny, SameColor, Covered, InComment,
	StruckOut, Deletion}

// Bounds of what is listed of a document.
const (
	MaxLeftOut     = 200    // passages
	maxLeftOut     = 1_000  // code points of a passage
	MaxLeftOutText = 20_000 // code points of all
	leftOutBefore  = 200    // code points before what is struck, of a long passage
)

// firstOfKind is how much is listed of the first passage of a kind beyond the bounds, in code points.
const firstOfKind = 80

// StruckMark stands on both sides of what is struck in a LeftOut's text.
const StruckMark = "~~"

// AddLeftOut adds what a reader of files found to the list of a document. What follows the last one directly, left out
// in the same way, continues it. Beyond the bounds passages are counted only.
func AddLeftOut(list []LeftOut, x LeftOut) []LeftOut {
	x.Text = strings.Join(strings.Fields(x.Text), " ")
	if strings.Trim(x.Text, "~ ") == "" {
		return list
	}
	n := len(list)
	full := n == MaxLeftOut || slices.ContainsFunc(list, func(l LeftOut) bool { return l.More > 0 })
	if n > 0 && !full {
		last := &list[n-1]
		if x.Kind == Hidden && last.Kind == Hidden && last.How == x.How && last.Page == x.Page && last.At == x.At &&
			utf8.RuneCountInString(last.Text)+utf8.RuneCountInString(x.Text) < maxLeftOut {
			last.Text += " " + x.Text
			return list
		}
	}
	x.Text = aroundStruck(x.Text)
	size := 0
	for i := range list {
		size += utf8.RuneCountInString(list[i].Text)
	}
	if full || size+utf8.RuneCountInString(x.Text) > MaxLeftOutText && n > 0 {
		for i := n - 1; i >= 0; i-- {
			if list[i].Kind == x.Kind {
				list[i].More++
				return list
			}
		}
		x.Text = text.Slice(x.Text, text.Span{End: firstOfKind}) // it has to be told that there are some
	}
	return append(list, x)
}

// aroundStruck shortens a long text to its beginning, or to the part from a little before what is struck.
func aroundStruck(s string) string {
	if utf8.RuneCountInString(s) <= maxLeftOut {
		return s
	}
	from := 0
	if at := strings.Index(s, StruckMark); at > 0 {
		from = max(0, utf8.RuneCountInString(s[:at])-leftOutBefore)
	}
	out := text.Slice(s, text.Span{Start: from, End: from + maxLeftOut})
	if strings.Count(out, StruckMark)%2 == 1 {
		out += StruckMark
	}
	if from > 0 {
		out = "…" + out
	}
	return out + "…"
}

// StruckParts splits the text of a struck passage: every second part is struck, the first is not.
func (x *LeftOut) StruckParts() []string {
	if x.Kind != Struck {
		return []string{x.Text}
	}
	return strings.Split(x.Text, StruckMark)
}

// LeftOutCheck names the passage that a claim rests on although it was left out.
type LeftOutCheck struct {
	Document int         `json:"document"` // its position
	Index    int         `json:"index"`    // in its LeftOut
	Kind     LeftOutKind `json:"kind"`
}
