package wordfile

import (
	"encoding/xml"
	"slices"

	"sanad/internal/documents/block"
)

// inFieldCode reports whether what is read says what a field is, and not what it shows.
func (w *word) inFieldCode() bool { return slices.Contains(w.fields, fieldCode) }

// fieldPart is a part of a field.
type fieldPart uint8

const (
	fieldBegin fieldPart = iota
	fieldCode
	fieldResult
)

// fieldSign takes an element fldChar.
func (w *word) fieldSign(e xml.StartElement) {
	n := len(w.fields)
	switch block.Attribute(e, "fldCharType") {
	case "begin":
		if n < block.ArchiveDepth {
			w.fields = append(w.fields, fieldBegin)
		}
	case "separate":
		if n > 0 {
			w.fields[n-1] = fieldResult
		}
	case "end":
		w.fields = w.fields[:max(0, n-1)]
	}
}

// wordField is a field of a form, which has its value in its properties.
type wordField struct {
	of      string // checkBox or ddList
	state   toggle
	set     toggle
	entries []string
	result  int
}

func (f *wordField) start(e xml.StartElement) {
	switch name := e.Name.Local; name {
	case "checkBox", "ddList":
		f.of = name
	case "default":
		if f.of == "checkBox" {
			f.state = toggled(e)
		} else if f.of == "ddList" {
			f.result = count(e)
		}
	case "checked":
		f.set = toggled(e)
	case "result":
		f.result = count(e)
	case "listEntry":
		f.entries = append(f.entries, block.Attribute(e, "val"))
	}
}

// shown is what a reader sees of the field, "" if that is text of the document.
func (f *wordField) shown() string {
	switch {
	case f.of == "checkBox" && (f.set == on || f.set == unset && f.state == on):
		return "☒"
	case f.of == "checkBox":
		return "☐"
	case f.of == "ddList" && f.result < len(f.entries):
		return f.entries[f.result]
	}
	return ""
}
