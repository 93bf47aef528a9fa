package text

import (
	"strconv"
	"strings"
)

// The names of the months, in order. Of a Hijri name of two words, the list has the more distinctive one; ربيع and
// جمادى occur twice.
var (
	solarMonths = strings.Fields("january february march april may june july august september october november december")
	hijriMonths = strings.Fields("محرم صفر ربيع ربيع جمادى جمادى رجب شعبان رمضان شوال القعدة الحجة")
)

// firstSolar is the first year that counts as Gregorian when a date is written in digits; earlier ones are Hijri.
const firstSolar = 1600

// digitDates finds dates in digits among the tokens of a text, so that "2024-03-05" is compared as "5 March 2024" is.
type digitDates struct {
	s    string
	out  []Token
	run  []int // tokens joined by the same separator so far
	mark string
	end  int // byte after the last of them
}

// roomFor returns how many tokens s most likely has: one for each space, and some more.
func roomFor(s string) int {
	spaces := strings.Count(s, " ")
	return spaces + spaces/8 + 2
}

// add takes the next token.
func (d *digitDates) add(p piece, t Token) {
	plain := t.Kind == Number && p.end == p.digits && len(t.Norm) <= 4 && !strings.Contains(t.Norm, ".")
	mark := ""
	if len(d.run) > 0 && p.start > d.end {
		mark = d.s[d.end:p.start]
	}
	if !plain || mark != "-" && mark != "/" && mark != "." || d.mark != "" && mark != d.mark {
		d.close()
		mark = ""
	}
	d.out = append(d.out, t)
	if plain {
		d.run, d.mark, d.end = append(d.run, len(d.out)-1), mark, p.end
	}
}

// close rewrites the joined tokens if they are a date: the month becomes its name, and the day loses a leading zero.
func (d *digitDates) close() {
	if len(d.run) == 3 {
		parts := [3]string{d.out[d.run[0]].Norm, d.out[d.run[1]].Norm, d.out[d.run[2]].Norm}
		if day, month, year, ok := dateOrder(parts, d.mark); ok {
			d.rewrite(&d.out[d.run[day]], &d.out[d.run[month]], year)
		}
	}
	d.run, d.mark = d.run[:0], ""
}

func (d *digitDates) rewrite(day, month *Token, year int) {
	day.Norm = strings.TrimLeft(day.Norm, "0")
	day.Stem = day.Norm
	n, _ := strconv.Atoi(month.Norm) // dateOrder has checked it
	names := solarMonths
	if year < firstSolar {
		names = hijriMonths
	}
	month.Kind, month.Norm = Word, Fold(names[n-1])
	month.Stem = Stem(month.Norm)
}

// dateOrder returns which of three numbers is the day, the month and the year. The year is first or last. Of the other
// two, the later one is the month unless it is too large. ok is false if day and month could be swapped,
// which they are not between points.
func dateOrder(parts [3]string, mark string) (day, month, year int, ok bool) {
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil {
			return 0, 0, 0, false
		}
		n[i] = v
	}
	switch {
	case len(parts[0]) == 4:
		day, month, year = 2, 1, n[0]
	case len(parts[2]) == 4 && (n[0] > 12 || n[0] == n[1] || mark == "." && n[1] <= 12):
		day, month, year = 0, 1, n[2]
	case len(parts[2]) == 4 && n[1] > 12:
		day, month, year = 1, 0, n[2]
	default:
		return 0, 0, 0, false
	}
	return day, month, year, year >= 1000 && year < 3000 && n[month] >= 1 && n[month] <= 12 && n[day] >= 1 &&
		n[day] <= 31
}
