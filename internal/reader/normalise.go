package reader

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// char is a character of a text as the vocabulary spells it: decomposed, without accents, in lower case.
type char struct {
	r    rune
	from int // index of its code point in the text
}

// words cuts a text into words as BERT's tokenizer does, and hands each to emit. Control characters are dropped, what
// is white space separates words, and a punctuation mark is a word of its own. The form says whether letters become
// lower case, whether accents are stripped and whether an ideograph is a word. An invalid byte of UTF-8 counts as one
// code point and is dropped. The slice that emit receives is valid only during the call.
func words(form *Form, text string, buffer []char, emit func(word []char)) []char {
	word := buffer[:0]
	flush := func() {
		if len(word) > 0 {
			emit(word)
			word = word[:0]
		}
	}
	index := -1
	for _, r := range text {
		index++
		if r < utf8.RuneSelf {
			switch ascii[r] {
			case letter:
				if len(word) > form.LongestWord { // it is unknown however it goes on
					word[form.LongestWord].from = index
					continue
				}
				if form.Lower {
					r |= upperBit(r)
				}
				word = append(word, char{r, index})
			case space:
				flush()
			case mark:
				flush()
				emit(append(word, char{r, index}))
			}
			continue
		}
		if dropped(r) {
			continue
		}
		alone := form.Ideograms && ideograph(r)
		if alone {
			flush()
		}
		var parts [8]rune
		for _, part := range form.decompose(parts[:0], r) {
			if form.StripAccents && nonspacing(part) {
				if last := len(word) - 1; last >= 0 && combining(word[last].r) > combining(part) {
					word[last].from = index // the accent would stand before it: see inOrder
				}
				continue
			}
			if form.Lower {
				part = unicode.ToLower(part)
			}
			switch {
			case unicode.IsSpace(part):
				flush()
			case punctuation(part):
				flush()
				emit(append(word, char{part, index}))
			case len(word) > form.LongestWord: // it is unknown however it goes on
				word[form.LongestWord].from = index
			case form.StripAccents:
				word = inOrder(append(word, char{part, index}))
			default:
				word = append(word, char{part, index})
			}
		}
		if alone {
			flush()
		}
	}
	flush()
	return word
}

// Classes of ASCII characters.
const (
	control = iota
	space
	letter
	mark
)

// ascii classifies the characters that nearly all of an English text consists of.
var ascii = func() (classes [utf8.RuneSelf]byte) {
	for c := range classes {
		switch r := rune(c); {
		case r == '\t', r == '\n', r == '\r', r == ' ':
			classes[c] = space
		case r < ' ', r == 0x7f:
			classes[c] = control
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			classes[c] = letter
		default:
			classes[c] = mark
		}
	}
	return classes
}()

// upperBit returns the bit that turns an upper-case ASCII letter into its lower case, and 0 for any other character.
func upperBit(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return 'a' - 'A'
	}
	return 0
}

// dropped reports whether a character outside ASCII leaves no trace: control, format and private ones.
func dropped(r rune) bool {
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && !unicode.Is(laterClass, r)
}

// nonspacing reports whether a character is an accent, which is stripped.
func nonspacing(r rune) bool {
	return unicode.Is(unicode.Mn, r) && !unicode.Is(laterClass, r) || r == 0x1734 // the Hanunoo pamudpod was one
}

// punctuation reports whether a character is a word of its own.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return ascii[r] == mark
	}
	return unicode.Is(unicode.P, r) && !unicode.Is(laterClass, r) ||
		r == 0x166D || r == 0x111C9 // the Canadian chi sign and the Sharada sandhi mark were
}

// ideograph reports whether a character is a Chinese one, which BERT takes for a word. Kana and Hangul are not.
func ideograph(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F || r >= 0x2B740 && r <= 0x2B81F ||
		r >= 0x2B920 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F
}

// decompose appends what a character becomes before its accents are stripped. If they are not, only a dotted capital İ
// becomes two characters, in lower case.
func (f *Form) decompose(parts []rune, r rune) []rune {
	switch {
	case f.StripAccents:
		return decompose(parts, r)
	case f.Lower && r == 'İ':
		return append(parts, 'i', 0x307)
	}
	return append(parts, r)
}

// decompose appends the canonical decomposition of a character (NFD).
func decompose(parts []rune, r rune) []rune {
	const first, last, vowels, trails = 0xAC00, 0xD7A3, 21, 28
	if r >= first && r <= last { // Hangul syllables are decomposed by arithmetic
		syllable := r - first
		parts = append(parts, 0x1100+syllable/(vowels*trails), 0x1161+syllable%(vowels*trails)/trails)
		if trail := syllable % trails; trail > 0 {
			parts = append(parts, 0x11A7+trail)
		}
		return parts
	}
	var encoded [utf8.UTFMax]byte
	decomposition := norm.NFD.Properties(encoded[:utf8.EncodeRune(encoded[:], r)]).Decomposition()
	if decomposition == nil {
		return append(parts, r)
	}
	for len(decomposition) > 0 {
		part, size := utf8.DecodeRune(decomposition)
		parts, decomposition = append(parts, part), decomposition[size:]
	}
	return parts
}

// inOrder moves the last character of a word before marks of a higher combining class, as the canonical order asks.
// Places in the text stay where they are, as the published tokenizer has it.
func inOrder(word []char) []char {
	last := len(word) - 1
	class := combining(word[last].r)
	if class == 0 {
		return word
	}
	for ; last > 0 && combining(word[last-1].r) > class; last-- {
		word[last-1].r, word[last].r = word[last].r, word[last-1].r
	}
	return word
}

// combining returns the canonical combining class of a character.
func combining(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	var encoded [utf8.UTFMax]byte
	return norm.NFD.Properties(encoded[:utf8.EncodeRune(encoded[:], r)]).CCC()
}
