package text

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// IsUTF16 reports whether data begins with a byte order mark of UTF-16.
func IsUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF})
}

// DecodeUTF16 decodes UTF-16 by its byte order mark, which data must have. It returns false if the data is truncated or
// has an unpaired surrogate.
func DecodeUTF16(data []byte) (string, bool) {
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 0xFE {
		order = binary.BigEndian
	}
	data = data[2:]
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	runes := utf16.Decode(units)
	for i, n := 0, 0; i < len(runes); i++ {
		if runes[i] == utf8.RuneError && units[n] != utf8.RuneError {
			return "", false
		}
		n += utf16.RuneLen(runes[i])
	}
	return string(runes), len(data)%2 == 0
}
