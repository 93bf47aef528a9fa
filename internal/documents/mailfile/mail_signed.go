package mailfile

import (
	"bytes"

	"sanad/internal/documents/block"
)

// Kinds of wrapped content (RFC 5652), as they are written in a file.
var (
	signedData     = []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02")
	compressedData = []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x09")
)

// signedContent returns what a signature wraps: nil if it wraps nothing or if the content is packed, block.ErrLocked if
// it is encrypted. Who signed is not checked.
func signedContent(data []byte) ([]byte, error) {
	info, _, ok := berElement(data, 0)
	if !ok || info.tag != 0x30 {
		return nil, errNotMail
	}
	kind, rest, ok := berElement(info.content, 0)
	switch {
	case !ok || kind.tag != 0x06:
		return nil, errNotMail
	case bytes.Equal(kind.content, compressedData):
		return nil, nil
	case !bytes.Equal(kind.content, signedData):
		return nil, block.ErrLocked
	}
	content, _, _ := berElement(rest, 0)
	signed, _, _ := berElement(content.content, 0)
	for rest = signed.content; len(rest) > 0; {
		var e ber
		if e, rest, ok = berElement(rest, 0); !ok {
			return nil, errNotMail
		}
		if e.tag != 0x30 {
			continue // the version and the list of digests
		}
		_, inner, _ := berElement(e.content, 0)
		wrapped, _, ok := berElement(inner, 0)
		if !ok || wrapped.tag != 0xA0 {
			return nil, nil
		}
		octets, _, _ := berElement(wrapped.content, 0)
		return octets.octets(0), nil
	}
	return nil, errNotMail
}

// ber is an element of ASN.1 (X.690). Encoding/asn1 reads the distinguished form only, and mail programs write both.
type ber struct {
	tag     byte
	content []byte
}

// mostBER is how deep elements may nest.
const mostBER = 20

// berElement returns the first element and what follows it.
func berElement(data []byte, depth int) (e ber, rest []byte, ok bool) {
	if len(data) < 2 || depth > mostBER || data[0]&0x1F == 0x1F {
		return ber{}, nil, false
	}
	e.tag = data[0]
	n, head := int(data[1]), 2
	if n == 0x80 {
		return berOpen(e, data[2:], depth)
	}
	if n > 0x80 {
		count := n & 0x7F
		if count > 4 || len(data) < 2+count {
			return ber{}, nil, false
		}
		n, head = 0, 2+count
		for _, b := range data[2:head] {
			n = n<<8 | int(b)
		}
	}
	if n > len(data)-head { // cut off
		n = len(data) - head
	}
	e.content = data[head : head+n]
	return e, data[head+n:], true
}

// berOpen returns an element that states no length: two NUL bytes end it.
func berOpen(e ber, data []byte, depth int) (ber, []byte, bool) {
	for rest := data; ; {
		if len(rest) < 2 {
			e.content = data
			return e, nil, true
		}
		if rest[0] == 0 && rest[1] == 0 {
			e.content = data[:len(data)-len(rest)]
			return e, rest[2:], true
		}
		var ok bool
		if _, rest, ok = berElement(rest, depth+1); !ok {
			return ber{}, nil, false
		}
	}
}

// octets returns the bytes of a string that may be in pieces.
func (e ber) octets(depth int) []byte {
	if e.tag&0x20 == 0 || depth > mostBER {
		return e.content
	}
	var out []byte
	for rest := e.content; len(rest) > 0; {
		piece, next, ok := berElement(rest, 0)
		if !ok {
			return out
		}
		out = append(out, piece.octets(depth+1)...)
		rest = next
	}
	return out
}
