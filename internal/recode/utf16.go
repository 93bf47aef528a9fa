package recode

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// looksUTF16 reports whether text is UTF-16, by its byte order mark or because every other byte of its beginning is
// zero.
func looksUTF16(head string) bool {
	return text.IsUTF16([]byte(head[:min(len(head), 2)])) || len(head) > 3 && order(head) != nil
}

// order tells the order of bytes by the zeros beside the first letters, which are those of JSON; nil if there are none.
func order(head string) binary.ByteOrder {
	switch {
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return binary.BigEndian
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return binary.LittleEndian
	}
	return nil
}

func fromUTF16(src string) (string, error) {
	data := []byte(src)
	if !text.IsUTF16(data[:2]) {
		mark := []byte{0xFF, 0xFE}
		if order(src) == binary.BigEndian {
			mark = []byte{0xFE, 0xFF}
		}
		data = append(mark, data...)
	}
	out, ok := text.DecodeUTF16(data)
	if !ok {
		return "", domain.Refuse(domain.Invalid, "", "refused_in_utf16", "Line", brokenLine(data))
	}
	return out, nil
}

// brokenLine returns the line of UTF-16 with the first half of a character, the last if the end is cut off.
func brokenLine(data []byte) int {
	var bytes binary.ByteOrder = binary.LittleEndian
	if data[0] == 0xFE {
		bytes = binary.BigEndian
	}
	line := 1
	for i := 2; i+1 < len(data); i += 2 {
		unit := rune(bytes.Uint16(data[i:]))
		switch {
		case unit == '\n':
			line++
		case !utf16.IsSurrogate(unit):
		case i+3 < len(data) && utf16.DecodeRune(unit, rune(bytes.Uint16(data[i+2:]))) != '\ufffd':
			i += 2
		default:
			return line
		}
	}
	return line
}

// lineOf returns the number of the line in which a byte stands, from 1.
func lineOf(src string, at int) int { return 1 + strings.Count(src[:at], "\n") }
