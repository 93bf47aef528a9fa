package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// unit is the name of a base unit, and how many of it this unit is.
type unit struct {
	name   string
	factor float64
}

var units = unitTable(map[string]string{
	"%":      "percent pct percentage بالمئة بالمائة",
	"minute": "minute minutes min mins دقيقة دقائق",
	"hour":   "hour hours hr hrs ساعة ساعات",
	"day":    "day days يوم يوما أيام",
	"week":   "week weeks wk wks أسبوع أسبوعا أسابيع",
	"month":  "month months شهر شهرا أشهر شهور",
	"year":   "year years yr yrs سنة سنوات سنين عام عاما أعوام",
	"SAR":    "sar sr riyal riyals ريال ريالا ريالات",
	"USD":    "usd dollar dollars دولار دولارا دولارات",
	"EUR":    "eur euro euros يورو",
	"GBP":    "gbp sterling pounds",
	"AED":    "aed dirham dirhams درهم درهما دراهم",
	"EGP":    "egp جنيه جنيها جنيهات",
	"dinar":  "dinar dinars دينار دينارا دنانير",
	"KWD":    "kwd",
	"JOD":    "jod",
	"IQD":    "iqd",
	"QAR":    "qar",
	"BHD":    "bhd",
	"OMR":    "omr",
	"JPY":    "jpy yen",
	"CHF":    "chf",
})

// duals are the Arabic forms that mean two of a unit.
var duals = unitTable(map[string]string{
	"minute": "دقيقتان دقيقتين", "hour": "ساعتان ساعتين", "day": "يومان يومين", "week": "أسبوعان أسبوعين",
	"month": "شهران شهرين", "year": "سنتان سنتين عامان عامين", "SAR": "ريالان ريالين", "USD": "دولاران دولارين",
	"AED": "درهمان درهمين", "EGP": "جنيهان جنيهين", "dinar": "ديناران دينارين",
})

// QualifiesUnit reports whether a folded word tells one kind of a unit from another: working days, Jordanian dinars.
func QualifiesUnit(norm string) bool { return qualifiers[norm] || trailers[norm] }

func unitTable(forms map[string]string) map[string]unit {
	table := map[string]unit{}
	for name, list := range forms {
		u := unit{name, 1}
		if name == "week" {
			u = unit{"day", 7}
		}
		for w := range foldSet(list) {
			table[w] = u
		}
	}
	return table
}

// signs are currency signs, which come before or after their number.
var signs = map[rune]string{'$': "USD", '€': "EUR", '£': "GBP", '﷼': "SAR", '\u20c1': "SAR", '¥': "JPY"}

// currencyCodes are the codes that may touch their number ("SAR5,000"), lower case.
var currencyCodes = foldSet("sar sr usd eur gbp aed egp kwd jod iqd qar bhd omr jpy chf")

func isCurrencyCode(s string) bool { return len(s) <= 3 && currencyCodes[strings.ToLower(s)] }

// qualifiers may come between a number and its unit, trailers after the unit.
var (
	qualifiers = foldSet(`calendar working business consecutive full paid additional more extra us saudi u s american emirati egyptian kuwaiti bahraini jordanian iraqi`)
	trailers   = foldSet(`سعودي سعوديا أمريكي أمريكيا إماراتي كويتي كويتيا بحريني بحرينيا أردني أردنيا عراقي عراقيا مصري مصريا`)
)

// unitAfter reads the unit at token i, which must be adjacent to the one before it, skipping at most two qualifiers.
func (q *quantifier) unitAfter(i int) (u unit, end int, ok bool) {
	if name, found := q.signAfter(i - 1); found {
		return unit{name, 1}, i, true
	}
	for skipped := 0; i < len(q.norms) && q.adjacent(i-1); i++ {
		if n := q.percentWords(i); n > 0 {
			return units["percent"], i + n, true
		}
		if u, ok = units[q.norms[i]]; ok {
			if end = i + 1; end < len(q.norms) && trailers[q.norms[end]] && q.adjacent(i) {
				end++
			}
			return u, end, true
		}
		if skipped++; skipped > 2 || !qualifiers[q.norms[i]] {
			break
		}
	}
	return unit{}, 0, false
}

// percentWords returns the number of tokens of "per cent" or "في المئة" at token i.
func (q *quantifier) percentWords(i int) int {
	if i+1 >= len(q.norms) {
		return 0
	}
	if list := ofHundred[q.norms[i]]; slices.Contains(list, q.norms[i+1]) {
		return 2
	}
	return 0
}

// ofHundred maps the first word of a two-word percentage to its second words.
var ofHundred = map[string][]string{"per": {"cent"}, Fold("في"): {Fold("المئة"), Fold("المائة")}}

// signAfter reads a currency or percent sign after token i.
func (q *quantifier) signAfter(i int) (string, bool) {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(q.s[q.pieces[i].end:], " \u00a0"))
	if r == '%' || r == '٪' {
		return "%", true
	}
	name, ok := signs[r]
	if ok && i+1 < len(q.pieces) && q.pieces[i+1].kind == Number && strings.HasSuffix(q.gap(i), string(r)) {
		return "", false // it belongs to the next number: "5 $10"
	}
	return name, ok
}

// unitBefore reads a currency sign or code before token i.
func (q *quantifier) unitBefore(i int) (name string, from int, ok bool) {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(q.s[:q.pieces[i].start], " \u00a0"))
	if name, ok = signs[r]; ok {
		return name, i, true
	}
	if i > 0 && q.adjacent(i-1) && isCurrencyCode(q.norms[i-1]) {
		return units[q.norms[i-1]].name, i - 1, true
	}
	return "", i, false
}

// shareUnits gives both ends of a range the unit that only one of them names: "10–15 days", "SAR 5,000 to 7,000".
func (q *quantifier) shareUnits() {
	if len(q.out) < 2 {
		return
	}
	ruler := NewRuler(q.s)
	for i := 0; i+1 < len(q.out); i++ {
		a, b := &q.out[i], &q.out[i+1]
		if !isRange(Fold(ruler.Slice(Span{a.End, min(b.Start, a.End+12)}))) {
			continue
		}
		switch {
		case a.Unit == "" && b.Unit != "" && !q.before[i+1]:
			a.Unit, a.Value = b.Unit, a.Value*q.factor(b)
		case b.Unit == "" && q.before[i]:
			b.Unit, q.before[i+1] = a.Unit, true
		}
	}
}

// factor returns what a bare number in the range of b is multiplied by: the written unit of b.
func (q *quantifier) factor(b *Quantity) float64 {
	if b.Unit == "%" {
		return 0.01
	}
	for _, t := range normTokens(b.Raw) {
		if u, ok := units[t.Norm]; ok {
			return u.factor
		}
	}
	return 1
}

func isRange(between string) bool {
	switch between {
	case "-", "to", "or", "الي", "او":
		return true
	}
	return false
}

// bare returns the token without an attached و.
func (q *quantifier) bare(i int) string {
	if rest, ok := strings.CutPrefix(q.norms[i], "و"); ok {
		if _, dual := duals[rest]; dual {
			return rest
		}
	}
	return q.norms[i]
}
