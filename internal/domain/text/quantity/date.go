package quantity

import (
	"strconv"
	"strings"

	"sanad/internal/domain/text"
)

// Date is a date, whole or in part: a part that is not said is 0.
type Date struct {
	text.Span
	Year, Month, Day int
	Open             bool // day and month may be swapped ("5/3/2024"): Day is the one written first
	Short            bool // the year has two digits
	Islamic          bool // of the Hijri calendar
	Worded           bool // its month is written in words
	Doubtful         bool // as of the figure
}

// firstSolar is the first year that counts as Gregorian when no calendar is said; earlier ones are Hijri.
const firstSolar = 1600

// IsWhole reports whether year, month and day are said.
func (d Date) IsWhole() bool { return d.Year > 0 && d.Month > 0 && d.Day > 0 }

// Same reports whether two whole dates are certainly the same; an open one only equals one that is written in the same
// order, a doubtful one none. A Hijri date is the day that it is in the Umm al-Qura calendar.
func (d Date) Same(e Date) bool {
	d, e = d.Solar(e), e.Solar(d)
	return !d.Doubtful && !e.Doubtful && d.Open == e.Open && d.Islamic == e.Islamic &&
		d.Year == e.Year && d.Month == e.Month && d.Day == e.Day
}

// MayBe reports whether two dates may be the same.
func (d Date) MayBe(e Date) bool {
	d, e = d.Solar(e), e.Solar(d)
	if d.Year != e.Year || d.Islamic != e.Islamic {
		return d.Islamic != e.Islamic
	}
	turned := d.Month == e.Day && d.Day == e.Month
	return d.Month == e.Month && d.Day == e.Day || turned && (d.Open || e.Open)
}

// Solar returns a whole Hijri date as a Gregorian one, if the other date is of that calendar.
func (d Date) Solar(e Date) Date {
	if d.Islamic && !e.Islamic && d.IsWhole() {
		if year, month, day, ok := Gregorian(d.Year, d.Month, d.Day); ok {
			d.Year, d.Month, d.Day, d.Islamic, d.Open = year, month, day, false, e.Open && d.Open
		}
	}
	return d
}

// Hijri reports whether the date belongs to the Islamic calendar.
func (d Date) Hijri() bool { return d.Islamic }

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
					words := strings.Fields(text.Fold(name))
					out[words[0]] = append(out[words[0]], monthName{words[1:], i + 1, hijri})
				}
			}
		}
	}
	add(false, "january|jan,february|feb,march|mar,april|apr,may,june|jun,"+
		"july|jul,august|aug,september|sep|sept,october|oct,november|nov,december|dec",
		"يناير,فبراير,مارس,أبريل|إبريل,مايو,يونيو|يونية,يوليو|يولية,أغسطس,سبتمبر,أكتوبر,نوفمبر,ديسمبر",
		"كانون الثاني,شباط,آذار,نيسان,أيار,حزيران,تموز,آب,أيلول,تشرين الأول,تشرين الثاني,كانون الأول")
	add(true, "محرم|المحرم,صفر,ربيع الأول,ربيع الآخر|ربيع الثاني,جمادى الأولى|جمادى الأول,"+
		"جمادى الآخرة|جمادى الآخر|جمادى الثانية|جمادى الثاني,رجب,شعبان,رمضان,شوال,ذو القعدة|ذي القعدة,ذو الحجة|ذي الحجة",
		"muharram,safar,rabi al-awwal,rabi al-thani,jumada al-awwal,jumada al-thani,rajab,shaban|sha'ban,"+
			"ramadan,shawwal,dhu al-qadah,dhu al-hijjah",
		"muharram,safar,rabi i,rabi ii,jumada i,jumada ii,rajab,shaban,ramadan,shawwal,dhul qadah,dhul hijjah")
	for _, words := range []string{"rabi al awwal:3", "rabi al thani:4", "rabi al akhir:4", "jumada al awwal:5",
		"jumada al ula:5",
		"jumada al thani:6", "jumada al akhirah:6", "dhu al qadah:11", "dhu al qa'dah:11", "dhu al hijjah:12",
		"dhul hijja:12",
		"dhul qa'dah:11", "dhul qada:11", "dhu al hijja:12"} {
		name, month, _ := strings.Cut(words, ":")
		n, _ := strconv.Atoi(month)
		w := strings.Fields(name)
		out[w[0]] = append(out[w[0]], monthName{w[1:], n, true})
	}
	return out
}()

// month reads a month's name at token i. An English one has a capital, so that "may" and "march" are words.
func (r *reader) month(i int) (month int, hijri bool, end int, ok bool) {
	if i >= len(r.tokens) {
		return 0, false, i, false
	}
	norm := r.norm(i)
	if rest, cut := strings.CutPrefix(norm, "و"); cut && len(monthNames[norm]) == 0 {
		norm = rest
	}
	if !isArabic(norm) && !text.IsCapitalised(r.tokens[i].Text) {
		return 0, false, i, false
	}
	best := -1
	for _, m := range monthNames[norm] {
		fits := len(m.rest) > best
		for k, w := range m.rest {
			fits = fits && r.norm(i+1+k) == w && r.near(i+1+k)
		}
		if fits {
			best, month, hijri, end, ok = len(m.rest), m.month, m.hijri, i+1+len(m.rest), true
		}
	}
	if ok && end < len(r.tokens) && strings.TrimSpace(r.gaps[end]) == "/" { // مارس/آذار
		for _, m := range monthNames[r.norm(end)] {
			if m.month == month && len(m.rest) == 0 && r.norm(end) != norm {
				return month, hijri, end + 1, true
			}
		}
	}
	return month, hijri, end, ok
}

// whole reads a whole number without separators at token i, of at most so many digits; an ordinal's ending is allowed.
func (r *reader) whole(i, digits int) (value, length int, ok bool) {
	if !r.isNumber(i) {
		return 0, 0, false
	}
	body, tail := digitsOf(r.tokens[i].Text)
	if len(body) > digits || tail != "" && len(tail) != 2 {
		return 0, 0, false
	}
	value, err := strconv.Atoi(body)
	return value, len(body), err == nil
}

// date reads a date at token i: in digits, with its month in words, or a year with its calendar.
func (r *reader) date(i int) int {
	if end := r.digitDate(i); end > i {
		return end
	}
	if end := r.dayFirst(i); end > i {
		return end
	}
	if end := r.monthFirst(i); end > i {
		return end
	}
	return r.eraYear(i)
}

// digitDate reads 2024-03-05, 5/3/2024, 25.03.2024 and 3/5/24.
func (r *reader) digitDate(i int) int {
	a, la, ok := r.whole(i, 4)
	if !ok || !r.isNumber(i+1) || !r.isNumber(i+2) {
		return i
	}
	mark := r.gaps[i+1]
	if mark != "-" && mark != "/" && mark != "." && mark != "\u2011" || r.gaps[i+2] != mark {
		return i
	}
	if strings.HasSuffix(r.gaps[i], mark) && i > 0 && r.isNumber(i-1) || r.isNumber(i+3) && r.gaps[i+3] == mark {
		return i
	}
	b, lb, okB := r.whole(i+1, 2)
	c, lc, okC := r.whole(i+2, 4)
	if !okB || !okC || lb > 2 {
		return i
	}
	d := Date{}
	switch {
	case la == 4 && lc <= 2:
		d.Year, d.Month, d.Day = a, b, c
	case la <= 2 && (lc == 4 || lc == 2):
		d.Year, d.Month, d.Day = c, b, a
		arabic := strings.ContainsFunc(r.tokens[i].Text, func(c rune) bool { return c > 0x600 })
		d.Open = a <= 12 && b <= 12 && a != b && mark != "." && !arabic
		if b > 12 {
			d.Month, d.Day = a, b
		}
		if d.Short = lc == 2; d.Short {
			if mark == "." && la < 2 {
				return i // a version
			}
			d.Year += 2000
		}
	default:
		return i
	}
	if a, b := r.norm(i+3), r.norm(i+4); d.Open && (a == "dd" || a == "d") && (b == "mm" || b == "m") {
		d.Open = false
	} else if d.Open && (a == "mm" || a == "m") && (b == "dd" || b == "d") {
		d.Open, d.Month, d.Day = false, d.Day, d.Month
	} else {
		return r.addDate(d, i, i+3)
	}
	end := r.addDate(d, i, i+3)
	if end > i { // the order is said behind it: (dd/mm/yyyy)
		q := &r.out[len(r.out)-1]
		q.Behind = text.Span{Start: r.tokens[i+3].Start, End: r.tokens[min(i+5, len(r.tokens)-1)].End}
		r.free = q.Behind.End
	}
	return end
}

// dayFirst reads "5 March 2024", "the 5th of March", "٣ ربيع الأول ١٤٤٥".
func (r *reader) dayFirst(i int) int {
	day, _, ok := r.whole(i, 2)
	at := i + 1
	if !ok {
		if at, day = r.ordinalWord(i); at == i || day > 31 {
			return i
		}
	}
	if r.norm(at) == "day" {
		at++
	}
	if r.norm(at) == "of" || r.norm(at) == "من" {
		at++
	} else if !ok {
		return i
	}
	if at >= len(r.tokens) || !blank(r.gaps[at]) && r.gaps[at] != "-" && r.gaps[at] != "/" {
		return i
	}
	month, hijri, end, ok := r.month(at)
	if !ok || day < 1 || day > 31 {
		return i
	}
	d := Date{Day: day, Month: month, Islamic: hijri, Worded: true}
	end = r.year(&d, end)
	return r.addDate(d, i, end)
}

// year reads the year behind a month or a day, where it fits the month's calendar.
func (r *reader) year(d *Date, i int) int {
	at := i
	if n := r.norm(at); n == "of" || n == "in" || n == "عام" || n == "سنة" || n == "لعام" || n == "لسنة" || n == "من" {
		if n == "عام" || n == "لعام" || n == "of" {
			at++
		}
	}
	if r.norm(at) == text.Fold("سنة") || r.norm(at) == text.Fold("لسنة") {
		at++
	}
	year, length, ok := r.whole(at, 4)
	if !ok || length != 4 || year < 1000 || year >= 3000 || at >= len(r.gaps) {
		return i
	}
	if gap := strings.Trim(r.gaps[at], " \u00a0\u200e\u200f"); gap != "" && gap != "," && gap != "،" && gap != "-" &&
		gap != "/" && gap != "." {
		return i
	}
	if d.Islamic != (year < firstSolar) {
		return i
	}
	if _, tail := digitsOf(r.tokens[at].Text); tail != "" {
		return i
	}
	d.Year = year
	return at + 1
}

// monthFirst reads "March 5, 2024", "March 5" and "March 2024".
func (r *reader) monthFirst(i int) int {
	month, hijri, at, ok := r.month(i)
	if !ok || at >= len(r.tokens) {
		return i
	}
	d := Date{Month: month, Islamic: hijri, Worded: true}
	gap := strings.Trim(r.gaps[at], " \u00a0.")
	if day, _, ok := r.whole(at, 2); ok && gap == "" && day >= 1 && day <= 31 && !hijri && !isArabic(r.norm(i)) {
		d.Day = day
		end := r.year(&d, at+1)
		if d.Year == 0 && (r.hasUnit(at) || r.isNumber(at+1) && !spaced(r.gaps[at+1])) {
			return i
		}
		return r.addDate(d, i, end)
	}
	if end := r.year(&d, at); end > at {
		return r.addDate(d, i, end)
	}
	return i
}

// eras are the words behind a year that tell its calendar, true for the Hijri one.
var eras = func() map[string]bool {
	out := map[string]bool{}
	for w := range set("هـ ه هجري هجرية هجريا ah") {
		out[w] = true
	}
	for w := range set("م ميلادي ميلادية ميلاديا ce ad") {
		out[w] = false
	}
	return out
}()

// era reads the calendar behind a year, and returns the token behind it.
func (r *reader) era(d *Date, i int) int {
	if i >= len(r.tokens) || !blank(r.gaps[i]) || d.Year == 0 {
		return i
	}
	hijri, ok := eras[r.norm(i)]
	if !ok || hijri != (d.Year < firstSolar) && !(hijri && d.Year < 1700) {
		return i
	}
	d.Islamic = hijri
	return i + 1
}

// eraYear reads a year with its calendar: "1445 هـ", "٢٠٢٤ م", "AH 1445".
func (r *reader) eraYear(i int) int {
	year, length, ok := r.whole(i, 4)
	if !ok || length != 4 || year < 1200 || year > 2100 {
		return i
	}
	d := Date{Year: year}
	if _, known := eras[r.norm(i+1)]; known {
		if r.norm(i+1) == text.Fold("م") && (year < 1800 || strings.Contains(r.gaps[i+1], "\n")) {
			return i
		}
		if end := r.era(&d, i+1); end > i+1 {
			return r.addDate(d, i, end)
		}
	}
	return i
}

// addDate adds a date with the word for its calendar. A date that no calendar has is none.
func (r *reader) addDate(d Date, i, end int) int {
	if d.Year > 0 && d.Year < firstSolar {
		d.Islamic = true
	}
	end = r.era(&d, end)
	if d.Month < 0 || d.Month > 12 || d.Day > 31 || d.Day > 0 && d.Month == 0 || d.Month == 0 && d.Worded {
		return i
	}
	if d.Day == 0 && !d.Worded && d.Month > 0 || d.Year > 0 && (d.Year < 1000 || d.Year >= 3000) {
		return i
	}
	if !d.Worded && !d.IsWhole() && d.Month+d.Day > 0 || d.IsWhole() && (d.Month < 1 || d.Day < 1) {
		return i
	}
	if !d.Worded && d.Year > 0 && d.Month == 0 && end-i >= 3 {
		return i
	}
	d.Span = text.Span{Start: r.tokens[i].Start, End: r.tokens[end-1].End}
	q := Quantity{Span: d.Span, Said: d.Span, Kind: Day, Date: d}
	if r.norm(i-1) == "the" && blank(r.gaps[i]) && r.tokens[i-1].Start >= r.free {
		q.Said.Start = r.tokens[i-1].Start
	}
	if d.Month == 0 {
		r.yearWord(&q, i)
	}
	r.limits(&q, i, end)
	return r.add(q, i, end)
}

// NameMonths gives the months of dates in digits their names as words, and takes the zero off their days, so that
// tokens of "2024-03-05" meet those of "5 March 2024". found are the figures of the same text.
func NameMonths(tokens []text.Token, found []Quantity) {
	next := 0
	for i := range found {
		q := &found[i]
		if d := q.Date; q.Kind != Day || d.Worded || d.Open || d.Short || !d.IsWhole() {
			continue
		}
		for next < len(tokens) && tokens[next].Start < q.Start {
			next++
		}
		if next+3 > len(tokens) || tokens[next+2].End > q.End {
			continue
		}
		nameMonth(tokens[next:next+3], &q.Date)
	}
}

// nameMonth is NameMonths for the three tokens of one date.
func nameMonth(parts []text.Token, d *Date) {
	is := func(t *text.Token, n int) bool { return strings.TrimLeft(t.Norm, "0") == strconv.Itoa(n) }
	day, month := &parts[0], &parts[1]
	switch {
	case is(&parts[0], d.Year):
		day = &parts[2]
	case !is(day, d.Day):
		day, month = month, day
	}
	if !is(day, d.Day) || !is(month, d.Month) {
		return
	}
	day.Norm = strconv.Itoa(d.Day)
	day.Stem = day.Norm
	name := strings.TrimPrefix(d.MonthName(), "ذو ")
	name, _, _ = strings.Cut(name, " ")
	month.Kind, month.Norm = text.Word, text.Fold(name)
	month.Stem = text.Stem(month.Norm)
}

// BeginsWithDate reports whether a text begins with a day and a month side by side: "9 March 2026", "9 March",
// "٩ رمضان". "3. March" is a number and a title.
func BeginsWithDate(s string) bool {
	r := newReader(s, text.Tokens(s))
	if _, _, ok := r.whole(0, 2); !ok || len(r.tokens) < 2 || !blank(r.gaps[1]) {
		return false
	}
	_, _, _, ok := r.month(1)
	return ok
}

// dayTimes are words for a time of day, in seconds.
var dayTimes = map[string]int64{"noon": 12 * 3600, "midday": 12 * 3600, "midnight": 0}

// halfDays are the words that tell the half of the day.
var halfDays = func() map[string]string {
	out := map[string]string{"am": "am", "pm": "pm"}
	for half, list := range map[string]string{"am": "صباحا فجرا ضحى", "pm": "ظهرا عصرا مساء مساءا", "night": "ليلا"} {
		for w := range set(list) {
			out[w] = half
		}
	}
	return out
}()

var (
	theHour  = set("الساعة الساعه")
	noRatios = set("ratio odds scale score scored proportion نسبة نسبته بنسبة مقياس")
)

// clock reads a time of day at token i: "15:30", "3 p.m.", "الساعة الثالثة مساءً", "half past four", "noon".
func (r *reader) clock(i int) int {
	if seconds, ok := dayTimes[r.norm(i)]; ok {
		return r.addClock(Quantity{Value: Whole(seconds)}, i, i+1)
	}
	if at := i + 1; theHour[strings.TrimPrefix(strings.TrimPrefix(r.norm(i), "و"), "ب")] && r.near(at) {
		return r.hourNamed(i, at)
	}
	if end := r.past(i); end > i {
		return end
	}
	hour, length, ok := r.whole(i, 2)
	if !ok || hour > 24 {
		return i
	}
	seconds, at, exact := int64(hour)*3600, i+1, false
	if _, tail := digitsOf(r.tokens[i].Text); tail != "" {
		return i
	}
	if minute, n, ok := r.whole(at, 2); ok && r.gaps[at] == ":" && n == 2 && minute < 60 && !r.afterRatio(i) {
		seconds, at, exact = seconds+int64(minute)*60, at+1, true
		if second, n, ok := r.whole(at, 2); ok && r.gaps[at] == ":" && n == 2 && second < 60 {
			seconds, at = seconds+int64(second), at+1
		}
	}
	return r.halved(seconds, hour, length, i, at, exact)
}

// halved completes a time of day with the half of the day behind it. Without one, an hour of the clock is of either
// half.
func (r *reader) halved(seconds int64, hour, length, i, at int, exact bool) int {
	half, end := r.halfDay(at, exact)
	switch {
	case half == "" && !exact, half != "" && hour > 12 && half != "noon", half != "" && hour == 0:
		if half == "" || hour > 12 && !exact {
			return i
		}
	case half == "pm" && hour < 12, half == "night" && hour >= 6 && hour < 12:
		seconds += 12 * 3600
	case (half == "am" || half == "night" || half == "midnight") && hour == 12:
		seconds -= 12 * 3600
	}
	q := Quantity{Value: Whole(seconds)}
	if half == "" && hour >= 1 && hour <= 12 && length == 1 || half == "o'clock" || half == "" && hour == 12 {
		q.Other, q.TwoWays = Whole((seconds+12*3600)%(24*3600)), hour != 12 || half == "o'clock"
	}
	return r.addClock(q, i, end)
}

// halfDay reads "am", "p.m.", "o'clock", "noon" or their Arabic at token k.
func (r *reader) halfDay(k int, exact bool) (half string, end int) {
	if k >= len(r.tokens) || !blank(r.gaps[k]) {
		return "", k
	}
	norm := r.norm(k)
	if next := r.norm(k + 1); next == text.Fold("الظهر") && (norm == "بعد" || norm == "قبل") {
		return map[string]string{"بعد": "pm", "قبل": "am"}[norm], k + 2
	}
	if (norm == "a" || norm == "p") && r.norm(k+1) == "m" && strings.Trim(r.gaps[k+1], " ") == "." {
		return norm + "m", k + 2
	}
	if exact {
		switch norm {
		case text.Fold("ص"):
			return "am", k + 1
		case text.Fold("م"):
			return "pm", k + 1
		}
	}
	switch norm {
	case "o'clock", "oclock", "noon", "midnight":
		if norm == "oclock" {
			norm = "o'clock"
		}
		if more, end := r.halfDay(k+1, exact); more == "am" || more == "pm" {
			return more, end
		}
		return norm, k + 1
	}
	if norm == "in" && r.norm(k+1) == "the" {
		if part := map[string]string{"morning": "am", "afternoon": "pm", "evening": "pm"}[r.norm(k+2)]; part != "" && exact {
			return part, k + 3
		}
	}
	if half = halfDays[norm]; half != "" {
		return half, k + 1
	}
	return "", k
}

// hourNamed reads the hour behind "الساعة", in digits, as an ordinal or as a number in words.
func (r *reader) hourNamed(i, at int) int {
	hour, length, ok := r.whole(at, 2)
	end := at + 1
	if !ok {
		if end, hour = r.ordinalWord(at); end == at {
			n, found := r.spelled(at)
			if !found || n.value.Exponent > 1 || n.value.Mantissa > 24 {
				return i
			}
			hour, end = int(n.value.Float()), n.to
		}
		length = 1
	}
	if hour > 24 {
		return i
	}
	seconds := int64(hour) * 3600
	if minute, n, ok := r.whole(end, 2); ok && r.gaps[end] == ":" && n == 2 && minute < 60 {
		seconds, end = seconds+int64(minute)*60, end+1
	} else if part := halves[r.norm(end)]; part.Mantissa != 0 && r.near(end) {
		seconds, end = seconds+int64(part.Float()*3600), end+1
	} else if r.norm(end) == text.Fold("إلا") && r.near(end) && parts[strings.TrimSuffix(r.norm(end+1),
		"ا")].Mantissa != 0 {
		seconds, end = seconds-int64(parts[strings.TrimSuffix(r.norm(end+1), "ا")].Float()*3600), end+2
	} else if r.norm(end) == text.Fold("والثلث") && r.near(end) {
		seconds, end = seconds+20*60, end+1
	}
	return r.halved(seconds, hour, length, i, end, true)
}

// past reads "half past three" and "a quarter to four".
func (r *reader) past(i int) int {
	part, ok := parts[r.norm(i)]
	word := r.norm(i + 1)
	if !ok || word != "past" && word != "to" {
		return i
	}
	hour, _, found := r.whole(i+2, 2)
	end := i + 3
	if !found {
		v, ok := englishNumbers[r.norm(i+2)]
		if !ok {
			return i
		}
		hour = int(v)
	}
	if hour < 1 || hour > 12 {
		return i
	}
	seconds := int64(hour)*3600 + int64(part.Float()*3600)
	if word == "to" {
		seconds -= int64(2 * part.Float() * 3600)
	}
	return r.halved(seconds, hour, 1, i, end, true)
}

// afterRatio reports whether a word shortly before token i says that two numbers are a ratio, no time.
func (r *reader) afterRatio(i int) bool {
	for k := max(0, i-behindReach); k < i; k++ {
		if noRatios[r.norm(k)] || noRatios[strings.TrimPrefix(r.norm(k), "ال")] {
			return true
		}
	}
	return false
}

func (r *reader) addClock(q Quantity, i, end int) int {
	q.Kind = Clock
	q.Span = text.Span{Start: r.tokens[i].Start, End: r.tokens[end-1].End}
	q.Said = q.Span
	r.limits(&q, i, end)
	return r.add(q, i, end)
}
