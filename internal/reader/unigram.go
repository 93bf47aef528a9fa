package reader

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/segmenter"
)

// underline stands for a space in the pieces of Unigram; a word begins with it.
const underline = '▁'

// unknownPenalty is how much less than the least likely piece a character is worth that no piece spells.
const unknownPenalty = 10

// unigram turns texts into tokens as SentencePiece's Unigram does in tokenizer.json: of all ways to spell a word, the
// most likely one. It keeps its buffers between texts; it is not for concurrent use.
type unigram struct {
	*weights
	clusters segmenter.Segmenter
	runes    []rune
	text     []char // after the map of characters
	word     []char
	bytes    []byte
	begins   []int // of the characters of the word, in bytes; the last is its length
	paths    []path
}

// path is the best way to spell the beginning of a word.
type path struct {
	score   float64
	before  int // characters before the last piece
	id      int32
	reached bool
}

// score returns how likely a piece is, as a logarithm.
func (w *weights) score(id int32) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(w.scores[8*id : 8*id+8])))
}

// appendTokens appends the tokens of a text. Characters side by side that no piece spells are one unknown token. Marks
// as </s> in a text are characters as others.
func (u *unigram) appendTokens(tokens []token, text string) []token {
	u.normalise(text)
	u.word = u.word[:0]
	flush := func() {
		if len(u.word) > 0 {
			tokens = u.appendWord(tokens)
			u.word = u.word[:0]
		}
	}
	for i, c := range u.text {
		switch {
		case u.SplitSpace && unicode.IsSpace(c.r):
			flush()
			continue
		case c.r == ' ' || c.r == underline:
			flush()
			c.r = underline
		case len(u.word) == 0 && (i == 0 || u.SplitSpace):
			u.word = append(u.word, char{underline, c.from})
		}
		u.word = append(u.word, c)
	}
	flush()
	return tokens
}

// normalise sets u.text to the characters of a text, mapped, with the spaces dropped that the model's tokenizer drops.
func (u *unigram) normalise(text string) {
	u.mapText(text)
	from, to := 0, len(u.text)
	for u.StripLeft && from < to && unicode.IsSpace(u.text[from].r) {
		from++
	}
	for u.StripRight && from < to && unicode.IsSpace(u.text[to-1].r) {
		to--
	}
	kept := u.text[:0]
	for i, c := range u.text[from:to] {
		if u.OneSpace && i > 0 && c.r == ' ' && u.text[from+i-1].r == ' ' {
			continue
		}
		kept = append(kept, c)
	}
	u.text = kept
}

// mapText sets u.text to the characters of a text, each as the model's map has it. A cluster of at most five bytes that
// the map knows by its beginning is replaced as a whole, as the published tokenizers do.
func (u *unigram) mapText(text string) {
	u.text, u.runes = u.text[:0], u.runes[:0]
	simple := true
	for _, r := range text {
		u.runes = append(u.runes, r)
		simple = simple && r < utf8.RuneSelf && r != '\r'
	}
	if u.charsmap == "" {
		for i, r := range u.runes {
			u.text = append(u.text, char{r, i})
		}
		return
	}
	if simple {
		for i := range u.runes {
			u.appendMapped(i, i+1)
		}
		return
	}
	u.clusters.Init(u.runes)
	for clusters := u.clusters.GraphemeIterator(); clusters.Next(); {
		cluster := clusters.Grapheme()
		u.appendMapped(cluster.Offset, cluster.Offset+len(cluster.Text))
	}
}

// appendMapped appends what becomes of a cluster of characters.
func (u *unigram) appendMapped(from, to int) {
	const mostCluster = 5
	u.bytes = u.bytes[:0]
	for _, r := range u.runes[from:to] {
		u.bytes = utf8.AppendRune(u.bytes, r)
	}
	if len(u.bytes) <= mostCluster {
		if mapped, found := u.charsmap.find(u.bytes); found {
			u.appendText(mapped, from)
			return
		}
	}
	for i, r := range u.runes[from:to] {
		if mapped, found := u.charsmap.find(utf8.AppendRune(u.bytes[:0], r)); found {
			u.appendText(mapped, from+i)
		} else {
			u.text = append(u.text, char{r, from + i})
		}
	}
}

func (u *unigram) appendText(mapped string, from int) {
	for _, r := range mapped {
		u.text = append(u.text, char{r, from})
	}
}

// appendWord appends the tokens of u.word.
func (u *unigram) appendWord(tokens []token) []token {
	u.bytes, u.begins = u.bytes[:0], u.begins[:0]
	for _, c := range u.word {
		u.begins = append(u.begins, len(u.bytes))
		u.bytes = utf8.AppendRune(u.bytes, c.r)
	}
	u.begins = append(u.begins, len(u.bytes))
	u.spell()

	first := len(tokens)
	for end := len(u.word); end > 0; end = u.paths[end].before {
		p := u.paths[end]
		span := Span{u.word[p.before].from, u.word[end-1].from + 1}
		if last := len(tokens) - 1; last >= first && p.id == u.unknown() && tokens[last].id == p.id {
			tokens[last].span.From = span.From
			continue
		}
		tokens = append(tokens, token{p.id, span})
	}
	for i, j := first, len(tokens)-1; i < j; i, j = i+1, j-1 {
		tokens[i], tokens[j] = tokens[j], tokens[i]
	}
	return tokens
}

func (u *unigram) unknown() int32 { return u.vocabulary.unknown }

// spell finds the most likely pieces of u.word: u.paths[n] is the best way to spell its first n characters.
func (u *unigram) spell() {
	count := len(u.word)
	grow(&u.paths, count+1)
	clear(u.paths)
	better := func(end int, p path) {
		if !u.paths[end].reached || p.score > u.paths[end].score {
			u.paths[end] = p
		}
	}
	for at := range count {
		before := u.paths[at].score
		sum, end, alone := uint32(hashBasis), at+1, false
		for i, b := range u.bytes[u.begins[at]:min(u.begins[at]+u.vocabulary.longest, len(u.bytes))] {
			sum = (sum ^ uint32(b)) * hashPrime
			length := i + 1
			if u.begins[at]+length != u.begins[end] {
				continue
			}
			if slot, found := u.vocabulary.slot(sum, "", u.bytes[u.begins[at]:u.begins[end]]); found {
				id := u.vocabulary.slots[slot] - 1
				better(end, path{score: before + u.score(id), before: at, id: id, reached: true})
				alone = alone || end == at+1
			}
			end++
		}
		if !alone {
			better(at+1, path{score: before + u.leastScore - unknownPenalty, before: at, id: u.unknown(), reached: true})
		}
	}
}

// A charsmap says what becomes of characters before a text is cut: SentencePiece's, a double array and the texts that
// it points to, each ended by a zero.
type charsmap string

// find returns what stands for the shortest beginning of a text that the map knows.
func (m charsmap) find(text []byte) (mapped string, found bool) {
	units := int(uint32At(string(m), 0)) / 4
	texts := string(m[4+4*units:])
	at := offset(m.unit(0))
	if at >= units {
		return "", false
	}
	for _, b := range text {
		if b == 0 {
			return "", false
		}
		at ^= int(b)
		if at >= units {
			return "", false
		}
		unit := m.unit(at)
		if unit&(1<<31|0xFF) != uint32(b) {
			return "", false
		}
		at ^= offset(unit)
		if unit>>8&1 == 1 {
			if at >= units {
				return "", false
			}
			begin := int(m.unit(at) & (1<<31 - 1))
			if begin > len(texts) {
				return "", false
			}
			end := begin
			for end < len(texts) && texts[end] != 0 {
				end++
			}
			return texts[begin:end], true
		}
	}
	return "", false
}

func (m charsmap) unit(index int) uint32 { return uint32At(string(m[4:]), 4*index) }

// offset returns where the children of a unit of a double array begin, relative to it.
func offset(unit uint32) int { return int(unit >> 10 << (unit & (1 << 9) >> 6)) }

// valid reports whether the map has the length that it says.
func (m charsmap) valid() bool {
	if m == "" {
		return true
	}
	if len(m) < 8 {
		return false
	}
	bytes := int(uint32At(string(m), 0))
	return bytes >= 4 && bytes%4 == 0 && bytes <= len(m)-4 && utf8.ValidString(string(m[4+bytes:]))
}
