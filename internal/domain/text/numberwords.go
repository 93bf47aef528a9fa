package text

import (
	"strings"
	"unicode/utf8"
)

// Number words, folded. scaleWords multiply the number before them.
var (
	englishNumbers = numberTable(map[float64]string{
		0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
		10: "ten", 11: "eleven", 12: "twelve dozen", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen",
		17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twenty", 30: "thirty", 40: "forty fourty", 50: "fifty",
		60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety",
	})
	arabicNumbers = numberTable(map[float64]string{
		1: "واحد واحدة", 2: "اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي", 3: "ثلاثة ثلاث", 4: "أربعة أربع",
		5: "خمسة خمس",
		6: "ستة ست", 7: "سبعة سبع", 8: "ثمانية ثماني ثمان", 9: "تسعة تسع", 10: "عشرة عشر", 20: "عشرون عشرين",
		30: "ثلاثون ثلاثين", 40: "أربعون أربعين", 50: "خمسون خمسين", 60: "ستون ستين", 70: "سبعون سبعين",
		80: "ثمانون ثمانين", 90: "تسعون تسعين", 200: "مئتان مئتين مائتان مائتين",
		300: "ثلاثمئة ثلاثمائة", 400: "أربعمئة أربعمائة", 500: "خمسمئة خمسمائة", 600: "ستمئة ستمائة",
		700: "سبعمئة سبعمائة",
		800: "ثمانمئة ثمانمائة", 900: "تسعمئة تسعمائة", 2000: "ألفان ألفين", 2e6: "مليونان مليونين",
	})
	scaleWords = numberTable(map[float64]string{
		100: "hundred مئة مائة", 1e3: "thousand ألف ألفا آلاف", 1e6: "million mn مليون مليونا ملايين",
		1e9: "billion bn مليار مليارا مليارات", 1e12: "trillion تريليون",
	})
	arabicOnes = foldSet("واحد واحدة")
	joinedOnes = foldSet("أحد إحدى") // one, but only in eleven, twenty-one and the like: alone they are "one of"
)

func numberTable(words map[float64]string) map[string]float64 {
	table := map[string]float64{}
	for value, list := range words {
		for w := range foldSet(list) {
			table[w] = value
		}
	}
	return table
}

// numberWords reads the longest number in words at token i.
func (q *quantifier) numberWords(i int) (amount, bool) {
	word := q.norms[i]
	if r, _ := decode(word, 0); isArabicLetter(r) {
		return q.arabicNumber(i)
	}
	_, number := englishNumbers[word]
	if _, scale := scaleWords[word]; number || scale {
		return q.englishNumber(i), true
	}
	return amount{}, false
}

// englishNumber adds up "two hundred and fifty thousand". A word that cannot continue the number begins another one.
func (q *quantifier) englishNumber(i int) amount {
	total, current := 0.0, 0.0
	at, end := i, i
	for ; at < len(q.norms) && (at == i || q.adjacent(at-1)); at++ {
		word := q.norms[at]
		if v, ok := englishNumbers[word]; ok && fits(current, v, end == i) {
			current, end = current+v, at+1
		} else if scale, ok := scaleWords[word]; ok {
			total, current, end = scaled(total, current, scale), rest(current, scale), at+1
		} else if word != "and" || total == 0 && current < 100 {
			break
		}
	}
	return amount{from: i, to: end, value: total + current, words: true}
}

// fits reports whether v can follow the number read so far: "twenty five", "two hundred fifteen", not "five ten".
func fits(current, v float64, first bool) bool {
	under := int(current) % 100
	return first || current == 0 && v > 0 || under == 0 && current >= 100 || v > 0 && v < 10 && under >= 20 &&
		under%10 == 0
}

// scaled and rest apply a scale: hundred multiplies within the group, all others close it.
func scaled(total, current, scale float64) float64 {
	if scale == 100 {
		return total
	}
	return total + max(current, 1)*scale
}

func rest(current, scale float64) float64 {
	if scale == 100 {
		return max(current, 1) * 100
	}
	return 0
}

// arabicNumber adds up "خمسة وعشرون ألفاً": each continuation begins with و, or is عشر, a hundred or a scale.
func (q *quantifier) arabicNumber(i int) (amount, bool) {
	v, _, ok := arabicValue(q.norms[i])
	if q.joinsOne(i) {
		v, ok = 1, true
	}
	if !ok {
		return amount{}, false
	}
	total, current, end := 0.0, v, i+1
	if scale, isScale := scaleWords[q.norms[i]]; isScale {
		total, current = scaled(0, 0, scale), rest(0, scale)
	}
	for ; end < len(q.norms) && q.adjacent(end-1); end++ {
		word := q.norms[end]
		v, and, ok := arabicValue(word)
		scale, isScale := scaleWords[word]
		switch {
		case isScale:
			total, current = scaled(total, current, scale), rest(current, scale)
		case ok && (and || v == 10 && current > 0 && current < 10):
			current += v
		default:
			return amount{from: i, to: end, value: total + current, words: true}, true
		}
	}
	return amount{from: i, to: end, value: total + current, words: true}, true
}

// joinsOne reports whether token i is the one of "أحد عشر" or "إحدى وعشرون".
func (q *quantifier) joinsOne(i int) bool {
	if !joinedOnes[strings.TrimPrefix(q.norms[i], "و")] || i+1 >= len(q.norms) || !q.adjacent(i) {
		return false
	}
	v, and, ok := arabicValue(q.norms[i+1])
	return ok && (v == 10 && !and || and && v >= 20 && v < 100)
}

// arabicValue looks up an Arabic number word, with or without an attached و.
func arabicValue(word string) (value float64, and, ok bool) {
	if value, ok = arabicNumbers[word]; ok {
		return value, false, true
	}
	if value, ok = scaleWords[word]; ok {
		return value, false, true
	}
	if bare, found := strings.CutPrefix(word, "و"); found {
		if value, ok = arabicNumbers[bare]; !ok {
			value, ok = scaleWords[bare]
		}
		return value, true, ok
	}
	for _, preposition := range []string{"ب", "ل"} { // "بثلاثين": for thirty
		bare, found := strings.CutPrefix(word, preposition)
		if !found || utf8.RuneCountInString(bare) < shortNumber {
			continue
		}
		if value, ok = arabicNumbers[bare]; !ok {
			value, ok = scaleWords[bare]
		}
		return value, false, ok
	}
	return 0, false, false
}

// shortNumber is from how many letters on an Arabic number word is known with a preposition attached: لست is "I am
// not".
const shortNumber = 3
