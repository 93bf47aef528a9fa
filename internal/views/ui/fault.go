package ui

import "sanad/internal/domain"

// FormFault is what is wrong with a submitted form.
type FormFault struct {
	Field string // the field it stands beside, "" for the whole form
	Word  string // its message id after "fault_", "" if it has only Text
	Text  string // safe English words, from the rule that was broken
}

// FaultWords returns a fault in the reader's language; for a text that exists in English only, Arabic gets the words of
// the fault's kind.
func (c *Chrome) FaultWords(f *FormFault) string {
	switch {
	case f == nil:
		return ""
	case f.Word != "":
		return c.T("fault_" + f.Word)
	case c.Lang == "en":
		return f.Text
	}
	return c.T("fault_invalid") + " " + Isolated(f.Text)
}

// FaultAt returns the text beside one field.
func (c *Chrome) FaultAt(f *FormFault, field string) string {
	if f == nil || f.Field != field {
		return ""
	}
	return c.FaultWords(f)
}

// RoleOptions returns the choices of a role.
func (c *Chrome) RoleOptions(chosen domain.Role) []Option {
	return Options(c, "role_", "", domain.Roles, chosen)
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
