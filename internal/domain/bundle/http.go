package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
)

// HTTPMeta describes a stored HTTP response.
type HTTPMeta struct {
	Status        int      `json:"status"`
	MaskedHeaders []string `json:"masked_headers,omitempty"` // names of headers whose values are never shown
}

// httpArtifact is a stored response (rule B-15).
type httpArtifact struct {
	Status  json.RawMessage `json:"status"`
	Headers json.RawMessage `json:"headers"`
	Body    json.RawMessage `json:"body"`
}

// header is a header field.
type header struct{ name, value string }

func (b *builder) lakeHTTP(list List[string]) {
	each(b, "evidence_refs.lake_http", LakeHTTP, list, func(_ int, path string, uri string) {
		ref := SourceRef{LakeURI: uri}
		data, ok := b.fetch(path, LakeHTTP, ref)
		if !ok {
			return
		}
		r, err := b.readHTTP(data)
		if err != nil {
			b.fail(path, LakeHTTP, ref, err.Message)
			return
		}
		text, meta := r.render()
		s := source{id: lakeID(data), evidenceType: LakeHTTP, ref: ref, lake: stored(uri, data)}
		s.meta.HTTP = meta
		s.text = b.clean(text, &s.meta)
		b.add(s)
	})
}

// response is a stored response as it was read.
type response struct {
	line    string // the status line
	status  int
	headers []header // by name
	body    string
}

// readHTTP reads a stored response: JSON (rule B-15), or as it went over the wire.
func (b *builder) readHTTP(data []byte) (*response, *domain.Error) {
	if b.rules.wireHTTP && bytes.HasPrefix(data, []byte("HTTP/")) {
		return readWire(data)
	}
	var a httpArtifact
	if !utf8.Valid(data) || json.Unmarshal(data, &a) != nil {
		return nil, domain.Refuse(domain.Invalid, "", "reason_http")
	}
	line, status, ok := statusLine(a.Status)
	if !ok {
		return nil, domain.Refuse(domain.Invalid, "", "reason_status")
	}
	headers, ok := readHeaders(a.Headers)
	if !ok {
		return nil, domain.Refuse(domain.Invalid, "", "reason_headers")
	}
	return &response{line: line, status: status, headers: headers, body: scalar(a.Body)}, nil
}

// render writes a response as text: status line, headers by name, an empty line, the body. Secret headers are masked.
func (r *response) render() (string, *HTTPMeta) {
	meta := &HTTPMeta{Status: r.status}
	var out strings.Builder
	out.WriteString(r.line + "\n")
	for _, h := range r.headers {
		if isSecret(h.name) {
			h.value = "[REDACTED:header]"
			if !slices.Contains(meta.MaskedHeaders, h.name) {
				meta.MaskedHeaders = append(meta.MaskedHeaders, h.name)
			}
		}
		out.WriteString(h.name + ": " + h.value + "\n")
	}
	out.WriteString("\n" + r.body)
	return out.String(), meta
}

// statusLine reads a status: 200, "200", "200 OK" or "HTTP/1.1 200 OK".
func statusLine(raw json.RawMessage) (line string, status int, ok bool) { return statusOf(scalar(raw)) }

// statusOf returns a status line on one line, and the status in it.
func statusOf(s string) (line string, status int, ok bool) {
	line = oneLine(s)
	for _, word := range strings.Fields(line) {
		if n, err := strconv.Atoi(word); err == nil && n >= 100 && n <= 999 {
			if !strings.HasPrefix(line, "HTTP") {
				line = "HTTP " + line
			}
			return line, n, true
		}
	}
	return "", 0, false
}

// readHeaders reads an object of names with one value or several, or a list of pairs, ordered by name.
func readHeaders(raw json.RawMessage) ([]header, bool) {
	var list []header
	var byName map[string]json.RawMessage
	var pairs [][2]string
	switch {
	case len(raw) == 0:
		return nil, true
	case json.Unmarshal(raw, &byName) == nil:
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			var values []json.RawMessage
			if json.Unmarshal(byName[name], &values) != nil {
				values = []json.RawMessage{byName[name]}
			}
			for _, v := range values {
				list = append(list, header{oneLine(name), oneLine(scalar(v))})
			}
		}
	case json.Unmarshal(raw, &pairs) == nil:
		for _, p := range pairs {
			list = append(list, header{oneLine(p[0]), oneLine(p[1])})
		}
	default:
		return nil, false
	}
	sortHeaders(list)
	return list, true
}

// sortHeaders orders headers by name; those of one name keep their order.
func sortHeaders(list []header) {
	slices.SortStableFunc(list, func(a, b header) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)),
			strings.Compare(a.name, b.name))
	})
}

// secretParts occur in the names of headers whose values grant access.
var secretParts = []string{"auth", "cookie", "token", "secret", "password", "passwd", "apikey", "accesskey", "session",
	"credential", "signature", "csrf", "xsrf", "jwt", "saml"}

func isSecret(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	return slices.ContainsFunc(secretParts, func(p string) bool { return strings.Contains(name, p) })
}

// scalar returns the text of a JSON string, "" for null or no value, and any other JSON unchanged.
func scalar(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return string(raw)
	}
	return out.String()
}

// oneLine replaces control characters by spaces, so that a value cannot pose as several lines.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
