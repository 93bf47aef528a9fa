// Package canonical writes and checks the one form of JSON that is hashed and signed (RFC 8785, rules F-1 and F-2).
package canonical

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
)

// JSON writes v as RFC 8785 JSON: the bytes that are hashed and signed. It refuses what Check refuses.
func JSON(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out, err := jcs.Transform(data)
	if err != nil {
		return nil, err
	}
	return out, checkValues(out)
}

// Check returns an error if data is not the RFC 8785 form of one JSON object (rules F-1 and F-2). It refuses whatever
// two readers might read differently: invalid UTF-8, duplicate keys, lone surrogates, trailing data, numbers beyond
// 2^53−1 and nesting deeper than 64 levels.
func Check(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("not UTF-8")
	}
	if len(data) == 0 || data[0] != '{' {
		return errors.New("not a JSON object")
	}
	if err := checkValues(data); err != nil { // before jcs, whose recursion is as deep as its input
		return err
	}
	again, err := jcs.Transform(data) // refuses duplicate keys; normalises surrogates, escapes and numbers
	if err != nil {
		return err
	}
	if !bytes.Equal(again, data) {
		return errors.New("not in canonical form")
	}
	return nil
}

const (
	maxDepth = 64
	maxExact = 1<<53 - 1 // the largest integer that every JSON reader represents exactly
)

// checkValues refuses what is well-formed JSON but not allowed here: large numbers and deep nesting.
func checkValues(data []byte) error {
	if !json.Valid(data) {
		return errors.New("not one JSON value")
	}
	depth := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			for i++; data[i] != '"'; i++ { // valid JSON closes its strings
				if data[i] == '\\' {
					i++
				}
			}
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("nested deeper than %d levels", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(data) && bytes.IndexByte([]byte("+-.eE0123456789"), data[end]) >= 0 {
				end++
			}
			if f, err := strconv.ParseFloat(string(data[i:end]), 64); err != nil || math.Abs(f) > maxExact {
				return fmt.Errorf("the number %.40s is beyond 2^53−1", data[i:end])
			}
			i = end - 1
		}
	}
	return nil
}
