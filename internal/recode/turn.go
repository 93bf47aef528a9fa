package recode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// mostTurned is the most bytes of an input that is turned, and mostMade of what it is turned into.
const (
	mostTurned = 32 << 20
	mostMade   = 4 * mostTurned
)

// headBytes is how much of an input shows what it is.
const headBytes = 64 << 10

// mark is the byte order mark, with which some programs begin files in UTF-8 too.
const mark = "\ufeff"

// turn is a form of input that is turned into JSON.
type turn struct {
	is   func(head string) bool // head is the beginning of the input, without a mark
	read func(src string) (string, error)
	json bool // what looks like it is JSON, and is left as it is if it is large
}

var turns = []turn{
	{is: looksUTF16, read: fromUTF16}, {is: looksStream, read: Events}, {is: looksCSV, read: csvRows},
	{is: looksTable, read: tableRows, json: true},
}

// takes reports whether an input is to be turned, by its beginning and its size.
func (t *turn) takes(head string, size int64) (bool, error) {
	switch {
	case !t.is(head) || t.json && size > mostTurned:
		return false, nil
	case size > mostTurned:
		return false, tooLarge(int(size), mostTurned)
	}
	return true, nil
}

// JSON returns an input as JSON in UTF-8, without a byte order mark.
func JSON(src string) (string, error) {
	src = strings.TrimPrefix(src, mark)
	for _, t := range turns {
		takes, err := t.takes(src[:min(len(src), headBytes)], int64(len(src)))
		if err != nil {
			return "", err
		}
		if !takes {
			continue
		}
		out, err := t.read(src)
		if err != nil {
			return "", err
		}
		src = strings.TrimPrefix(out, mark)
	}
	return src, nil
}

func tooLarge(n, most int) error {
	return domain.Refuse(domain.TooLarge, "", "refused_turned_large", "N", n, "Most", most)
}

// File is JSON for a file; it returns the file itself if it needs no turning.
func File(file io.ReaderAt, size int64) (io.ReaderAt, int64, error) {
	head := make([]byte, min(size, headBytes))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	for _, t := range turns {
		takes, err := t.takes(strings.TrimPrefix(string(head), mark), size)
		if err != nil {
			return nil, 0, err
		}
		if !takes {
			continue
		}
		var whole strings.Builder
		whole.Grow(int(size))
		if _, err := io.Copy(&whole, io.NewSectionReader(file, 0, size)); err != nil {
			return nil, 0, err
		}
		src, err := JSON(whole.String())
		return strings.NewReader(src), int64(len(src)), err
	}
	return file, size, nil
}

// Value returns the object, list or text that a text is as JSON, or as Python writes it; false if it is none.
func Value(s string) (json.RawMessage, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, false
	}
	if strings.IndexByte(`{["`, s[0]) >= 0 {
		c := strictjson.NewLooseCursor(s, 0)
		if raw, err := c.Raw(); err == nil && c.End() {
			return raw, true
		}
	}
	return pythonJSON(s)
}

// Encode encodes a value that was decoded from JSON.
func Encode(v any) json.RawMessage {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	if err := to.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
