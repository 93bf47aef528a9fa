package quantity

import "time"

// The Umm al-Qura calendar of Saudi Arabia has no formula: its months are announced. longMonths has the published ones,
// a year a number, whose bit m is set if month m+1 has 30 days, from 1 Muharram 1365 (1945-12-05) to the end of 1500:
// by the archive of the newspaper Umm al-Qura and the comparative calendar of King Abdulaziz City for Science and
// Technology, which the Python package hijridate 2.6.0 (MIT) collects. All 1,632 months were compared with its table.
// ICU and .NET compute the years before 1420 and 1402 otherwise; a date there may be a day off by them.
const (
	firstHijri = 1365
	lastHijri  = firstHijri + len(longMonths) - 1
)

var hijriEpoch = time.Date(1945, time.Month(12), 5, 0, 0, 0, 0, time.UTC)

// monthDays returns how many days a month of the table has.
func monthDays(year, month int) int { return 29 + int(longMonths[year-firstHijri]>>(month-1)&1) }

// Gregorian returns the day that a Hijri date is. ok is false outside of the table, and for the 30th of a short month.
func Gregorian(year, month, day int) (y, m, d int, ok bool) {
	if year < firstHijri || year > lastHijri || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return 0, 0, 0, false
	}
	days := day - 1
	for k := firstHijri; k < year; k++ {
		for n := 1; n <= 12; n++ {
			days += monthDays(k, n)
		}
	}
	for n := 1; n < month; n++ {
		days += monthDays(year, n)
	}
	at := hijriEpoch.AddDate(0, 0, days)
	return at.Year(), int(at.Month()), at.Day(), true
}

// Hijri returns the Hijri date of a day, which its date says whatever its zone. ok is false outside of the table.
func Hijri(day time.Time) (year, month, d int, ok bool) {
	y, m, n := day.Date()
	days := int(time.Date(y, m, n, 0, 0, 0, 0, time.UTC).Sub(hijriEpoch) / (24 * time.Hour))
	if y < hijriEpoch.Year() || days < 0 {
		return 0, 0, 0, false
	}
	for year = firstHijri; year <= lastHijri; year++ {
		for month = 1; month <= 12; month++ {
			if days < monthDays(year, month) {
				return year, month, days + 1, true
			}
			days -= monthDays(year, month)
		}
	}
	return 0, 0, 0, false
}

var longMonths = [...]uint16{
	0xd55, 0x555, 0x555, 0xd55, 0x6d5, 0x555, 0xea5, 0xd2a, 0xaaa, 0xcd5, 0x655, 0x572,
	0xda9, 0x555, 0xaaa, 0x555, 0x52d, 0xa6d, 0x55a, 0x555, 0x74d, 0xd53, 0xd54, 0x556,
	0xd55, 0x2d5, 0xd55, 0xd54, 0xd45, 0x655, 0x52d, 0xa5d, 0x55a, 0xad5, 0x6aa, 0xd4b,
	0x52a, 0xa57, 0x4ae, 0x976, 0x56c, 0xb55, 0xaaa, 0xa55, 0x4ad, 0x95d, 0x2da, 0x5d9,
	0xdb2, 0xba4, 0xb4a, 0xa55, 0x2b5, 0x575, 0xb6a, 0xbd2, 0xbc4, 0xb89, 0xa95, 0x52d,
	0x5ad, 0xb6a, 0x6d4, 0xdc9, 0xd92, 0xaa6, 0x956, 0x2ae, 0x56d, 0x36a, 0xb55, 0xaaa,
	0x94d, 0x49d, 0x95d, 0x2ba, 0x5b5, 0x5aa, 0xd55, 0xa9a, 0x92e, 0x26e, 0x55d, 0xada,
	0x6d4, 0x6a5, 0x54b, 0xa97, 0x54e, 0xaae, 0x5ac, 0xba9, 0xd92, 0xb25, 0x64b, 0xcab,
	0x55a, 0xb55, 0x6d2, 0xea5, 0xe4a, 0xa95, 0x52d, 0xaad, 0x36c, 0x759, 0x6d2, 0x695,
	0x52d, 0xa5b, 0x4ba, 0x9ba, 0x3b4, 0xb69, 0xb52, 0xaa6, 0x4b6, 0x96d, 0x2ec, 0x6d9,
	0xeb2, 0xd54, 0xd2a, 0xa56, 0x4ae, 0x96d, 0xd6a, 0xb54, 0xb29, 0xa93, 0x52b, 0xa57,
	0x536, 0xab5, 0x6aa, 0xe93,
}
