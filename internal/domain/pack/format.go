package pack

import (
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
)

// ErrNewer means that a file names a newer version of its format than this program reads.
var ErrNewer = errors.New("made by a newer version")

// ErrUnreleased means that a file is of a version of its format from before the first release, which nothing reads.
var ErrUnreleased = errors.New("made before the first release")

// versioned is a signed or exported format. One version of it is read, the one that is written: lower numbers were
// never released (docs/compatibility.md).
type versioned[T any] struct {
	field string // that holds the version
	name  string // before the number of the version: "sanad.evidence_pack/v"
	now   string // the whole name of the version that is read
	read  func([]byte) (*T, error)
}

// parse reads data if it is of the version that is read here.
func (f versioned[T]) parse(data []byte) (*T, error) {
	if err := checkSize(data); err != nil {
		return nil, err
	}
	n, now := numberOf(named(data, f.field), f.name), numberOf(f.now, f.name)
	switch {
	case n == 0:
		return nil, malformed("refused_not_of_form", nil, "Name", f.now)
	case n < now:
		return nil, malformed("refused_made_before_release", ErrUnreleased)
	case n > now:
		if err := canonical.Check(data); err != nil {
			return nil, malformed("refused_rfc_8785_json", err)
		}
		return nil, malformed("refused_made_newer_version", ErrNewer)
	}
	return f.read(data)
}

// numberOf returns the number of a version of a format; 0 if it is not one.
func numberOf(version, prefix string) int {
	digits, ok := strings.CutPrefix(version, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n >= 1e9 || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// SameFormat reports whether two names are versions of the same format, even if one is newer than this program.
func SameFormat(name, other string) bool {
	return numberOf(name, strings.TrimRight(other, "0123456789")) > 0
}

// forms describes the fields of the files. A form is "s" for a string, "i" for an integer, "f" for any
// number, "b" for a boolean, "*" for anything; "0" after it allows null. "p" is an optional integer that may be written
// as 0. A list has the form of its items, and may be null. An object has exactly the named fields; one with "?" is
// absent if it is empty.
type forms struct {
	Pack, Statement, Salts, Proof, Shown, Redacted, Envelope, Bundle any

	Event any // of the audit log; used by verify.html, as audit.ParseEvent reads it here
}

// fields are those of the files that are written and read: readers accept exactly these, whatever other fields the Go
// types have. verify.html has the same.
var (
	//go:embed formats.json
	fieldsText []byte
	fields     = mustRead(fieldsText)
)

func mustRead(data []byte) (f forms) {
	if err := json.Unmarshal(data, &f); err != nil {
		panic("pack: formats: " + err.Error())
	}
	return f
}

func checkSize(data []byte) error {
	if len(data) > MaxFile {
		return domain.Refuse(domain.TooLarge, "", "refused_mib_most", "N", len(data)>>20, "Most", MaxFile>>20)
	}
	return nil
}

// exact decodes data, a file of the given form, into v. It accepts only what our writer writes: canonical
// JSON with exactly the form's fields. So each value has one encoding, and no change goes unnoticed.
func exact(data []byte, form, v any) error {
	if err := checkSize(data); err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return malformed("refused_utf", nil)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return malformed("refused_fields_form_read", err)
	}
	if err := canonical.Check(data); err != nil {
		return malformed("refused_rfc_8785_json", err)
	}
	tree, err := treeFrom(data)
	if err != nil {
		return err
	}
	if !fits(form, tree) {
		return malformed("refused_other_fields_read", nil)
	}
	return nil
}

// fits reports whether a JSON value, with its numbers as json.Number, has a form.
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

// named returns a string field of a JSON object, "" if it has none: the field that holds the version of a file.
func named(data []byte, field string) string {
	var all map[string]json.RawMessage
	var name string
	if json.Unmarshal(data, &all) != nil || json.Unmarshal(all[field], &name) != nil {
		return ""
	}
	return name
}
