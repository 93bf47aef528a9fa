// Package pattern holds regular expressions that are compiled when they are first used. A hundred of them compiled at
// the start would cost every command, and every process that reads one file, several milliseconds and megabytes.
package pattern

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a regular expression of the code. Its methods are those of regexp.Regexp.
type Pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// all are the patterns of the program.
var all []*Pattern

// New returns the pattern of an expression, for a variable of a package. A faulty one panics when it is first used.
func New(expr string) *Pattern {
	p := &Pattern{expr: expr}
	all = append(all, p)
	return p
}

// Check returns the faults of all patterns of the program, nil if they have none; a test calls it.
func Check() error {
	var faults []error
	for _, p := range all {
		if _, err := syntax.Parse(p.expr, syntax.Perl); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

func (p *Pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

// Find is that of regexp.Regexp.
func (p *Pattern) Find(b []byte) []byte {
	return p.compiled().Find(b)
}

// FindAllIndex is that of regexp.Regexp.
func (p *Pattern) FindAllIndex(b []byte, n int) [][]int {
	return p.compiled().FindAllIndex(b, n)
}

// FindAllString is that of regexp.Regexp.
func (p *Pattern) FindAllString(s string, n int) []string {
	return p.compiled().FindAllString(s, n)
}

// FindAllStringIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// FindIndex is that of regexp.Regexp.
func (p *Pattern) FindIndex(b []byte) (loc []int) {
	return p.compiled().FindIndex(b)
}

// FindString is that of regexp.Regexp.
func (p *Pattern) FindString(s string) string {
	return p.compiled().FindString(s)
}

// FindStringIndex is that of regexp.Regexp.
func (p *Pattern) FindStringIndex(s string) (loc []int) {
	return p.compiled().FindStringIndex(s)
}

// FindStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatch(s string) []string {
	return p.compiled().FindStringSubmatch(s)
}

// FindSubmatch is that of regexp.Regexp.
func (p *Pattern) FindSubmatch(b []byte) [][]byte {
	return p.compiled().FindSubmatch(b)
}

// Match is that of regexp.Regexp.
func (p *Pattern) Match(b []byte) bool {
	return p.compiled().Match(b)
}

// MatchString is that of regexp.Regexp.
func (p *Pattern) MatchString(s string) bool {
	return p.compiled().MatchString(s)
}

// ReplaceAllFunc is that of regexp.Regexp.
func (p *Pattern) ReplaceAllFunc(src []byte, repl func([]byte) []byte) []byte {
	return p.compiled().ReplaceAllFunc(src, repl)
}

// ReplaceAllString is that of regexp.Regexp. Where nothing matches it returns src itself and not a copy, which words
// kept of the result would hold in memory.
func (p *Pattern) ReplaceAllString(src, repl string) string {
	if !p.MatchString(src) {
		return src
	}
	return p.compiled().ReplaceAllString(src, repl)
}

// Split is that of regexp.Regexp.
func (p *Pattern) Split(s string, n int) []string {
	return p.compiled().Split(s, n)
}
