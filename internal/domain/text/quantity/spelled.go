package quantity

import (
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// Number words, folded. scaleWords multiply the number before them.
var (
	englishNumbers = numberTable(map[int64]string{
		0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
		10: "ten", 11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen",
		17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twenty", 30: "thirty", 40: "forty fourty", 50: "fifty",
		60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety",
	})
	arabicNumbers = numberTable(map[int64]string{
		0: "صفر", 1: "واحد واحدة", 2: "اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي", 3: "ثلاثة ثلاث",
		4: "أربعة أربع", 5: "خمسة خمس", 6: "ستة ست", 7: "سبعة سبع", 8: "ثمانية ثماني ثمان", 9: "تسعة تسع",
		10: "عشرة عشر", 20: "عشرون عشرين", 30: "ثلاثون ثلاثين", 40: "أربعون أربعين", 50: "خمسون خمسين",
		60: "ستون ستين", 70: "سبعون سبعين", 80: "ثمانون ثمانين", 90: "تسعون تسعين",
		200: "مئتان مئتين مائتان مائتين مئتا مائتا مئتي مائتي", 300: "ثلاثمئة ثلاثمائة", 400: "أربعمئة أربعمائة",
		500: "خمسمئة خمسمائة", 600: "ستمئة ستمائة", 700: "سبعمئة سبعمائة", 800: "ثمانمئة ثمانمائة ثمانيمائة ثمانيمئة",
		900: "تسعمئة تسعمائة", 2000: "ألفان ألفين ألفي", 2e6: "مليونان مليونين مليوني", 2e9: "ملياران مليارين ملياري",
	})
	scaleWords = func() map[string]Decimal {
		out := map[string]Decimal{}
		for exponent, list := range map[int]string{
			2: "hundred مئة مائة مية", 3: "thousand ألف ألفا آلاف", 5: "lakh lakhs lac lacs",
			6: "million mn mln مليون مليونا ملايين",
			7: "crore crores", 9: "billion bn مليار مليارا مليارات بليون", 12: "trillion tn تريليون ترليون",
		} {
			for w := range set(list) {
				out[w] = Decimal{1, exponent}
			}
		}
		for w := range set("dozen") {
			out[w] = Whole(12)
		}
		return out
	}()
	arabicOnes = set("واحد واحدة")
	joinedOnes = set("أحد إحدى احدا") // one, but only in eleven, twenty-one and the like: alone they are "one of"
	// halves are Arabic words behind a number or a unit that add a part of it
	halves = func() map[string]Decimal {
		out := map[string]Decimal{}
		for w, d := range map[string]Decimal{"ونصف": {5, -1}, "والنصف": {5, -1}, "وربع": {25, -2}, "والربع": {25, -2}} {
			out[text.Fold(w)] = d
		}
		return out
	}()
	// constructDuals are Arabic duals before what they count that are written as the accusative of one of their scale
	constructDuals = map[string]Decimal{text.Fold("ألفا"): {2, 3}, text.Fold("مليونا"): {2, 6}, text.Fold("مليارا"): {2,
		9}}
)

func numberTable(words map[int64]string) map[string]int64 {
	table := map[string]int64{}
	for value, list := range words {
		for w := range set(list) {
			table[w] = value
		}
	}
	return table
}

// IsNumberWord reports whether a folded word is a number or begins one: "three", "وعشرون", "ألف".
func IsNumberWord(norm string) bool {
	_, english := englishNumbers[norm]
	_, _, arabic := arabicValue(norm)
	return english || arabic || !scaleWords[norm].IsZero()
}

// spelled reads the longest number in words at token i.
func (r *reader) spelled(i int) (n numeral, ok bool) {
	if i >= len(r.tokens) || r.tokens[i].Kind != text.Word {
		return n, false
	}
	if isArabic(r.norm(i)) {
		return r.arabicNumber(i)
	}
	return r.englishNumber(i)
}

// englishNumber adds up "two hundred and fifty thousand", "a million and a half", "two point five". A word that cannot
// continue the number begins another one.
func (r *reader) englishNumber(i int) (n numeral, ok bool) {
	first := r.norm(i)
	_, isNumber := englishNumbers[first]
	_, isScale := scaleWords[first]
	at, total, current := i, Decimal{}, int64(0)
	switch {
	case isNumber, isScale && r.tokens[i].Len() > 3:
	case first == "a" || first == "an":
		if _, scale := scaleWords[r.norm(i+1)]; !scale || !r.near(i+1) {
			return n, false
		}
		at, current = i+1, 1
	case first == "half": // half a million
		scale, ok := scaleWords[r.norm(i+2)]
		if !ok || r.norm(i+1) != "a" || !r.near(i+1) || !r.near(i+2) {
			return n, false
		}
		value, _ := scale.Times(Decimal{5, -1})
		return numeral{from: i, to: i + 3, value: value, words: true}, true
	default:
		return n, false
	}
	end, last, fresh := at, Decimal{}, true
	for ; at < len(r.tokens) && (at == i || r.near(at)); at++ {
		word := r.norm(at)
		if v, ok := englishNumbers[word]; ok && fits(current, v, fresh) {
			current, end, fresh = current+v, at+1, false
		} else if scale, ok := scaleWords[word]; ok {
			total, current = multiplied(total, current, scale)
			end, last, fresh = at+1, scale, false
		} else if word != "and" || total.IsZero() && current < 100 {
			break
		}
	}
	value, fine := total.Plus(Whole(current))
	if end == i || !fine {
		return n, false
	}
	n = numeral{from: i, to: end, value: value, words: true}
	r.point(&n)
	r.andHalf(&n, last)
	return n, true
}

// point reads the decimals of "two point five".
func (r *reader) point(n *numeral) {
	if r.norm(n.to) != "point" || !r.near(n.to) {
		return
	}
	at, digits := n.to+1, ""
	for r.near(at) {
		v, ok := englishNumbers[r.norm(at)]
		if !ok || v > 9 {
			break
		}
		digits, at = digits+string(rune('0'+v)), at+1
	}
	part, ok := ParseDecimal("0." + digits)
	if digits == "" || !ok {
		return
	}
	if sum, ok := n.value.Plus(part); ok {
		n.value, n.to = sum, at
		n.digits = sum.String()
		r.scale(n)
		n.digits = ""
	}
}

// andHalf adds the half of "one and a half million" and of "a million and a half"; last is the number's last scale.
func (r *reader) andHalf(n *numeral, last Decimal) {
	if r.norm(n.to) != "and" || r.norm(n.to+1) != "a" || !r.near(n.to) || !r.near(n.to+1) || !r.near(n.to+2) {
		return
	}
	part, ok := parts[r.norm(n.to+2)]
	if !ok {
		return
	}
	scale, scaled := scaleWords[r.norm(n.to+3)]
	switch {
	case scaled && r.near(n.to+3):
		if sum, ok := n.value.Plus(part); ok {
			if value, ok := sum.Times(scale); ok {
				n.value, n.to = value, n.to+4
			}
		}
	case !last.IsZero():
		if more, ok := last.Times(part); ok {
			if sum, ok := n.value.Plus(more); ok {
				n.value, n.to = sum, n.to+3
			}
		}
	default:
		if _, _, ok := r.unitAt(n.to+3, true); ok || r.counted(n.to+3) != "" {
			if sum, ok := n.value.Plus(part); ok {
				n.value, n.to = sum, n.to+3
			}
		}
	}
}

// fits reports whether v can follow the number read so far: "twenty five", "two hundred fifteen", not "five ten".
func fits(current, v int64, first bool) bool {
	under := current % 100
	return first || current == 0 && v > 0 || under == 0 && current >= 100 || v > 0 && v < 10 && under >= 20 &&
		under%10 == 0
}

// multiplied applies a scale: hundred and dozen multiply within the group, all others close it.
func multiplied(total Decimal, current int64, scale Decimal) (Decimal, int64) {
	group := max(current, 1)
	if scale == Whole(100) || scale == Whole(12) {
		return total, group * int64(scale.Float())
	}
	part, ok := Whole(group).Times(scale)
	if !ok {
		return total, 0
	}
	sum, _ := total.Plus(part)
	return sum, 0
}

// arabicNumber adds up "خمسة وعشرون ألفاً": each continuation begins with و, or is عشر, a hundred or a scale.
func (r *reader) arabicNumber(i int) (n numeral, ok bool) {
	total, current, last := Decimal{}, int64(0), Decimal{}
	bare := arabicBare(r.norm(i))
	if dual, ok := constructDuals[bare]; ok && !strings.Contains(r.tokens[i].Text, "ً") && r.counts(i+1) {
		total = dual
	} else if v, _, ok := arabicValue(r.norm(i)); ok {
		total, current = counted(total, 0, v)
	} else if scale, ok := scaleWords[bare]; ok {
		total, current = multiplied(total, 0, scale)
		last = scale
	} else if r.joinsOne(i) {
		current = 1
	} else {
		return n, false
	}
	end := i + 1
	for ; end < len(r.tokens) && r.near(end); end++ {
		word := r.norm(end)
		v, and, ok := arabicValue(word)
		scale, isScale := scaleWords[word]
		part, isPart := halves[word]
		if isScale {
			total, current = multiplied(total, current, scale)
			last = scale
			continue
		}
		if strings.HasPrefix(word, "و") && r.joinsOne(end) { // "مئة وأحد عشر"; folded, وأحد is واحد
			current++
			continue
		}
		if rest, joined := strings.CutPrefix(word, "و"); joined && !ok {
			if scale, isScale := scaleWords[rest]; isScale {
				sum, _ := total.Plus(Whole(current))
				total, current = multiplied(sum, 0, scale)
				last = scale
				continue
			}
			if joinedOnes[rest] && r.joinsOne(end) {
				current++
				continue
			}
		}
		if isPart && (!last.IsZero() && current == 0 || r.unitWordAt(end+1)) {
			by := last
			if by.IsZero() || current != 0 {
				by = Whole(1)
			}
			more, _ := by.Times(part)
			sum, _ := total.Plus(more)
			total = sum
			if rest, ok := strings.CutPrefix(r.norm(end+1), "ال"); ok && scaleWords[rest] == last && !last.IsZero() {
				end++
			}
			end++
			break
		}
		if !ok || !and && !(v == 10 && current%100 > 0 && current%100 < 10) {
			break
		}
		total, current = counted(total, current, v)
	}
	value, ok := total.Plus(Whole(current))
	return numeral{from: i, to: end, value: value, words: true}, ok
}

// counted adds a number's word. A dual of a scale closes its group: "مليونان ومئتان وخمسون ألف".
func counted(total Decimal, current, v int64) (Decimal, int64) {
	if v >= 2000 {
		sum, _ := total.Plus(Whole(v))
		return sum, current
	}
	return total, current + v
}

// unitWordAt reports whether a unit's word is at token i.
func (r *reader) unitWordAt(i int) bool {
	_, _, ok := r.unitAt(i, true)
	return ok && r.near(i)
}

// counts reports whether token i is a word that a number before it may count.
func (r *reader) counts(i int) bool {
	return r.near(i) && r.tokens[i].Kind == text.Word && !strings.HasPrefix(r.norm(i), "و") && !r.tokens[i].Stop
}

// arabicBare takes the letters و, ب, ل and ف off a number's word.
func arabicBare(norm string) string {
	for _, letter := range []string{"و", "ب", "ل", "ف"} {
		if rest, ok := strings.CutPrefix(norm, letter); ok && utf8.RuneCountInString(rest) >= shortNumber {
			if _, scale := scaleWords[rest]; scale {
				return rest
			}
			if _, dual := constructDuals[rest]; dual {
				return rest
			}
		}
	}
	return norm
}

// joinsOne reports whether token i is the one of "أحد عشر" or "إحدى وعشرون".
func (r *reader) joinsOne(i int) bool {
	norm := r.norm(i)
	for _, letter := range []string{"و", "ب", "ل"} {
		if !joinedOnes[norm] {
			norm = strings.TrimPrefix(norm, letter)
		}
	}
	if !joinedOnes[norm] || !r.near(i+1) {
		return false
	}
	v, and, ok := arabicValue(r.norm(i + 1))
	return ok && (v == 10 && !and || and && v >= 20 && v < 100)
}

// arabicValue looks up an Arabic number word, with or without an attached و, ب or ل.
func arabicValue(word string) (value int64, and, ok bool) {
	if value, ok = arabicNumbers[word]; ok {
		return value, false, true
	}
	if bare, found := strings.CutPrefix(word, "و"); found {
		value, ok = arabicNumbers[bare]
		return value, true, ok
	}
	for _, preposition := range []string{"ب", "ل", "ف", "ك"} { // "بثلاثين": for thirty
		bare, found := strings.CutPrefix(word, preposition)
		if !found || utf8.RuneCountInString(bare) < shortNumber {
			continue
		}
		value, ok = arabicNumbers[bare]
		return value, false, ok
	}
	return 0, false, false
}

// shortNumber is from how many letters on an Arabic number word is known with a preposition attached: لست is "I am
// not".
const shortNumber = 3
