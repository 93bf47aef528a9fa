package pack

import (
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
)

// ErrNewer says that a file names a version of its format that is newer than those that are read here.
var ErrNewer = errors.New("made by a newer version")

// family is a signed or exported format with the readers of all its versions. A version never changes: another
// field, or another meaning of one, is a new version at the end of the list (docs/compatibility.md).
type family[T any] struct {
	field string                             // that names the version
	name  string                             // what stands before the number in it, as "sanad.evidence_pack/v"
	read  []func([]byte, *forms) (*T, error) // of versions 1, 2, …
}

// parse reads data by the reader of the version that it names.
func (f family[T]) parse(data []byte) (*T, error) {
	if err := checkSize(data); err != nil {
		return nil, err
	}
	n := numberOf(named(data, f.field), f.name)
	switch {
	case n == 0:
		return nil, malformed("This is not of the form "+f.name+strconv.Itoa(len(f.read))+".", nil)
	case n > len(f.read):
		if err := domain.CheckCanonical(data); err != nil {
			return nil, malformed("This is not RFC 8785 JSON.", err)
		}
		return nil, malformed("It was made by a newer version.", ErrNewer)
	}
	return f.read[n-1](data, &fields[n-1])
}

// numberOf returns the number of a version of a format, 0 if it is none.
func numberOf(version, family string) int {
	digits, ok := strings.CutPrefix(version, family)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n >= 1e9 || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// SameFormat reports whether a name is that of some version, also a newer one, of the same format as another.
func SameFormat(name, other string) bool {
	return numberOf(name, strings.TrimRight(other, "0123456789")) > 0
}

// forms are the fields of the files of one version. A form is "s" for a text, "i" for a whole number, "f" for any
// number, "b" for true or false, "*" for anything; with "0" it may be null. "p" is a whole number that may be 0
// although it is optional. A list has the form of its items, and may be null. An object has exactly the fields that
// are named; one with "?" is absent if it is empty.
type forms struct {
	Pack, Statement, Salts, Proof, Shown, Redacted, Envelope, Bundle any

	Event any // of the audit log; for verify.html, as audit.ParseEvent reads it here
}

// The fields of each version, frozen: readers of a version take these, whatever the types here have besides.
// verify.html has the same.
var (
	//go:embed formats/v1.json
	fieldsV1 []byte

	fields = [...]forms{mustRead(fieldsV1)}
)

func mustRead(data []byte) (f forms) {
	if err := json.Unmarshal(data, &f); err != nil {
		panic("pack: formats: " + err.Error())
	}
	return f
}

func checkSize(data []byte) error {
	if len(data) > MaxFile {
		return domain.TooLargef("", "This has %d MiB; %d are the most.", len(data)>>20, MaxFile>>20)
	}
	return nil
}

// exact reads data, a file of the form, into v. It takes only what a writer of that version makes: canonical JSON with
// exactly the form's fields. So there is one text for each value, and no change of it goes unseen.
func exact(data []byte, form, v any) error {
	if err := checkSize(data); err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return malformed("This is not UTF-8.", nil)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return malformed("Its fields are not of the form that is read here.", err)
	}
	if err := domain.CheckCanonical(data); err != nil {
		return malformed("This is not RFC 8785 JSON.", err)
	}
	tree, err := treeFrom(data)
	if err != nil {
		return err
	}
	if !fits(form, tree) {
		return malformed("It has other fields than are read here.", nil)
	}
	return nil
}

// fits reports whether a JSON value, its numbers as json.Number, has a form.
func fits(form, v any) bool {
	switch f := form.(type) {
	case map[string]any:
		o, ok := v.(map[string]any)
		return ok && fitsObject(f, o)
	case []any:
		list, ok := v.([]any)
		for _, item := range list {
			ok = ok && fits(f[0], item)
		}
		return ok || v == nil
	}
	switch form {
	case "*":
		return true
	case "s":
		_, ok := v.(string)
		return ok
	case "b":
		_, ok := v.(bool)
		return ok
	case "i0", "f0":
		return v == nil || fits(form.(string)[:1], v) //nolint:forcetypeassert // it is one of these two
	}
	n, ok := v.(json.Number)
	return ok && (form == "f" || !strings.ContainsAny(n.String(), ".eE"))
}

func fitsObject(form, o map[string]any) bool {
	known := 0
	for name, f := range form {
		key, optional := strings.CutSuffix(name, "?")
		v, there := o[key]
		if !there {
			if !optional {
				return false
			}
			continue
		}
		known++
		if !fits(f, v) || optional && f != "*" && f != "p" && isEmpty(v) {
			return false
		}
	}
	return known == len(o)
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case json.Number:
		return v == "0"
	}
	return v == "" || v == false
}

// named returns a text field of a JSON object, "" if it has none: the one that names the version of a file.
func named(data []byte, field string) string {
	var all map[string]json.RawMessage
	var name string
	if json.Unmarshal(data, &all) != nil || json.Unmarshal(all[field], &name) != nil {
		return ""
	}
	return name
}
