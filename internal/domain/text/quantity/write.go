package quantity

import (
	"fmt"
	"strings"
)

// bases are the bases of units as Write writes them.
var bases = map[string]string{"second": "seconds", "month": "months", "byte": "bytes", "bit": "bits", "m²": "m2",
	"m³":   "m3",
	"hour": "h", "minute": "min", "°": "degrees", "K": "kelvin"}

// Write writes a figure in one form for all notations: "≥ 1500 AED", "2024-03-05", "15:30:00". Read reads it as the
// same.
func Write(q Quantity) string {
	head := ""
	if q.Bound != NoBound {
		head = string(q.Bound) + " "
	}
	switch q.Near {
	case About:
		head = "about " + head
	case Nearly:
		head = "nearly " + head
	case JustOver:
		head = "just over " + head
	}
	switch q.Kind {
	case Day:
		return head + q.Date.write()
	case Clock:
		seconds := int(q.Value.Float())
		if q.TwoWays {
			return head + fmt.Sprintf("%d:%02d", seconds/3600, seconds/60%60)
		}
		return head + fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	case Ordinal:
		return head + q.Value.String() + "th"
	case Identifier, Mark:
		return "No. " + q.Name
	}
	return head + q.amount()
}

func (q *Quantity) amount() string {
	sort := ""
	if q.Sort != "" {
		sort = q.Sort + " "
	}
	switch q.Unit {
	case "":
		if q.TwoWays {
			return q.Digits
		}
		return q.Value.String()
	case "%":
		return q.Value.Shift(2).String() + "%"
	case "‰":
		return q.Value.Shift(3).String() + "‰"
	case "pp":
		return q.Value.Shift(2).String() + " percentage points"
	case "bp":
		return q.Value.Shift(4).String() + " basis points"
	case "decade":
		return q.Value.String() + "s"
	}
	unit := q.Unit
	if unit == "second" && q.Sort != "" {
		days, _ := q.Value.Times(Decimal{1, 0})
		return fmt.Sprintf("%g %sdays", days.Float()/86400, sort)
	}
	head, tail, divided := strings.Cut(unit, "/")
	if plain, ok := bases[head]; ok {
		head = plain
	}
	if unit = head; divided {
		if plain, ok := bases[tail]; ok {
			tail = plain
		}
		if tail == "seconds" {
			tail = "s"
		}
		unit += "/" + tail
	}
	return q.Value.String() + " " + sort + unit
}

var monthsWritten = strings.Fields(`January February March April May June July August September October November
	December`)

var hijriWritten = strings.Split("محرم,صفر,ربيع الأول,ربيع الآخر,جمادى الأولى,جمادى الآخرة,"+
	"رجب,شعبان,رمضان,شوال,ذو القعدة,ذو الحجة", ",")

// MonthName is the month of a date in English, or in Arabic if it is a Hijri one; "" if no month is said.
func (d Date) MonthName() string {
	switch {
	case d.Month == 0:
		return ""
	case d.Islamic:
		return hijriWritten[d.Month-1]
	}
	return monthsWritten[d.Month-1]
}

func (d Date) write() string {
	switch {
	case d.IsWhole() && d.Open:
		return fmt.Sprintf("%d/%d/%d", d.Day, d.Month, d.Year)
	case d.IsWhole():
		return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
	case d.Month == 0 && d.Islamic:
		return fmt.Sprintf("%d AH", d.Year)
	case d.Month == 0:
		return fmt.Sprintf("%d CE", d.Year)
	}
	out := d.MonthName()
	if d.Day > 0 {
		out = fmt.Sprintf("%d %s", d.Day, out)
	}
	if d.Year > 0 {
		out = fmt.Sprintf("%s %d", out, d.Year)
	}
	return out
}
