package ui

import (
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
