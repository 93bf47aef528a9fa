package ui

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
