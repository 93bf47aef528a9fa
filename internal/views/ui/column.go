package ui

import (
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"sanad/internal/views/say"
)

// InColumn gives blocks the direction of their column. The numbers of an Arabic column are in the reader's digits.
func (c *Chrome) InColumn(blocks []AnswerBlock, dir string) []AnswerBlock {
	for i := range blocks {
		blocks[i].Dir = dir
		if dir == "rtl" {
			blocks[i].Marker = c.InDigits(blocks[i].Marker)
		}
	}
	return blocks
}

// InOwn gives each block of an answer the direction of its own words, where it has any: an answer in English may quote a
// paragraph in Arabic, and the other way round.
func (c *Chrome) InOwn(blocks []AnswerBlock) []AnswerBlock {
	whole := AnswerDir(blocks)
	for i := range blocks {
		b := &blocks[i]
		b.Own, b.Dir = true, whole
		if words := b.words(); strings.ContainsFunc(words, unicode.IsLetter) {
			b.Dir = say.Dir(words)
		}
		if b.Dir == "rtl" {
			b.Marker = c.InDigits(b.Marker)
		}
	}
	return blocks
}

// words are the block's words by which its direction is told: without code, if it has others.
func (b *AnswerBlock) words() string {
	var plain, code strings.Builder
	for _, r := range b.Runs {
		if r.Code {
			code.WriteString(r.Text + " ")
		} else {
			plain.WriteString(r.Text)
		}
	}
	if strings.ContainsFunc(plain.String(), unicode.IsLetter) {
		return plain.String()
	}
	return code.String()
}

// written says the direction and language of a block that has its own.
func (b *AnswerBlock) written() templ.OrderedAttributes {
	if !b.Own {
		return nil
	}
	return say.WrittenAs(b.Dir, b.words())
}

// AnswerDir is the direction of an answer, or of the part of it that is shown.
func AnswerDir(blocks []AnswerBlock) string { return say.DirOf(answerTexts(blocks)...) }

// answerWritten says the direction and the language of an answer.
func answerWritten(blocks []AnswerBlock) templ.OrderedAttributes {
	return say.WrittenAs(AnswerDir(blocks), answerTexts(blocks)...)
}

// answerTexts returns the words of an answer's blocks.
func answerTexts(blocks []AnswerBlock) (parts []string) {
	for i := range blocks {
		if blocks[i].Kind == "code" {
			continue
		}
		for _, r := range blocks[i].Runs {
			parts = append(parts, r.Text)
		}
	}
	return parts
}
