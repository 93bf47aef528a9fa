package strictjson

import (
	"encoding/json"
	"unsafe"
)

// A value within a large file is decoded level by level: were each level a copy of the one above, an import would hold
// the file several times over. Neither texts nor raw values are ever written to, so they may share memory.

// DecodeShared is DecodeText for raw JSON, of which v may hold parts; nobody may write to raw afterwards.
func DecodeShared(raw json.RawMessage, v any, opt Options) error {
	return DecodeText(textOf(raw), v, opt)
}

// textOf returns raw JSON as a text that shares its memory.
func textOf(raw json.RawMessage) string {
	return unsafe.String(unsafe.SliceData(raw), len(raw)) //nolint:gosec // nobody writes to raw, see above
}

// Items returns the items of a list, however many, as parts of it; nobody may write to them.
func Items(list json.RawMessage) (out []json.RawMessage, err error) {
	c := NewLooseCursor(textOf(list), 0)
	c.d.opt.Share = true
	err = c.Items(func(int) error {
		item, err := c.Raw()
		out = append(out, item)
		return err
	})
	return out, err
}

// sharedRaw returns s as raw JSON without a copy, false if it is not compact.
func sharedRaw(s string) (json.RawMessage, bool) {
	inText := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 'N' || c == 'I'):
			return nil, false
		}
	}
	return unsafe.Slice(unsafe.StringData(s), len(s)), true //nolint:gosec // nobody writes to it, see above
}
