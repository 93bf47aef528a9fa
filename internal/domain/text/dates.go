package text

import (
	"strconv"
	"strings"
)

// Date is a full date in a text. Its year shows which calendar it belongs to: see firstSolar.
type Date struct {
	Span
	Year, Month, Day int
	Open             bool // day and month may be swapped ("5/3/2024"): Day is the one written first
}

// Same reports whether two dates are certainly the same; an open one only equals one that is written in the same order.
func (d Date) Same(e Date) bool {
	return d.Open == e.Open && d.Year == e.Year && d.Month == e.Month && d.Day == e.Day
}

// MayBe reports whether two dates may be the same.
func (d Date) MayBe(e Date) bool {
	if d.Year != e.Year {
		return false
	}
	turned := d.Month == e.Day && d.Day == e.Month
	return d.Month == e.Month && d.Day == e.Day || turned && (d.Open || e.Open)
}

// Hijri reports whether the date belongs to the Islamic calendar.
func (d Date) Hijri() bool { return d.Year < firstSolar }

// monthName is a month and the words of its name.
type monthName struct {
	rest  []string // after the first word
	month int
	hijri bool
}

// monthNames maps the first word of a month's name to the months it may be.
var monthNames = func() map[string][]monthName {
	out := map[string][]monthName{}
	add := func(hijri bool, lists ...string) {
		for _, list := range lists {
			for i, names := range strings.Split(list, ",") {
				for name := range strings.SplitSeq(names, "|") {
					words := strings.Fields(Fold(name))
					out[words[0]] = append(out[words[0]], monthName{words[1:], i + 1, hijri})
				}
			}
		}
	}
	add(false, "january|jan,february|feb,march|mar,april|apr,may,june|jun,july|jul,august|aug,september|sep|sept,october|oct,november|nov,december|dec",
		"يناير,فبراير,مارس,أبريل|إبريل,مايو,يونيو|يونية,يوليو|يولية,أغسطس,سبتمبر,أكتوبر,نوفمبر,ديسمبر",
		"كانون الثاني,شباط,آذار,نيسان,أيار,حزيران,تموز,آب,أيلول,تشرين الأول,تشرين الثاني,كانون الأول")
	add(true, "محرم|المحرم,صفر,ربيع الأول,ربيع الآخر|ربيع الثاني,جمادى الأولى|جمادى الأول,جمادى الآخرة|جمادى الآخر|جمادى الثانية|جمادى الثاني,رجب,شعبان,رمضان,شوال,ذو القعدة|ذي القعدة,ذو الحجة|ذي الحجة")
	return out
}()

// Dates finds the full dates among n tokens of a text: "2024-03-05", "5/3/2024", "5 March 2024", "March 5, 2024",
// "٣ ربيع الأول ١٤٤٥". It looks at a few tokens beside each year.
func Dates(n int, token func(k int) *Token) []Date {
	var out []Date
	for k := range n {
		t := token(k)
		if t.Kind != Number || len(t.Norm) != 4 {
			continue
		}
		if d, ok := (dating{n, token}).at(k); ok {
			out = append(out, d)
		}
	}
	return out
}

// dating reads the date around a year token.
type dating struct {
	n     int
	token func(k int) *Token
}

// at reads the date of the year at token k.
func (d dating) at(k int) (Date, bool) {
	year, err := strconv.Atoi(d.token(k).Norm)
	if err != nil || year < 1000 || year >= 3000 {
		return Date{}, false
	}
	for _, from := range []int{k - 2, k} {
		if out, ok := d.digits(from); ok {
			return out, true
		}
	}
	// 5 March 2024, the 5th of March 2024
	if month, from, ok := d.monthBefore(k, year < firstSolar); ok {
		if from > 0 && (d.token(from-1).Norm == "of" || d.token(from-1).Norm == "من") {
			from--
		}
		if day, ok := d.day(from - 1); ok {
			return Date{Span: Span{d.token(from - 1).Start, d.token(k).End}, Year: year, Month: month, Day: day}, true
		}
	}
	// March 5, 2024
	if day, ok := d.day(k - 1); ok {
		if month, from, ok := d.monthBefore(k-1, year < firstSolar); ok {
			return Date{Span: Span{d.token(from).Start, d.token(k).End}, Year: year, Month: month, Day: day}, true
		}
	}
	return Date{}, false
}

// digits reads a date in digits at token k: three numbers with one character between each two.
func (d dating) digits(k int) (Date, bool) {
	if k < 0 || k+2 >= d.n {
		return Date{}, false
	}
	var parts [3]string
	var numbers [3]int
	for i := range parts {
		t := d.token(k + i)
		if i > 0 && t.Start != d.token(k+i-1).End+1 {
			return Date{}, false
		}
		parts[i] = Fold(t.Text) // instead of Norm, which may be a month's name
		v, err := strconv.Atoi(parts[i])
		if err != nil {
			return Date{}, false
		}
		numbers[i] = v
	}
	span := Span{d.token(k).Start, d.token(k + 2).End}
	if day, month, year, ok := dateOrder(parts); ok && d.token(k+month).Kind == Word {
		return Date{Span: span, Year: year, Month: numbers[month], Day: numbers[day]}, true
	}
	if a, b, year := numbers[0], numbers[1], numbers[2]; len(parts[2]) == 4 && year >= 1000 && year < 3000 && a >= 1 &&
		a <= 12 && b >= 1 && b <= 12 {
		return Date{Span: span, Year: year, Month: b, Day: a, Open: true}, true
	}
	return Date{}, false
}

// monthBefore reads a month's name that ends before token k.
func (d dating) monthBefore(k int, hijri bool) (month, from int, ok bool) {
	for from := k - 1; from >= max(0, k-2); from-- {
		for _, m := range monthNames[d.token(from).Norm] {
			if m.hijri == hijri && len(m.rest) == k-1-from && (len(m.rest) == 0 || d.token(k-1).Norm == m.rest[0]) {
				return m.month, from, true
			}
		}
	}
	return 0, 0, false
}

// day reads a day of the month at token k.
func (d dating) day(k int) (int, bool) {
	if k < 0 || d.token(k).Kind != Number || len(d.token(k).Norm) > 2 {
		return 0, false
	}
	v, err := strconv.Atoi(d.token(k).Norm)
	return v, err == nil && v >= 1 && v <= 31
}

// BeginsWithDate reports whether a text begins with a day and a month side by side: "9 March 2026", "9 March",
// "٩ رمضان". "3. March" is a number and a title.
func BeginsWithDate(s string) bool {
	tokens := Tokens(s)
	d := dating{n: len(tokens), token: func(k int) *Token { return &tokens[k] }}
	if _, ok := d.day(0); !ok || d.n < 2 || strings.TrimSpace(Slice(s, Span{tokens[0].End, tokens[1].Start})) != "" {
		return false
	}
	for to := 2; to <= min(3, d.n); to++ {
		for _, hijri := range []bool{false, true} {
			if _, from, ok := d.monthBefore(to, hijri); ok && from == 1 {
				return true
			}
		}
	}
	return false
}
