package bundle

import (
	"bytes"
	"strconv"
	"strings"

	"sanad/internal/domain"
)

// readWire reads a response as it went over the wire: status line, headers, an empty line, the body. A chunked body is
// joined. A compressed one is refused: its bytes are no text.
func readWire(data []byte) (*response, *domain.Error) {
	first, rest, _ := cutLine(data)
	line, status, ok := statusOf(string(first))
	if !ok {
		return nil, domain.Refuse(domain.Invalid, "", "reason_status")
	}
	r := &response{line: line, status: status}
	chunked := false
	for {
		field, after, found := cutLine(rest)
		if !found {
			return nil, domain.Refuse(domain.Invalid, "", "reason_headers")
		}
		if rest = after; len(field) == 0 {
			break
		}
		name, value, ok := strings.Cut(strings.ToValidUTF8(string(field), "\uFFFD"), ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, domain.Refuse(domain.Invalid, "", "reason_headers")
		}
		h := header{name: oneLine(name), value: strings.TrimSpace(oneLine(value))}
		switch last := strings.ToLower(h.value); strings.ToLower(h.name) {
		case "content-encoding":
			if last != "" && last != "identity" {
				return nil, domain.Refuse(domain.Invalid, "", "reason_http_coding", "Name", h.value)
			}
		case "transfer-encoding":
			if last != "chunked" && last != "identity" {
				return nil, domain.Refuse(domain.Invalid, "", "reason_http_coding", "Name", h.value)
			}
			chunked = last == "chunked"
		}
		r.headers = append(r.headers, h)
	}
	sortHeaders(r.headers)
	if chunked {
		if rest, ok = joinChunks(rest); !ok {
			return nil, domain.Refuse(domain.Invalid, "", "reason_http_chunks")
		}
	}
	r.body = string(rest)
	return r, nil
}

// cutLine returns the first line, without CR LF or LF, and what follows; found is false if no line ends.
func cutLine(data []byte) (line, rest []byte, found bool) {
	line, rest, found = bytes.Cut(data, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), rest, found
}

// joinChunks returns the content of a chunked body (RFC 9112 section 7.1), without its trailers; ok is false where a
// size cannot be read or a chunk is cut off.
func joinChunks(data []byte) (out []byte, ok bool) {
	for {
		line, rest, found := cutLine(data)
		size, _, _ := strings.Cut(string(line), ";")
		n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 31)
		switch {
		case !found || err != nil || int(n) > len(rest):
			return nil, false
		case n == 0:
			return out, true
		}
		out = append(out, rest[:n]...)
		end, after, found := cutLine(rest[n:])
		if !found || len(end) > 0 {
			return nil, false
		}
		data = after
	}
}
