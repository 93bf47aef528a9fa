package importers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// builder builds one session from a decoded file.
type builder struct {
	opt      Options
	s        ledger.Session
	refs     chunkIndex
	chunks   int  // so far, over all documents
	drawn    bool // the claims are drawn from the answer
	warnings []domain.Warning
	alike    map[warnedOf]*alike // by shape of the path and message
	files    []string            // the names of the uploaded files, for whoever uploaded them
	places   map[string]string   // path in the file by our own path, for items of a provider's documents
	part     string              // prefix of the paths of warnings: "sanad." in an exported ledger
	over     string              // path of the first unknown field over the limit
	reviews  int                 // reviews that the file contains
	texts    *textFile           // where the texts of chunks are put; nil if they stay in memory
}

// warnedOf is what alike warnings have in common.
type warnedOf struct{ shape, msg string }

// alike counts warnings that differ only in their indexes.
type alike struct{ at, more int }

func newBuilder(opt Options) *builder {
	return &builder{opt: opt, alike: map[warnedOf]*alike{}}
}

// warn adds a warning; warnings with the same message for the same field of other items are only counted.
func (b *builder) warn(path string, m domain.Message) {
	path = b.placeOf(b.part + path)
	w := domain.Warn(path, m)
	key := warnedOf{shapeOf(path), w.Msg}
	if a := b.alike[key]; a != nil {
		a.more++
		return
	}
	b.alike[key] = &alike{at: len(b.warnings)}
	b.warnings = append(b.warnings, w)
}

// placeOf returns the place in the file that corresponds to a path of our own format.
func (b *builder) placeOf(path string) string {
	if i := strings.IndexByte(path, ']'); i >= 0 {
		if place, ok := b.places[path[:i+1]]; ok {
			return place
		}
	}
	return path
}

// fileNamed returns the name of the uploaded file that a path is, else the path.
func (b *builder) fileNamed(path string) string {
	for i, name := range b.files {
		if path == at("files", i, "") || path == "file" {
			return name
		}
	}
	return path
}

// finished returns the warnings, with counts for repeated ones, and with the names of files where those are their
// places.
func (b *builder) finished() []domain.Warning {
	for _, a := range b.alike {
		if a.more > 0 {
			w := &b.warnings[a.at]
			*w = domain.Warn(w.Path, words.Msg("warning_often", "Why", w.Said, "N", a.more))
		}
	}
	for i, w := range b.warnings {
		b.warnings[i] = domain.Warn(b.fileNamed(w.Path), w.Said)
	}
	return b.warnings
}

// unknown stores a field that the format does not have.
func (b *builder) unknown(path string, raw json.RawMessage) {
	if len(b.s.Extra) >= b.opt.Unknown {
		if b.over == "" {
			b.over = path
		}
		return
	}
	if b.s.Extra == nil {
		b.s.Extra = map[string]json.RawMessage{}
	}
	b.s.Extra[path] = raw
	if explanationPath.MatchString(path) && begins(raw) == '"' {
		return // shown as the caller's own words
	}
	b.warn(path, words.Msg("warning_field"))
}

// explanationPath matches the fields in which a caller's judge says why.
var explanationPath = regexp.MustCompile(`^claims\[[0-9]+\](\.matches\[[0-9]+\])?\.(` +
	strings.Join(ledger.Explanations, "|") + `)$`)

// checkUnknown refuses an input with more unknown fields than can be stored.
func (b *builder) checkUnknown() error {
	if b.over == "" {
		return nil
	}
	return domain.Refuse(domain.TooLarge, b.over, "refused_in_fields", "N", b.opt.Unknown)
}

// result completes the import.
func (b *builder) result(format string) *Result {
	b.s.Digest = Digest(&b.s)
	return &Result{Session: b.s, Warnings: b.finished(), Format: format, Reviews: b.reviews, split: b.drawn}
}

// one checks that a word is one of those allowed; "" passes.
func one[T ~string](path, word string, all []T) (T, error) {
	if word == "" {
		return "", nil
	}
	names := make([]string, len(all))
	for i, x := range all {
		if T(word) == x {
			return x, nil
		}
		names[i] = string(x)
	}
	return "", domain.Refuse(domain.Invalid, path, "refused_in_none_of", "Name", words.Quoted(strictjson.Clip(word)),
		"Words", words.ListOf(names))
}

// keysOf describes the ids that uniqueKeys returns.
type keysOf struct {
	list   string // path: "documents"
	field  string // "id"
	noun   string // id of what one of them is: "noun_document"
	format string // of generated ids: "doc_%03d"
}

// uniqueKeys returns a unique id for each of n items: the caller's, or a generated one.
func uniqueKeys(n int, of keysOf, id func(int) string) ([]string, error) {
	taken := make(map[string]int, n)
	keys := make([]string, n)
	for i := range keys {
		if keys[i] = strings.TrimSpace(id(i)); keys[i] == "" {
			continue
		}
		if other, ok := taken[keys[i]]; ok {
			return nil, domain.Refuse(domain.Invalid, at(of.list, i, of.field), "refused_in_id",
				"Field", at(of.list, other, ""), "Name", words.Quoted(keys[i]), "Wanted", words.Msg(of.noun))
		}
		taken[keys[i]] = i
	}
	for i := range keys {
		for number := i + 1; keys[i] == ""; number++ {
			if key := fmt.Sprintf(of.format, number); !has(taken, key) {
				keys[i], taken[key] = key, i
			}
		}
	}
	return keys, nil
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}
