package ledger

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Layout is how a browser wants to see the workbench: which of its columns, how wide, which parts of a row, how dense.
// It is kept in a cookie, so that the server lays the page out that way at once. The zero value is how it comes.
type Layout struct {
	Compact bool
	Type    string     // of TypeChoices: when rows have the claim's type
	Hidden  []string   // of Parts, in their order
	Widths  [3]Percent // by Splits; 0 as it comes
}

// Percent is a width in hundredths of the workbench.
type Percent int

// The columns that can be hidden. Without PartCase the claim in focus is shown once somebody chooses one.
const (
	PartAnswer = "answer"
	PartList   = "list"
	PartCase   = "case"
)

// Columns and RowParts are what can be hidden; Parts is both.
var (
	Columns  = []string{PartAnswer, PartList, PartCase}
	RowParts = []string{"flags", "checks", "comments", "who", "source"}
	Parts    = slices.Concat(Columns, RowParts)
)

// TypeChoices says when rows have the type of a claim: where the window is wide (from 1,440 px), always or never.
var TypeChoices = []string{"", "shown", "hidden"}

// Splits names the widths: of the answer and of the list where there are three columns, of the list where there are
// two. Each is a multiple of SplitStep within its bounds: widths.css has a class for each.
var Splits = []struct {
	Name        string
	Least, Most Percent
}{{"a", 14, 40}, {"l", 20, 50}, {"m", 30, 70}}

// SplitStep is the step of a width.
const SplitStep = 2

// ParseLayout reads what String wrote or a form sends; whatever is not known is as it comes.
func ParseLayout(q url.Values) Layout {
	out := Layout{Compact: q.Get("density") == "compact"}
	if choice := q.Get("typecol"); slices.Contains(TypeChoices, choice) {
		out.Type = choice
	}
	for _, part := range Parts {
		if slices.Contains(q["hide"], part) {
			out.Hidden = append(out.Hidden, part)
		}
	}
	if out.hides(PartAnswer) && out.hides(PartList) && out.hides(PartCase) {
		out.Hidden = out.Hidden[len(Columns):] // something is to be seen
	}
	for i, s := range Splits {
		n, err := strconv.Atoi(q.Get(s.Name))
		if w := Percent(n); err == nil && w >= s.Least && w <= s.Most && n%SplitStep == 0 {
			out.Widths[i] = w
		}
	}
	return out
}

// String writes the layout as a query, "" if it is as it comes.
func (l Layout) String() string {
	q := url.Values{}
	if l.Compact {
		q.Set("density", "compact")
	}
	if l.Type != "" {
		q.Set("typecol", l.Type)
	}
	for _, part := range l.Hidden {
		q.Add("hide", part)
	}
	for i, w := range l.Widths {
		if w > 0 {
			q.Set(Splits[i].Name, strconv.Itoa(int(w)))
		}
	}
	return q.Encode()
}

func (l Layout) hides(part string) bool { return slices.Contains(l.Hidden, part) }

// Classes are the layout as classes of the workbench.
func (l Layout) Classes() string {
	var out []string
	if l.Compact {
		out = append(out, "compact")
	}
	if l.Type != "" {
		out = append(out, "type-"+l.Type)
	}
	for _, part := range l.Hidden {
		out = append(out, "no-"+part)
	}
	for i, w := range l.Widths {
		if w > 0 {
			out = append(out, "w"+Splits[i].Name+"-"+strconv.Itoa(int(w)))
		}
	}
	return strings.Join(out, " ")
}
