package importers

import (
	"errors"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// brokenLine is a line of JSONL that is no JSON value.
type brokenLine struct {
	row
	fault *domain.Error
}

// linesOf splits JSONL whose JSON is broken into the lines that are objects and those that are not. Lines without words
// do not count. It reports whether the text is JSONL: no list, and at least as many of its lines are objects as are
// not. Else a fault concerns the whole.
func linesOf(src string) (good []row, broken []brokenLine, ok bool) {
	src = strings.TrimPrefix(src, "\ufeff")
	if strings.HasPrefix(strings.TrimLeft(src, " \t\r\n"), "[") {
		return nil, nil, false
	}
	number, n := 0, 0
	for line := range strings.SplitSeq(src, "\n") {
		number++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		r := row{src: line, path: at("", n, ""), line: number}
		n++
		if fault := checkLine(r); fault != nil {
			broken = append(broken, brokenLine{r, fault})
		} else {
			good = append(good, r)
		}
	}
	return good, broken, len(good) >= max(1, len(broken))
}

// checkLine returns what is wrong with a line that should be an object.
func checkLine(r row) *domain.Error {
	var line *strictjson.Skipped // of any type, null too
	var fault *strictjson.Error
	switch err := strictjson.DecodeText(r.src, &line, strictjson.Options{OneLine: true, Loose: true}); {
	case errors.As(err, &fault):
		return domain.Refuse(domain.Invalid, joined(r.path, fault.Path), "json_line", "Line", r.line, "What", fault.Message)
	case !strings.HasPrefix(r.src, "{"):
		return domain.Refuse(domain.Invalid, r.path, "json_line_object", "Line", r.line,
			"What", strictjson.TypeName(r.src[0]))
	}
	return nil
}

// eachLine reads JSONL some of whose lines are broken, as far as it can be read. It reports whether it did: it does
// not if that is not what the text is.
func eachLine(src string, opt Options, take func(*Result, *domain.Error) error) (done bool, err error) {
	good, broken, ok := linesOf(src)
	if !ok || len(broken) == 0 {
		return false, nil
	}
	for _, b := range broken {
		if err := take(nil, b.fault); err != nil {
			return true, err
		}
	}
	if good[0].ours() {
		return true, sliceRows(good).each(func(r row) error {
			got, err := readOwnRow(r, opt)
			return given(got.of(r.path), err, take)
		})
	}
	f, err := tell(fieldsOf(good))
	if err != nil {
		return true, err
	}
	return true, f.sessions(sliceRows(good), opt, take)
}
