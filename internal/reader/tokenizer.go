package reader

import "unicode/utf8"

// Span is a range of Unicode code points of a text: From is in it, To is not.
type Span struct{ From, To int }

// cutter turns texts into tokens.
type cutter interface {
	appendTokens(tokens []token, text string) []token
}

// cutter returns a tokenizer of the model's form.
func (w *weights) cutter() cutter {
	if w.Tokenizer == Unigram {
		return &unigram{weights: w}
	}
	return &tokenizer{vocabulary: w.vocabulary, form: &w.Form}
}

// token is a piece of a word, and where it stands in the text.
type token struct {
	id   int32
	span Span
}

// tokenizer turns texts into tokens (WordPiece). It keeps its buffers between texts; it is not for concurrent use.
type tokenizer struct {
	*vocabulary
	form  *Form
	chars []char
	bytes []byte
	ends  []int // of the characters of the word, in bytes
}

// appendTokens appends the tokens of a text. A word that the vocabulary does not spell, or a very long one,
// is one token [UNK]. Words as [SEP] in a text are words, not marks of the model.
func (t *tokenizer) appendTokens(tokens []token, text string) []token {
	t.chars = words(t.form, text, t.chars, func(word []char) { tokens = t.appendWord(tokens, word) })
	return tokens
}

// appendWord appends the tokens of a word: again and again the longest piece that the rest begins with.
func (t *tokenizer) appendWord(tokens []token, word []char) []token {
	whole := token{t.unknown, Span{word[0].from, word[len(word)-1].from + 1}}
	if len(word) > t.form.LongestWord {
		return append(tokens, whole)
	}
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	for _, c := range word {
		t.bytes = utf8.AppendRune(t.bytes, c.r)
		t.ends = append(t.ends, len(t.bytes))
	}
	first := len(tokens)
	for begin, at := 0, 0; begin < len(word); {
		id, length := t.prefix(t.bytes[at:], begin > 0)
		if length == 0 {
			return append(tokens[:first], whole)
		}
		at += length
		end := begin
		for t.ends[end] < at {
			end++
		}
		tokens = append(tokens, token{id, Span{word[begin].from, word[end].from + 1}})
		begin = end + 1
	}
	return tokens
}
