package text

import (
	"strings"
	"unicode"
)

// Abbreviations, grouped by what may follow their full stop, in lower case and without inner full stops. Those in which
// each letter has its own full stop ("U.S.", "Ph.D.") need no list.
var (
	// honorifics never end a sentence when capitalised: a name follows.
	honorifics = foldSet(`mr mrs ms dr prof st gen sen rep hon eng capt col lt sgt rev messrs mme mlle pres gov`)
	// glosses never end a sentence: whatever they introduce follows.
	glosses = foldSet(`eg ie viz cf vs approx ca resp incl excl esp`)
	// references do not end a sentence when a number follows: "Art. 5", "No. 12", "Sec. IV".
	references = foldSet(`no nos art arts sec secs sect para paras cl fig figs eq ch chap vol vols p pp pg`)
	// names, when capitalised, end a sentence only if the next word is one that typically begins a sentence.
	names = foldSet(`inc ltd corp co bros jr sr dept govt div assn est jan feb mar apr jun jul aug sep sept oct nov dec
		mon tue tues wed thu thurs fri sat sun`)
	// endings end a sentence if a capital or Arabic follows.
	endings = foldSet(`etc al am pm bc ad ce bce`)
)

// abbreviation reports whether the full stop at i, with the next word at next, belongs to an abbreviation.
func (sp *splitter) abbreviation(i, next int) bool {
	if sp.afterMarker(i) {
		return true
	}
	word, dotted, capital := sp.wordBefore(i)
	if word == "" {
		return false
	}
	letters, first := []rune(word), sp.r[sp.skipOpeners(next)]
	switch {
	case isArabicLetter(letters[0]):
		return sp.arabicAbbreviation(letters, dotted, i)
	case endings[word] && (dotted || word == "etc" || word == "al"):
		return !unicode.IsUpper(first) && !isArabicLetter(first)
	case glosses[word], honorifics[word] && capital, word == "v" && !capital: // "Inc. v. Bruen"
		return true
	case references[word]:
		return sp.isReference(next)
	case dotted, names[word] && capital, len(letters) == 1 && capital:
		return !sp.startsSentence(next)
	}
	return false
}

// neverEnds reports whether the full stop at i cannot end a sentence even at the end of its line.
func (sp *splitter) neverEnds(i int) bool {
	word, _, capital := sp.wordBefore(i)
	return honorifics[word] && capital || glosses[word] || sp.afterMarker(i)
}

// isReference reports whether there is a number, a Roman numeral or a single capital at i.
func (sp *splitter) isReference(i int) bool {
	i = sp.skipOpeners(i)
	if isDigit(sp.r[i]) || sp.r[i] == '§' {
		return true
	}
	j := i
	for j < len(sp.r) && j-i < 6 && strings.ContainsRune("IVXLC", sp.r[j]) {
		j++
	}
	if j == i && unicode.IsUpper(sp.r[i]) {
		j++
	}
	return j > i && (j == len(sp.r) || !unicode.IsLetter(sp.r[j]))
}

// arabicAbbreviation reports whether letters abbreviate: a single letter (د. أ. م. ص.), or letters that each have a
// full stop (ص.ب.). After a number they are an era or a unit (1445 هـ. 2024 م.), and end a sentence like any other
// word.
func (sp *splitter) arabicAbbreviation(letters []rune, dotted bool, i int) bool {
	if len(letters) > 1 && !dotted {
		return false
	}
	j := i - 1
	for j >= sp.start && (isArabicLetter(sp.r[j]) || sp.r[j] == tatweel || sp.r[j] == '.') {
		j--
	}
	for j >= sp.start && isTrim(sp.r[j]) {
		j--
	}
	return dotted || j < sp.start || !isDigit(sp.r[j])
}

// maxAbbreviation is the longest abbreviation, in code points.
const maxAbbreviation = 16

// wordBefore returns the letters before the full stop at i in lower case and without inner full stops, whether it had
// such full stops after every one or two letters ("U.S", "Ph.D"), and whether it begins with a capital. It returns ""
// if the word is too long to be an abbreviation, or is Latin letters that touch a number ("5kg.").
func (sp *splitter) wordBefore(i int) (word string, dotted, capital bool) {
	j := i
	for j > sp.start && i-j <= maxAbbreviation && (unicode.IsLetter(sp.r[j-1]) || unicode.IsMark(sp.r[j-1]) ||
		sp.r[j-1] == '.') {
		j--
	}
	for j < i && sp.r[j] == '.' {
		j++
	}
	if j == i || i-j > maxAbbreviation || j > sp.start && isDigit(sp.r[j-1]) && !isArabicLetter(sp.r[j]) {
		return "", false, false
	}
	raw := string(sp.r[j:i])
	if dotted = strings.Contains(raw, "."); dotted {
		for _, part := range strings.Split(raw, ".") {
			if Len(part) > 2 {
				return "", false, false
			}
		}
	}
	return undot.Replace(strings.ToLower(raw)), dotted, unicode.IsUpper(sp.r[j])
}

var undot = strings.NewReplacer(".", "", string(tatweel), "")

// starters are words that, when capitalised after an abbreviation's full stop, show that a new sentence begins.
var starters = foldSet(`the this that these those it its he she they we you there here in on at by for from with as if
	when while where after before since because although however therefore thus hence moreover furthermore also but and
	or so yes no not all any each every most some both neither our their his her my your what why who how is are was
	were employees section article leave`)

// startsSentence reports whether the word at i is capitalised and one of starters.
func (sp *splitter) startsSentence(i int) bool {
	i = sp.skipOpeners(i)
	if isArabicLetter(sp.r[i]) {
		return true
	}
	j := i
	for j < len(sp.r) && unicode.IsLetter(sp.r[j]) && j-i < maxAbbreviation {
		j++
	}
	if j < len(sp.r) && sp.r[j] == '.' {
		return false
	}
	return unicode.IsUpper(sp.r[i]) && starters[strings.ToLower(string(sp.r[i:j]))]
}
