package ui

import (
	"strings"

	"github.com/a-h/templ"
)

// TextField is a field of one line: label above, help beneath, fault beside.
type TextField struct {
	ID, Name, Label, Help, Fault, Value string
	Kind                                string // of the input, "" for text
	Complete, Mode, Dir                 string
	Required                            bool
	Offers                              []string // values that are offered while somebody types; any other may be typed
}

func (f TextField) kind() string {
	if f.Kind == "" {
		return "text"
	}
	return f.Kind
}

// describedBy lists the ids of the texts that a screen reader reads with the field.
func (f TextField) describedBy() string {
	var ids []string
	if f.Fault != "" {
		ids = append(ids, f.ID+"-e")
	}
	if f.Help != "" {
		ids = append(ids, f.ID+"-h")
	}
	return strings.Join(ids, " ")
}

// OrDash returns a dash for "".
func OrDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// Option is one choice of a select.
type Option struct {
	Value, Label string
	Selected     bool
}

// FieldError shows a fault beside the field that has the given id, nothing if msg is "". Its own id is that id with
// "-e" appended. If field is "", the message is only a remark and does not count as a refusal of the form.
func FieldError(field, msg string) templ.Component {
	if msg == "" {
		return templ.NopComponent
	}
	return fieldError(field, msg)
}

// Options returns the choices of a select; the empty one comes first if its label is given.
func Options[V ~string](c *Chrome, prefix, empty string, all []V, chosen V) []Option {
	out := make([]Option, 0, len(all)+1)
	if empty != "" {
		out = append(out, Option{"", empty, chosen == ""})
	}
	for _, v := range all {
		out = append(out, Option{string(v), c.T(prefix + string(v)), v == chosen})
	}
	return out
}

// DateField is a field for a day. A browser draws its own date fields in its own language, so this one is a text field
// that names its format; date.js adds a calendar in the page's language.
type DateField struct {
	ID, Name, Label, Help, Fault string
	Value                        string // as Day writes it, or as it was typed
	Required                     bool
	Invalid                      bool // the fault is said elsewhere
}

func (f DateField) describedBy() string {
	return TextField{ID: f.ID, Fault: f.Fault, Help: f.Help}.describedBy()
}

// FileField is a field for files, which also takes what is dropped on it.
type FileField struct {
	ID, Name, Label, Accept, Help, Fault string
	Multiple, Required                   bool
}

func (f FileField) describedBy() string {
	return TextField{ID: f.ID, Fault: f.Fault, Help: f.Help}.describedBy()
}

func (c *Chrome) chooseFiles(many bool) string {
	if many {
		return c.T("files_choose")
	}
	return c.T("file_choose")
}

// Fact is a named value.
type Fact struct {
	Name, Value string
	Mono        bool
}
