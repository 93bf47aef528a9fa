package ui

import (
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/words"
)

// FormFault is what is wrong with a submitted form.
type FormFault struct {
	Field string // the field it stands beside, "" for the whole form
	Word  string // its message id after "fault_", "" if Message says it
	Args  []any  // of that message: name, value …; numbers, or text

	Message domain.Message // instead of Word
}

// FaultOf returns an error as a fault of the field that it names.
func FaultOf(e *domain.Error) *FormFault {
	f := &FormFault{Field: e.Path, Word: FormWord(e), Message: e.Message}
	if f.Word != "" {
		f.Args = f.Message.Args
	}
	return f
}

// FormWord returns the id, after "fault_", of what a form says of an error, "" if it has nothing of its own to say. A
// message "refused_x" is for programs; where there is a "fault_x" too, that is what people read.
func FormWord(e *domain.Error) string {
	for _, prefix := range []string{"fault_", "refused_"} {
		if name, ok := strings.CutPrefix(e.Message.ID, prefix); ok && words.In("en").Has("fault_"+name) {
			return name
		}
	}
	return ""
}

// FaultWords returns a fault in the reader's language, "" for none.
func (c *Chrome) FaultWords(f *FormFault) string {
	switch {
	case f == nil:
		return ""
	case f.Word != "":
		return c.Said(domain.Message{ID: "fault_" + f.Word, Args: f.Args})
	}
	return c.Said(f.Message)
}

// Shown returns a message's arguments as the reader sees them.
func (c *Chrome) Shown(args []any) []any {
	out := slices.Clone(args)
	for i := 1; i < len(out); i += 2 {
		if n, ok := out[i].(int); ok {
			out[i] = c.Num(n)
		} else {
			out[i] = say.Isolated(fmt.Sprint(out[i]))
		}
	}
	return out
}

// FaultAt returns the text beside one field.
func (c *Chrome) FaultAt(f *FormFault, field string) string {
	if f == nil || f.Field != field {
		return ""
	}
	return c.FaultWords(f)
}

// RoleOptions returns the choices of a role.
func (c *Chrome) RoleOptions(chosen access.Role) []Option {
	return Options(c, "role_", "", access.Roles, chosen)
}

// Notice returns the words for what the preceding request did, "" for nothing; a value that is not in known is ignored.
func (c *Chrome) Notice(prefix string, known ...string) string {
	done := c.Query().Get("done")
	for _, k := range known {
		if k == done {
			return c.T(prefix + k)
		}
	}
	return ""
}
