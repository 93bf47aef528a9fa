package ui

import "sanad/internal/domain/text"

// Dir is the direction that a text is read in, by most of its words: the value of a dir attribute. dir="auto" would go
// by the first letter, also of hidden words (rule WEB-14).
func Dir(s string) string {
	if text.RightToLeft(s) {
		return "rtl"
	}
	return "ltr"
}

// maxDirection is how much of a long text, in bytes, its direction is told by.
const maxDirection = 64 << 10

// DirOf is the direction of a text that is given in parts: of the document, not of each of its paragraphs.
func DirOf(parts ...string) string {
	long := make([]byte, 0, 1024)
	for _, p := range parts {
		long = append(append(long, p...), ' ')
		if len(long) >= maxDirection {
			long = long[:maxDirection]
			break
		}
	}
	return Dir(string(long))
}

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
func AnswerDir(blocks []AnswerBlock) string {
	var parts []string
	for i := range blocks {
		if blocks[i].Kind == "code" {
			continue
		}
		for _, r := range blocks[i].Runs {
			parts = append(parts, r.Text)
		}
	}
	return DirOf(parts...)
}
