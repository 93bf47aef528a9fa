package auth

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxForbidden bounds, in bytes, an operator's list of forbidden passwords, which is kept in memory.
const maxForbidden = 64 << 20

// Forbidden is an operator's list of passwords that nobody may choose, besides those that are built in. Nil is an empty
// list.
type Forbidden struct{ words []string } // folded, without spaces, sorted

// ReadForbidden reads a list: UTF-8, one password a line, empty lines left out. Case, spaces and the spelling of digits
// do not matter.
func ReadForbidden(r io.Reader) (*Forbidden, error) {
	f, size := &Forbidden{}, 0
	lines := bufio.NewScanner(io.LimitReader(r, maxForbidden+1))
	for no := 1; lines.Scan(); no++ {
		line := lines.Text()
		if size += len(line) + 1; size > maxForbidden {
			return nil, fmt.Errorf("a list of forbidden passwords has at most %d MiB", maxForbidden>>20)
		}
		if !utf8.ValidString(line) {
			return nil, fmt.Errorf("line %d is not UTF-8", no)
		}
		if word := strings.ReplaceAll(fold(normalPassword(strings.TrimSpace(line))), " ", ""); word != "" {
			f.words = append(f.words, word)
		}
	}
	slices.Sort(f.words)
	f.words = slices.Compact(f.words)
	return f, lines.Err()
}

// has reports whether a folded password is in the list, in any of the spellings that are tried together.
func (f *Forbidden) has(p string) bool {
	return f != nil && slices.ContainsFunc(spellings(p), func(spelling string) bool {
		_, found := slices.BinarySearch(f.words, spelling)
		return found
	})
}
