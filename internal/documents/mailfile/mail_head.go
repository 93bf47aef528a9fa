package mailfile

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// mostHead is how large the head of a mail or of one of its parts may be, in bytes.
const mostHead = 1 << 20

// mailField is a field of a head, unfolded, as its bytes stand in the file.
type mailField struct {
	name  string // in lower case
	value []byte
}

// fieldLine tells a line that begins a field. Mail programs end heads without an empty line too.
var fieldLine = regexp.MustCompile(`^[!-9;-~]{1,100}[ \t]*:`)

// ReadHead divides a mail, or a part of one, into the fields of its head and its body (RFC 5322, 2.2). A line that is
// no field ends the head, as mail programs read it.
func ReadHead(data []byte) (fields []mailField, body []byte, err error) {
	name, from := "", 0 // of the open field; where its value begins
	end := func(at int) {
		if name != "" {
			fields = append(fields, mailField{name, unfolded(data[from:at])})
		}
		name = ""
	}
	for rest := data; ; {
		at := len(data) - len(rest)
		if at > mostHead {
			return nil, nil, isolated.Over(words.Msg("bound_mail_head", "N", mostHead>>10))
		}
		if len(rest) == 0 {
			end(at)
			return fields, nil, nil
		}
		var line []byte
		line, rest = cutLine(rest)
		switch {
		case len(line) == 0:
			end(at)
			return fields, rest, nil
		case at == 0 && bytes.HasPrefix(line, []byte("From ")): // of a folder's file
		case line[0] == ' ' || line[0] == '\t': // the field goes on
		case !fieldLine.Match(line):
			end(at)
			return fields, data[at:], nil
		default:
			end(at)
			colon := bytes.IndexByte(line, ':')
			name = strings.ToLower(string(bytes.TrimSpace(line[:colon])))
			from = at + colon + 1
		}
	}
}

// unfolded returns the value of a field on one line.
func unfolded(value []byte) []byte {
	if bytes.IndexByte(value, '\n') < 0 {
		return bytes.TrimSpace(value)
	}
	out := make([]byte, 0, len(value))
	for line := range bytes.Lines(value) {
		if line = bytes.TrimSpace(line); len(line) > 0 && len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, line...)
	}
	return out
}

// cutLine returns the first line, without its end, and what follows it.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), rest
}

// fieldOf returns the first field of a name, nil if none.
func fieldOf(fields []mailField, name string) []byte {
	for i := range fields {
		if fields[i].name == name {
			return fields[i].value
		}
	}
	return nil
}

// encodedWord is a word in a character set (RFC 2047). Programs leave spaces in it that it may not have.
var encodedWord = regexp.MustCompile(`=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=`)

// mailWords returns the text of a field. Bytes beyond ASCII are UTF-8 if they can be, and otherwise those of the
// character set of the mail's text.
func mailWords(value []byte, charset string) string {
	var b strings.Builder
	plain := func(s []byte) {
		if !utf8.Valid(s) {
			out, _ := inCharset(charset, s)
			s = []byte(out)
		}
		b.Write(s)
	}
	var open []byte // bytes of neighbouring words of one set: programs cut within a sign
	set := ""
	flush := func() {
		out, _ := inCharset(set, open)
		b.WriteString(out)
		open, set = nil, ""
	}
	for {
		at := encodedWord.FindSubmatchIndex(value)
		if at == nil {
			flush()
			plain(value)
			return strings.ToValidUTF8(b.String(), "\uFFFD")
		}
		between := value[:at[0]]
		label, _, _ := strings.Cut(strings.ToLower(string(value[at[2]:at[3]])), "*") // a language may follow (RFC 2231, 5)
		joined := set != "" && len(bytes.TrimSpace(between)) == 0
		if !joined || label != set {
			flush()
		}
		if !joined {
			plain(between)
		}
		set = label
		if code := value[at[6]:at[7]]; value[at[4]]|0x20 == 'b' {
			open = append(open, fromBase64(code)...)
		} else {
			open = append(open, fromQuoted(bytes.ReplaceAll(code, []byte("_"), []byte("=20")))...)
		}
		value = value[at[1]:]
	}
}

// inCharset returns text in a character set. It returns false if nobody knows the set; the text is then read as mail
// programs do, as UTF-8 if it can be and else as windows-1252. UTF-7, in which a text hides another one, is such a set.
func inCharset(label string, data []byte) (s string, known bool) {
	label = strings.Trim(strings.ToLower(label), "\"' ")
	if label == "" || label == "us-ascii" || label == "utf-8" || label == "utf8" || label == "ascii" {
		if utf8.Valid(data) {
			return string(data), true
		}
		if label == "utf-8" || label == "utf8" {
			return strings.ToValidUTF8(string(data), "\uFFFD"), true
		}
	}
	e, name := charset.Lookup(cmp.Or(charsetNames[label], label))
	known = e != nil && name != "replacement"
	if !known {
		if utf8.Valid(data) {
			return string(data), label == ""
		}
		e, _ = charset.Lookup("windows-1252")
	}
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\uFFFD"), false
	}
	return string(out), known
}

// charsetNames are names of character sets that mail programs write and browsers don't know.
var charsetNames = map[string]string{"cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5",
	"windows-936": "gbk", "windows-949": "euc-kr", "windows-950": "big5", "windows-932": "shift_jis",
	"iso8859-15": "iso-8859-15", "asmo-708": "iso-8859-6", "iso_8859-6": "iso-8859-6", "ansi_x3.4-1968": "windows-1252"}

// mailParameters divides a structured field into its first word, in lower case, and its parameters, as their text (RFC
// 2045, 5.1; RFC 2231). What breaks the rules is read as mail programs read it: many names of files do.
func mailParameters(value []byte, charset string) (word string, params map[string]string) {
	head, rest, _ := strings.Cut(string(value), ";")
	word = strings.ToLower(strings.TrimSpace(head))
	word, _, _ = strings.Cut(word, " ")
	params = map[string]string{}
	pieces := map[string][]parameterPiece{}
	for rest != "" {
		var name, piece string
		name, piece, rest = cutParameter(rest)
		base, number, ok := strings.Cut(name, "*")
		switch {
		case base == "":
		case !ok:
			if _, twice := params[base]; !twice {
				params[base] = mailWords([]byte(piece), charset)
			}
		default:
			n, err := strconv.Atoi(strings.TrimSuffix(number, "*"))
			if err != nil {
				n = 0
			}
			pieces[base] = append(pieces[base], parameterPiece{n, number == "" || strings.HasSuffix(number, "*"), piece})
		}
	}
	for base, list := range pieces {
		params[base] = joinPieces(list)
	}
	return word, params
}

// cutParameter returns the next parameter of a field and what follows it.
func cutParameter(s string) (name, value, rest string) {
	s = strings.TrimLeft(s, "; \t")
	equals := strings.IndexAny(s, "=;")
	if equals < 0 || s[equals] == ';' {
		_, rest, _ = strings.Cut(s, ";")
		return "", "", rest
	}
	name = strings.ToLower(strings.TrimSpace(s[:equals]))
	s = strings.TrimLeft(s[equals+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		return name, strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		case s[i] == '"':
			_, rest, _ = strings.Cut(s[i+1:], ";")
			return name, b.String(), rest
		default:
			b.WriteByte(s[i])
		}
	}
	return name, b.String(), ""
}

// parameterPiece is a piece of a parameter that was cut (RFC 2231, 3).
type parameterPiece struct {
	number  int
	encoded bool // with percent signs
	value   string
}

func joinPieces(list []parameterPiece) string {
	slices.SortStableFunc(list, func(a, b parameterPiece) int { return a.number - b.number })
	var data []byte
	set := ""
	for i, p := range list {
		s := p.value
		if i == 0 && p.encoded {
			if parts := strings.SplitN(s, "'", 3); len(parts) == 3 {
				set, s = parts[0], parts[2]
			}
		}
		if p.encoded {
			data = append(data, fromPercent(s)...)
		} else {
			data = append(data, s...)
		}
	}
	out, _ := inCharset(set, data)
	return out
}

// fromPercent decodes %41; what is none of that stays.
func fromPercent(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

// fromQuoted decodes quoted-printable (RFC 2045, 6.7); what is none of that stays.
func fromQuoted(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		line, rest := cutLine(data)
		ended := len(rest) > 0 || data[len(data)-1] == '\n'
		data = rest
		line = bytes.TrimRight(line, " \t")
		soft := bytes.HasSuffix(line, []byte("="))
		line = bytes.TrimSuffix(line, []byte("="))
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) {
				if n, err := strconv.ParseUint(string(line[i+1:i+3]), 16, 8); err == nil {
					out = append(out, byte(n))
					i += 2
					continue
				}
			}
			out = append(out, line[i])
		}
		if ended && !soft {
			out = append(out, '\r', '\n')
		}
	}
	return out
}

// fromBase64 decodes base64 (RFC 2045, 6.8), whatever stands between its signs, up to where it breaks off.
func fromBase64(data []byte) []byte {
	clean := make([]byte, 0, len(data))
	out := make([]byte, 0, len(data)*3/4)
	flush := func() {
		if len(clean)%4 == 1 { // half a byte
			clean = clean[:len(clean)-1]
		}
		out, _ = base64.RawStdEncoding.AppendDecode(out, clean)
		clean = clean[:0]
	}
	for _, c := range data {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			clean = append(clean, c)
		case c == '=' && len(clean) > 0: // more may follow: pieces that were joined
			flush()
		}
	}
	flush()
	return out
}

// fromUuencode decodes uuencode, as old programs attach files.
func fromUuencode(data []byte) []byte {
	var out []byte
	begun := false
	for len(data) > 0 {
		var line []byte
		line, data = cutLine(data)
		switch {
		case !begun:
			begun = bytes.HasPrefix(line, []byte("begin "))
		case bytes.Equal(bytes.TrimSpace(line), []byte("end")):
			return out
		case len(line) > 0:
			out = append(out, uuLine(line)...)
		}
	}
	return out
}

func uuLine(line []byte) []byte {
	n := int(line[0]-' ') & 63
	var out []byte
	for i := 1; i+3 < len(line) && len(out) < n; i += 4 {
		a, b, c, d := (line[i]-' ')&63, (line[i+1]-' ')&63, (line[i+2]-' ')&63, (line[i+3]-' ')&63
		out = append(out, a<<2|b>>4, b<<4|c>>2, c<<6|d)
	}
	return out[:min(n, len(out))]
}
