package quantity

import (
	"strings"
)

// Relation is how a figure of a source stands to one of a claim.
type Relation int

// The relations. Only Same and Fits support a claim, and only Other says otherwise: what two readings allow is not
// compared.
const (
	Unlike Relation = iota // of another kind
	Other                  // it says otherwise
	Open                   // it is not compared: two readings, doubtful words, a rounding that is not said, another bound
	Fits                   // the claim says less exactly what the source says: "over 60" for 67, "March 2024" for 5 March 2024
	Same                   // the same value, in whatever notation
)

// Supports reports whether the claim's figure may be said of the source's.
func (r Relation) Supports() bool { return r >= Fits }

// Compare compares a figure of a claim with one of a source. A doubtful one neither supports nor says otherwise.
func Compare(claim, source Quantity) Relation {
	out := compare(claim, source)
	if out != Unlike && (claim.Doubtful || source.Doubtful) {
		return Open
	}
	return out
}

// compare is Compare of figures that were surely read.
func compare(claim, source Quantity) Relation {
	if claim.Kind == Mark || source.Kind == Mark {
		return Unlike
	}
	if claim.Kind == Day || source.Kind == Day {
		return compareDays(claim, source)
	}
	if claim.Kind == Clock || source.Kind == Clock {
		if claim.Kind != source.Kind {
			return Unlike
		}
		return compareClocks(claim, source)
	}
	if claim.Kind != Amount || source.Kind != Amount {
		return compareNames(claim, source)
	}
	return compareAmounts(claim, source)
}

// compareNames compares identifiers and ordinals with each other and with bare numbers.
func compareNames(a, b Quantity) Relation {
	if a.Label != "" && b.Label != "" && a.Label != b.Label && isArabic(a.Label) == isArabic(b.Label) {
		return Unlike
	}
	if a.Kind == Amount && (a.Unit != "" || a.Of != "" && b.Label == "") || b.Kind == Amount && (b.Unit != "" ||
		b.Of != "" && a.Label == "") {
		return Unlike
	}
	if a.asName() == b.asName() {
		return Same
	}
	if a.Kind == Amount || b.Kind == Amount {
		if a.asName() != "" && b.asName() != "" && a.Number.Compare(b.Number) == 0 && a.Digits != "" && b.Digits != "" {
			return Other // 4.2 and 4.20 are two sections
		}
		return Unlike
	}
	if a.Kind != b.Kind && (a.Label == "" || b.Label == "") {
		return Unlike
	}
	return Other
}

// asName is a figure as a name is written.
func (q *Quantity) asName() string {
	switch {
	case q.Kind == Identifier:
		return q.Name
	case q.Digits != "":
		return q.Digits
	}
	return q.Value.String()
}

// compareClocks compares times of day.
func compareClocks(a, b Quantity) Relation {
	if a.TwoWays == b.TwoWays && a.Value == b.Value && a.Other == b.Other {
		return bounds(a, b, 0)
	}
	if a.TwoWays && (a.Other == b.Value || a.Value == b.Value) || b.TwoWays && (b.Other == a.Value || b.Value == a.Value) {
		return Open
	}
	return bounds(a, b, a.Value.Compare(b.Value))
}

// compareAmounts compares amounts.
func compareAmounts(a, b Quantity) Relation {
	if a.Unit != b.Unit {
		return otherUnit(a, b)
	}
	if a.Unit == "" && a.IsYear() != b.IsYear() && a.Value != b.Value {
		return Unlike
	}
	if (a.Sort == "working") != (b.Sort == "working") && (a.Sort == "" || b.Sort == "") {
		return workingDays(a, b)
	}
	out := values(a, b)
	switch {
	case out < Fits || a.Sort == b.Sort || a.Sort == "calendar" && b.Sort == "" || a.Sort == "" && b.Sort == "calendar":
		return out
	case a.Sort != "" && b.Sort != "":
		return Other
	}
	return Open
}

// workingDays compares working days with a time that is not said to be of them: a week has five, in which case the two
// are not compared.
func workingDays(a, b Quantity) Relation {
	working, plain := a, b
	if b.Sort == "working" {
		working, plain = b, a
	}
	five, _ := plain.Value.Times(Whole(5))
	seven, _ := working.Value.Times(Whole(7))
	if a.Value == b.Value || five == seven || a.Bound != b.Bound {
		return Open
	}
	return Other
}

// otherUnit compares amounts of different units.
func otherUnit(a, b Quantity) Relation {
	equal := a.Number == b.Number
	switch {
	case a.Unit == "decade" || b.Unit == "decade":
		return decades(a, b)
	case a.Unit == "" || b.Unit == "":
		return unitMissing(a, b)
	case families[a.Unit] != "" && families[a.Unit] == families[b.Unit] && (a.Vague || b.Vague):
		if out := values(a, b); out != Same && out != Fits {
			return out
		}
		return Open
	case isDegree(a.Unit) && isDegree(b.Unit):
		return temperatures(a, b)
	case a.Unit == "second" && b.Unit == "month", a.Unit == "month" && b.Unit == "second":
		return months(a, b)
	case a.isPoints() && b.isPoints() && (a.Unit == "bp" || b.Unit == "bp"):
		return basisPoints(a, b)
	case isCurrency(a.Unit) && isCurrency(b.Unit), a.Unit == "pp" && b.Unit == "%", a.Unit == "%" && b.Unit == "pp":
		return Other
	case dimension(a.Unit) == dimension(b.Unit):
		if equal {
			return Other
		}
		return Open // km/h and m/s
	case a.Vague || b.Vague:
		return Unlike
	case equal && a.Bound == b.Bound:
		return Other
	}
	return Unlike
}

// isPoints reports whether a figure is a percentage or says how far two are apart.
func (q *Quantity) isPoints() bool { return q.Unit == "%" || q.Unit == "pp" || q.Unit == "bp" }

// basisPoints compares amounts of which one is in basis points: a rate of 150 is one of 1.5 %, and a change by 150 is
// one by 1.5 percentage points, while one by 1.5 % may be of the rate itself.
func basisPoints(a, b Quantity) Relation {
	out := values(a, b)
	if (a.Unit == "%" || b.Unit == "%") && (a.Change || b.Change) {
		return min(out, Open)
	}
	return out
}

// dimension is what a unit that is divided measures, without by what.
func dimension(unit string) string {
	head, _, divided := strings.Cut(unit, "/")
	if divided {
		return head + "/"
	}
	return unit
}

// unitMissing compares an amount with a bare number. A percentage is its decimal; of other units the number alone says
// no other thing, unless it counts something.
func unitMissing(a, b Quantity) Relation {
	bare, other := a, b
	if a.Unit != "" {
		bare, other = b, a
	}
	switch {
	case other.Unit == "%" && bare.Value.Absolute().Compare(Whole(1)) < 0:
		return values(a, b)
	case other.Unit == "%" || other.isPoints() || bare.IsYear():
		return Unlike
	case bare.Of != "" || bare.Link != NoLink:
		return Unlike
	}
	a.Value, b.Value = a.Number, b.Number
	if out := values(a, b); out >= Fits {
		return Fits
	}
	return Unlike
}

// decades compares "the 1940s" with a year.
func decades(a, b Quantity) Relation {
	decade, year := a, b
	if a.Unit != "decade" {
		decade, year = b, a
	}
	if !year.IsYear() {
		return Unlike
	}
	if d := year.Value.Float() - decade.Value.Float(); d < 0 || d >= 10 {
		return Other
	}
	if a.Unit == "decade" {
		return Fits
	}
	return Open
}

func isDegree(unit string) bool { return unit == "K" || strings.HasPrefix(unit, "°") }

// temperatures compares degrees of different scales.
func temperatures(a, b Quantity) Relation {
	if a.Unit == "°" || b.Unit == "°" {
		if a.Unit == "K" || b.Unit == "K" {
			return Unlike
		}
		return min(values(a, b), Fits)
	}
	fahrenheit := func(q Quantity) Quantity {
		if q.Unit == "K" {
			q.Value, _ = q.Value.Plus(Decimal{-27315, -2})
		}
		if q.Unit != "°F" {
			q.Value, _ = q.Value.Times(Decimal{18, -1})
			q.Value, _ = q.Value.Plus(Whole(32))
		}
		q.Digits = ""
		return q
	}
	x, y := fahrenheit(a), fahrenheit(b)
	if d := x.Value.Float() - y.Value.Float(); d != 0 && d*d < 1 {
		return Open
	}
	return values(x, y)
}

// A month has no fixed number of days: near its length, days and months are not compared.
const (
	shortMonth = 28 * 86400
	longMonth  = 31 * 86400
)

func months(a, b Quantity) Relation {
	days, months := a.Value.Float(), b.Value.Float()
	if a.Unit == "month" {
		days, months = months, days
	}
	if days >= months*shortMonth*0.99 && days <= months*longMonth*1.01 || a.Bound != NoBound || b.Bound != NoBound {
		return Open
	}
	return Other
}

// values compares the values of two amounts of one unit, in each of their readings.
func values(a, b Quantity) Relation {
	if a.TwoWays || b.TwoWays {
		if a.TwoWays && b.TwoWays && a.Value == b.Value && a.Other == b.Other {
			return bounds(a, b, 0)
		}
		for _, x := range a.readings() {
			for _, y := range b.readings() {
				c, d := a, b
				if c.Value, d.Value, c.TwoWays, d.TwoWays = x, y, false, false; values(c, d) > Other {
					return Open
				}
			}
		}
		return Other
	}
	if a.Value == b.Value && a.Unit == "" && a.Digits != b.Digits && (a.Name != "" || b.Name != "") {
		return Open // Python 3.9 and 3.90
	}
	return bounds(a, b, a.Value.Compare(b.Value))
}

func (q *Quantity) readings() []Decimal {
	if q.TwoWays {
		return []Decimal{q.Value, q.Other}
	}
	return []Decimal{q.Value}
}

// bounds compares two values, of which order tells how they stand to each other, with their bounds.
func bounds(a, b Quantity, order int) Relation {
	switch {
	case a.Bound == NoBound && b.Bound == NoBound:
		return nearness(a, b, order)
	case a.Bound == b.Bound && order == 0:
		return Same
	case b.Bound == NoBound:
		return holds(a, order)
	case a.Bound == NoBound:
		if within(b.Bound, order) {
			return Open
		}
		return Other
	case a.Bound.IsLower() != b.Bound.IsLower():
		apart := order > 0 && a.Bound.IsLower() || order < 0 && a.Bound.IsUpper() || order == 0
		if apart {
			return Other
		}
		return Open
	case order == 0:
		return Open // less than, at most
	case order > 0 == a.Bound.IsUpper():
		return Open // the source's limit is the narrower one
	}
	return Other
}

// within reports whether a value that stands in an order to a limit keeps it.
func within(b Bound, order int) bool {
	switch {
	case order == 0:
		return !b.IsOpen()
	case order > 0:
		return b.IsLower()
	}
	return b.IsUpper()
}

// holds compares a claim's bound with a plain figure.
func holds(a Quantity, order int) Relation {
	switch {
	case order == 0:
		return Open // it is the limit, or is at it
	case !within(a.Bound, -order):
		return Other
	case a.IsYear():
		return Open
	}
	return Fits
}

// nearness compares two plain figures, either of which may be rounded.
func nearness(a, b Quantity, order int) Relation {
	if order == 0 {
		switch {
		case a.Near == b.Near:
			return Same
		case a.Near == About && b.Near == Exact:
			return Fits
		}
		return Open
	}
	if a.IsYear() && b.IsYear() || a.Kind != Amount || a.Unit == "decade" {
		if a.Near != Exact || b.Near != Exact {
			return Open
		}
		return Other
	}
	rounded := a.rounds(&b, 1)
	switch {
	case a.Near == About && rounded, a.Near == Nearly && rounded && order > 0, a.Near == JustOver && rounded && order < 0:
		return Fits
	case a.Near != Exact && a.close(&b), b.Near != Exact && (b.rounds(&a, 1) || b.close(&a)):
		return Open
	case a.Near == Exact && a.rounds(&b, 2), b.Near == Exact && b.rounds(&a, 2):
		return Open
	}
	return Other
}

// close reports whether two values are within a tenth of each other.
func (q *Quantity) close(o *Quantity) bool {
	x, y := q.Value.Float(), o.Value.Float()
	d := (x - y) / y
	return y != 0 && d*d <= 0.01
}

// rounds reports whether a figure is another one rounded to as many digits as it has, at least so many of them.
func (q *Quantity) rounds(o *Quantity, least int) bool {
	mine, theirs := q.Number.significant(), o.Number.significant()
	if q.Unit != o.Unit || mine < least || mine >= theirs || q.Value.IsZero() || q.Number.IsZero() {
		return false
	}
	step := Decimal{5, q.Number.Exponent - 1}
	unit := q.Value.Float() / q.Number.Float()
	d := (q.Value.Float() - o.Value.Float()) / unit
	return d <= step.Float()*(1+1e-12) && -d <= step.Float()*(1+1e-12)
}

// significant is the number of digits without zeros at either end.
func (d Decimal) significant() int {
	return len(strings.TrimRight(strings.TrimLeft(Decimal{d.Absolute().Mantissa, 0}.String(), "0"), "0"))
}

// compareDays compares dates, whole or in part, and years.
func compareDays(a, b Quantity) Relation {
	x, okA := a.day()
	y, okB := b.day()
	if !okA || !okB {
		return Unlike
	}
	if x.Islamic != y.Islamic {
		if !x.IsWhole() || !y.IsWhole() {
			return calendars(x, y)
		}
		x, y = x.Solar(y), y.Solar(x)
		if x.Islamic != y.Islamic {
			return Open
		}
	}
	if x.Month == 0 && y.Year == 0 || y.Month == 0 && x.Year == 0 {
		return Unlike
	}
	if x.Open || y.Open {
		if x.Open == y.Open && x.Year == y.Year && x.Month == y.Month && x.Day == y.Day && a.Bound == b.Bound {
			return Same
		}
		if x.MayBe(y) {
			return Open
		}
	}
	less, out := false, Same
	order := 0
	for _, part := range [][2]int{{x.Year, y.Year}, {x.Month, y.Month}, {x.Day, y.Day}} {
		switch {
		case part[0] == part[1]:
		case part[0] == 0:
			out = min(out, Fits)
		case part[1] == 0:
			less = true
		case order == 0:
			order = part[0] - part[1]
		}
	}
	switch {
	case order != 0 && (x.Short || y.Short) && (x.Year-y.Year)%100 == 0 && x.Month == y.Month && x.Day == y.Day:
		return Open
	case order == 0 && less:
		return Open
	case order == 0 && a.Bound == b.Bound:
		return out
	}
	a.Near, b.Near = Exact, Exact
	if got := bounds(a, b, order); got != Same || order == 0 {
		return got
	}
	return out
}

// day returns a figure as a date: a bare year is one.
func (q *Quantity) day() (Date, bool) {
	if q.Kind == Day {
		return q.Date, true
	}
	if q.IsYear() {
		year := int(q.Value.Float())
		return Date{Year: year, Islamic: year < firstSolar}, true
	}
	return Date{}, false
}

// calendars compares dates of two calendars of which one is not whole: they are not compared where their years meet.
func calendars(a, b Date) Relation {
	hijri, solar := a, b
	if b.Islamic {
		hijri, solar = b, a
	}
	if hijri.Year == 0 || solar.Year == 0 {
		return Unlike
	}
	first, _, _, ok := Gregorian(hijri.Year, 1, 1)
	last, _, _, fine := Gregorian(hijri.Year, 12, 29)
	if ok && fine && (solar.Year < first || solar.Year > last) {
		return Other
	}
	return Open
}
