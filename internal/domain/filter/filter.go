// Package filter declares by what a list can be narrowed. A List is declared once, beside the query that it fills in;
// the list's page, its operation of the API, its saved views and its SQL all read it.
package filter

import (
	"iter"
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain/text"
)

// Kind says what values a filter takes.
type Kind string

// The kinds of filters.
const (
	Words  Kind = "words"  // any text
	Choice Kind = "choice" // one of the filter's Values
	Yes    Kind = "yes"    // any value turns it on
	Day    Kind = "day"    // a day, as people type it
	Number Kind = "number" // a whole number from 1

	// ClaimAlone is the kind of a claim's number in the address without the session that it belongs to.
	ClaimAlone Kind = "claim-alone"
)

// A Filter narrows a list by one value, which it puts into a query of type Q.
type Filter[Q any] struct {
	Name   string   // of the parameter in addresses, forms and saved views
	Member string   // of the member in a body of the API
	Kind   Kind     // what it takes
	Values []string // of a Choice
	About  string   // what it leaves in the list, for the description of the API

	get func(*Q) string
	set func(*Q, string)
}

// A List is the filters of one list, in the order in which they are described.
type List[Q any] []Filter[Q]

// Left is a value that a filter does not take.
type Left struct {
	Name, Member, Value string
	Kind                Kind
	Values              []string // of a Choice
}

// Text returns a filter by words.
func Text[Q any](name, about string, at func(*Q) *string) Filter[Q] {
	return Filter[Q]{
		Name: name, Member: name, Kind: Words, About: about,
		get: func(q *Q) string { return *at(q) }, set: func(q *Q, v string) { *at(q) = v },
	}
}

// OneOf returns a filter by one of some values.
func OneOf[Q any, V ~string](name, about string, values []V, at func(*Q) *V) Filter[Q] {
	f := Filter[Q]{
		Name: name, Member: name, Kind: Choice, About: about,
		get: func(q *Q) string { return string(*at(q)) }, set: func(q *Q, v string) { *at(q) = V(v) },
	}
	for _, v := range values {
		f.Values = append(f.Values, string(v))
	}
	return f
}

// Only returns a filter that is on or off.
func Only[Q any](name, about string, at func(*Q) *bool) Filter[Q] {
	return Filter[Q]{
		Name: name, Member: name, Kind: Yes, About: about,
		get: func(q *Q) string {
			if *at(q) {
				return "1"
			}
			return ""
		},
		set: func(q *Q, _ string) { *at(q) = true },
	}
}

// At returns a filter by a number from 1.
func At[Q any](name, about string, at func(*Q) *int) Filter[Q] {
	return Filter[Q]{
		Name: name, Member: name, Kind: Number, About: about,
		get: func(q *Q) string {
			if *at(q) == 0 {
				return ""
			}
			return strconv.Itoa(*at(q))
		},
		set: func(q *Q, v string) { *at(q), _ = strconv.Atoi(v) }, // takes has read it already
	}
}

// From returns a filter by a day and all later ones: the query holds the beginning of that day in UTC.
func From[Q any](name, about string, at func(*Q) *time.Time) Filter[Q] {
	return day(name, about, 0, at)
}

// To returns a filter by a day and all earlier ones: the query holds the end of that day in UTC, which is excluded.
func To[Q any](name, about string, at func(*Q) *time.Time) Filter[Q] { return day(name, about, 1, at) }

func day[Q any](name, about string, added int, at func(*Q) *time.Time) Filter[Q] {
	return Filter[Q]{
		Name: name, Member: name, Kind: Day, About: about,
		get: func(q *Q) string {
			if at(q).IsZero() {
				return ""
			}
			return at(q).AddDate(0, 0, -added).Format(time.DateOnly)
		},
		set: func(q *Q, v string) {
			typed, _ := text.TypedDay(v) // takes has read it already
			*at(q) = typed.AddDate(0, 0, added)
		},
	}
}

// Called returns the filter with another name in bodies of the API.
func (f Filter[Q]) Called(member string) Filter[Q] {
	f.Member = member
	return f
}

func (f *Filter[Q]) takes(v string) bool {
	switch f.Kind {
	case Choice:
		return slices.Contains(f.Values, v)
	case Day:
		_, ok := text.TypedDay(v)
		return ok
	case Number:
		n, err := strconv.Atoi(v)
		return err == nil && n > 0
	}
	return true
}

func (f *Filter[Q]) left(v string) Left {
	return Left{Name: f.Name, Member: f.Member, Value: v, Kind: f.Kind, Values: f.Values}
}

// Read returns the query that get gives by the filters' names, "" for none, and the values that it could not use. A
// page says which those are; the API refuses the first.
func (l List[Q]) Read(get func(name string) string) (q Q, left []Left) {
	for i := range l {
		switch v := get(l[i].Name); {
		case v == "":
		case l[i].takes(v):
			l[i].set(&q, v)
		default:
			left = append(left, l[i].left(v))
		}
	}
	return q, left
}

// Check returns the values of a query, read from a body of the API, that its filters do not take.
func (l List[Q]) Check(q *Q) (left []Left) {
	for i := range l {
		if v := l[i].get(q); v != "" && !l[i].takes(v) {
			left = append(left, l[i].left(v))
		}
	}
	return left
}

// On iterates over the filters that narrow a query, by name, with their values as Read takes them.
func (l List[Q]) On(q *Q) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i := range l {
			if v := l[i].get(q); v != "" && !yield(l[i].Name, v) {
				return
			}
		}
	}
}

// Names returns the names of the filters.
func (l List[Q]) Names() []string {
	out := make([]string, len(l))
	for i := range l {
		out[i] = l[i].Name
	}
	return out
}
